"""Memory, wherever it is: what a store in this process and a server's client can both be asked.

A client inherits from it and is given each method that it does not write itself (`surfaces.http.client`).
Others import it for type checking only, like the ports. Whoever takes a `Memory` runs over either.
"""

from typing import Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Never, Unpack

    from bowerbird.core.anchors import Strayed
    from bowerbird.core.answers import Entries, Hits, Status
    from bowerbird.core.draft import About
    from bowerbird.core.graph import Following, Impact
    from bowerbird.core.history import Edited, Gone, History, Relation, Reverted
    from bowerbird.core.memories import Decision
    from bowerbird.core.narrow import Narrowing
    from bowerbird.core.packs import Pack
    from bowerbird.core.pruned import Pruned
    from bowerbird.core.report import Report
    from bowerbird.core.types import Entry
    from bowerbird.core.ways import Communities, Way


class Memory(Protocol):
    """The verbs that both have, with the same arguments, values and errors."""

    def query(
        self,
        text: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        min_score: float | None = None,
        fast: bool = False,
        explain: bool = False,
        fuzzy: bool = True,
        phase: str | None = None,
        operators: bool = False,
        weak: bool = True,
        sort: str = "relevance",
        without: "Sequence[str]" = (),
        all_projects: bool = False,
        **narrowing: "Unpack[Narrowing]",
    ) -> "Hits":
        """The entries that answer a question, best first."""
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
        all_projects: bool = False,
    ) -> "Pack":
        """What memory holds for a task, cut and cited to fit a budget."""
        _unfilled()

    def remember(
        self, text: str, *, everywhere: bool = False, **about: "Unpack[About]"
    ) -> "Decision":
        """Keep a belief of one to three sentences."""
        _unfilled()

    def get(self, id: str) -> "Entry":
        """One entry by its id or the first characters of it."""
        _unfilled()

    def at(self, path: "str | PathLike[str]", line: int = 1) -> "Entry":
        """The passage that holds a line of an indexed file."""
        _unfilled()

    def list(
        self,
        *,
        all_projects: bool = False,
        limit: int = 20,
        offset: int = 0,
        **narrowing: "Unpack[Narrowing]",
    ) -> "Entries":
        """Entries, newest first."""
        _unfilled()

    def impact(self, target: str, **how: "Unpack[Following]") -> "Impact":
        """What breaks if a file or symbol changes, or what it needs."""
        _unfilled()

    def stale(self, *, limit: int = 50, all_projects: bool = False) -> "Strayed":
        """The memories whose files or symbols changed, moved or went."""
        _unfilled()

    def way(self, start: str, end: str = "", *, depth: int = 6) -> "Way":
        """How a memory or code leads to another; without an end, its causes and effects."""
        _unfilled()

    def communities(self, *, limit: int = 20) -> "Communities":
        """Groups of memories that hang together."""
        _unfilled()

    def history(self, id: str) -> "History":
        """Everything that became of a memory."""
        _unfilled()

    def revert(self, id: str, version: str | None = None, *, reason: str = "") -> "Reverted":
        """Take back the last change of a memory, or go back to a version."""
        _unfilled()

    def edit(
        self, id: str, text: str | None = None, *, reason: str = "", **about: "Unpack[About]"
    ) -> "Edited":
        """Give a memory another text or other fields."""
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
        """Say what a memory is to another one, or to a file."""
        _unfilled()

    def forget(self, id: str, reason: str = "") -> "Gone":
        """Take a memory out of every search."""
        _unfilled()

    def forget_all(self, ids: "Sequence[str]", reason: str = "") -> "Sequence[Gone]":
        """Forget several memories, or none where one of them cannot be."""
        _unfilled()

    def prune(
        self, *, dry_run: bool = False, threshold: float | None = None, all_projects: bool = False
    ) -> "Pruned":
        """Let go of memories that faded, or whose day has passed."""
        _unfilled()

    def index(self, *paths: "str | PathLike[str]") -> "Report":
        """Take in files and folders."""
        _unfilled()

    def used(self, ids: "Sequence[str]", session: str = "") -> bool:
        """Note which entries were of use."""
        _unfilled()

    def status(self, *, all_projects: bool = False, measure: bool = False) -> "Status":
        """What the store holds."""
        _unfilled()

    def close(self) -> None:
        """Let go of what is open; the next verb opens it again."""
        _unfilled()


def _unfilled() -> "Never":
    # A call, and not `...`, which mypy takes for an abstract method that every heir has to write out.
    raise NotImplementedError
