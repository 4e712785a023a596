"""The composition root: builds the objects that a verb needs, when it needs them.

Imports stand in functions here so that a command loads only what it runs.
"""

import os

from bowerbird.core.clock import system_clock
from bowerbird.core.config import Config
from bowerbird.core.places import trusted_file
from bowerbird.core.value import Note
from bowerbird.core.who import PROGRAM
from bowerbird.wiring.acting import Acting
from bowerbird.wiring.opened import Opened
from bowerbird.wiring.reach import Reach, allowed
from bowerbird.wiring.settings import settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from bowerbird.core.answers import Hits, Pack, Report, Status
    from bowerbird.core.clock import Clock
    from bowerbird.core.draft import About
    from bowerbird.core.health import CacheState, Finding, Warmed
    from bowerbird.core.history import Version
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.memories import Decision
    from bowerbird.core.migrated import Migrated
    from bowerbird.core.narrow import Narrowing
    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.pruned import Pruned
    from bowerbird.core.query import Filter, Query
    from bowerbird.core.trace import Trace
    from bowerbird.core.who import Who
    from bowerbird.guard.redact import Allow
    from bowerbird.lifecycle.admit import Admission
    from bowerbird.lifecycle.changes import Changes
    from bowerbird.lifecycle.prune import Prune
    from bowerbird.retrieval.lookup import Lookup
    from bowerbird.storage.sqlite.store import Store
    from bowerbird.wiring.believed import Trusting
    from bowerbird.wiring.safety import Safety


class Wiring:
    """Everything that one `Bowerbird` is made of."""

    def __init__(
        self,
        config: Config,
        state_folder: str,
        opened: Opened,
        *,
        who: "Who" = PROGRAM,
    ) -> None:
        self.config = config
        self.reach = Reach(config, opened, confined=not who.wide)
        self.acting = Acting(who, opened, self.reach)
        self._state_folder = state_folder
        self._opened = opened
        self.turn = opened.turn

    @classmethod
    def from_environment(
        cls, flags: "dict[str, Any]", clock: "Clock | None" = None, *, resident: bool = False
    ) -> "Wiring":
        """Resolve every setting; nothing is opened yet."""
        config, state, path, kinds = settled(flags)
        opened = Opened(path, clock or system_clock, config, kinds, resident=resident)
        return cls(config, state, opened)

    def within(self, project: str | None, *, confined: bool) -> "Wiring":
        """The same store, connections and caches, seen from another project; maybe from it alone."""
        config = self.config
        if project is not None:
            config = config.but("project", project, "flag")
        who = self.acting.who.confined() if confined else self.acting.who
        return Wiring(config, self._state_folder, self._opened, who=who)

    def by(self, who: "Who") -> "Wiring":
        """The same, as somebody else may use it. Raises Denied for a project that is not open to them."""
        who = who if self.acting.who.wide else who.confined()
        return Wiring(self.config, self._state_folder, self._opened, who=who)

    @property
    def store_path(self) -> str:
        """Where the store file is, or would be."""
        return self._opened.path

    def store(self) -> "Store":
        """The store for reading. Raises StoreMissing where there is none."""
        return self._opened.reader()

    def writer(self) -> "Store":
        """The store for writing, made and upgraded as needed. Raises Denied for who may only read."""
        self.acting.who.require_write()
        return self._opened.writer()

    def embedder(self) -> "Embedder":
        """The model that reads questions and texts."""
        return self._opened.embedder()

    def close(self) -> None:
        """Close whatever was opened."""
        self._opened.close()

    def answer(self, query: "Query") -> "Hits":
        """Query in, packed context out; a store that does not exist yet answers nothing."""
        from bowerbird.core.errors import StoreMissing
        from bowerbird.retrieval.pipeline import Retrieval, nothing_yet

        try:
            store = self.store()
        except StoreMissing as missing:
            return nothing_yet(query, missing)
        if not query.fast:
            self._opened.ask_ahead(query.text)
        retrieval = Retrieval(store, self.embedder, self._opened.contextual)
        kept = self._opened.results()
        hits = retrieval.answer(query) if kept is None else kept.answer(query, store, retrieval)
        if query.filter.projects is not None:
            for note in self.reach.notes():
                hits.trace.remark("project", note)
        return hits

    def context(self, query: "Query", budget: int | None) -> "Pack":
        """What memory holds for a task, inside a budget of tokens."""
        from bowerbird.core.answers import Pack
        from bowerbird.retrieval.context import DEPTH, FLOOR, budget_of, packed

        total = budget_of(query.phase, budget)
        hits = self.answer(query.replace(limit=DEPTH, min_score=FLOOR))
        items = packed(hits, query.phase, budget)
        self.hand([item.trust for item in items], hits.trace)
        return Pack(query.text, items, total, query.phase, hits.trace.took_ms, hits.trace)

    def hand(self, trusts: "Iterable[str]", trace: "Trace | None" = None) -> None:
        """Texts that are believed so far are handed over to whoever acts."""
        remark = self.acting.show(trusts)
        if remark and trace is not None:
            trace.remark("taint", Note("unnoted", remark))

    def lookup(self) -> "Lookup":
        """Entries by id or by filter."""
        from bowerbird.retrieval.lookup import Lookup

        return Lookup(self.store(), self.reach.bounds, self.acting.show)

    def index(self, paths: "list[str]", progress: "Progress | None", **how: bool) -> "Report":
        """Files in, entries out. No store is made for a path that is not there."""
        from bowerbird.ingest.gone import remove_gone
        from bowerbird.ingest.pipeline import Ingest
        from bowerbird.ingest.walk import real_roots

        paths, gone = self._opened.freeing(lambda: remove_gone(paths, self.store_path, self.writer))
        if not paths:
            return gone
        roots = real_roots(paths)
        writer = self.writer()
        new_project = self.reach.new_in(writer)
        home, freeing = self.reach.project_of, self._opened.freeing
        whose = self.trusting().whose.of
        ingest = Ingest(writer, self.embedder(), self.config, home, self.allowed(), whose, freeing)
        report = ingest.index(roots, progress, **how)
        report.removed += gone.removed
        report.skipped += gone.skipped
        report.new_project = new_project
        return report

    def trusting(self) -> "Trusting":
        """What the user says of folders, and what that means for the store."""
        from bowerbird.wiring.believed import Trusting

        return Trusting(self._opened)

    @property
    def safety(self) -> "Safety":
        """The file as a whole: is it sound, and copies of it."""
        from bowerbird.wiring.safety import Safety

        return Safety(self._opened, self.now)

    def reindex(
        self, progress: "Progress | None", newest: int | None = None, *, again: bool = False
    ) -> int:
        """Read with today's models what only others have read, `again` everything; how many texts.

        A memory that both the embedder and the contextual model read counts once.
        """
        from bowerbird.ingest.reindex import forget, read_memories, reindex

        self._opened.require()
        embedder = self.embedder()
        embedder.ready()
        if again:
            forget(self.writer(), embedder)
        read = reindex(self.writer(), embedder, progress, newest)
        if reader := self._opened.contextual():
            read = max(read, read_memories(self.writer(), reader, progress))
        return read

    def warm(self, progress: "Progress | None", newest: int | None) -> "Warmed":
        """The same, of what was written last; no model is asked about an empty store."""
        from bowerbird.core.health import Warmed

        self._opened.require()
        entries = self.writer().entries
        read = self.reindex(progress, newest) if entries.total() else 0
        return Warmed(read, entries.total())

    def remember(self, text: str, about: "About", *, everywhere: bool) -> "Decision":
        """Hand a draft to admission."""
        acting = self.acting
        acting.who.require_shared(everywhere, "everywhere")
        new = "" if everywhere else self.reach.new_in(self.writer())
        done = self.admission().admit(acting.draft(text, about), everywhere=everywhere)
        return acting.told(done).replace(new_project=new)

    def migrate_brv(
        self,
        path: str,
        actor: str,
        *,
        dry_run: bool,
        with_sources: bool,
        progress: "Progress | None",
    ) -> "Migrated":
        """ByteRover's notes in, memories out. A dry run makes no store."""
        from bowerbird.wiring.moving import foreseen, migrate, read

        actor = self.acting.who.actor or actor
        found = read(self.config, path, actor, with_sources=with_sources)
        found = self.acting.lowered(found)
        if dry_run:
            return foreseen(
                found, self.store, self.reach.project, self.allowed(), self.kinds, self.now
            )
        new = self.reach.new_in(self.writer())
        done = migrate(found, self.admission(), self.changes(), actor or "import", progress)
        return done.replace(new_project=new)

    def admission(self) -> "Admission":
        """The one write door for memories."""
        from bowerbird.lifecycle.admit import Admission

        writer = self.writer()
        return Admission(
            writer,
            self.embedder(),
            self.reach.project,
            self.allowed(),
            self.kinds,
            self._opened.clock,
            contextual=self._opened.contextual(),
        )

    @property
    def kinds(self) -> "Kinds":
        """The kinds of memory that there are here."""
        return self._opened.kinds()

    def allowed(self) -> "Allow":
        """What the owner lets through although it looks like a secret. Raises BadConfig."""
        return allowed(self.config)

    def changes(self, *, write: bool = True) -> "Changes":
        """What may become of a memory by hand; without `write` only what looks back."""
        from bowerbird.lifecycle.changes import Changes

        store = self.writer() if write else self.store()
        return Changes(store, self.now, self.acting, self.reach.bounds, self.allowed())

    def prune(
        self, threshold: float | None, actor: str, *, dry_run: bool, remove: bool, everywhere: bool
    ) -> "Pruned":
        """Let go of what faded; a store that does not exist yet holds nothing."""
        self.reach.refuse_beyond(everywhere, "all_projects")
        from bowerbird.core.pruned import THRESHOLD, Pruned

        below = THRESHOLD if threshold is None else threshold
        if not os.path.exists(self.store_path):
            return Pruned(threshold=below, dry_run=dry_run)
        if dry_run:
            return self._prune(below, everywhere=everywhere).rehearse(remove=remove)
        return self._opened.freeing(
            lambda: self._pruned(self._prune(below, everywhere=everywhere), actor, remove=remove)
        )

    def _prune(self, below: float, *, everywhere: bool) -> "Prune":
        from bowerbird.lifecycle.prune import Prune

        store = self.writer()  # first: one of before is upgraded, and only then knows its projects
        projects = None if everywhere else self.reach.changed
        clock, cached = self._opened.clock, store.embeddings(0)
        return Prune(store, cached, clock, projects, below, self.kinds)

    def _pruned(self, run: "Prune", actor: str, *, remove: bool) -> "Pruned":
        done = run.run(self.acting.actor(actor), remove=remove)
        if done.removed or done.unused_vectors:
            self.writer().give_back()
        return done

    def claim_prune(self, every: int) -> bool:
        """Whether this process is to prune now: no other one did in the last `every` ms."""
        if not os.path.exists(self.store_path):
            return False
        writer = self.writer()
        with writer.transaction():
            return writer.aging.claim(self.now(), every)

    def now(self) -> int:
        """UTC milliseconds, by the clock that was injected."""
        return self._opened.clock()

    def narrowed(self, filter: "Filter", by: "Narrowing") -> "Filter":
        """A filter that lets through less. Raises BadInput, UnknownName and TypeError."""
        from bowerbird.wiring.narrowing import narrowed

        return narrowed(filter, by, self.now(), self.store, self._opened.kinds)

    def note_usage(self, ids: "Sequence[str]", session: str) -> bool:
        """Write down which entries were used, for the next writer to count; not of who may only read."""
        if not self.acting.who.may_write:
            return False
        from bowerbird.storage.sqlite.usage import SUFFIX, count_drop, note

        session = session or self.acting.who.session
        if session:
            from bowerbird.guard.redact import redact

            session = redact(session, self.allowed()).text
        noted = note(self.store_path + SUFFIX, ids, session, self._opened.clock())
        if not noted:
            count_drop(self._drops)
        return noted

    @property
    def _drops(self) -> str:
        """The file that counts what could not be noted: not beside the store, which is read-only."""
        from zlib import crc32

        name = f"usage-dropped-{crc32(self.store_path.encode()):08x}"
        return os.path.join(self._state_folder, name)

    def build_index(self, progress: "Progress | None") -> int | None:
        """Build the index beside the store, where its model has vectors."""
        store = self.store()
        model = store.model_row(self.embedder().identity)
        return None if model is None else store.build_index(model, progress)

    def cache_state(self) -> "CacheState":
        """What is kept of a server's reading; a store that does not exist yet keeps nothing."""
        from bowerbird.core.errors import StoreMissing
        from bowerbird.core.health import CacheState

        most = self.config["cache.max_entries"]
        try:
            with self._opened.reading() as store:
                return store.embeddings(most).state()
        except StoreMissing:
            return CacheState(max_entries=most)

    def prune_cache(self, before: int | None) -> int:
        """Take kept vectors out of the store: those unused since `before`, or all."""
        if not self.cache_state().vectors:
            return 0
        return self._opened.freeing(lambda: self._prune_cache(before))

    def _prune_cache(self, before: int | None) -> int:
        from bowerbird.wiring.emptied import emptied

        most = self.config["cache.max_entries"]
        return emptied(self.writer(), most, before, self.store_path)

    def forget(self, ids: "Sequence[str]", reason: str, actor: str) -> "Sequence[Version]":
        """Take memories out of every search, on a full disk too."""
        return self._opened.freeing(lambda: self.changes().forget(ids, reason, actor))

    def status(self, *, measure: bool = False) -> "Status":
        """What the store holds; a store that does not exist yet holds nothing."""
        from bowerbird.storage.status import describe

        found = describe(
            self.store_path,
            self.reach.project,
            self.reach.seen,
            self.store,
            self.embedder,
            self._drops,
            measure=measure,
            bounds=self.reach.bounds,
        )
        filled = any(one["uid"] and one["passages"] for one in found.projects)
        if self.reach.confined or not (filled or os.path.exists(trusted_file(os.environ))):
            return found
        return self.trusting().told_in(found)

    def doctor(self, *, secrets: bool) -> "Iterator[Finding]":
        """What may be wrong with the program, the store and the settings; nothing is changed."""
        from bowerbird.wiring.examined import examined

        trusting = self.trusting()
        return examined(self.config, self._opened, trusting, self.allowed, secrets=secrets)
