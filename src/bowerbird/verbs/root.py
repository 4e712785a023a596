"""The composition root: builds the objects that a verb needs, when it needs them.

A command loads only what it runs: parts by `core.part`, the rest by imports inside functions.
"""

from bowerbird.core.config import Config
from bowerbird.core.errors import BadConfig
from bowerbird.core.part import part
from bowerbird.core.who import PROGRAM, USER
from bowerbird.wiring.acting import Acting
from bowerbird.wiring.opened import opened
from bowerbird.wiring.reach import Reach, allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from bowerbird.core.clock import Clock
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.learned import Evidence
    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.store import Store
    from bowerbird.core.who import Who
    from bowerbird.guard.redact import Allow
    from bowerbird.verbs.asking import Asking
    from bowerbird.verbs.choosing import Choosing
    from bowerbird.verbs.code_reading import CodeReading
    from bowerbird.verbs.drawing import Drawing
    from bowerbird.verbs.erasing import Erasing
    from bowerbird.verbs.exporting import Exporting
    from bowerbird.verbs.folder_trust import Trusting
    from bowerbird.verbs.graphing import Graphing
    from bowerbird.verbs.importing import Importing
    from bowerbird.verbs.indexing import Indexing
    from bowerbird.verbs.keeping import Keeping
    from bowerbird.verbs.learning import Learning
    from bowerbird.verbs.model_reading import ModelReading
    from bowerbird.verbs.moving import Moving
    from bowerbird.verbs.overview import Overviewing
    from bowerbird.verbs.relating import Relating
    from bowerbird.verbs.reviewing import Reviewing
    from bowerbird.verbs.safety import Safety
    from bowerbird.verbs.sessions import Recorded
    from bowerbird.verbs.syncing import Syncing
    from bowerbird.verbs.teaming import Teaming
    from bowerbird.verbs.upkeep import Upkeep
    from bowerbird.verbs.watching import Watch
    from bowerbird.wiring.opened import Opened
    from bowerbird.wiring.settings import Faults

# Settings that open resources depend on.
OF_OPENING = (
    "embed.provider",
    "embed.model",
    "embed.endpoint",
    "embed.dims",
    "cache.max_entries",
    "rerank.provider",
    "rerank.model",
    "rerank.endpoint",
    "llm.provider",
    "llm.model",
    "llm.endpoint",
    "agent.methodology",
)

# What most verbs work on: attributes of the wiring.
_OF = ("config", "opened", "reach", "acting")


class Wiring:
    """Builds everything that one `Bowerbird` needs."""

    # The verbs by subject, each over what it needs.
    asking: "Asking" = part("verbs.asking", *_OF)
    indexing: "Indexing" = part("verbs.indexing", *_OF)
    choosing: "Choosing" = part("verbs.choosing", *_OF)
    drawing: "Drawing" = part("verbs.drawing", *_OF)
    code: "CodeReading" = part("verbs.code_reading", *_OF)
    graphing: "Graphing" = part("verbs.graphing", *_OF)
    relating: "Relating" = part("verbs.relating", "opened", "reach", "acting")
    keeping: "Keeping" = part("verbs.keeping", *_OF)
    overview: "Overviewing" = part("verbs.overview", *_OF)
    erasing: "Erasing" = part("verbs.erasing", *_OF)
    exporting: "Exporting" = part("verbs.exporting", *_OF)
    importing: "Importing" = part("verbs.importing", *_OF)
    moving: "Moving" = part("verbs.moving", *_OF)
    syncing: "Syncing" = part("verbs.syncing", *_OF)
    teaming: "Teaming" = part("verbs.teaming", *_OF)
    upkeep: "Upkeep" = part("verbs.upkeep", *_OF)
    recorded: "Recorded" = part("verbs.sessions", "opened")
    reviewing: "Reviewing" = part("verbs.reviewing", "config", "opened", "reach")
    model_reading: "ModelReading" = part("verbs.model_reading", *_OF)

    def __init__(
        self, config: Config, opened: "Opened", *, who: "Who" = PROGRAM, folder: str = ""
    ) -> None:
        """`folder` stands for the working directory; empty: that of this process."""
        self.config = config
        self._folder = folder
        self.reach = Reach(
            config, opened, confined=not who.wide, folder=folder, person=who.person or USER
        )
        self.acting = Acting(who, opened, self.reach)
        self.opened = opened
        self.turn = opened.turn

    @classmethod
    def from_environment(
        cls,
        flags: "dict[str, Any]",
        clock: "Clock | None" = None,
        *,
        resident: bool = False,
        faults: "Faults" = None,
    ) -> "Wiring":
        """Resolves all settings. Opens nothing; `faults`: see `wiring.settings.settled`."""
        return cls(*opened(flags, clock, resident=resident, faults=faults))

    def within(self, project: str | None, *, confined: bool) -> "Wiring":
        """The same store, connections and caches for another project; if `confined`, for it alone."""
        config = self.config
        if project is not None:
            config = config.but("project", project, "flag")
        who = self.acting.who.confined() if confined else self.acting.who
        return Wiring(config, self.opened, who=who, folder=self._folder)

    def under(self, config: Config, folder: str) -> "Wiring":
        """The same store and connections with the settings and the working folder of another process.

        Raises BadConfig if that process would have opened the store differently.
        """
        if any(config[key] != self.config[key] for key in OF_OPENING):
            raise BadConfig("that process embeds with another model", "ask in that process")
        return Wiring(config, self.opened, who=self.acting.who, folder=folder)

    def by(self, who: "Who") -> "Wiring":
        """The same for another caller. Raises Denied if the project is not open to them."""
        who = who if self.acting.who.wide else who.confined()
        return Wiring(self.config, self.opened, who=who, folder=self._folder)

    @property
    def store_path(self) -> str:
        """The path of the store's file, existing or not."""
        return self.opened.path

    def store(self) -> "Store":
        """The store for reading. Raises StoreMissing."""
        return self.opened.reader()

    def writer(self) -> "Store":
        """The store for writing, created and upgraded as needed. Raises Denied for read-only callers."""
        return self.acting.writer()

    def embedder(self) -> "Embedder":
        """The configured embedder."""
        return self.opened.embedder()

    def close(self) -> None:
        """Closes everything."""
        self.opened.close()

    def watching(
        self, folders: "Sequence[str]", sorts: "Collection[str] | None", every: float | None
    ) -> "Watch":
        """Watches folders for this store. Raises BadInput."""
        from bowerbird.ingest.watch import SORTS
        from bowerbird.verbs.watching import Watch

        return Watch(self.opened.path, folders, sorts or SORTS, every)

    def evidence(self, id: str) -> "Evidence":
        """The evidence of a memory."""
        from bowerbird.verbs.evidence import evidence

        with self.store().reading():
            entry = self.asking.lookup().get(id)
        return evidence(self.config, self.opened.reader(), entry)

    def learning(self, *, dry_run: bool, ended: bool, sort: str) -> "Learning":
        """Learns from sessions; `dry_run` only reports."""
        from bowerbird.verbs.learning import Learning

        return Learning(
            self.config,
            self.opened,
            self.reach,
            self.acting,
            dry_run=dry_run,
            ended=ended,
            sort=sort,
        )

    def trusting(self) -> "Trusting":
        """The user's answers about trusted folders, for this store."""
        from bowerbird.verbs.folder_trust import Trusting

        return Trusting(self.opened)

    @property
    def safety(self) -> "Safety":
        """The verbs on the store's file: verify, backup, restore, recover."""
        from bowerbird.verbs.safety import Safety

        def found(copy: str, ids: "frozenset[str]", erase: bool) -> "list[str]":
            wiring = Wiring(self.config, self.opened.at(copy))
            try:
                present = sorted(ids & wiring.writer().exchange.ids())
                if present and erase:
                    wiring.erasing.erase(wiring.keeping.changes(), present)
            finally:
                wiring.close()
            return present

        return Safety(self.opened, found)

    @property
    def kinds(self) -> "Kinds":
        """The known kinds of memory."""
        return self.opened.kinds()

    def allowed(self) -> "Allow":
        """Values that the user declared not to be secrets. Raises BadConfig."""
        return allowed(self.config)

    def now(self) -> int:
        """The time by the injected clock, in UTC milliseconds."""
        return self.opened.clock()
