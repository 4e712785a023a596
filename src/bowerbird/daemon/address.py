"""The address at which clients on this machine find the server of a store.

Of several servers on one store the first publishes its address. Each of the others waits for the file
lock, which the system releases however the process ends, and then publishes its own.
"""

import json
import os
from contextlib import suppress
from threading import Lock, Thread

from bowerbird.core.errors import BadConfig, Unreachable
from bowerbird.core.value import Advice, Do
from bowerbird.core.version import VERSION
from bowerbird.daemon.tokens import home, lock_file, write_private
from bowerbird.host.locks import lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.daemon.log import Log

# The files of a server of the verbs, and of one that serves only MCP.
VERBS = "address.json"
ONLY_MCP = "mcp.json"


class Address:
    """The address of this process's server of a store, as published in a file for its kind."""

    def __init__(self, store: str, file: str, url: str, log: "Log", dashboard: str = "") -> None:
        """`dashboard` is the host name of its pages."""
        self._where = os.path.join(home(store), file)
        self._record = {"url": url, "pid": os.getpid(), "store": store, "version": VERSION}
        self._record |= {"dashboard": dashboard} if dashboard else {}
        self._log = log
        self._handle = -1
        self._turn = Lock()
        self._announced = self._ended = False

    def announce(self) -> None:
        """Publishes the address, now or once the servers that already run have ended.

        Raises BadConfig.
        """
        self._handle = lock_file(self._where)
        try:
            alone = lock(self._handle, wait=False)
        except OSError:
            alone = True  # such a disk has no locks: no server waits for another
        if alone:
            self._write()
        else:
            # A daemon thread, so that the process may end while it waits.
            Thread(target=self._wait, daemon=True).start()

    def withdraw(self) -> None:
        """Withdraws the address, if published, so that the next server publishes its own."""
        with self._turn:
            self._ended = True
            if not self._announced:
                return
            with suppress(OSError, ValueError, KeyError):
                with open(self._where, encoding="utf-8") as file:
                    ours = json.load(file)["pid"] == os.getpid()
                if ours:
                    os.unlink(self._where)
            os.close(self._handle)

    def _wait(self) -> None:
        with suppress(OSError):
            lock(self._handle)
            with self._turn:
                if self._ended:
                    os.close(self._handle)
                    return
                with suppress(BadConfig):  # clients cannot discover it, but it still serves
                    self._write()
                    self._log.event("announced", address=self._record["url"])

    def _write(self) -> None:
        self._announced = True
        write_private(self._where, json.dumps(self._record) + "\n")


def published(store: str, what: str = "url") -> str:
    """The address of a store's server on this machine, or of its `dashboard`. Raises Unreachable."""
    try:
        with open(os.path.join(home(store), VERBS), encoding="utf-8") as file:
            return str(json.load(file)[what])
    except (OSError, ValueError, KeyError) as error:
        raise Unreachable(
            f"no server of {store} runs here", Advice("start one with: ", Do("serve"))
        ) from error
