"""Operations on files that SQLite's layer does not see: their names by audit events, and their writes."""

import builtins
import errno
import io
import os
import sys
from collections.abc import Callable
from typing import Any

import apsw

from faults.layer import Around, Operation

_NAMES = {
    "os.rename": "rename",
    "os.remove": "delete",
    "os.rmdir": "delete",
    "os.mkdir": "make",
    "os.link": "make",
    "os.symlink": "make",
    "os.truncate": "truncate",
    "os.chmod": "mode",
}
_WRITING = os.O_WRONLY | os.O_RDWR
# Standard output and error are the caller's.
_STREAMS = 3


class Files:
    """Reports the operations below a folder, from now to the end of this process."""

    def __init__(self, folder: str, around: Around) -> None:
        self._folder = folder
        self._around = around
        self._write: Callable[[int, Any], int] = os.write
        os.write = self._writes
        self._open: Callable[..., Any] = io.open
        io.open = builtins.open = self._opens
        sys.addaudithook(self._happens)

    def _happens(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if not flags & _WRITING:
                return
            kind = "open"
        elif event in _NAMES:
            path, kind = arguments[0], _NAMES[event]
        else:
            return
        name = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else ""
        if name.startswith(self._folder):
            self._around(Operation(kind, name), _nothing)

    def _opens(self, file: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
        """Open a file; one that is written through a buffer writes by `os.write`."""
        if mode not in ("wb", "ab", "xb", "w", "a", "x") or more or "buffering" in named:
            return self._open(file, mode, *more, **named)
        raw = _Raw(
            file,
            mode[0] + "b",
            closefd=named.pop("closefd", True),
            opener=named.pop("opener", None),
        )
        buffer = io.BufferedWriter(raw)
        return buffer if mode.endswith("b") else io.TextIOWrapper(buffer, **named)

    def _writes(self, handle: int, data: Any, /) -> int:
        if handle < _STREAMS or not os.path.isfile(f"/proc/self/fd/{handle}"):
            return self._write(handle, data)
        done = 0

        def write(some: Any = data) -> None:
            nonlocal done
            done = self._write(handle, some)

        self._around(Operation("write", f"descriptor {handle}", 0, bytes(data)), write)
        return done


class _Raw(io.FileIO):
    def write(self, data: Any, /) -> int:
        return os.write(self.fileno(), data)


def _nothing() -> None:
    """An audit event comes before its operation, which the caller then carries out."""


def of_sqlite(around: Around) -> Around:
    """The same for SQLite, which says that a disk is full in its own way."""

    def said(operation: Operation, run: Callable[..., Any]) -> Any:
        try:
            return around(operation, run)
        except OSError as error:
            kind = apsw.CantOpenError if operation.kind == "open" else apsw.FullError
            raise kind(str(error)) from error

    return said


class Full:
    """A disk that has no room at the n-th operation that needs some, and if `lasting` from then on."""

    needs = frozenset({"write", "open", "make"})

    def __init__(self, number: int, *, lasting: bool) -> None:
        self._number = number
        self._lasting = lasting
        self.seen = 0

    def __call__(self, operation: Operation, run: Callable[..., Any]) -> Any:
        """Run the operation, or say that the disk is full."""
        if operation.kind not in self.needs:
            return run()
        if operation.kind == "open" and os.path.exists(operation.path):
            return run()  # it has its name already
        self.seen += 1
        if self.seen == self._number or (self._lasting and self.seen > self._number > 0):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return run()
