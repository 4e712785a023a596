"""Identifiers: UUIDv7 text that sorts by time, and the content hash that stands beside it."""

import hashlib
import os

from bowerbird.core.text import fold

# Twelve bits of an id count within a millisecond.
_LAST_COUNT = 0xFFF

_last_stamp = 0
_counter = 0


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


def content_hash(data: bytes) -> bytes:
    """The first 16 bytes of the SHA-256: what tells whether a content changed."""
    return hashlib.sha256(data).digest()[:16]


def text_hash(text: str) -> bytes:
    """The hash of a text's normal form: case, accents and white space do not count."""
    return content_hash(" ".join(fold(text).split()).encode())
