"""A layer between SQLite and the disk, for every file that the engine opens."""

from collections.abc import Callable
from typing import Any, NamedTuple

import apsw

NAME = "faults"


class Operation(NamedTuple):
    """The operations of the disk: write, sync, truncate, delete, open, read, size, look, lock."""

    kind: str
    path: str
    offset: int = 0
    data: bytes = b""


# Told of each operation, with what carries it out: `run()`, or `run(data)` to write something else.
Around = Callable[[Operation, Callable[..., Any]], Any]


class _File(apsw.VFSFile):
    def __init__(self, around: Around, name: Any, flags: list[int]) -> None:
        self._around = around
        self._path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        super().__init__("unix", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        read = super().xRead
        done: bytes = self._around(
            Operation("read", self._path, offset), lambda: read(amount, offset)
        )
        return done

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        write = super().xWrite
        whole = bytes(data)
        self._around(
            Operation("write", self._path, offset, whole),
            lambda some=whole: write(some, offset) if some else None,
        )

    def xSync(self, flags: int) -> None:  # noqa: N802
        sync = super().xSync
        self._around(Operation("sync", self._path), lambda: sync(flags))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        truncate = super().xTruncate
        self._around(Operation("truncate", self._path, size), lambda: truncate(size))

    def xFileSize(self) -> int:  # noqa: N802
        size = super().xFileSize
        done: int = self._around(Operation("size", self._path), size)
        return done

    def xLock(self, level: int) -> None:  # noqa: N802
        lock = super().xLock
        self._around(Operation("lock", self._path), lambda: lock(level))


class Layer(apsw.VFS):
    """Becomes the default layer of this process until it is closed."""

    def __init__(self, around: Around) -> None:
        self._around = around
        super().__init__(NAME, "unix", makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        """Open a file whose operations are reported."""
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        done: apsw.VFSFile = self._around(
            Operation("open", path), lambda: _File(self._around, name, flags)
        )
        return done

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        """Delete a file; with `syncdir` its folder is synced as well."""
        delete = super().xDelete
        self._around(Operation("delete", filename, int(syncdir)), lambda: delete(filename, syncdir))

    def xAccess(self, pathname: str, flags: int) -> bool:  # noqa: N802
        """Whether a file exists."""
        access = super().xAccess
        done: bool = self._around(Operation("look", pathname), lambda: access(pathname, flags))
        return done

    def excepthook(self, *_raised: object) -> bool:
        """SQLite gets the error as well; its reaction is what is tested."""
        return True

    def close(self) -> None:
        """Remove the layer; open connections keep it."""
        self.unregister()
