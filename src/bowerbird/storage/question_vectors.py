"""A side file of vectors that were expensive to compute, written without opening the store.

A query does not write to the store: it would wait for the writer, and invalidate every answer that others
have cached. So a paid-for vector is appended here, keyed by a hash of the query alone. The sentences of
an unfinished session have such a file of their own.
"""

import hashlib
import os
import struct
import zlib

from bowerbird.core.types import Vector
from bowerbird.host.locks import lock
from bowerbird.host.places import append_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

SUFFIX = ".asked"
# Above this size the older half is dropped: some 1,000 queries of 1,024 dimensions, read in 1 ms.
MOST_BYTES = 1 << 20
_KEY_BYTES = 16
# Key, length before quantising, number of values; a checksum of all follows the values.
_HEAD = struct.Struct(f"<{_KEY_BYTES}sdI")
_SUM = struct.Struct("<I")


class QuestionVectors:
    """The side file of one store. Unreadable vectors are requested again; failed writes are ignored."""

    def __init__(self, store: str, most_bytes: int = MOST_BYTES) -> None:
        self._path = store + SUFFIX
        self._most_bytes = most_bytes

    def known(self, model: str, hashes: "Collection[bytes]") -> dict[bytes, Vector]:
        """The vectors of some texts, by the hashes of those texts."""
        find = self.finder(model)
        found = ((hash, find(hash)) for hash in hashes)
        return {hash: one for hash, one in found if one is not None}

    def finder(self, model: str) -> "Callable[[bytes], Vector | None]":
        """Finds vectors by the hashes of their texts, among those that are there now."""
        try:
            with open(self._path, "rb") as file:
                data = file.read()
        except OSError:
            data = b""
        vectors = {key: Vector(values, norm) for key, norm, values in _records(data)}
        return lambda of: vectors.get(_key(model, of))

    def keep(self, model: str, vectors: "Mapping[bytes, Vector]") -> None:
        """Adds vectors; if the file is too large, the older half is dropped."""
        new = b"".join(_record(_key(model, hash), one) for hash, one in vectors.items())
        try:
            handle = append_to(self._path)
        except OSError:
            return  # a read-only folder
        try:
            lock(handle)
            size = os.fstat(handle).st_size
            records = [
                _record(key, Vector(values, norm))
                for key, norm, values in _records(os.read(handle, size))
            ]
            whole = sum(map(len, records))
            if whole + len(new) > self._most_bytes:
                new = b"".join(records[len(records) // 2 :]) + new
                whole = 0
            if (
                whole < size
            ):  # after a partial record, left by a crash, later ones could not be found
                os.ftruncate(handle, whole)
            os.write(handle, new)
        except OSError:
            return  # a full disk: a partial record at the end is ignored
        finally:
            os.close(handle)

    def clear(self) -> None:
        """Deletes all vectors."""
        try:
            os.unlink(self._path)
        except OSError:
            return


def _key(model: str, hash: bytes) -> bytes:
    return hashlib.blake2b(model.encode() + b"\0" + hash, digest_size=_KEY_BYTES).digest()


def _record(key: bytes, vector: Vector) -> bytes:
    record = _HEAD.pack(key, vector.norm, len(vector.values)) + vector.values
    return record + _SUM.pack(zlib.crc32(record))


def _records(data: bytes) -> "Iterator[tuple[bytes, float, bytes]]":
    """Key, norm and values of each complete record."""
    start = 0
    while start + _HEAD.size <= len(data):
        key, norm, count = _HEAD.unpack_from(data, start)
        end = start + _HEAD.size + count
        if end + _SUM.size > len(data) or _SUM.unpack_from(data, end)[0] != zlib.crc32(
            data[start:end]
        ):
            return
        yield key, norm, data[start + _HEAD.size : end]
        start = end + _SUM.size
