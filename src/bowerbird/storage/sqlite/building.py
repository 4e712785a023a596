"""Builds the HNSW index, in this thread or in a background thread with its own connection."""

import atexit
from threading import Event, Thread

from bowerbird.core.errors import BowerbirdError
from bowerbird.storage.sqlite import connection as sqlite
from bowerbird.storage.sqlite.hnsw import SUFFIX, build

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from bowerbird.core.ports.progress import Progress


class Building:
    """Builds the index of one store, once at a time."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._stop = Event()
        self._thread: Thread | None = None
        # What could not be built is not tried again by this process.
        self._failed = False

    @staticmethod
    def facts(connection: "apsw.Connection", model: int) -> tuple[str, str]:
        """By what an index knows its store: the model as a text, and the replica."""
        found = connection.execute(
            "SELECT (SELECT provider || '/' || name || '@' || revision || ' ' || dims"
            " FROM model WHERE id = ?), (SELECT value FROM meta WHERE key = 'replica')",
            (model,),
        )
        identity, replica = next(found)
        return str(identity), str(replica)

    def now(self, model: int, progress: "Progress | None" = None) -> int | None:
        """Build it; how many vectors it holds, None where another process is at it."""
        connection = sqlite.connect(self.path, write=False)
        try:
            with sqlite.our_errors(self.path):
                return build(
                    connection,
                    self.path + SUFFIX,
                    model,
                    self.facts(connection, model),
                    self._stop.is_set,
                    progress=progress,
                )
        finally:
            connection.close()

    def start(self, model: int) -> None:
        """Build it aside, unless that is going on or failed before."""
        if self._failed or (self._thread is not None and self._thread.is_alive()):
            return
        # A process that ends while usearch builds would be aborted, with what it had to say.
        atexit.register(self.close)
        self._thread = Thread(target=self._try, args=(model,), name="bower-hnsw", daemon=True)
        self._thread.start()

    def _try(self, model: int) -> None:
        try:
            self._failed = self.now(model) is None
        except (BowerbirdError, OSError, RuntimeError):
            # The tier below answers; requesting the index by name reports the error.
            self._failed = True

    def wait(self) -> None:
        """Waits until the background build is done."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """Give up what is not finished."""
        atexit.unregister(self.close)
        self._stop.set()
        self.wait()
