"""Files as they stood at a commit, what it changed, and how often they did, from git's objects alone.

A commit that is missing (rebased, not fetched, of another repository) gives None.
"""

import os
import zlib
from itertools import islice

from bowerbird.host.foreign import opened
from bowerbird.host.repository import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
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
# delta chains of up to 4,095 and makes them up to 50 long; abbreviations have at least four digits.
_MOST_BYTES = 10_000_000
_LONGEST_CHAIN = 4_095
_MOST_PACKS = 10_000
_SHORTEST = 4
_ALIKE = 20
_HEX = frozenset("0123456789abcdef")
_HEX_LENGTHS = (40, 64)
_HEADER = 64
# Commits looked at for changes: those of a year of most projects, read in a second.
_MOST_COMMITS = 5_000
# And for one with a known message: those of a session stand at the end.
_MOST_CALLED = 300
# The mode of a folder in a tree.
_TREE = b"40000"
_DAY_S = 86_400
_PART = 1 << 16
_MOST_BITS = 64


class _Damaged(Exception):
    """Data that git does not write, that exceeds a limit, or that is missing."""


_UNREADABLE = (OSError, _Damaged, zlib.error, ValueError, IndexError, OverflowError)


class History:
    """The objects of the repository to whose working tree a folder belongs."""

    def __init__(self, folder: str) -> None:
        tree = os.path.realpath(folder)
        while not os.path.lexists(os.path.join(tree, ".git")) and tree != os.path.dirname(tree):
            tree = os.path.dirname(tree)
        self.tree = tree
        self._folders = tuple(Repository(tree).objects())
        self._folded: dict[str, dict[bytes, str]] = {}
        # The objects among them that are trees themselves.
        self._trees: set[str] = set()

    def at(self, commit: str, path: str) -> bytes | None:
        """The content of a file (absolute path) at a commit, whole or abbreviated; None if unknown."""
        below = os.path.relpath(path, self.tree)
        if below.startswith(os.pardir):
            return None
        try:
            name = _tree(self._head(commit.lower()))
            *folders, last = (os.fsencode(part) for part in below.split(os.sep))
            for folder in folders:
                name = self._folder(name).get(folder, "")
            kind, data = self._object(self._folder(name).get(last, ""))
        except _UNREADABLE:
            return None
        return data if kind == b"blob" else None

    def days_changed(self, paths: "Iterable[str]", since: int) -> dict[str, int]:
        """On how many days since a moment (UTC milliseconds) each of some absolute paths changed.

        As the first parents of what is checked out tell it; a file that came or went changed too. What
        cannot be read, as beyond the end of a shallow clone, tells nothing.
        """
        found = dict.fromkeys(paths, 0)
        below = {path: os.path.relpath(path, self.tree) for path in found}
        inside = {path: name for path, name in below.items() if not name.startswith(os.pardir)}
        later: dict[str, str] | None = None
        for tree in self._days(since // 1000) if inside else ():
            try:
                now = {path: self._stands(tree, name) for path, name in inside.items()}
            except _UNREADABLE:
                break
            if later is not None:
                for path in inside:
                    found[path] += now[path] != later[path]
            later = now
        return found

    def called(self, subject: str, since: int) -> str:
        """The newest commit since a moment (UTC milliseconds) whose message begins with a line.

        Among the last commits that the first parents of what is checked out tell; empty if there is none.
        """
        for name, at, _, message in islice(self._commits(), _MOST_CALLED):
            if 1000 * (at + 1) <= since:
                break
            if message.decode("utf-8", "replace").partition("\n")[0].strip() == subject:
                return name
        return ""

    def changed(self, commit: str, most: int) -> list[str] | None:
        """The files below the working tree that a commit changed from its first parent.

        None if it is unknown, or if they are more than `most`.
        """
        try:
            head = self._head(commit.lower())
            parent = _parent(head)
            before = _tree(self._head(parent)) if parent else ""
            found = [*islice(self._differing(_tree(head), before), most + 1)]
        except (*_UNREADABLE, RecursionError):
            return None
        return [os.fsdecode(path) for path in found] if len(found) <= most else None

    def _differing(self, one: str, other: str, above: bytes = b"") -> "Iterator[bytes]":
        """The paths of the files that differ in two trees; of no tree (an empty name) all do."""
        ours, theirs = (self._folder(tree) if tree else {} for tree in (one, other))
        for name in sorted({*ours, *theirs}):
            both = ours.get(name, ""), theirs.get(name, "")
            if both[0] == both[1]:
                continue
            folders = [tree if tree in self._trees else "" for tree in both]
            if any(folders):
                yield from self._differing(folders[0], folders[1], above + name + b"/")
            if any(file and file not in self._trees for file in both):
                yield above + name

    def _commits(self) -> "Iterator[tuple[str, int, str, bytes]]":
        """What is checked out and its first parents: name, time in seconds, tree, and message."""
        name = Repository(self.tree).head()
        for _ in range(_MOST_COMMITS):
            try:
                kind, data = self._object(name)
                head, _, message = data.partition(b"\n\n")
                lines = head.split(b"\n")
                at, tree, parent = _moment(lines), _tree(lines), _parent(lines)
            except _UNREADABLE:
                return
            if kind != b"commit":
                return
            yield name, at, tree, message
            name = parent

    def _days(self, since: int) -> "Iterator[str]":
        """The tree at the end of each day with a commit back to `since` (seconds), and that before it."""
        day = None
        for _, at, tree, _ in self._commits():
            if at // _DAY_S != day:
                yield tree
                day = at // _DAY_S
            if at < since:
                return

    def _stands(self, tree: str, below: str) -> str:
        """The object of a path in a tree; empty if it is not there."""
        for part in os.fsencode(below).split(os.fsencode(os.sep)):
            tree = self._folder(tree).get(part, "") if tree else ""
        return tree

    def _head(self, commit: str) -> list[bytes]:
        """The lines of the head of a commit, whole or abbreviated."""
        if not _HEX.issuperset(commit) or not _SHORTEST <= len(commit) <= max(_HEX_LENGTHS):
            raise _Damaged
        for name in islice(self._names(commit), _ALIKE):
            kind, data = self._object(name)
            if kind == b"commit" and data.startswith(b"tree "):
                return data.partition(b"\n\n")[0].split(b"\n")
        raise _Damaged

    def _folder(self, tree: str) -> dict[bytes, str]:
        """The objects of a tree, by name."""
        if tree not in self._folded:
            kind, data = self._object(tree)
            if kind != b"tree":
                raise _Damaged
            found, at, length = {}, 0, len(tree) // 2
            while at < len(data):
                end = data.index(b"\0", at)
                mode, _, name = data[at:end].partition(b" ")
                at = end + 1 + length
                found[name] = data[end + 1 : at].hex()
                if mode == _TREE:
                    self._trees.add(found[name])
            self._folded[tree] = found
        return self._folded[tree]

    def _names(self, begin: str) -> "Iterator[str]":
        """The names of the objects that begin with a prefix."""
        for folder in self._folders:
            for one in _listed(os.path.join(folder, begin[:2])):
                if one.startswith(begin[2:]):
                    yield begin[:2] + one
            for pack in _packs(folder):
                yield from (name for name, _ in _indexed(pack, begin))

    def _object(self, name: str) -> tuple[bytes, bytes]:
        """The kind and content of an object."""
        later: list[bytes] = []
        # The base of a delta may be in another pack, or not in a pack at all.
        while len(name) in _HEX_LENGTHS and len(later) < _LONGEST_CHAIN:
            data = self._loose(name)
            if data is not None:
                kind, _, rest = data.partition(b"\0")
                return kind.partition(b" ")[0], _put_in(rest, later)
            pack, offset = self._packed(name)
            stored, name = _read(pack, offset, len(name) // 2, later)
            if stored is not None:
                return stored[0], _put_in(stored[1], later)
        raise _Damaged

    def _loose(self, name: str) -> bytes | None:
        for folder in self._folders:
            try:
                handle = opened(os.path.join(folder, name[:2], name[2:]))
            except OSError:
                continue
            with os.fdopen(handle, "rb") as file:
                return _unpacked(file, _MOST_BYTES + _HEADER)
        return None

    def _packed(self, name: str) -> tuple[str, int]:
        for folder in self._folders:
            for pack in _packs(folder):
                for _, offset in _indexed(pack, name):
                    return pack, offset
        raise _Damaged


def _tree(head: list[bytes]) -> str:
    """The tree of a commit, from the lines of its head."""
    return head[0].removeprefix(b"tree ").decode("ascii")


def _parent(head: list[bytes]) -> str:
    """The first parent of a commit, from the lines of its head; empty if it has none."""
    parents = (line for line in head if line.startswith(b"parent "))
    return next(parents, b"parent ").removeprefix(b"parent ").decode("ascii")


def _moment(head: list[bytes]) -> int:
    """When a commit was made, in seconds, from the lines of its head."""
    made = next((line for line in head if line.startswith(b"committer ")), b"")
    return int(made.rsplit(b" ", 2)[1])


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []  # an unreadable folder counts as empty


def _packs(folder: str) -> "Iterator[str]":
    where = os.path.join(folder, "pack")
    names = (name.removesuffix(".idx") for name in _listed(where) if name.endswith(".idx"))
    return (os.path.join(where, name) for name in islice(names, _MOST_PACKS))


def _indexed(pack: str, begin: str) -> "Iterator[tuple[str, int]]":
    """The names and offsets of the objects of a pack whose names begin with a prefix."""
    with os.fdopen(opened(pack + ".idx"), "rb") as file:
        if file.read(_COUNTS) != _MARK:
            return
        counts = file.read(4 * 256)
        every, first = int.from_bytes(counts[-4:]), int(begin[:2], 16)
        low = int.from_bytes(counts[4 * first - 4 : 4 * first]) if first else 0
        high = end = int.from_bytes(counts[4 * first : 4 * first + 4])
        length = (min if len(begin) <= min(_HEX_LENGTHS) else max)(_HEX_LENGTHS) // 2

        def read(at: int, most: int) -> bytes:
            file.seek(at)
            return file.read(most)

        while low < high:
            middle = (low + high) // 2
            before = read(_NAMES + middle * length, length).hex() < begin
            low, high = (middle + 1, high) if before else (low, middle)
        for one in range(low, min(end, low + _ALIKE)):
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
    pack: str, offset: int, length: int, later: list[bytes]
) -> tuple[tuple[bytes, bytes] | None, str]:
    """The kind and content of an object in a pack, or the name of its delta base.

    Deltas on the way are appended to `later`.
    """
    with os.fdopen(opened(pack + ".pack"), "rb") as file:
        while len(later) < _LONGEST_CHAIN:
            file.seek(offset)
            kind, size = _head(file)
            if size > _MOST_BYTES:
                raise _Damaged
            if kind in _KINDS:
                return (_KINDS[kind], _unpacked(file, size)), ""
            if kind not in {_BY_OFFSET, _BY_NAME}:
                raise _Damaged
            back = _back(file) if kind == _BY_OFFSET else 0
            name = file.read(length).hex() if kind == _BY_NAME else ""
            later.append(_unpacked(file, size))
            if sum(map(len, later)) > _MOST_BYTES:
                raise _Damaged
            if name:
                return None, name
            if not 0 < back <= offset:
                raise _Damaged
            offset -= back
    raise _Damaged


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
            raise _Damaged
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
                raise _Damaged
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
