"""What a server does periodically: it reindexes, warms up, prunes, consolidates, and synchronises."""

from functools import partial
from threading import Event, Thread

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import StoreMissing
from bowerbird.daemon.rounds import sync_round

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.daemon.indexing import Indexing
    from bowerbird.daemon.log import Log

# Seconds between checks whether pruning is due, at most: another process may have pruned meanwhile.
LOOK_S = 3_600.0
# The actor of scheduled work in the audit.
_ACTOR = "bower serve"


class Schedule:
    """One thread per task, each with its own Bowerbird: no request waits for a round."""

    def __init__(
        self,
        store: str,
        indexing: "Indexing",
        log: "Log",
        *,
        index: float | None,
        warm: float | None,
        prune: float | None,
        consolidate: float | None = None,
        sync: float | None = None,
    ) -> None:
        """The seconds between two rounds of each task; None disables it."""
        self._store = store
        self._indexing = indexing
        self._log = log
        self._index_s, self._warm_s, self._prune_s = index, warm, prune
        self._consolidate_s, self._sync_s = consolidate, sync
        self._ended = Event()

    def start(self) -> None:
        """Starts the first round of each task."""
        if self._indexing.folders:
            self._begin("index", self._indexing.round, self._index_s)
        if self._warm_s is not None:
            self._begin("warm", lambda: self._log.work("warm", self._warm), self._warm_s)
        if self._prune_s is not None:
            every = min(self._prune_s, LOOK_S)
            self._begin("prune", lambda: self._log.work("prune", self._prune), every)
        if self._consolidate_s is not None:
            work = "consolidate"
            self._begin(work, lambda: self._log.work(work, self._consolidate), self._consolidate_s)
        if self._sync_s is not None:
            once = partial(self._log.work, "sync", partial(sync_round, self._store))
            self._begin("sync", once, self._sync_s)

    def stop(self) -> None:
        """Starts no further round.

        One in progress is aborted; each file and memory is then old or new.
        """
        self._ended.set()
        self._indexing.stop()

    def _begin(self, name: str, work: "Callable[[], object]", every: "float | None") -> None:
        Thread(target=self._run, args=(work, every), name=name, daemon=True).start()

    def _run(self, work: "Callable[[], object]", every: "float | None") -> None:
        while not self._ended.is_set():
            work()
            if every is None:
                return
            self._ended.wait(every)

    def _warm(self) -> "dict[str, int] | None":
        """Computes vectors that are missing, after a change of model or a short-lived command."""
        with Bowerbird.open(self._store) as bird:
            try:
                done = bird.admin.warm()
                # What waits for a language model, if there is one: no request waits for it here.
                bird.admin.think()
            except StoreMissing:
                return None
        return done.raw_dict() if done.newly_cached else None

    def _prune(self) -> "dict[str, int] | None":
        """Prunes every project, unless some process did so within the interval."""
        with Bowerbird.open(self._store) as bird:
            done = bird.admin.prune_if_due(self._prune_s or 0.0, actor=_ACTOR)
        if done is None:
            return None
        return done.counts() | {"remaining": done.remaining, "unused_vectors": done.unused_vectors}

    def _consolidate(self) -> "dict[str, int] | None":
        """Sums up memories of every project, but none that a person took out of a pattern."""
        with Bowerbird.open(self._store) as bird:
            done = bird.consolidate(all_projects=True, again=False, actor=_ACTOR)
        if not done.patterns:
            return None
        return {"patterns": len(done.patterns), "compressed": done.compressed}
