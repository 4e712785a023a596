"""The `Bowerbird` class: the verbs of the product over one store."""

from bowerbird.core.given import require_text
from bowerbird.core.query import Query, known_order, question, several
from bowerbird.host.places import a_path
from bowerbird.verbs.root import Wiring
from bowerbird.wiring.verb_lock import in_turn, keywords

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from typing import Any, Self, Unpack

    from bowerbird.admin import Admin
    from bowerbird.core.anchors import Strayed
    from bowerbird.core.answers import Entries, Hits, Status
    from bowerbird.core.clock import Clock
    from bowerbird.core.code_map import CodeMap
    from bowerbird.core.config import Config
    from bowerbird.core.consolidated import Consolidated
    from bowerbird.core.dispute import Dispute, Disputes
    from bowerbird.core.draft import About
    from bowerbird.core.errors import UsageError
    from bowerbird.core.graph import Following, Impact
    from bowerbird.core.history import AllGone, Edited, Ended, Gone, History, Relation, Reverted
    from bowerbird.core.memories import Decision
    from bowerbird.core.narrow import Narrowing
    from bowerbird.core.overview import Activity, Around, Facets, Faded, Flagged, Modules, Score
    from bowerbird.core.packs import Pack
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.pruned import Pruned
    from bowerbird.core.report import Report
    from bowerbird.core.reviewed import Waiting
    from bowerbird.core.sessions import Timeline
    from bowerbird.core.types import Entry, Project
    from bowerbird.core.usages import References
    from bowerbird.core.value import Note
    from bowerbird.core.ways import Communities, Way
    from bowerbird.core.who import Who

    Path = str | os.PathLike[str]


class Bowerbird:
    """Memory over one store file, as a context manager. Threads can share it; calls are serialised."""

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
        faults: "list[UsageError] | None" = None,
    ) -> "Self":
        """Open a store; nothing is created or read before the first verb.

        Args:
            store: path of the store file; None takes BOWER_STORE, the configuration, or the default.
            project: name of the project to work in; None takes the working directory's repository.
            settings: configuration keys that override every file and variable.
            clock: returns UTC milliseconds; for tests and replays.
            resident: for long-running processes: cache answers and vectors until the next write.
            faults: collects what a file or a variable sets wrongly, which is then left out; None: the
                first fault is raised.

        Raises BadConfig for an unreadable configuration, and UnknownName for an unknown key.
        """
        flags = dict(settings or {})
        if store is not None:
            flags["store"] = a_path(store)
        if project is not None:
            require_text("project", project)
            flags["project"] = project
        return cls(Wiring.from_environment(flags, clock, resident=resident, faults=faults))

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    @in_turn
    def close(self) -> None:
        """Close the store and everything that shares it; the next verb reopens it."""
        self._wiring.close()

    def within(self, project: str | None, *, confined: bool = False) -> "Bowerbird":
        """The same store and connections seen from another project (None: this one).

        `confined`: ids of other projects are not found, and global memories cannot be changed.
        """
        if project is not None:
            require_text("project", project)
        return type(self)(self._wiring.within(project, confined=confined))

    def under(self, config: "Config", folder: str) -> "Bowerbird":
        """The same store and connections with the settings and the working folder of another process.

        Raises BadConfig if that process would have opened the store differently.
        """
        require_text("folder", folder)
        return type(self)(self._wiring.under(config, folder))

    def acting(self, who: "Who") -> "Bowerbird":
        """The same store with the identity, trust and permissions of a caller.

        Raises Denied for a project that the caller may not use; verbs raise it for other permissions.
        """
        return type(self)(self._wiring.by(who))

    @property
    def admin(self) -> "Admin":
        """Maintenance of the store: examine it, re-embed it, build its index."""
        from bowerbird.admin import Admin  # start-up: most callers only query or remember

        return Admin(self._wiring)

    def adapter(self, name: str) -> "Any":
        """This store as another framework asks for it, by the adapter of an installed package.

        `bower plugins` lists those. Raises UnknownName and PluginFailed.
        """
        from bowerbird.verbs.plugins import adapted

        require_text("name", name)
        return adapted(name, self)

    @property
    def project(self) -> "Project":
        """The project that verbs apply to."""
        return self._wiring.reach.project

    @property
    def path(self) -> str:
        """The path of the store's file, existing or not."""
        return self._wiring.store_path

    @property
    def exists(self) -> bool:
        """Whether there is a store at `path`. Only what writes creates one."""
        return self._wiring.opened.exists()

    @property
    def owned(self) -> bool:
        """Whether the caller is the owner of the store, or a program of theirs."""
        return self._wiring.acting.who.owner

    @property
    def outside(self) -> bool:
        """Whether the owner of the store asks from a folder that is in no project.

        False for agents, and for callers that are confined to a project.
        """
        who, reach = self._wiring.acting.who, self._wiring.reach
        return who.local and who.wide and not who.reader and reach.outside

    @in_turn
    def project_notes(self) -> "Sequence[Note]":
        """What is to be said of the project itself: that it was named and the store does not know it."""
        return self._wiring.reach.notes()

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
        """The entries that answer a question, best first.

        Args:
            text, limit: any text; maximum number of hits (1 to 50), None: as configured.
            budget: maximum tokens of the text of all hits; 0 or None: no limit.
            min_score, fast: minimum relevance of a hit (0 to 1); use words only, without the model.
            explain, without: record what each stage contributed, in `.trace`; stages to leave out.
            fuzzy: replace a misspelt word that the store does not contain by the nearest one, and report
                it; True: also one that is spelt right, False: none.
            phase: see core.phases.
            operators: interpret AND, OR, NOT, brackets, "a phrase" and prefixes*: core.operators.
            weak: also return hits of low relevance beside better ones; the interfaces omit them.
            sort: order of the hits: by relevance, or by recency.
            expand: also ask in other words, and by an imagined answer if little is found: both are a
                language model's (`llm.provider`), which takes seconds.
            all_projects: search every project, not only this one and global entries.
            **narrowing: further filters, named as in `core.narrow.Narrowing`. Without `min_trust`,
                an agent gets no texts of low trust, which would lower that of what it keeps.

        Raises BadInput for an empty question or a value out of its range, UnknownName for a name that is
        unknown, and StoreError; a store that does not exist yet returns no hits.
        """
        asking, choose = self._wiring.asking, self._wiring.config.choose
        filter = asking.filter(
            narrowing,
            all_projects,
            keywords(Bowerbird.query),
            text if operators else None,
            coming=True,
        )
        if narrowing.get("min_trust") is None:
            # Not as a narrowing: a cold command then loads what reads those.
            filter = filter.replace(min_trust=asking.least_trust)
        query = Query(
            filter.matching.text if operators and filter.matching else question(text),
            filter=filter,
            limit=choose("query.limit", limit),
            budget=choose("query.budget", budget) or None,
            min_score=choose("query.min_score", min_score),
            depth=choose("query.depth", None),
            phase=asking.phase(phase),
            fast=fast,
            explain=explain,
            fuzzy=fuzzy,
            weak=weak,
            sort=known_order(sort),
            expand=expand,
            without=several("without", without),
        )
        hits = asking.query(query)
        return hits.replace(query=text) if operators else hits

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
        as_of: int | str | None = None,
        session: str | None = None,
        all_projects: bool = False,
    ) -> "Pack":
        """Trusted memories for a task, cut and cited to fit a token budget; possibly empty.

        A `phase` (core.phases), or a `role` (core.roles) with a number of planned `steps`, decides which
        kinds count; a role first gets memories of others on the same `unit` of work (core.methodologies).
        `budget` (default: the phase's, else 2,048) bounds the texts; citations, some eleven tokens each,
        come on top. `as_of`: what held then, see `core.narrow.Narrowing`. With a `session` (its id, the
        beginning of it, or "this") the pack also says what that was given and has left. Raises BadInput,
        NotFound and UnknownName.
        """
        asking = self._wiring.asking
        filter = asking.filter({"min_trust": min_trust, "as_of": as_of}, all_projects)
        pack = asking.context(task, filter, phase, budget, role, steps, unit)
        return pack if session is None else asking.with_session(pack, session, filter)

    @in_turn
    def remember(
        self,
        text: str,
        *,
        everywhere: bool = False,
        dry_run: bool = False,
        **about: "Unpack[About]",
    ) -> "Decision":
        """Store a memory of one to three sentences, unless it is known already.

        A text supersedes an older memory, which `revert` undoes, if it holds it word for word and says
        more, if it says that a value changed ("takes 250 requests now"), or if it clearly contradicts one
        that is older or less sure. Of two that may contradict each other both are stored, and wait for a
        review; any other text is stored as a separate memory. Secrets are removed first. The keyword
        arguments are the fields of `core.draft.Draft`; `everywhere` stores it for all projects. `dry_run`
        only says what would be decided: what would be new has no id. Raises BadInput, StoreError,
        and UnknownName for an unknown kind, field or other name.
        """
        keeping = self._wiring.keeping
        if dry_run:
            return keeping.foresee(text, about, everywhere=everywhere)
        return keeping.remember(text, about, everywhere=everywhere)

    @in_turn
    def index(
        self,
        *paths: "Path",
        again: bool = False,
        follow_links: bool = False,
        scip: "Path | None" = None,
        progress: "Progress | None" = None,
    ) -> "Report":
        """Index files and folders, skipping unchanged files. Without paths: the working directory.

        `again` reads unchanged files too, which repairs damaged texts; `follow_links` follows links out
        of a folder; `scip` resolves calls by a SCIP index. Raises BadInput, and Stopped for Ctrl-C.
        """
        named, how = [a_path(path) for path in paths], {"again": again, "links": follow_links}
        report = self._wiring.indexing.index_and_read(named or ["."], progress, **how)
        if scip is not None:
            report.scip = self._wiring.drawing.take(a_path(scip))
        return report

    @in_turn
    def get(self, id: str, *, as_of: int | str | None = None) -> "Entry":
        """One entry by its id, or at least six of its first characters. Raises NotFound and BadInput.

        `as_of`: as it was then (`core.narrow.Narrowing` has the forms); NotFound if it was not yet.
        """
        with self._wiring.store().reading():
            return self._wiring.asking.get(id, as_of)

    @in_turn
    def named(self, *ids: str) -> "Entries":
        """The entries with some whole ids, in that order; unknown ones are left out.

        Without the links that `get` adds.
        """
        from bowerbird.core.answers import Entries  # start-up: whoever asks has them already

        with self._wiring.store().reading():
            return Entries(self._wiring.asking.lookup().named(ids))

    @in_turn
    def at(self, path: "Path", line: int = 1) -> "Entry":
        """The passage at or before a line of an indexed file, given by its path or the end of it."""
        with self._wiring.store().reading():
            return self._wiring.asking.lookup().at(a_path(path), line, self._wiring.reach.seen)

    @in_turn
    def impact(self, target: str = "", **how: "Unpack[Following]") -> "Impact":
        """What breaks if a file, ``file:symbol`` or symbol changes; options: `core.graph.Following`."""
        return self._wiring.graphing.impact(target, **how)

    @in_turn
    def references(self, target: str, *, limit: int = 100) -> "References":
        """Every line that uses a ``file:symbol``, a symbol or a file, by file, tests last.

        At most `limit` lines. Raises NotFound, BadInput and StoreError.
        """
        return self._wiring.code.references(target, limit)

    @in_turn
    def outline(self, file: str) -> "CodeMap":
        """What an indexed file defines, in the order of its lines. Raises NotFound and StoreError."""
        return self._wiring.code.outline(file)

    @in_turn
    def map(self, folder: str = "", *, budget: int = 2_000) -> "CodeMap":
        """The definitions that the indexed code uses most, within a budget of tokens.

        `folder` restricts what is listed. Raises NotFound, BadInput and StoreError.
        """
        return self._wiring.code.map(folder, budget)

    @in_turn
    def unfinished(self) -> int:
        """How many indexed files of the project are not in the code graph yet."""
        return self._wiring.graphing.unfinished()

    @in_turn
    def stale(self, *, limit: int = 50, all_projects: bool = False) -> "Strayed":
        """The memories whose files or symbols changed, moved or were deleted since they were written."""
        return self._wiring.graphing.stale(limit, everywhere=all_projects)

    @in_turn
    def way(self, start: str, end: str = "", *, depth: int = 6, directed: bool = False) -> "Way":
        """The path from a memory or code to another; without `end`, the memory's causes and effects.

        `directed`: only along relations, calls and imports, as what `start` uses, not what uses it.
        """
        return self._wiring.relating.path(start, end, depth, directed=directed)

    @in_turn
    def communities(self, *, limit: int = 20) -> "Communities":
        """Groups of memories linked by relations and by what they are about."""
        return self._wiring.relating.communities(limit)

    @in_turn
    def dispute(self, id: str, text: str) -> "Dispute":
        """Say what is wrong about a memory: opens a dispute, or adds to the thread of an open one.

        It is still used, marked and .8 as sure, until a steward closes the dispute. Raises NotFound and
        BadInput.
        """
        return self._wiring.keeping.say(id, text)

    @in_turn
    def close_dispute(self, id: str, verdict: str, text: str = "") -> "Dispute":
        """End a dispute: the memory is `kept`, as sure as before, or `wrong`, and is retired.

        Raises Denied for a caller with a lesser role than steward, NotFound, and BadInput for a memory
        that is not disputed.
        """
        return self._wiring.keeping.close_dispute(id, verdict, text)

    @in_turn
    def thread(self, id: str) -> "Dispute":
        """A memory with what was said in its disputes. Raises NotFound and BadInput."""
        return self._wiring.keeping.thread(id)

    @in_turn
    def disputes(self) -> "Disputes":
        """The open disputes in this project, the oldest first."""
        from bowerbird.core.dispute import Disputes

        return Disputes(self._wiring.keeping.disputes())

    @in_turn
    def history(self, id: str) -> "History":
        """The history of a memory: its versions, its relations, and who changed what."""
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
        """Revert the last change of a memory that was not reverted yet, or restore one of its versions.

        A change is reverted as a whole, but what storing another memory did only as far as it affected
        this one. `dry_run` only reports. Raises NotFound, StoreError, and BadInput if nothing is left.
        """
        return self._wiring.keeping.revert(id, version, reason, actor, rehearse=dry_run)

    @in_turn
    def edit(
        self,
        id: str,
        text: str | None = None,
        *,
        reason: str = "",
        stale: bool | None = None,
        **about: "Unpack[About]",
    ) -> "Edited":
        """Change a memory's text or fields, named as in `remember`; `revert` undoes it.

        `stale` marks it as doubtful by now, or (False) removes the mark.
        """
        return self._wiring.keeping.edit(id, text, about, reason, stale=stale)

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
        """Link a memory to another one, or to a file (a `target` such as ``file:PATH``).

        `core.relations` lists the kinds. Raises NotFound, UnknownName, BadInput and StoreError.
        """
        return self._wiring.keeping.changes().link(
            source, target, kind, strength, confidence, actor
        )

    @in_turn
    def forget(self, id: str, reason: str = "", *, actor: str = "") -> "Gone":
        """Remove a memory from every search; `revert` undoes it. Raises as `forget_all` does."""
        return self.forget_all([id], reason, actor=actor)[0]

    @in_turn
    def forget_all(self, ids: "Sequence[str]", reason: str = "", *, actor: str = "") -> "AllGone":
        """Forget several memories, or none if one cannot be; each is reverted separately."""
        from bowerbird.core.history import AllGone  # start-up: no question needs it

        return AllGone(self._wiring.keeping.forget(several("ids", ids), reason, actor))

    @in_turn
    def deprecate(
        self,
        ids: "Sequence[str]",
        *,
        since: int | str | None = None,
        reason: str = "",
        actor: str = "",
    ) -> "Ended":
        """Mark memories as out of date, all or none: not searched by default, and kept for reference.

        `since`: UTC milliseconds, or 2024-03-15, 3mo; None: now. Raises NotFound and BadInput.
        """
        return self._wiring.keeping.deprecate(several("ids", ids), since, reason, actor)

    @in_turn
    def merge(self, id: str, into: str, *, reason: str = "", actor: str = "") -> "Ended":
        """Merge a memory into another one of its project that says the same, and gains its fields.

        `revert` of the one that gained undoes it. Raises NotFound and BadInput.
        """
        return self._wiring.keeping.ending().merge(id, into, reason, actor)

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
        """Prune memories that have faded, were not used for long or have expired.

        They are removed from search, which `revert` undoes, and deleted after thirty days or more, but
        only with `remove`. Pinned memories, decisions and procedures stay until a day
        that was named. `dry_run` only reports; memories unused for long are pruned below an effective
        importance of `threshold` (0 to 1; None: 0.05).
        """
        return self._wiring.keeping.prune(
            threshold, actor, dry_run=dry_run, remove=remove, everywhere=all_projects
        )

    @in_turn
    def consolidate(
        self,
        *,
        dry_run: bool = False,
        all_projects: bool = False,
        again: bool = True,
        actor: str = "",
    ) -> "Consolidated":
        """Sum up three or more memories that say the like in a pattern, to which they are examples.

        They leave search below it, and it is found by their words; `revert` of a pattern undoes it.
        Without `again`, what such a revert brought back stays out until it is changed: for a program that
        does this by itself. `dry_run` only reports.
        """
        return self._wiring.keeping.consolidate(
            actor, dry_run=dry_run, everywhere=all_projects, again=again
        )

    @in_turn
    def used(self, ids: "Sequence[str]", session: str = "") -> bool:
        """Record which entries an answer used, for the next writer to count; whether that worked.

        `query`, `context` and `get` count nothing by themselves here: a program knows what it used. What
        is never counted fades as unused.
        """
        return not ids or self._wiring.asking.note_usage(several("ids", ids), session)

    @in_turn
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
        """Entries, newest first, or in another order of core.answers.SORTS.

        `core.narrow.Narrowing` names the filters. `after` is the `next` of the page before, `total` also
        counts all that pass. Its `notes` report a store or project that does not exist. Raises
        UnknownName, BadInput and StoreError.
        """
        asking = self._wiring.asking
        filter = asking.filter(narrowing, all_projects, keywords(Bowerbird.list), coming=True)
        if sort == "newest" and not after and not total:
            return asking.listed(filter, limit, offset)
        return self._wiring.overview.page(filter, limit, offset, sort, after, total=total)

    @in_turn
    def facets(
        self, *, all_projects: bool = False, seconds: float = 0.5, **narrowing: "Unpack[Narrowing]"
    ) -> "Facets":
        """How many entries pass the filters of `list`, by what they could be narrowed by.

        What takes longer than `seconds` in all is left out and named in `slow`.
        """
        asking = self._wiring.asking
        filter = asking.filter(narrowing, all_projects, keywords(Bowerbird.facets), coming=True)
        return self._wiring.overview.facets(filter, seconds)

    @in_turn
    def modules(self, *, limit: int = 50) -> "Modules":
        """What memory knows of each module of the project, and which of its files it says nothing of."""
        return self._wiring.overview.modules(limit)

    @in_turn
    def score(self) -> "Score":
        """The score of this project's memory, with the formula and the parts that give it."""
        return self._wiring.overview.score()

    @in_turn
    def fading(self, *, limit: int = 20) -> "Faded":
        """How sure this project's memories still are, and which will be pruned next, when and why."""
        return self._wiring.overview.fading(limit)

    @in_turn
    def activity(
        self, *, before: int = 0, limit: int = 50, by: str = "", all_projects: bool = False
    ) -> "Activity":
        """The last changes of memories, or those before a change by its number.

        `by`: only by that member of the team, agent, or `user`, the owner.
        """
        return self._wiring.overview.activity(before, limit, by, everywhere=all_projects)

    @in_turn
    def onboarding(self, *, limit: int = 5) -> "Entries":
        """What somebody new should know: the memories that everybody here sees with the most worth.

        That is confidence times 2 if it is pinned, times one more than its uses.
        """
        return self._wiring.overview.onboarding(limit)

    @in_turn
    def around(self, id: str, *, depth: int = 1, limit: int = 60) -> "Around":
        """What a memory hangs together with: other memories and files, `depth` steps away."""
        return self._wiring.overview.around(id, depth, limit)

    @in_turn
    def waiting(
        self, *ids: str, limit: int = 20, offset: int = 0, all_projects: bool = False
    ) -> "Waiting":
        """What waits for review, or the memories with these ids, each with its reasons as data."""
        return self._wiring.overview.waiting(ids, limit, offset, everywhere=all_projects)

    @in_turn
    def flag(self, id: str, wrong: str = "", *, session: str = "") -> "Flagged":
        """Say that a memory is wrong: it waits for review from now on, and is not injected unasked.

        `session` is the one that got it. Raises NotFound, and Denied for less trust than the memory's.
        """
        return self._wiring.overview.flag(id, wrong, session)

    @in_turn
    def sessions(self, *, all_projects: bool = False, limit: int = 20) -> "Timeline":
        """The latest sessions of this project, or of all, by their digests."""
        return self._wiring.asking.timeline(limit, everywhere=all_projects)

    @in_turn
    def status(
        self, *, all_projects: bool = False, measure: bool = False, fading: bool = False
    ) -> "Status":
        """Counts of this project and global entries, or of all.

        `measure`: also the recall of search. `fading`: also what the method of that name returns.
        """
        status = self._wiring.upkeep.status(measure=measure, everywhere=all_projects)
        return status.replace(fading=self.fading()) if fading else status
