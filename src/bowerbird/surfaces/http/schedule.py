"""What a server does by itself: taking in its folders again, and letting go of what faded."""

from threading import Event, Thread
from time import perf_counter

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import BowerbirdError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.surfaces.http.journal import Journal
    from bowerbird.surfaces.http.serving import Serving

# Whether pruning is due is looked at so often at least: another process may have done it meanwhile, or
# this one was started just after.
LOOK_S = 3_600.0
# Who prunes, in the history.
_ACTOR = "bower serve"


class Schedule:
    """A thread for each of the works, with Bowerbirds of their own: no request waits for a round."""

    def __init__(self, store: str, serving: "Serving", journal: "Journal") -> None:
        self._store = store
        self._serving = serving
        self._journal = journal
        self._ended = Event()

    def start(self) -> None:
        """Begin with the first rounds of what there is to do."""
        serving = self._serving
        if serving.folders:
            self._begin("index", self._index, serving.interval)
        if serving.prune_interval is not None:
            self._begin("prune", self._prune, min(serving.prune_interval, LOOK_S))

    def stop(self) -> None:
        """No further round. One under way is cut off: each file, each memory is old or new."""
        self._ended.set()

    def _begin(
        self, name: str, work: "Callable[[], dict[str, int] | None]", every: "float | None"
    ) -> None:
        Thread(target=self._run, args=(name, work, every), name=name, daemon=True).start()

    def _run(
        self, name: str, work: "Callable[[], dict[str, int] | None]", every: "float | None"
    ) -> None:
        while not self._ended.is_set():
            self._round(name, work)
            if every is None:
                return
            self._ended.wait(every)

    def _round(self, name: str, work: "Callable[[], dict[str, int] | None]") -> None:
        """One round, and a line about it where there is anything to say: counts, never content."""
        begin = perf_counter()
        try:
            counts = work()
        except BowerbirdError as error:
            self._journal.event(name, error=type(error).__name__)
        except Exception as error:  # noqa: BLE001 the next round may fare better
            self._journal.fault(error)
        else:
            if counts is not None:
                ms = round((perf_counter() - begin) * 1000)
                self._journal.event(name, **counts, ms=ms)

    def _index(self) -> "dict[str, int]":
        with Bowerbird.open(self._store, project=self._serving.project) as bird:
            report = bird.index(*self._serving.folders)
        names = ("added", "changed", "removed", "unchanged")
        return {name: getattr(report, name) for name in names} | {"skipped": len(report.skipped)}

    def _prune(self) -> "dict[str, int] | None":
        """Every project, unless some process did so within the interval."""
        with Bowerbird.open(self._store) as bird:
            done = bird.admin.prune_if_due(self._serving.prune_interval or 0.0, actor=_ACTOR)
        return None if done is None else done.counts() | {"remaining": done.remaining}
