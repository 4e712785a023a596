"""What a server does by itself: taking in again the folders that it was started with."""

from threading import Event, Thread
from time import perf_counter

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import BowerbirdError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.http.journal import Journal
    from bowerbird.surfaces.http.serving import Serving


class Schedule:
    """A thread with a Bowerbird of its own: requests to write do not wait for a folder to end."""

    def __init__(self, store: str, serving: "Serving", journal: "Journal") -> None:
        self._store = store
        self._serving = serving
        self._journal = journal
        self._ended = Event()
        self._thread = Thread(target=self._run, name="schedule", daemon=True)

    def start(self) -> None:
        """Begin with the first round, where there is anything to take in."""
        if self._serving.folders:
            self._thread.start()

    def stop(self) -> None:
        """No further round. What is under way is cut off at the end: each file is old or new."""
        self._ended.set()

    def _run(self) -> None:
        while not self._ended.is_set():
            self._round()
            if self._serving.interval is None:
                return
            self._ended.wait(self._serving.interval)

    def _round(self) -> None:
        begin = perf_counter()
        try:
            with Bowerbird.open(self._store, project=self._serving.project) as bird:
                report = bird.index(*self._serving.folders)
        except BowerbirdError as error:
            self._journal.event("index", error=type(error).__name__)
        except Exception as error:  # noqa: BLE001 the next round may fare better
            self._journal.fault(error)
        else:
            counts = {
                name: getattr(report, name) for name in ("added", "changed", "removed", "unchanged")
            }
            ms = round((perf_counter() - begin) * 1000)
            self._journal.event("index", **counts, skipped=len(report.skipped), ms=ms)
