"""The side file of a store: what hooks and readers record without opening it.

One JSON object a line, appended by one write. The next writer folds it into the tables
(`sqlite.folding`): it renames the file, and keeps it until the next one replaces it, for processes that
had it open. What has to be asked without opening the store is in a copy of those tables, in the same
lines, which each fold writes anew.
"""

import os

from bowerbird.core import plainjson
from bowerbird.host.places import NOTED, append_to, private_file, write_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    Line = dict[str, Any]

TAKEN = f"{NOTED}.taken"
COPY = ".external"
# In bytes: some 80,000 lines; a writer folds 10,000 in a second.
LARGEST = 16_000_000
# The keys of a line that say what it records, and make it unlike every other.
WHAT = "what"
TOKEN = "n"  # noqa: S105 a key of JSON
# The first line of the copy: which part of a file that was taken is in the tables.
FOLDED = "folded"


class SideFile:
    """The side file of one store, and the copy of what was folded."""

    def __init__(self, store: str) -> None:
        self.path = store + NOTED
        self.taken = store + TAKEN
        self.copy = store + COPY

    def append(self, lines: "Iterable[Line]") -> bool:
        """Append lines, and bring them to the disk; returns whether all were recorded."""
        data = b"".join(encoded(line) for line in lines)
        try:
            handle = append_to(self.path)
        except OSError:
            return False
        try:
            begun = os.fstat(handle).st_size
            if begun + len(data) > LARGEST or not write_lines(handle, data):
                return False
            os.fsync(handle)
        except OSError:
            return False
        finally:
            os.close(handle)
        return bool(begun) or _synced(os.path.dirname(self.path))

    def waiting(self) -> bytes:
        """The lines that are not folded yet, and perhaps some that are."""
        new, taken = _read(self.path), _read(self.taken)
        return b"\n".join((taken, new))

    def content(self) -> bytes:
        """All lines, oldest first: the copy, and what is not folded yet."""
        # The file before the one that it is renamed to: a line is then seen twice rather than never.
        new, taken, copy = _read(self.path), _read(self.taken), _read(self.copy)
        header = (copy and parsed(copy[: copy.find(b"\n") + 1])) or {}
        if header.get(WHAT) == FOLDED and header.get("first") == first_of(taken):
            taken = taken[int(header["end"]) :]
        if taken and new.startswith(taken):
            new = new[len(taken) :]
        return b"\n".join((copy, taken, new))


def write_copy(path: str, lines: "Iterable[bytes]") -> None:
    """Write a copy of what is folded, complete or not at all. Raises OSError."""
    new = path + ".new"
    handle = private_file(new, os.O_WRONLY | os.O_TRUNC)
    with open(handle, "wb") as file:
        file.writelines(lines)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


def encoded(line: "Line") -> bytes:
    """A line as it is written, with a token of its own."""
    text = plainjson.dumps({**line, TOKEN: os.urandom(8).hex()})
    return text.encode("utf-8", "replace") + b"\n"


def parsed(raw: bytes) -> "Line | None":
    """A line as it was recorded; None for one that a crash cut short."""
    try:
        found = plainjson.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def lines_with(data: bytes, part: bytes) -> "Iterator[Line]":
    """The lines that hold some bytes, in order: finding them costs less than reading all."""
    at = data.find(part)
    while at >= 0:
        start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
        end = len(data) if end < 0 else end
        line = parsed(data[start:end])
        if line is not None:
            yield line
        at = data.find(part, end)


def first_of(data: bytes) -> str:
    """What tells a file from the next one: its first line's token, else the line; empty without one."""
    raw = data[: data.find(b"\n") + 1]
    line = parsed(raw)
    return str(line[TOKEN]) if line and TOKEN in line else raw.decode("utf-8", "replace").strip()


def _read(side: str) -> bytes:
    try:
        with open(side, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _synced(folder: str) -> bool:
    """Bring the name of a new file to the disk."""
    try:
        handle = os.open(folder or ".", os.O_RDONLY)
    except OSError:
        return False
    try:
        os.fsync(handle)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True
