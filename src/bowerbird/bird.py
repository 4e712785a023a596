"""Bowerbird, the object: the verbs of the product over one store."""

from bowerbird.core.answers import Entries, Hits
from bowerbird.core.errors import BadInput, ModelError, StoreMissing
from bowerbird.core.places import a_path
from bowerbird.core.query import Filter, Query, question, several
from bowerbird.core.value import Note
from bowerbird.wiring.root import Wiring
from bowerbird.wiring.turn import in_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from typing import Any, Self, Unpack

    from bowerbird.admin import Admin
    from bowerbird.core.anchors import Strayed
    from bowerbird.core.answers import Status
    from bowerbird.core.clock import Clock
    from bowerbird.core.draft import About
    from bowerbird.core.graph import Following, Impact
    from bowerbird.core.history import Edited, Gone, History, Relation, Reverted
    from bowerbird.core.memories import Decision
    from bowerbird.core.narrow import Narrowing
    from bowerbird.core.packs import Pack
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.pruned import Pruned
    from bowerbird.core.report import Report
    from bowerbird.core.types import Entry, Project
    from bowerbird.core.ways import Communities, Way
    from bowerbird.core.who import Who

    Path = str | os.PathLike[str]


class Bowerbird:
    """Memory over one store file, as a context manager. Threads share it by turns, a verb each."""

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring

    @classmethod
    def open(
        cls,
        store: "Path | None" = None,
        *,
        project: str | None = None,
        settings: "dict[str, Any] | None" = None,
        clock: "Clock | None" = None,
        resident: bool = False,
    ) -> "Self":
        """Open a store; nothing is created or read before the first verb.

        Args:
            store: path of the store file; None takes BOWER_STORE, the configuration, or the default.
            project: name of the project to work in; None takes the working directory's repository.
            settings: configuration keys that win over every file and variable.
            clock: gives UTC milliseconds; for tests and replays.
            resident: this process stays: keep answers and vectors in memory until something is written.

        Raises BadConfig for what cannot be read, and UnknownName for a key that nobody knows.
        """
        flags = dict(settings or {})
        if store is not None:
            flags["store"] = a_path(store)
        if project is not None:
            flags["project"] = project
        return cls(Wiring.from_environment(flags, clock, resident=resident))

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    @in_turn
    def close(self) -> None:
        """Close the store and all that share it; the next verb opens it again."""
        self._wiring.close()

    def within(self, project: str | None, *, confined: bool = False) -> "Bowerbird":
        """The same store and connections seen from another project (None: this one).

        From a confined one no id leads to another, and what is global cannot be changed.
        """
        return type(self)(self._wiring.within(project, confined=confined))

    def acting(self, who: "Who") -> "Bowerbird":
        """The same store for a door's client: in their name, trust and bounds, never beyond these.

        Raises Denied for a project that is not open to them; verbs do for what they may not do.
        """
        return type(self)(self._wiring.by(who))

    @property
    def admin(self) -> "Admin":
        """Looking after the store: examine it, read it anew, build its index."""
        from bowerbird.admin import Admin  # start-up: most ask or tell

        return Admin(self._wiring)

    @property
    def project(self) -> "Project":
        """The project that verbs work in."""
        return self._wiring.reach.project

    @property
    def path(self) -> str:
        """Where the store file is, or would be."""
        return self._wiring.store_path

    @property
    def owned(self) -> bool:
        """Whether whoever acts is the owner of the store, or a program of theirs."""
        return self._wiring.acting.who.owner

    @in_turn
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
    ) -> Hits:
        """The entries that answer a question, best first.

        Args:
            text, limit: any text; how many hits at most (1 to 50); None takes the configuration's.
            budget: cap in tokens over the text of all hits; 0 or None: none.
            min_score, fast: floor on a hit's relevance (0 to 1); by words alone.
            explain, without: keep what each stage contributed, in `.trace`; stages to leave out.
            fuzzy: read a word that the store does not hold as the nearest one it does, and say so.
            phase: see core.phases.
            operators: AND, OR, NOT, brackets, "a phrase" and beginnings* count: core.matching.
            weak: also hits that hardly answer, beside better ones; doors leave them out.
            sort: which of what was found comes first: by relevance, or by recency.
            all_projects: search every project, not just this one and what is global.
            **narrowing: what else entries must be, by the names of `core.narrow.Narrowing`.

        Raises BadInput for an empty question or a value out of its range, UnknownName for a state or so,
        and StoreError; a store that does not exist yet answers nothing.
        """
        filter = self._filter(all_projects, narrowing, text if operators else None)
        shaped: dict[str, Any] = {"limit": limit, "budget": budget, "min_score": min_score}
        shaped |= {"phase": phase, "fast": fast, "explain": explain, "fuzzy": fuzzy, "weak": weak}
        return self._wiring.asking.query(
            text, filter, operators=operators, without=without, sort=sort, **shaped
        )

    @in_turn
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
        """What memory holds for a task, cut and cited to fit a budget of tokens; maybe nothing.

        A `phase` (core.phases), or a `role` (core.roles) that plans `steps` steps, say what counts; a
        role is handed first what others kept on the same `unit` of work (core.methodologies).
        `budget` (else the phase's, else 2,048) is never exceeded. Raises BadInput and UnknownName.
        """
        question(task, "task", 'say what is to be done: "fix the login bug"')
        if budget is not None and budget < 0:
            raise BadInput(f"budget cannot be {budget}", "give it a whole number from 0")
        filter = self._filter(all_projects, {"min_trust": min_trust})
        query = Query(task, filter=filter, phase=phase, depth=self._wiring.config["query.depth"])
        return self._wiring.asking.context(query, budget, role, steps, unit)

    def _filter(self, all_projects: bool, by: "Narrowing", matching: str | None = None) -> Filter:
        self._wiring.reach.refuse_beyond(all_projects, "all_projects")
        if matching is not None:
            if by.get("matching") is not None:
                raise BadInput("operators make a matching of the question", "give one of the two")
            by["matching"] = matching
        projects = None if all_projects else self._wiring.reach.seen
        filter = Filter(projects=projects, now=self._wiring.now())
        return self._wiring.asking.narrowed(filter, by) if by else filter

    @in_turn
    def remember(
        self, text: str, *, everywhere: bool = False, **about: "Unpack[About]"
    ) -> "Decision":
        """Keep a belief of one to three sentences, unless it is kept already.

        What says the same is known; what holds an older one word for word takes its place, and `revert`
        takes that back; anything else is kept beside it. Secrets are taken out before. The keyword
        arguments are the fields of `core.draft.Draft`; `everywhere` keeps it outside any project. Raises
        BadInput, StoreError, and UnknownName for a name that nobody registered.
        """
        return self._wiring.keeping.remember(text, about, everywhere=everywhere)

    @in_turn
    def index(
        self,
        *paths: "Path",
        again: bool = False,
        follow_links: bool = False,
        scip: "Path | None" = None,
        progress: "Progress | None" = None,
    ) -> "Report":
        """Take in files and folders; what is unchanged is skipped. No path: the working directory.

        `again` heals what is damaged, `follow_links` takes what links lead to outside, `scip` makes calls
        exact by another tool's index. Raises BadInput, and Stopped for Ctrl-C.
        """
        report = self._wiring.indexing.index(
            [a_path(path) for path in paths] or ["."], progress, again=again, links=follow_links
        )
        try:
            report.embedded += self.admin.reindex(progress=progress)
            report.unread = ""
        except ModelError as error:
            report.unread = f"{error.message}; {error.remedy}"
        if scip is not None:
            report.scip = self._wiring.graphing.take(a_path(scip))
        return report

    @in_turn
    def get(self, id: str) -> "Entry":
        """One entry by its id or a beginning of six characters. Raises NotFound and BadInput."""
        with self._wiring.store().reading():
            return self._wiring.asking.lookup().get(id)

    @in_turn
    def at(self, path: "Path", line: int = 1) -> "Entry":
        """The passage of an indexed file, or of the one whose path ends so, at or before a line."""
        with self._wiring.store().reading():
            return self._wiring.asking.lookup().at(a_path(path), line, self._wiring.reach.seen)

    @in_turn
    def impact(self, target: str, **how: "Unpack[Following]") -> "Impact":
        """What breaks if a file, ``file:symbol`` or symbol changes; `core.graph` says how to follow."""
        return self._wiring.graphing.impact(target, **how)

    @in_turn
    def unfinished(self) -> int:
        """How many indexed files of the project wait to be drawn into the graph."""
        return self._wiring.graphing.unfinished()

    @in_turn
    def stale(self, *, limit: int = 50, all_projects: bool = False) -> "Strayed":
        """The memories whose files or symbols changed, moved or went since they were written."""
        return self._wiring.graphing.stale(limit, everywhere=all_projects)

    @in_turn
    def way(self, start: str, end: str = "", *, depth: int = 6) -> "Way":
        """How a memory or code leads to another; without `end`, the memory's causes and effects."""
        return self._wiring.relating.path(start, end, depth)

    @in_turn
    def communities(self, *, limit: int = 20) -> "Communities":
        """Groups of memories that hang together by relations and by what they are about."""
        return self._wiring.relating.communities(limit)

    @in_turn
    def history(self, id: str) -> "History":
        """Everything that became of a memory: its versions, its relations, and who did what."""
        with self._wiring.store().reading():
            return self._wiring.keeping.changes(write=False).history(id)

    @in_turn
    def revert(
        self,
        id: str,
        version: str | None = None,
        *,
        reason: str = "",
        actor: str = "",
        dry_run: bool = False,
    ) -> "Reverted":
        """Take back the last change of a memory that still stands, or go back to a version of it.

        A change is taken back as a whole, but what was done for another memory for this one alone.
        `dry_run` only tells. Raises NotFound, StoreError, and BadInput where nothing is left to undo.
        """
        return self._wiring.keeping.revert(id, version, reason, actor, rehearse=dry_run)

    @in_turn
    def edit(
        self, id: str, text: str | None = None, *, reason: str = "", **about: "Unpack[About]"
    ) -> "Edited":
        """Give a memory another text or other fields, as `remember` takes them; `revert` undoes it."""
        return self._wiring.keeping.edit(id, text, about, reason)

    @in_turn
    def link(
        self,
        source: str,
        target: str,
        kind: str = "related_to",
        *,
        strength: float = 1.0,
        confidence: float = 1.0,
        actor: str = "",
    ) -> "Relation":
        """Say what a memory is to another one, or to a file (a `target` such as ``file:PATH``).

        The kinds stand in `core.relations`. Raises NotFound, UnknownName, BadInput and StoreError.
        """
        return self._wiring.keeping.changes().link(
            source, target, kind, strength, confidence, actor
        )

    @in_turn
    def forget(self, id: str, reason: str = "", *, actor: str = "") -> "Gone":
        """Take a memory out of every search; `revert` takes that back. Raises as `forget_all` does."""
        return self.forget_all([id], reason, actor=actor)[0]

    @in_turn
    def forget_all(
        self, ids: "Sequence[str]", reason: str = "", *, actor: str = ""
    ) -> "Sequence[Gone]":
        """Forget several memories, or none where one cannot be; each is taken back by itself."""
        return self._wiring.keeping.forget(several("ids", ids), reason, actor)

    @in_turn
    def prune(
        self,
        *,
        dry_run: bool = False,
        threshold: float | None = None,
        all_projects: bool = False,
        remove: bool = True,
        actor: str = "",
    ) -> "Pruned":
        """Let go of memories that faded, were not used for long or are past their day.

        They are taken out of search, which `revert` takes back, and removed thirty days later at the
        earliest, without `remove` not at all. Pinned memories, decisions and procedures never go.
        `dry_run` only says who would; what nobody touched for long goes below an effective importance of
        `threshold` (0 to 1; None: 0.05).
        """
        if threshold is not None and not 0.0 <= threshold <= 1.0:
            raise BadInput(f"threshold cannot be {threshold}", "give it a number from 0 to 1")
        done = self._wiring.keeping.prune(
            threshold, actor, dry_run=dry_run, remove=remove, everywhere=all_projects
        )
        self._wiring.acting.hand(one.trust for one in done.leaving)
        return done if all_projects else done.replace(notes=self._wiring.reach.notes())

    @in_turn
    def used(self, ids: "Sequence[str]", session: str = "") -> bool:
        """Note which entries an answer returned, for the next writer to count; whether that could be."""
        return not ids or self._wiring.asking.note_usage(several("ids", ids), session)

    @in_turn
    def list(
        self,
        *,
        all_projects: bool = False,
        limit: int = 20,
        offset: int = 0,
        **narrowing: "Unpack[Narrowing]",
    ) -> Entries:
        """Entries, newest first; `core.narrow.Narrowing` says by what to narrow.

        Its `notes` say where there is no store yet or no such project. Raises UnknownName and StoreError.
        """
        filter = self._filter(all_projects, narrowing)
        try:
            store = self._wiring.store()
        except StoreMissing as missing:
            return Entries(notes=(Note("missing", missing.message),))
        with store.reading():
            lookup = self._wiring.asking.lookup()
            found, damaged = lookup.list(filter, limit, offset), lookup.left_out()
        return Entries(found, damaged if all_projects else (*damaged, *self._wiring.reach.notes()))

    @in_turn
    def status(self, *, all_projects: bool = False, measure: bool = False) -> "Status":
        """What this project and what is global hold, or all; `measure`: and how much search finds."""
        found = self._wiring.upkeep.status(measure=measure, everywhere=all_projects)
        found = found if self._wiring.acting.who.local else found.replace(db_path="")
        notes = () if all_projects else self._wiring.reach.notes()
        return found.replace(notes=(*found.notes, *notes))
