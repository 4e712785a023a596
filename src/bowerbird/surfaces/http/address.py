"""Publishes the address at which clients on this machine find the server of a store.

Of several servers on one store the first publishes its address. Each of the others waits for the file
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
        """Publishes the address, now or once the servers that already run have ended.

        Raises BadConfig.
        """
        self._handle = lock_file(self._where)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # A daemon thread, so that the process may end while it waits.
            Thread(target=self._wait, daemon=True).start()
            return
        except OSError:
            pass  # such a disk has no locks: no server waits for another
        self._write()

    def withdraw(self) -> None:
        """Withdraws the address, if published, so that the next server publishes its own."""
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
                with suppress(BadConfig):  # clients cannot discover it, but it still serves
                    self._write()
                    self._journal.event("announced", address=self._record["url"])

    def _write(self) -> None:
        self._tells = True
        write_private(self._where, json.dumps(self._record) + "\n")
