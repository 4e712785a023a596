"""Checks that the write-ahead log of a store is its own, before SQLite applies it to the file.

SQLite uses any log of that name. A backup that was copied over a store whose process was killed would
get pages of the replaced store: permanently damaged.

Every write transaction increments `generation` in `meta`. So the first one in the log is at most one
ahead of the file, unless the file is from an earlier moment. A later file is harmless: the log continues
from it to the last state of the store.

After a power failure a log may end in partial writes: SQLite ignores what fails its checksums, and so
does this. And the file may contain a part of a checkpoint: then its `meta` may be unreadable, and the log
completes it.
"""

import os

import apsw

from bowerbird.storage.sqlite.file.location import other_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

_HEADER = 32
_FRAME = 24
_PAGE_HEADER = 8
# Of a page: the leaf of a table without row ids.
_LEAF = 0x0A
# A first transaction of more pages than that is not looked through: it took in many files.
_MOST_FRAMES = 20_000
# In a file's header: its version for writers, which is another one with a log.
_VERSION_AT = 18
_WITHOUT_LOG = 1
# By a value's type in a record, how many bytes it takes.
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}
_TEXT = 13


def require_own_log(path: str) -> None:
    """Raise StoreReplaced if the log of a store cannot be its own.

    Others may write at the same time: the log is read first, and the file only advances.
    """
    name = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        # The file without its log, and without taking part in any lock.
        alone = apsw.Connection(f"file:{name}?immutable=1", flags=flags)
        try:
            found = alone.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'meta'")
            row = found.fetchone()
            logged = _first_logged(path + "-wal", int(row[0])) if row else None
            if logged is None:
                return
            here = dict(
                alone.execute("SELECT key, value FROM meta WHERE key IN ('generation', 'replica')")
            )
        finally:
            alone.close()
        if "replica" not in here or not isinstance(here.get("generation"), int):
            return
        other = _written_without_log(path) or logged.get("replica") != here["replica"]
    except apsw.Error:
        return  # read during a checkpoint: then it is its own
    other = other or int(logged.get("generation", 0)) > int(str(here["generation"])) + 1
    if other and _played(path + "-wal"):
        raise other_log(path)


def _written_without_log(path: str) -> bool:
    """Whether a file is one that SQLite keeps no log for, such as a backup that it made."""
    file = apsw.VFSFile("", path, [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    try:
        return file.xRead(1, _VERSION_AT)[0] == _WITHOUT_LOG
    finally:
        file.xClose()


def _first_logged(log: str, page: int) -> "dict[str, int | str] | None":
    """The rows of `meta` as the log holds them first; None where it holds none.

    SQLite locks no byte of a log, so that reading it by path drops no lock.
    """
    try:
        with open(log, "rb") as file:
            header = file.read(_HEADER)
            size = int.from_bytes(header[8:12], "big")
            for _ in range(_MOST_FRAMES):
                frame = file.read(_FRAME)
                # Data after the last frame belongs to the previous log.
                if len(frame) < _FRAME or frame[8:16] != header[16:24]:
                    return None
                if int.from_bytes(frame[:4], "big") == page:
                    return dict(_rows(file.read(size)))
                file.seek(size, os.SEEK_CUR)
    except (OSError, IndexError):
        pass  # a checkpoint emptied it
    return None


def _played(log: str) -> bool:
    """Whether SQLite would play any transaction of a log: one that is whole, by its checksums."""
    try:
        with open(log, "rb") as file:
            header = file.read(_HEADER)
            order: Literal["big", "little"] = "big" if header[3] & 1 else "little"
            size = int.from_bytes(header[8:12], "big")
            sums = _summed(header[:24], (0, 0), order)
            if _stored(header[24:]) != sums:
                return False
            while True:
                frame = file.read(_FRAME)
                if len(frame) < _FRAME or frame[8:16] != header[16:24]:
                    return False
                sums = _summed(file.read(size), _summed(frame[:8], sums, order), order)
                if _stored(frame[16:]) != sums:
                    return False
                if any(frame[4:8]):
                    return True  # the last one of a transaction
    except (OSError, IndexError):
        pass  # a checkpoint emptied it
    return False


def _stored(sums: bytes) -> tuple[int, int]:
    return int.from_bytes(sums[:4], "big"), int.from_bytes(sums[4:8], "big")


def _summed(
    some: bytes, sums: tuple[int, int], order: "Literal['big', 'little']"
) -> tuple[int, int]:
    """SQLite's checksum of a log, gone on with over some bytes."""
    first, second = sums
    for at in range(0, len(some), 8):
        first = first + int.from_bytes(some[at : at + 4], order) + second & 0xFFFFFFFF
        second = second + int.from_bytes(some[at + 4 : at + 8], order) + first & 0xFFFFFFFF
    return first, second


def _rows(page: bytes) -> "Iterator[tuple[str, int | str]]":
    """Keys and values of a page of `meta`, as far as the page holds them."""
    if not page or page[0] != _LEAF:
        return
    for number in range(int.from_bytes(page[3:5], "big")):
        at = _PAGE_HEADER + 2 * number
        _, start = _varint(page, int.from_bytes(page[at : at + 2], "big"))
        _, types = _varint(page, start)
        key_type, types = _varint(page, types)
        value_type, _ = _varint(page, types)
        start += page[start]
        end = start + (key_type - _TEXT) // 2
        key = page[start:end].decode("utf-8", "replace")
        if value_type in _INTEGERS:
            size = _INTEGERS[value_type]
            value = int.from_bytes(page[end : end + size], "big", signed=True)
            yield key, value if size else value_type - 8
        elif value_type >= _TEXT and value_type % 2:
            size = (value_type - _TEXT) // 2
            yield key, page[end : end + size].decode("utf-8", "replace")


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """SQLite's number of one to nine bytes, and where it ends. Ours take at most four."""
    number = 0
    while True:
        byte = page[at]
        at += 1
        number = number << 7 | byte & 0x7F
        if byte < 0x80:  # noqa: PLR2004 the bit that says that another one follows
            return number, at
