"""Asks a process that has a hook's store open for its answer, instead of opening the store."""

import os

from bowerbird.daemon import hook_wire as wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket

    from bowerbird.core.injected import Injection
    from bowerbird.hook import Hook


class HookClient:
    """The process that answers the hooks of a store, if one does."""

    def __init__(self, seconds: float) -> None:
        """`seconds` is how long it may take; after that the hook answers by itself."""
        self._seconds = seconds
        self._connection: socket | None = None
        self._session = ""

    def ask(self, hook: "Hook", error: str) -> "tuple[bool, Injection | None]":
        """Whether a process answered, and what to inject."""
        where = wire.folder(hook.hooking.state)
        paths = wire.sockets(where, hook.hooking.path)
        if not paths or not wire.private(where):
            return False, None
        self._session = hook.event.session
        try:
            asked = wire.line(wire.request(hook, error))
        except (TypeError, ValueError):
            return False, None
        if len(asked) > wire.LARGEST:
            return False, None
        for path in paths:
            answered = self._answer(path, asked)
            if answered[0]:
                return answered
        return False, None

    def count(self, ids: list[str]) -> bool:
        """Counts memories of the last answer as used. Returns whether the process that gave it does."""
        if self._connection is None:
            return False
        try:
            self._connection.sendall(wire.line({"used": ids, "session": self._session}))
        except OSError:
            return False
        return True

    def _answer(self, path: str, asked: bytes) -> "tuple[bool, Injection | None]":
        """The same of one process, which may have ended, hang, or be of another version."""
        from _socket import AF_UNIX, SOCK_STREAM, socket  # start-up: most hooks find no process

        connection = socket(AF_UNIX, SOCK_STREAM)
        connection.settimeout(self._seconds)
        try:
            connection.connect(path)
        except ConnectionRefusedError:
            # Its process was killed and left the socket behind.
            _remove(path)
            return False, None
        except OSError:
            return False, None
        try:
            if wire.same_user(connection):
                connection.sendall(asked)
                injection = wire.injection(wire.receive(connection))
                self._connection = connection
                return True, injection
        except (OSError, ValueError):
            pass
        connection.close()
        return False, None


def _remove(path: str) -> None:
    try:  # noqa: SIM105 contextlib is a fifth of a bare interpreter
        os.unlink(path)
    except OSError:
        pass
