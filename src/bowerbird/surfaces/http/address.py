"""Where clients on this machine find a server of a store: the one address of one that runs.

Of several servers over one store the first publishes its address. Each of the others waits for the file
lock, which the system releases however the process ends, and then publishes its own.
"""

import fcntl
import json
import os
from contextlib import suppress
from threading import Lock, Thread

from bowerbird.core.errors import BadConfig
from bowerbird.core.version import VERSION
from bowerbird.daemon.tokens import lock_file, write_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.daemon.journal import Journal


class Address:
    """The address of this process's server, as published in the file `where`."""

    def __init__(self, where: str, url: str, store: str, journal: "Journal") -> None:
        self._where = where
        self._record = {"url": url, "pid": os.getpid(), "store": store, "version": VERSION}
        self._journal = journal
        self._handle = -1
        self._turn = Lock()
        self._tells = self._ended = False

    def announce(self) -> None:
        """Write it down, now or when those have ended that run already. Raises BadConfig."""
        self._handle = lock_file(self._where)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # A process may end while one of its threads waits so.
            Thread(target=self._wait, daemon=True).start()
            return
        except OSError:
            pass  # such a disk has no locks: nobody waits for anybody
        self._write()

    def withdraw(self) -> None:
        """Withdraw it, if published, and let the next server publish its own."""
        with self._turn:
            self._ended = True
            if not self._tells:
                return
            with suppress(OSError, ValueError, KeyError):
                with open(self._where, encoding="utf-8") as file:
                    ours = json.load(file)["pid"] == os.getpid()
                if ours:
                    os.unlink(self._where)
            os.close(self._handle)

    def _wait(self) -> None:
        with suppress(OSError):
            fcntl.flock(self._handle, fcntl.LOCK_EX)
            with self._turn:
                if self._ended:
                    os.close(self._handle)
                    return
                with suppress(BadConfig):  # nobody finds it here, and it serves all the same
                    self._write()
                    self._journal.event("announced", address=self._record["url"])

    def _write(self) -> None:
        self._tells = True
        write_private(self._where, json.dumps(self._record) + "\n")
