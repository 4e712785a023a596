"""The names that a project's own files hold: whoever uses one of them has it from there."""

import os

from bowerbird.guard.known_commands import vendored
from bowerbird.guard.names import atoms
from bowerbird.host.foreign import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

# Files, bytes of one and of all: reading as much takes a second, once, when a session is learned from.
_MOST_FILES = 4_000
_LARGEST = 300_000
_MOST_BYTES = 8_000_000
_BINARY = b"\0"


class ProjectNames:
    """The names in one project's files, which are read when they are first asked for."""

    def __init__(self, root: str, is_foreign: "Callable[[str], bool]") -> None:
        """`is_foreign` says of a file whether others brought it in."""
        self._root = root
        self._is_foreign = is_foreign
        self._files: list[tuple[str, int, set[str]]] | None = None

    def held(
        self,
        names: "Collection[str]",
        written: "Collection[str]",
        windows: "Collection[tuple[int, int]]",
    ) -> set[str]:
        """Those of some names that a file holds, other than those `written` in the session.

        `windows` are times in UTC milliseconds in which whatever changed is somebody else's.
        """
        if self._files is None:
            self._files = [*self._read()]
        left, found = {*names}, set[str]()
        for path, changed, held in self._files:
            if not left:
                break
            if path in written or any(start <= changed <= end for start, end in windows):
                continue
            found |= left & held
            left -= found
        return found

    def changed(self, windows: "Collection[tuple[int, int]]") -> "Iterator[str]":
        """The files that changed in some windows of time."""
        for path in self._walk() if windows else ():
            try:
                at = os.stat(path).st_mtime_ns // 1_000_000
            except OSError:
                continue
            if any(start <= at <= end for start, end in windows):
                yield path

    def _read(self) -> "Iterator[tuple[str, int, set[str]]]":
        left = _MOST_BYTES
        for path in self._walk():
            try:
                changed = os.stat(path).st_mtime_ns // 1_000_000
                data = whole(path, min(_LARGEST, left))
            except (OSError, ValueError):
                continue
            if _BINARY in data or self._is_foreign(path):
                continue
            left -= len(data)
            yield path, changed, atoms(data.decode("utf-8", "replace"))
            if left <= 0:
                return

    def _walk(self) -> "Iterator[str]":
        """The files of the project, but not what it holds of others, up to a number."""
        seen = 0
        for folder, folders, files in os.walk(self._root):
            folders[:] = sorted(one for one in folders if not vendored(one) and one != ".git")
            for name in sorted(files):
                yield os.path.join(folder, name)
                seen += 1
                if seen >= _MOST_FILES:
                    return
