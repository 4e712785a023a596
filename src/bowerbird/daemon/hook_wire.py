"""How a hook asks a process that has its store open: where that listens, and what they say.

Each process listens on a Unix socket of its own, so that any number of them can: its name consists of a
checksum of the store's path and the process id. A connection carries one request and one answer, each a
line of JSON. Both sides check that the other one runs as the same user, and the server that both are of
the same version; if anything does not fit, the hook answers by itself.

Every prompt loads this module, so it imports only what a hook needs in any case.
"""

import os
import stat
import sys
from binascii import crc32

from bowerbird.core import plainjson
from bowerbird.core.anchors import Anchor
from bowerbird.core.injected import Injection, Line
from bowerbird.core.packs import Item
from bowerbird.core.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from typing import Any

    from bowerbird.hook import Hook

# Largest request and answer in bytes.
LARGEST = 1_000_000
_FOLDER = "sockets"
_SUFFIX = ".sock"
# The path of a socket has 104 bytes on macOS and 108 on Linux, with the zero at its end.
_LONGEST_PATH = 100
_LONGEST_NAME = 32
# The permissions of group and others.
_OF_OTHERS = 0o077
_PART = 65_536
# The option LOCAL_PEERCRED of macOS, its level, and the lengths of the credentials there and on Linux;
# on both the user id follows the first four bytes.
_SOL_LOCAL = 0
_LOCAL_PEERCRED = 1
_XUCRED = 76
_UCRED = 12
# Fields of an event that the search depends on; what a tool returned is not one.
_EVENT = ("agent", "name", "what", "session", "cwd", "sub", "transcript", "tool", "given", "use")
_EVENT_TEXTS = ("text", "why")
_ITEM = (
    "id",
    "kind",
    "text",
    "tokens",
    "citation",
    "relevance",
    "trust",
    "created",
    "path",
    "speaker",
    "review",
    "valid_from",
    "valid_to",
    "instruction",
)
_ANCHOR = ("path", "name", "state", "line", "now", "reason")


def folder(state: str) -> str:
    """The folder of the sockets, for a state folder: below it, or a private one if that path is long."""
    below = os.path.join(state, _FOLDER)
    if len(os.fsencode(below)) + 1 + _LONGEST_NAME <= _LONGEST_PATH:
        return below
    return f"/tmp/bowerbird-{os.geteuid()}"  # noqa: S108 `private` checks its owner and mode


def private(folder: str) -> bool:
    """Whether a folder belongs to this user alone."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    own = found.st_uid == os.geteuid() and not found.st_mode & _OF_OTHERS
    return own and stat.S_ISDIR(found.st_mode)


def name(store: str, process: int) -> str:
    """The name of a process's socket for a store."""
    return f"{_of(store)}{process}{_SUFFIX}"


def sockets(folder: str, store: str) -> list[str]:
    """The sockets of a store's processes, the last one started first."""
    begin = _of(store)
    try:
        found = [one for one in os.listdir(folder) if one.startswith(begin)]
    except OSError:
        return []
    return [os.path.join(folder, one) for one in sorted(found, key=_started, reverse=True)]


def _of(store: str) -> str:
    return f"{crc32(os.fsencode(store)):08x}-"


def _started(name: str) -> tuple[int, str]:
    return len(name), name


def same_user(connection: "socket") -> bool:
    """Whether the other end of a connection runs as this user."""
    if sys.platform == "darwin":
        asked = (_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED)
    else:
        from _socket import SO_PEERCRED, SOL_SOCKET  # start-up: macOS has no such option

        asked = (SOL_SOCKET, SO_PEERCRED, _UCRED)
    try:
        found = connection.getsockopt(*asked)
    except OSError:
        return False
    return int.from_bytes(found[4:8], sys.byteorder) == os.geteuid()


def receive(connection: "socket") -> "Any":
    """The value that the other end sends; None if it ends without one. Raises OSError and ValueError."""
    data = b""
    while not data.endswith(b"\n"):
        part = connection.recv(_PART)
        if not part:
            return None
        data += part
        if len(data) > LARGEST:
            raise ValueError(f"more than {LARGEST:,} bytes")
    return plainjson.loads(data.decode())


def line(value: "Any") -> bytes:
    """A value as a line of JSON. Raises TypeError, and ValueError if it cannot be encoded."""
    return plainjson.dumps(value).encode() + b"\n"


def request(hook: "Hook", error: str) -> "dict[str, Any]":
    """The request of a hook; `error` is the output of a failed call."""
    event, hooking = hook.event, hook.hooking
    sent = {field: getattr(event, field) for field in (*_EVENT, *_EVENT_TEXTS)}
    return {
        "version": VERSION,
        "store": hooking.path,
        "state": hooking.state,
        "config": hooking.config.rows(),
        "event": sent | {"cwd": os.path.abspath(event.cwd)},
        "error": error,
        # Only what other interfaces returned is looked up by the processes above.
        "above": hook.above() if hooking.handing else (),
    }


def answer(injection: "Injection | None") -> "dict[str, Any]":
    """The answer to a hook: what to inject, if anything."""
    if injection is None:
        return {"version": VERSION, "injection": None}
    return {
        "version": VERSION,
        "injection": {
            "why": injection.why,
            "about": injection.about,
            "note": injection.note,
            "reasons": injection.reasons,
            "lines": [(one.speaker, one.text) for one in injection.lines],
            "items": [_sent(one) for one in injection.items],
        },
    }


def injection(answer: "Any") -> "Injection | None":
    """The injection of an answer. Raises ValueError if it holds none, or is of another version."""
    if not isinstance(answer, dict) or answer.get("version") != VERSION:
        raise ValueError("no answer of this version")
    try:
        found = answer["injection"]
        return found and Injection(
            found["why"],
            found["about"],
            tuple(map(_received, found["items"])),
            tuple(Line(*one) for one in found["lines"]),
            found["reasons"],
            found["note"],
        )
    except (KeyError, TypeError) as error:
        raise ValueError("no answer") from error


def _sent(item: "Item") -> "dict[str, Any]":
    anchors = [{field: getattr(one, field) for field in _ANCHOR} for one in item.anchors]
    return {field: getattr(item, field) for field in _ITEM} | {"anchors": anchors}


def _received(sent: "dict[str, Any]") -> "Item":
    return Item(**{**sent, "anchors": [Anchor(**one) for one in sent["anchors"]]})
