"""Asks a process that has a hook's store open for its answer, instead of opening the store."""

import os

from bowerbird.daemon import hook_wire as wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.injected import Injection
    from bowerbird.hook import Hook


class HookClient:
    """The process that answers the hooks of a store, if one does."""

    def __init__(self, seconds: float) -> None:
        """`seconds` is how long it may take; after that the hook answers by itself."""
        self._seconds = seconds

    def ask(self, hook: "Hook", error: str) -> "tuple[bool, Injection | None]":
        """Whether a process answered, and what to inject."""
        where = wire.folder(hook.hooking.state)
        paths = wire.sockets(where, hook.hooking.path)
        if not paths or not wire.private(where):
            return False, None
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
                return True, wire.injection(wire.receive(connection))
        except (OSError, ValueError):
            pass
        finally:
            connection.close()
        return False, None


def _remove(path: str) -> None:
    try:  # noqa: SIM105 contextlib is a fifth of a bare interpreter
        os.unlink(path)
    except OSError:
        pass
