"""The composition root: reads configuration and environment, and builds the objects, lazily.

Imports stand in functions here so that a command loads only what it runs.
"""

import os

from bowerbird.core.clock import system_clock
from bowerbird.core.config import SETTINGS, Config, flatten
from bowerbird.core.errors import BadConfig
from bowerbird.core.places import PROJECT_FILE, find_upwards, folder, known_as, made_by, project_of
from bowerbird.core.types import GLOBAL, Project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bowerbird.core.answers import Hits, Query, Report, Status
    from bowerbird.core.clock import Clock
    from bowerbird.core.errors import StoreMissing
    from bowerbird.core.health import Finding
    from bowerbird.core.pack import Pack
    from bowerbird.core.ports import Embedder, Progress
    from bowerbird.guard.redact import Allow
    from bowerbird.lifecycle.admit import Admission
    from bowerbird.lifecycle.changes import Changes
    from bowerbird.retrieval.cache import ResultCache
    from bowerbird.retrieval.lookup import Lookup
    from bowerbird.storage.sqlite.store import Store


class Wiring:
    """Everything that one `Bowerbird` is made of."""

    def __init__(
        self,
        config: Config,
        clock: "Clock",
        state_folder: str,
        store_path: str,
        resident: bool = False,
    ) -> None:
        self.config = config
        self.store_path = store_path
        self._clock = clock
        self._resident = resident
        self._state_folder = state_folder
        self._reader: Store | None = None
        self._writer: Store | None = None
        self._embedder: Embedder | None = None
        self._project: Project | None = None
        # The project that a write of this object made, for whoever mistyped a name.
        self.new_project = ""
        self._results: ResultCache | None = None

    @classmethod
    def from_environment(
        cls, flags: "dict[str, Any]", clock: "Clock | None" = None, *, resident: bool = False
    ) -> "Wiring":
        """Resolve every setting: flag, then variable, project file, user file, default."""
        environment = os.environ
        config = Config()
        state = folder("state", environment)
        user_file = os.path.join(folder("config", environment), "config.toml")
        agent = environment.get("BOWER_AGENT", "default")
        _take_user_file(config, user_file, state, agent)
        project_file = find_upwards(PROJECT_FILE)
        if project_file:
            _narrow(config, project_file, state)
        for setting in SETTINGS:
            if setting.variable in environment:
                config.put(setting.key, environment[setting.variable], setting.variable)
        for key, value in flags.items():
            config.put(key, value, "flag")
        default = os.path.join(folder("data", environment), "memory.db")
        path = os.path.expanduser(config["store"] or default)
        path = os.path.abspath(path.replace("{agent}", agent))
        return cls(config, clock or system_clock, state, path, resident)

    @property
    def project(self) -> Project:
        """The project that verbs work in: named, or the working directory's repository."""
        if self._project is None:
            name = self.config["project"]
            if not name:
                self._project = project_of(os.getcwd())
            elif os.path.basename(self.config.place("project")) == PROJECT_FILE:
                # It came with a checkout: it may name a project of its own, not enter another.
                self._project = made_by(name)
            else:
                # What is unknown now may be known at the next call.
                return self._known(name)
        return self._project

    def _known(self, name: str) -> Project:
        """The store's project of that uid or name, else one to be made. Raises BadInput."""
        found = known_as(name, self._projects())
        if found is None:
            return made_by(name)
        self._project = found
        return found

    def _projects(self) -> "list[Project]":
        from bowerbird.core.errors import StoreMissing

        try:
            return self.store().projects()
        except StoreMissing:
            return []

    def unknown_project(self) -> str:
        """A remark where a project was named that a store does not know; empty otherwise."""
        known = self._projects() if self.config["project"] else []
        if not known or any(one.uid == self.project.uid for one in known):
            return ""
        names = ", ".join(one.name for one in known if one.uid != GLOBAL.uid) or "none"
        return f"no project {self.project.name!r} in this store; known: {names}"

    def _writing_into(self, project: Project, store: "Store") -> None:
        """Note whether a write makes a project."""
        if self.config["project"] and store.project_row(project.uid) is None:
            self.new_project = project.name

    @property
    def scope(self) -> tuple[str, ...]:
        """The projects that a verb sees by default: this one and what is global."""
        return tuple({self.project.uid, GLOBAL.uid})

    def store(self) -> "Store":
        """The store for reading. Raises StoreMissing where there is none."""
        if self._writer is not None:
            return self._writer
        if self._reader is None:
            self._reader = self._open(write=False)
        return self._reader

    def writer(self) -> "Store":
        """The store for writing, made and upgraded as needed."""
        if self._writer is None:
            self._writer = self._open(write=True)
            # It reads too; two would keep everything twice.
            if self._reader is not None:
                self._reader.close()
                self._reader = None
        return self._writer

    def _open(self, *, write: bool) -> "Store":
        from bowerbird.storage.registry import backend

        store = backend("sqlite").open(self.store_path, self._clock, write=write)
        if self._resident:
            store.keep_resident()
        return store

    def close(self) -> None:
        """Close whatever was opened."""
        for store in (self._reader, self._writer):
            if store is not None:
                store.close()
        self._reader = self._writer = self._results = None

    def embedder(self) -> "Embedder":
        """The model that reads questions and texts."""
        if self._embedder is None:
            from bowerbird.models.registry import embedder

            self._embedder = embedder("builtin")
        return self._embedder

    def answer(self, query: "Query") -> "Hits":
        """Query in, packed context out; a store that does not exist yet answers nothing."""
        from bowerbird.core.errors import StoreMissing
        from bowerbird.retrieval.pipeline import Retrieval

        try:
            store = self.store()
        except StoreMissing as missing:
            return self._nothing_yet(query, missing)
        retrieval = Retrieval(store, self.embedder)
        if not self._resident:
            return self._remarked(retrieval.answer(query), query)
        if self._results is None:
            from bowerbird.retrieval.cache import ResultCache

            self._results = ResultCache(self._clock)
        return self._remarked(self._results.answer(query, store, retrieval), query)

    def _remarked(self, hits: "Hits", query: "Query") -> "Hits":
        """The hits, with a remark where the project that was to be searched is unknown."""
        if self.config["project"] and query.filter.projects is not None:
            remark = self.unknown_project()
            # A kept answer has been told already.
            if remark and all(stage.name != "project" for stage in hits.trace.stages):
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
        from bowerbird.core.pack import Pack
        from bowerbird.retrieval.context import DEPTH, FLOOR, budget_of, packed

        total = budget_of(query.phase, budget)
        hits = self.answer(query.replace(limit=DEPTH, min_score=FLOOR))
        items = packed(hits, query.phase, budget)
        return Pack(query.text, items, total, query.phase, hits.trace.took_ms, hits.trace)

    def lookup(self) -> "Lookup":
        """Entries by id or by filter."""
        from bowerbird.retrieval.lookup import Lookup

        return Lookup(self.store())

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
        self._writing_into(self.project, writer)
        ingest = Ingest(writer, self.embedder(), self.config, self._project_for, self._allowed())
        report = ingest.index(roots, progress)
        report.removed += gone.removed
        return report

    def reindex(self, progress: "Progress | None") -> int:
        """Read with today's model what only another one has read."""
        from bowerbird.ingest.reindex import reindex

        return reindex(self.writer(), self.embedder(), progress)

    def admission(self) -> "Admission":
        """The one write door for memories."""
        from bowerbird.lifecycle.admit import Admission

        writer = self.writer()
        self._writing_into(self.project, writer)
        return Admission(writer, self.embedder(), self.project, self._allowed(), self._clock)

    def _allowed(self) -> "Allow":
        """What the owner lets through although it looks like a secret."""
        from bowerbird.guard.redact import Allow

        return Allow.parse(filter(None, self.config["guard.allow"].split(",")))

    def changes(self, *, write: bool = True) -> "Changes":
        """What may become of a memory by hand; without `write` only what looks back."""
        from bowerbird.lifecycle.changes import Changes

        return Changes(self.writer() if write else self.store(), self._clock)

    def now(self) -> int:
        """UTC milliseconds, by the clock that was injected."""
        return self._clock()

    @staticmethod
    def moment(text: str, *, end_of_day: bool = False) -> int:
        """UTC milliseconds of a time as people write it."""
        from bowerbird.core.when import moment

        return moment(text, end_of_day=end_of_day)

    def note_usage(self, ids: "Sequence[str]", session: str) -> bool:
        """Write down which entries were used, for the next writer to count."""
        from bowerbird.storage.sqlite.usage import SUFFIX, count_drop, note

        noted = note(self.store_path + SUFFIX, ids, session, self._clock())
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

    def _project_for(self, path: str) -> Project:
        """Where an indexed path belongs: a named project, else the repository that holds it."""
        return self.project if self.config["project"] else project_of(path)

    def build_index(self) -> int | None:
        """Build the index beside the store, where its model has vectors."""
        store = self.store()
        model = store.model_row(self.embedder().identity)
        return None if model is None else store.build_index(model)

    def status(self, *, measure: bool = False) -> "Status":
        """What the store holds; a store that does not exist yet holds nothing."""
        from bowerbird.storage.status import describe

        return describe(
            self.store_path,
            self.project,
            self.scope,
            self.store,
            self.embedder,
            self._drops,
            measure=measure,
        )

    def doctor(self, *, secrets: bool) -> "Iterator[Finding]":
        """What may be wrong with the program, the store and the settings; nothing is changed."""
        from bowerbird.core.health import Finding
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
            shown = f"{setting.key} = {value}" if value != "" else f"{setting.key} is not set"
            yield Finding("setting", shown, origin=self.config.place(setting.key))


def _take_user_file(config: Config, path: str, state: str, agent: str) -> None:
    """Take the user's own file; what stands under this agent's name wins over the rest."""
    values = _read_toml(path, state)
    general = {key: value for key, value in values.items() if not key.startswith("agents.")}
    own = f"agents.{agent}."
    special = {key[len(own) :]: value for key, value in values.items() if key.startswith(own)}
    for key, value in general.items():
        config.put(key, value, path)
    for key, value in special.items():
        config.put(key, value, f"{path} [agents.{agent}]")


def _narrow(config: Config, path: str, state: str) -> None:
    """Take a project's own file: it came with a checkout, so it may only narrow."""
    from bowerbird.core.config import setting

    for key, value in _read_toml(path, state).items():
        if not setting(key).narrows:
            raise BadConfig(
                f"{path} sets {key}, which a project's file may not",
                "set it in your own configuration file, and only if you trust this project",
            )
        config.put(key, value, path)


def _read_toml(path: str, state: str) -> "dict[str, Any]":
    """The dotted keys of a TOML file, parsed once and cached by its time and size."""
    try:
        found = os.stat(path)
    except OSError:
        return {}
    import json

    stamp = [found.st_mtime_ns, found.st_size]
    cache = os.path.join(state, "config-cache.json")
    cached: dict[str, Any] = {}
    try:
        with open(cache, encoding="utf-8") as file:
            cached = json.load(file)
        if cached[path]["stamp"] == stamp:
            return dict(cached[path]["values"])
    except KeyError:
        pass  # this file is not in it yet
    except (OSError, ValueError, TypeError):
        cached = {}  # no cache or a broken one: parse below and write it anew
    import tomllib

    try:
        with open(path, "rb") as toml:
            values = flatten(tomllib.load(toml))
    except (OSError, ValueError) as error:
        raise BadConfig(f"{path}: {error}", "mend the file or move it out of the way") from error
    cached[path] = {"stamp": stamp, "values": values}
    try:
        os.makedirs(state, mode=0o700, exist_ok=True)
        with open(cache, "w", encoding="utf-8") as file:
            json.dump(cached, file)
    except (OSError, TypeError):
        pass  # a read-only home or a date in the file: parsing again next time is fine
    return values
