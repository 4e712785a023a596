"""The composition root: builds the objects that a verb needs, when it needs them.

Imports stand in functions here so that a command loads only what it runs.
"""

import os

from bowerbird.core.clock import system_clock
from bowerbird.core.config import SETTINGS, Config
from bowerbird.core.errors import BadConfig
from bowerbird.wiring.opened import Opened
from bowerbird.wiring.reach import Reach
from bowerbird.wiring.settings import settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bowerbird.core.answers import Hits, Pack, Report, Status
    from bowerbird.core.clock import Clock
    from bowerbird.core.draft import About
    from bowerbird.core.errors import StoreMissing
    from bowerbird.core.health import CacheState, Finding, Warmed
    from bowerbird.core.memories import Decision
    from bowerbird.core.migrated import Migrated
    from bowerbird.core.narrow import Narrowing
    from bowerbird.core.ports import Embedder, Progress
    from bowerbird.core.pruned import Pruned
    from bowerbird.core.query import Filter, Query
    from bowerbird.guard.redact import Allow
    from bowerbird.lifecycle.admit import Admission
    from bowerbird.lifecycle.changes import Changes
    from bowerbird.retrieval.lookup import Lookup
    from bowerbird.storage.sqlite.store import Store


class Wiring:
    """Everything that one `Bowerbird` is made of."""

    def __init__(
        self, config: Config, state_folder: str, opened: Opened, *, confined: bool = False
    ) -> None:
        self.config = config
        self.reach = Reach(config, opened, confined=confined)
        self._state_folder = state_folder
        self._opened = opened

    @classmethod
    def from_environment(
        cls, flags: "dict[str, Any]", clock: "Clock | None" = None, *, resident: bool = False
    ) -> "Wiring":
        """Resolve every setting; nothing is opened yet."""
        config, state, path = settled(flags)
        return cls(config, state, Opened(path, clock or system_clock, config, resident=resident))

    def within(self, project: str | None, *, confined: bool) -> "Wiring":
        """The same store, connections and caches, seen from another project; maybe from it alone."""
        config = self.config
        if project is not None:
            config = config.but("project", project, "flag")
        confined = confined or self.reach.confined
        return Wiring(config, self._state_folder, self._opened, confined=confined)

    @property
    def store_path(self) -> str:
        """Where the store file is, or would be."""
        return self._opened.path

    def store(self) -> "Store":
        """The store for reading. Raises StoreMissing where there is none."""
        return self._opened.reader()

    def writer(self) -> "Store":
        """The store for writing, made and upgraded as needed."""
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
        from bowerbird.retrieval.pipeline import Retrieval

        try:
            store = self.store()
        except StoreMissing as missing:
            return self._nothing_yet(query, missing)
        if not query.fast:
            self._opened.ask_ahead(query.text)
        retrieval = Retrieval(store, self.embedder)
        kept = self._opened.results()
        hits = retrieval.answer(query) if kept is None else kept.answer(query, store, retrieval)
        if query.filter.projects is not None and (remark := self.reach.remark()):
            hits.trace.skip("project", remark)
        return hits

    @staticmethod
    def _nothing_yet(query: "Query", missing: "StoreMissing") -> "Hits":
        """The answer of a store that does not exist yet: nothing, and why."""
        from bowerbird.core.answers import Hits
        from bowerbird.core.trace import Trace

        trace = Trace(explain=query.explain)
        trace.skip("store", f"{missing.message}; {missing.remedy}")
        return Hits(query.text, (), 0, 0.0, "", trace)

    def context(self, query: "Query", budget: int | None) -> "Pack":
        """What memory holds for a task, inside a budget of tokens."""
        from bowerbird.core.answers import Pack
        from bowerbird.retrieval.context import DEPTH, FLOOR, budget_of, packed

        total = budget_of(query.phase, budget)
        hits = self.answer(query.replace(limit=DEPTH, min_score=FLOOR))
        items = packed(hits, query.phase, budget)
        return Pack(query.text, items, total, query.phase, hits.trace.took_ms, hits.trace)

    def lookup(self) -> "Lookup":
        """Entries by id or by filter."""
        from bowerbird.retrieval.lookup import Lookup

        return Lookup(self.store(), self.reach.bounds)

    def index(self, paths: "list[str]", progress: "Progress | None") -> "Report":
        """Files in, entries out. No store is made for a path that is not there."""
        from bowerbird.ingest.gone import remove_gone
        from bowerbird.ingest.pipeline import Ingest
        from bowerbird.ingest.walk import real_roots

        paths, gone = remove_gone(paths, self.store_path, self.writer)
        if not paths:
            return gone
        roots = real_roots(paths)
        writer = self.writer()
        self.reach.writing_into(writer)
        home = self.reach.project_of
        ingest = Ingest(writer, self.embedder(), self.config, home, self.allowed())
        report = ingest.index(roots, progress)
        report.removed += gone.removed
        report.skipped += gone.skipped
        return report

    def reindex(self, progress: "Progress | None", newest: int | None = None) -> int:
        """Read with today's model what only another one has read."""
        from bowerbird.ingest.reindex import reindex

        self._opened.require()
        embedder = self.embedder()
        embedder.ready()
        return reindex(self.writer(), embedder, progress, newest)

    def warm(self, progress: "Progress | None", newest: int | None) -> "Warmed":
        """The same, of what was written last; no model is asked about an empty store."""
        from bowerbird.core.health import Warmed

        self._opened.require()
        entries = self.writer().entries
        read = self.reindex(progress, newest) if entries.total() else 0
        return Warmed(read, entries.total())

    def remember(self, text: str, about: "About", *, everywhere: bool) -> "Decision":
        """Hand a draft to admission."""
        self.reach.refuse_beyond(everywhere, "everywhere")
        from bowerbird.core.draft import Draft

        return self.admission().admit(Draft(text, **about), everywhere=everywhere)

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
        from bowerbird.core.errors import StoreMissing
        from bowerbird.ingest.importers.brv import read_brv
        from bowerbird.lifecycle.migrate import foresee, migrate
        from bowerbird.wiring.moving import brv_data

        most = self.config["index.max_megabytes"] * 1_000_000
        data = brv_data(os.environ)
        found = read_brv(path, data, actor=actor, most=most, with_sources=with_sources)
        if not dry_run:
            return migrate(found, self.admission(), self.changes(), actor or "import", progress)
        try:
            store = self.store()
        except StoreMissing:
            store = None
        return foresee(found, store, self.reach.project, self.allowed(), self._opened.clock)

    def admission(self) -> "Admission":
        """The one write door for memories."""
        from bowerbird.lifecycle.admit import Admission

        writer = self.writer()
        self.reach.writing_into(writer)
        project, clock = self.reach.project, self._opened.clock
        return Admission(writer, self.embedder(), project, self.allowed(), clock)

    def allowed(self) -> "Allow":
        """What the owner lets through although it looks like a secret. Raises BadConfig."""
        from bowerbird.guard.redact import Allow

        key = "guard.allow"
        return Allow.parse(self.config[key].split(","), self.config.place(key))

    def changes(self, *, write: bool = True) -> "Changes":
        """What may become of a memory by hand; without `write` only what looks back."""
        from bowerbird.lifecycle.changes import Changes

        store = self.writer() if write else self.store()
        return Changes(store, self._opened.clock, self.reach.bounds)

    def prune(
        self, threshold: float | None, actor: str, *, dry_run: bool, remove: bool, everywhere: bool
    ) -> "Pruned":
        """Let go of what faded; a store that does not exist yet holds nothing."""
        self.reach.refuse_beyond(everywhere, "all_projects")
        from bowerbird.core.pruned import THRESHOLD, Pruned
        from bowerbird.lifecycle.prune import Prune

        below = THRESHOLD if threshold is None else threshold
        if not os.path.exists(self.store_path):
            return Pruned(threshold=below, dry_run=dry_run)
        store = self.writer()  # first: one of before is upgraded, and only then knows its projects
        projects = None if everywhere else self.reach.changed
        run = Prune(store, store.embeddings(0), self._opened.clock, projects, below)
        return run.rehearse(remove=remove) if dry_run else run.run(actor, remove=remove)

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
        from bowerbird.core.narrow import narrowed

        return narrowed(filter, by, self.now())

    def note_usage(self, ids: "Sequence[str]", session: str) -> bool:
        """Write down which entries were used, for the next writer to count."""
        from bowerbird.storage.sqlite.usage import SUFFIX, count_drop, note

        noted = note(self.store_path + SUFFIX, ids, session, self._opened.clock())
        if not noted:
            count_drop(self._drops)
        return noted

    @property
    def _drops(self) -> str:
        """The file that counts what could not be noted: not beside the store, which is read-only."""
        from zlib import crc32

        return os.path.join(
            self._state_folder, f"usage-dropped-{crc32(self.store_path.encode()):08x}"
        )

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
        store = self.writer()
        kept = store.embeddings(self.config["cache.max_entries"])
        with store.transaction():
            return kept.clear() if before is None else kept.prune(before)

    def status(self, *, measure: bool = False) -> "Status":
        """What the store holds; a store that does not exist yet holds nothing."""
        from bowerbird.storage.status import describe

        return describe(
            self.store_path,
            self.reach.project,
            self.reach.seen,
            self.store,
            self.embedder,
            self._drops,
            measure=measure,
            bounds=self.reach.bounds,
        )

    def doctor(self, *, secrets: bool) -> "Iterator[Finding]":
        """What may be wrong with the program, the store and the settings; nothing is changed."""
        from bowerbird.core.health import PROBLEM, Finding
        from bowerbird.storage.doctor import examine

        find = None
        if secrets:
            from bowerbird.guard.secrets import find as find_secrets

            def find(text: str) -> "Iterator[str]":
                return (found.kind for found in find_secrets(text))

        yield Finding("store", self.store_path)
        yield from examine(self.store_path, self.store, self.embedder, find)
        for setting in SETTINGS:
            value = self.config[setting.key]
            told = "…" if setting.secret else value
            shown = f"{setting.key} = {told}" if value != "" else f"{setting.key} is not set"
            yield Finding("setting", shown, origin=self.config.place(setting.key))
        try:
            self.allowed()
        except BadConfig as error:
            yield Finding("configuration", error.message, PROBLEM, error.remedy)
