"""Answers the hooks of a store in a process that has it open: an agent's `bower mcp`, `serve` or `watch`.

It listens on a Unix socket that only its user can reach, in threads of that process. It starts no process
and leaves nothing behind: the socket is removed at the end, and that of a process that was killed by the
next hook or server that finds it.
"""

import os
import socket
from contextlib import contextmanager, suppress
from threading import BoundedSemaphore, Thread

from bowerbird.core.errors import BowerbirdError
from bowerbird.core.version import VERSION
from bowerbird.daemon import hook_wire as wire
from bowerbird.daemon.birds import ASK
from bowerbird.hook.served import injection
from bowerbird.host.places import folder, make_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.daemon.birds import Birds

# Seconds to wait for a request, and after the answer for what was used of it.
_PATIENCE_S = 2.0
# Hooks that are answered at the same time; further ones wait in the queue of the socket.
_AT_ONCE = 4
_BACKLOG = 16
# Any questions work, if they differ: they load what prompts need, the contextual model too.
_WARMING = ("what was decided before", "which file says what was decided")


@contextmanager
def answering_hooks(birds: "Birds", *, warm: bool = False) -> "Iterator[None]":
    """Answers hooks of this store meanwhile; `warm` loads first what that needs.

    Where no socket can be made, hooks answer by themselves, as without this process.
    """
    server = HookServer(birds)
    with suppress(OSError):
        server.start()
    if warm:
        Thread(target=server.warm, daemon=True).start()
    try:
        yield
    finally:
        server.close()


class HookServer:
    """Listens for the hooks of a store."""

    def __init__(self, birds: "Birds") -> None:
        self._birds = birds
        self._turns = BoundedSemaphore(_AT_ONCE)
        self._listening: socket.socket | None = None
        self.path = ""

    def start(self) -> None:
        """Listens, in threads. Raises OSError."""
        if not hasattr(socket, "AF_UNIX"):  # Windows
            raise OSError("no socket of this system is a file")
        where = wire.folder(folder("state", os.environ))
        make_folder(where)
        if not wire.private(where):
            raise PermissionError(f"{where} is not this user's alone")
        for left in wire.sockets(where, self._birds.path):
            _remove_if_dead(left)
        path = os.path.join(where, wire.name(self._birds.path, os.getpid()))
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listening.bind(path)
            os.chmod(path, 0o600)
            listening.listen(_BACKLOG)
        except OSError:
            listening.close()
            raise
        self.path, self._listening = path, listening
        Thread(target=self._accept, args=(listening,), daemon=True).start()

    def close(self) -> None:
        """Stops listening, once the hooks that are being answered have ended."""
        if self._listening is None:
            return
        with suppress(OSError):
            os.unlink(self.path)
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._listening = None
        for _ in range(_AT_ONCE):
            self._turns.acquire(timeout=_PATIENCE_S)

    def warm(self) -> None:
        """Loads what questions need: the models, then the store. Errors are left to the first question.

        One that comes meanwhile waits for one of the two at most. The store takes some 2 s of CPU at
        100,000 entries, which the second and the fourth question would pay.
        """
        with suppress(BowerbirdError):
            with self._birds.acquire(ASK) as bird:
                bird.query(_WARMING[0], limit=1)
                bird.admin.read_ahead()
            with self._birds.acquire(ASK) as bird:
                bird.query(_WARMING[1], limit=1)

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:  # closed
                return
            self._turns.acquire()
            Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection, suppress(OSError, ValueError):
                connection.settimeout(_PATIENCE_S)
                if wire.same_user(connection):
                    self._converse(connection)
        finally:
            self._turns.release()

    def _converse(self, connection: socket.socket) -> None:
        connection.sendall(wire.line(self._answer(wire.receive(connection))))

    def _answer(self, asked: "Any") -> "dict[str, Any]":
        """The answer to a request; one without an injection makes the hook answer by itself."""
        if not isinstance(asked, dict) or asked.get("version") != VERSION:
            return {"version": VERSION, "refused": "another version"}
        if asked["store"] != self._birds.path:
            return {"version": VERSION, "refused": "another store"}
        try:
            with self._birds.acquire(ASK) as bird:
                return wire.answer(injection(bird, asked))
        except BowerbirdError as error:
            return {"version": VERSION, "refused": str(error)}
        except Exception as error:  # noqa: BLE001 one hook answers by itself, the server lives on
            return {"version": VERSION, "refused": f"{type(error).__name__}: {error}"}


def _remove_if_dead(path: str) -> None:
    """Removes the socket of a process that was killed."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_PATIENCE_S)
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            with suppress(OSError):
                os.unlink(path)
        except OSError:
            return
