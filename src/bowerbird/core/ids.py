"""Identifiers: UUIDv7 text that sorts by time, and the content hash stored with it."""

import os
import sys
from functools import cache

from bowerbird.core.errors import BadInput, NotFound
from bowerbird.core.text import fold
from bowerbird.core.value import Advice, Do

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from bowerbird.core.types import Entry

# A shorter id prefix is rejected: ids of one hour share their first five characters.
SHORTEST = 6

# Twelve bits of an id count within a millisecond.
_LAST_COUNT = 0xFFF

_last_stamp = 0
_counter = 0

_WHERE = Advice("ids are in the answers of: ", Do("query"), ", ", Do("list"))


def new_id(now: int) -> str:
    """A UUIDv7 (RFC 9562) for `now` in UTC milliseconds; ids of one process always ascend.

    The 12 bits after the version count within a millisecond, which keeps the order of a batch.
    """
    global _last_stamp, _counter
    stamp = max(now, _last_stamp)
    if stamp == _last_stamp:
        _counter += 1
        if _counter > _LAST_COUNT:
            stamp, _counter = stamp + 1, 0
    else:
        _counter = 0
    _last_stamp = stamp
    tail = int.from_bytes(os.urandom(8), "big") & ((1 << 62) - 1) | (1 << 63)
    value = (stamp << 80) | (7 << 76) | (_counter << 64) | tail
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def made_at(id: str) -> int:
    """When an id was made, in UTC milliseconds."""
    return int(id[:8] + id[9:13], 16)


def id_prefix(given: str) -> str:
    """A valid id or id prefix. Raises BadInput if it is too short."""
    id = given.strip().lower() if isinstance(given, str) else ""
    if len(id) < SHORTEST:
        raise BadInput(f"{given!r} is too short for an id", "give six or more of its characters")
    if not id.isascii():
        raise BadInput(f"{given!r} is not an id", _WHERE)
    return id


def named(
    given: str,
    find: "Callable[[str], Sequence[Entry]]",
    removed: "Callable[[str], tuple[str, str] | None] | None" = None,
) -> "Entry":
    """The one entry with this id or id prefix; `find` searches a store for it.

    `removed` returns the id and the fate of a removed entry. Raises BadInput for a prefix that is too
    short or ambiguous, and NotFound.
    """
    start = id_prefix(given)
    found = find(start)
    gone = None if found or removed is None else removed(start)
    if gone is not None:
        why = f": {gone[1]}" if gone[1] else ""
        raise NotFound(f"{gone[0]} was erased{why}", "if it is still true, remember it again")
    if not found:
        raise NotFound(f"no entry {given}", _WHERE)
    if len(found) > 1:
        raise BadInput(f"several entries begin with {given}", "give more characters of the id")
    return found[0]


def content_hash(data: bytes) -> bytes:
    """The first 16 bytes of the SHA-256, to detect changed content."""
    digest: bytes = _sha256()(data).digest()
    return digest[:16]


@cache
def _sha256() -> "Any":
    """The function, from the module of CPython that holds it alone.

    `hashlib` would load OpenSSL for it, a quarter of a bare interpreter; it is faster on megabytes.
    """
    if "hashlib" not in sys.modules and sys.implementation.name == "cpython":
        try:
            if sys.version_info >= (3, 12):
                from _sha2 import sha256  # start-up: see above
            else:
                from _sha256 import sha256  # type: ignore[import-not-found]  # start-up: see above
        except ImportError:  # built without
            pass
        else:
            return sha256
    from hashlib import sha256  # start-up: see above

    return sha256


def text_hash(text: str) -> bytes:
    """The hash of a text's normal form, which ignores case, accents and white space."""
    return content_hash(" ".join(fold(text).split()).encode())
