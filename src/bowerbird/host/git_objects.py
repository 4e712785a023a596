"""Reads the objects of a git folder: commits, trees and files, by their names.

The name of an object is the hash of its content, so whoever knows only the name of a commit can write a
file or an index that has it, and no object: `holds_commit` believes the content.
"""

import os
import zlib
from contextlib import suppress
from itertools import islice

from bowerbird.host.foreign import opened
from bowerbird.host.repository import Repository, is_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import BinaryIO

# A pack's index, version 2 (gitformat-pack): magic, 256 cumulative counts, sorted object names, CRCs of
# four bytes, offsets of four bytes, and offsets of eight bytes for those beyond two gigabytes.
_MARK = b"\377tOc\0\0\0\2"
_COUNTS = len(_MARK)
_NAMES = _COUNTS + 4 * 256
_FAR = 1 << 31
# Kinds of objects in a pack; the last two are deltas against another object.
_KINDS = {1: b"commit", 2: b"tree", 3: b"blob", 4: b"tag"}
_BY_OFFSET = 6
_BY_NAME = 7
# The checkout may come from anybody, so sizes are limited. Larger files are not source code; git allows
# delta chains of up to 4,095 and makes them up to 50 long.
_MOST_BYTES = 10_000_000
_LONGEST_CHAIN = 4_095
# What a step to a base that is named counts at least: a hundred such steps are followed. Git writes them
# only into packs that it sends.
_STEP = _MOST_BYTES // 100
# Copies of one object, and indexes of packs, that cannot be read: beyond them it counts as missing.
_MOST_UNREAD = 20
_NOT_ITS_NAME = "its content is another than its name says"
_MOST_PACKS = 10_000
ALIKE = 20
HEX_LENGTHS = (40, 64)
_HEADER = 64
_PART = 1 << 16
_MOST_BITS = 64


class Damaged(Exception):
    """Data that git does not write, that exceeds a limit, or that is missing."""


UNREADABLE = (OSError, Damaged, zlib.error, ValueError, IndexError, OverflowError)


class Objects:
    """The objects of some folders, in which others may have put anything.

    `allowed` says which files are read; all, if it is None. What no copy tells raises `Damaged`.
    """

    def __init__(
        self, folders: "Sequence[str]", allowed: "Callable[[str], bool] | None" = None
    ) -> None:
        self._folders = folders
        self._allowed = allowed

    def read(
        self, name: str, unread: "dict[str, str] | None" = None, deltas: int = 0
    ) -> tuple[bytes, bytes]:
        """The kind and content of an object: of its copies, the first whose content has that name.

        A copy that is damaged or forged counts as absent; `unread` tells where one is, and why.
        """
        unread = {} if unread is None else unread
        if len(name) in HEX_LENGTHS and deltas < _MOST_BYTES:
            for path, offset in self._copies(name, unread):
                try:
                    kind, data = self._copy(path, offset, name, unread, deltas)
                    if _name_of(kind, data, len(name)) == name:
                        return kind, data
                    unread[path] = _NOT_ITS_NAME
                except UNREADABLE as error:
                    unread[path] = _why(error)
                if len(unread) > _MOST_UNREAD:
                    break
        raise Damaged

    def _copies(self, name: str, unread: dict[str, str]) -> "Iterator[tuple[str, int]]":
        """Where an object may be: as a file, or at an offset of a pack."""
        for folder in self._folders:
            path = os.path.join(folder, name[:2], name[2:])
            if os.path.lexists(path) and (self._allowed is None or self._allowed(path)):
                yield path, -1
        for folder in self._folders:
            for pack in self._packs(folder):
                try:
                    yield from ((pack + ".pack", offset) for _, offset in _indexed(pack, name))
                except UNREADABLE as error:
                    unread[pack + ".idx"] = _why(error)

    def _copy(
        self, path: str, offset: int, name: str, unread: dict[str, str], deltas: int
    ) -> tuple[bytes, bytes]:
        with os.fdopen(opened(path), "rb") as file:
            if offset < 0:
                head, _, data = _unpacked(file, _MOST_BYTES + _HEADER).partition(b"\0")
                return head.partition(b" ")[0], data
            later: list[bytes] = []
            stored, base = _read(file, offset, len(name) // 2, later)
        # The base of a delta may be in another pack, or not in a pack at all.
        kind, data = stored or self.read(base, unread, deltas + max(_STEP, sum(map(len, later))))
        return kind, _put_in(data, later)

    def names(self, begin: str) -> "Iterator[str]":
        """The names of the objects that begin with a prefix."""
        for folder in self._folders:
            for one in listed(os.path.join(folder, begin[:2])):
                if one.startswith(begin[2:]):
                    yield begin[:2] + one
            for pack in self._packs(folder):
                with suppress(*UNREADABLE):  # another pack may hold it
                    yield from [name for name, _ in _indexed(pack, begin)]

    def _packs(self, folder: str) -> "Iterator[str]":
        where = os.path.join(folder, "pack")
        names = (name.removesuffix(".idx") for name in listed(where) if name.endswith(".idx"))
        packs = (os.path.join(where, name) for name in islice(names, _MOST_PACKS))
        return (one for one in packs if self._allowed is None or self._allowed(one + ".pack"))


def holds_commit(root: str, commit: str, unread: "dict[str, str]") -> bool:
    """Whether a commit was ever made or fetched in a repository, and is still there with its content.

    Among its own objects: alternates and links may lead to those of another clone. If it is not found,
    `unread` gets the files in which it may be, and why they could not be read.
    """
    git = Repository(root).shared
    objects = Objects((os.path.join(git, "objects"),), lambda path: is_below(path, git))
    failed: dict[str, str] = {}
    try:
        return objects.read(commit, failed)[0] == b"commit"
    except Damaged:
        unread |= failed
        return False


def _name_of(kind: bytes, data: bytes, length: int) -> str:
    import hashlib  # start-up: OpenSSL is needed only where an object is read

    named = hashlib.sha1 if length == min(HEX_LENGTHS) else hashlib.sha256
    return named(kind + b" %d\0" % len(data) + data).hexdigest()


def _why(error: Exception) -> str:
    return ((isinstance(error, OSError) and error.strerror) or "it is damaged").lower()


def listed(folder: str) -> list[str]:
    """What a folder contains, sorted; nothing if it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []  # an unreadable folder counts as empty


def _indexed(pack: str, begin: str) -> "Iterator[tuple[str, int]]":
    """The names and offsets of the objects of a pack whose names begin with a prefix."""
    with os.fdopen(opened(pack + ".idx"), "rb") as file:
        if file.read(_COUNTS) != _MARK:
            raise Damaged
        counts = file.read(4 * 256)
        every, first = int.from_bytes(counts[-4:]), int(begin[:2], 16)
        low = int.from_bytes(counts[4 * first - 4 : 4 * first]) if first else 0
        high = end = int.from_bytes(counts[4 * first : 4 * first + 4])
        length = (min if len(begin) <= min(HEX_LENGTHS) else max)(HEX_LENGTHS) // 2

        def read(at: int, most: int) -> bytes:
            file.seek(at)
            return file.read(most)

        while low < high:
            middle = (low + high) // 2
            before = read(_NAMES + middle * length, length).hex() < begin
            low, high = (middle + 1, high) if before else (low, middle)
        for one in range(low, min(end, low + ALIKE)):
            name = read(_NAMES + one * length, length).hex()
            if not name.startswith(begin):
                return
            offset = int.from_bytes(read(_NAMES + every * (length + 4) + 4 * one, 4))
            if offset >= _FAR:
                offset = int.from_bytes(
                    read(_NAMES + every * (length + 8) + 8 * (offset - _FAR), 8)
                )
            yield name, offset


def _read(
    file: "BinaryIO", offset: int, length: int, later: list[bytes]
) -> tuple[tuple[bytes, bytes] | None, str]:
    """The kind and content of an object in a pack, or the name of its delta base.

    Deltas on the way are appended to `later`.
    """
    while len(later) < _LONGEST_CHAIN:
        file.seek(offset)
        kind, size = _head(file)
        if size > _MOST_BYTES:
            raise Damaged
        if kind in _KINDS:
            return (_KINDS[kind], _unpacked(file, size)), ""
        if kind not in {_BY_OFFSET, _BY_NAME}:
            raise Damaged
        back = _back(file) if kind == _BY_OFFSET else 0
        name = file.read(length).hex() if kind == _BY_NAME else ""
        later.append(_unpacked(file, size))
        if sum(map(len, later)) > _MOST_BYTES:
            raise Damaged
        if name:
            return None, name
        if not 0 < back <= offset:
            raise Damaged
        offset -= back
    raise Damaged


def _head(file: "BinaryIO") -> tuple[int, int]:
    """Kind and size in an object's header: four bits of the size, then seven in each further byte."""
    one = file.read(1)[0]
    kind, size, shift = one >> 4 & 7, one & 15, 4
    while one & 128 and shift < _MOST_BITS:
        one = file.read(1)[0]
        size |= (one & 127) << shift
        shift += 7
    return kind, size


def _back(file: "BinaryIO") -> int:
    """The distance from an object back to its delta base, in bytes."""
    one = file.read(1)[0]
    far = one & 127
    while one & 128 and far < 1 << 56:
        one = file.read(1)[0]
        far = (far + 1 << 7) | one & 127
    return far


def _unpacked(file: "BinaryIO", most: int) -> bytes:
    packed, data = zlib.decompressobj(), b""
    while not packed.eof and (part := file.read(_PART)):
        data += packed.decompress(part, most + 1 - len(data))
        if len(data) > most:
            raise Damaged
    return data


def _put_in(data: bytes, later: list[bytes]) -> bytes:
    """An object with its deltas applied, the last first."""
    for differs in reversed(later):
        at, length, parts = _size(differs, _size(differs, 0)[0])[0], 0, []
        while at < len(differs):
            what = differs[at]
            at += 1
            if not what & 128:
                parts.append(differs[at : at + what])
                at += what
            else:
                numbers = [0] * 7
                for bit in range(7):
                    if what >> bit & 1:
                        numbers[bit] = differs[at]
                        at += 1
                begin = int.from_bytes(bytes(numbers[:4]), "little")
                size = int.from_bytes(bytes(numbers[4:]), "little") or 1 << 16
                parts.append(data[begin : begin + size])
            length += len(parts[-1])
            if length > _MOST_BYTES:
                raise Damaged
        data = b"".join(parts)
    return data


def _size(data: bytes, at: int) -> tuple[int, int]:
    """A variable-length number, seven bits per byte: the offset after it, and its value."""
    size = shift = 0
    while True:
        one = data[at]
        size |= (one & 127) << shift
        at, shift = at + 1, shift + 7
        if not one & 128:
            return at, size
