"""Builds the HNSW index, in this thread or in a background thread with its own connection."""

import atexit
from threading import Event, Thread

from bowerbird.core.errors import BowerbirdError
from bowerbird.storage.sqlite.file import connection as sqlite
from bowerbird.storage.sqlite.resident.hnsw import SUFFIX, build

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from bowerbird.core.ports.progress import Progress


class Building:
    """Builds the index of one store, one build at a time."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._stop = Event()
        self._thread: Thread | None = None
        # After a failure this process does not try again.
        self._failed = False

    @staticmethod
    def facts(connection: "apsw.Connection", model: int) -> tuple[str, str]:
        """The identity of a store in its index file: the model as text, and the replica."""
        found = connection.execute(
            "SELECT (SELECT provider || '/' || name || '@' || revision || ' ' || dims"
            " FROM model WHERE id = ?), (SELECT value FROM meta WHERE key = 'replica')",
            (model,),
        )
        identity, replica = next(found)
        return str(identity), str(replica)

    def now(self, model: int, progress: "Progress | None" = None) -> int | None:
        """Builds it. Returns the number of vectors, or None if another process is building."""
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
        """Builds it in the background, unless that is in progress or failed before."""
        if self._failed or (self._thread is not None and self._thread.is_alive()):
            return
        # A process that exits while usearch builds would be aborted before its output is written.
        atexit.register(self.close)
        self._thread = Thread(target=self._try, args=(model,), name="bower-hnsw", daemon=True)
        self._thread.start()

    def _try(self, model: int) -> None:
        try:
            self._failed = self.now(model) is None
        except (BowerbirdError, OSError, RuntimeError):
            # The next lower tier answers; requesting the index by name reports the error.
            self._failed = True

    def wait(self) -> None:
        """Waits until the background build is done."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """Aborts an unfinished build."""
        atexit.unregister(self.close)
        self._stop.set()
        self.wait()
