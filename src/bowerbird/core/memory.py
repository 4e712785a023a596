"""The interface shared by `Bowerbird`, over a local store, and `Client`, over a server.

A client inherits from it and is given each method that it does not write itself (`surfaces.http.client`).
Others import it for type checking only, like the ports. Code that takes a `Memory` works with either.
"""

from typing import Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Never, Unpack

    from bowerbird.core.anchors import Strayed
    from bowerbird.core.answers import Entries, Hits, Status
    from bowerbird.core.code_map import CodeMap
    from bowerbird.core.consolidated import Consolidated
    from bowerbird.core.draft import About
    from bowerbird.core.graph import Following, Impact
    from bowerbird.core.history import Edited, Ended, Gone, History, Relation, Reverted
    from bowerbird.core.memories import Decision
    from bowerbird.core.narrow import Narrowing
    from bowerbird.core.overview import Activity, Around, Facets, Faded, Flagged, Modules, Score
    from bowerbird.core.packs import Pack
    from bowerbird.core.pruned import Pruned
    from bowerbird.core.report import Report
    from bowerbird.core.reviewed import Waiting
    from bowerbird.core.types import Entry
    from bowerbird.core.usages import References
    from bowerbird.core.ways import Communities, Way


class Memory(Protocol):
    """The verbs of both, with the same arguments, results and errors."""

    def query(
        self,
        text: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        min_score: float | None = None,
        fast: bool = False,
        explain: bool = False,
        fuzzy: bool | None = None,
        phase: str | None = None,
        operators: bool = False,
        weak: bool = True,
        sort: str = "relevance",
        expand: bool = False,
        without: "Sequence[str]" = (),
        all_projects: bool = False,
        **narrowing: "Unpack[Narrowing]",
    ) -> "Hits":
        """Answers a query with entries, best first."""
        _unfilled()

    def context(
        self,
        task: str,
        *,
        phase: str | None = None,
        role: str | None = None,
        steps: int | None = None,
        unit: str | None = None,
        budget: int | None = None,
        min_trust: str = "normal",
        as_of: int | str | None = None,
        session: str | None = None,
        all_projects: bool = False,
    ) -> "Pack":
        """Packs what memory holds for a task, cut and cited, into a token budget."""
        _unfilled()

    def remember(
        self,
        text: str,
        *,
        everywhere: bool = False,
        dry_run: bool = False,
        **about: "Unpack[About]",
    ) -> "Decision":
        """Stores a belief of one to three sentences."""
        _unfilled()

    def get(self, id: str, *, as_of: int | str | None = None) -> "Entry":
        """One entry by its id or id prefix."""
        _unfilled()

    def at(self, path: "str | PathLike[str]", line: int = 1) -> "Entry":
        """The passage that contains a line of an indexed file."""
        _unfilled()

    def list(
        self,
        *,
        all_projects: bool = False,
        limit: int = 20,
        offset: int = 0,
        sort: str = "newest",
        after: str = "",
        total: bool = False,
        **narrowing: "Unpack[Narrowing]",
    ) -> "Entries":
        """Entries, newest first."""
        _unfilled()

    def facets(
        self, *, all_projects: bool = False, seconds: float = 0.5, **narrowing: "Unpack[Narrowing]"
    ) -> "Facets":
        """Counts entries by what a list could be narrowed by."""
        _unfilled()

    def modules(self, *, limit: int = 50) -> "Modules":
        """What memory knows of each module."""
        _unfilled()

    def score(self) -> "Score":
        """How well memory does, with the formula."""
        _unfilled()

    def fading(self, *, limit: int = 20) -> "Faded":
        """How sure memories still are, and which go next."""
        _unfilled()

    def activity(
        self, *, before: int = 0, limit: int = 50, all_projects: bool = False
    ) -> "Activity":
        """The last changes of memories."""
        _unfilled()

    def around(self, id: str, *, depth: int = 1, limit: int = 60) -> "Around":
        """What a memory hangs together with."""
        _unfilled()

    def waiting(
        self, *ids: str, limit: int = 20, offset: int = 0, all_projects: bool = False
    ) -> "Waiting":
        """What waits for review, with the reasons."""
        _unfilled()

    def flag(self, id: str, wrong: str = "", *, session: str = "") -> "Flagged":
        """Says that a memory is wrong, so that it waits for review."""
        _unfilled()

    def impact(self, target: str = "", **how: "Unpack[Following]") -> "Impact":
        """The dependents of a file or symbol, or its dependencies."""
        _unfilled()

    def references(self, target: str, *, limit: int = 100) -> "References":
        """Every line that uses a definition, by file."""
        _unfilled()

    def outline(self, file: str) -> "CodeMap":
        """What an indexed file defines."""
        _unfilled()

    def map(self, folder: str = "", *, budget: int = 2_000) -> "CodeMap":
        """The definitions that the indexed code uses most."""
        _unfilled()

    def stale(self, *, limit: int = 50, all_projects: bool = False) -> "Strayed":
        """The memories whose files or symbols changed, moved or were removed."""
        _unfilled()

    def way(self, start: str, end: str = "", *, depth: int = 6, directed: bool = False) -> "Way":
        """The path between two memories or code locations; without an end, causes and effects."""
        _unfilled()

    def communities(self, *, limit: int = 20) -> "Communities":
        """Groups of related memories."""
        _unfilled()

    def history(self, id: str) -> "History":
        """The complete history of a memory."""
        _unfilled()

    def revert(self, id: str, version: str | None = None, *, reason: str = "") -> "Reverted":
        """Reverts the last change of a memory, or restores a version."""
        _unfilled()

    def edit(
        self,
        id: str,
        text: str | None = None,
        *,
        reason: str = "",
        stale: bool | None = None,
        **about: "Unpack[About]",
    ) -> "Edited":
        """Changes the text or fields of a memory."""
        _unfilled()

    def link(
        self,
        source: str,
        target: str,
        kind: str = "related_to",
        *,
        strength: float = 1.0,
        confidence: float = 1.0,
    ) -> "Relation":
        """Adds a relation from a memory to another one, or to a file."""
        _unfilled()

    def forget(self, id: str, reason: str = "") -> "Gone":
        """Takes a memory out of search."""
        _unfilled()

    def forget_all(self, ids: "Sequence[str]", reason: str = "") -> "Sequence[Gone]":
        """Forgets several memories; none if one of them cannot be forgotten."""
        _unfilled()

    def deprecate(
        self, ids: "Sequence[str]", *, since: int | str | None = None, reason: str = ""
    ) -> "Ended":
        """Marks memories as out of date."""
        _unfilled()

    def merge(self, id: str, into: str, *, reason: str = "") -> "Ended":
        """Merges a memory into another one."""
        _unfilled()

    def prune(
        self, *, dry_run: bool = False, threshold: float | None = None, all_projects: bool = False
    ) -> "Pruned":
        """Prunes memories that have faded or expired."""
        _unfilled()

    def consolidate(self, *, dry_run: bool = False, all_projects: bool = False) -> "Consolidated":
        """Sums up memories that say the like."""
        _unfilled()

    def index(self, *paths: "str | PathLike[str]") -> "Report":
        """Indexes files and folders."""
        _unfilled()

    def used(self, ids: "Sequence[str]", session: str = "") -> bool:
        """Records which entries were useful."""
        _unfilled()

    def status(
        self, *, all_projects: bool = False, measure: bool = False, fading: bool = False
    ) -> "Status":
        """What the store holds."""
        _unfilled()

    def close(self) -> None:
        """Closes what is open; the next verb opens it again."""
        _unfilled()


def _unfilled() -> "Never":
    # A call, and not `...`, which mypy takes for an abstract method that every heir has to write out.
    raise NotImplementedError
