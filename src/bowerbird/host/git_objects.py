"""Reads commits of a git folder by their name, and believes only what hashes to it.

The name of an object is the hash of its content, so whoever knows only the name of a commit can write a
file or an index that has it, and no object.
"""

import os
from itertools import islice

from bowerbird.host.foreign import head, opened
from bowerbird.host.repository import Repository, is_below, names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

_INDEX_MARK = b"\377tOc\0\0\0\2"
_COUNTS = len(_INDEX_MARK)
_NAMES = _COUNTS + 4 * 256
# A commit has a few hundred bytes, and some kilobytes with a signature.
_LARGEST = 1 << 20
# Git makes chains of at most 50 differences; of commits they are shorter.
_DEEPEST = 50
_COMMIT, _BY_PLACE, _BY_NAME = 1, 6, 7
_SHA1 = 20
_FAR = 0x8000_0000
# A repository that is never repacked has hundreds.
_MOST_PACKS = 10_000


def holds_commit(root: str, commit: str) -> bool:
    """Whether a commit was ever made or fetched in a repository, and is still there with its content.

    Among its own objects: alternates and links may lead to those of another clone.
    """
    git = Repository(root).shared
    wanted, objects = bytes.fromhex(commit), os.path.join(git, "objects")
    loose = os.path.join(objects, commit[:2], commit[2:])
    try:
        if is_below(loose, git) and _is_commit_file(loose, wanted):
            return True
    except OSError:
        pass  # it is in a pack, or nowhere
    packs = os.path.join(objects, "pack")
    indexes = (
        os.path.join(packs, name)
        for name in islice(names_in(packs), _MOST_PACKS)
        if name.endswith(".idx")
    )
    return any(is_below(one, git) and _is_in_pack(one, wanted) for one in indexes)


def _is_commit_file(path: str, wanted: bytes) -> bool:
    """Whether a file of its own holds the commit of that name. Raises OSError."""
    return _hash(_unpacked(head(path, _LARGEST)), len(wanted)) == wanted


def _is_in_pack(index: str, wanted: bytes) -> bool:
    """Whether a pack, given by its index, holds the commit of that name."""
    try:
        with (
            os.fdopen(opened(index), "rb") as names,
            os.fdopen(opened(index.removesuffix(".idx") + ".pack"), "rb") as pack,
        ):
            place = _place(names, wanted)
            data = None if place is None else _commit(pack, names, place, len(wanted))
    except (OSError, IndexError, RecursionError):
        return False  # what is unreadable or cut off holds nothing
    return data is not None and _hash(b"commit %d\0" % len(data) + data, len(wanted)) == wanted


def _hash(data: bytes, size: int) -> bytes:
    import hashlib  # start-up: asked only of a folder that names a known project's remote

    return (hashlib.sha1 if size == _SHA1 else hashlib.sha256)(data).digest()


def _unpacked(data: bytes) -> bytes:
    import zlib  # start-up: as above

    try:
        return zlib.decompressobj().decompress(data, _LARGEST)
    except zlib.error:
        return b""


def _place(index: "BinaryIO", wanted: bytes) -> int | None:
    """Where the pack of an index has an object, found by bisection in the file."""
    index.seek(0)
    if index.read(_COUNTS) != _INDEX_MARK:
        return None
    counts = index.read(4 * 256)
    first, size = wanted[0], len(wanted)
    low = int.from_bytes(counts[4 * first - 4 : 4 * first]) if first else 0
    high = int.from_bytes(counts[4 * first : 4 * first + 4])
    total = int.from_bytes(counts[-4:])
    while low < high:
        middle = (low + high) // 2
        index.seek(_NAMES + middle * size)
        name = index.read(size)
        if name == wanted:
            # Behind the names stand their checksums, and then the places.
            places = _NAMES + total * (size + 4)
            index.seek(places + middle * 4)
            place = int.from_bytes(index.read(4))
            if place & _FAR:
                index.seek(places + total * 4 + (place ^ _FAR) * 8)
                place = int.from_bytes(index.read(8))
            return place
        low, high = (middle + 1, high) if name < wanted else (low, middle)
    return None


def _commit(
    pack: "BinaryIO", index: "BinaryIO", place: int, size: int, depth: int = 0
) -> bytes | None:
    """The commit at a place of a pack, put together from its differences to others."""
    pack.seek(place)
    start = pack.read(64)
    at = 0
    kind = start[at] >> 4 & 7
    while start[at] & 0x80:
        at += 1
    at += 1
    if depth == _DEEPEST:
        return None
    base: int | None
    if kind == _COMMIT:
        base = None
    elif kind == _BY_PLACE:
        back = start[at] & 0x7F
        while start[at] & 0x80:
            at += 1
            back = (back + 1 << 7) + (start[at] & 0x7F)
        at += 1
        base = place - back
    elif kind == _BY_NAME:
        base = _place(index, start[at : at + size])
        at += size
    else:
        return None
    pack.seek(place + at)
    data = _unpacked(pack.read(_LARGEST))
    if kind == _COMMIT:
        return data
    before = None if base is None or base < 0 else _commit(pack, index, base, size, depth + 1)
    return None if before is None else _changed(before, data)


def _changed(before: bytes, delta: bytes) -> bytes:
    """A text that is given as copies of parts of another, and as new parts. Raises IndexError."""
    at = 0
    for _ in range(2):  # both sizes
        while delta[at] & 0x80:
            at += 1
        at += 1
    made = bytearray()
    while at < len(delta) and len(made) <= _LARGEST:
        order = delta[at]
        at += 1
        if not order & 0x80:
            made += delta[at : at + order]
            at += order
            continue
        numbers = []
        for bits in (range(4), range(4, 7)):
            number = 0
            for shift, bit in enumerate(bits):
                if order >> bit & 1:
                    number |= delta[at] << 8 * shift
                    at += 1
            numbers.append(number)
        start, count = numbers
        made += before[start : start + (count or 0x10000)]
    return bytes(made)
