"""The files that sessions brought in or wrote after reading text of others, without opening the store.

Such a file is nobody's word in later sessions either, until its user says otherwise: else a page that one
session saved would be the project's own in the next.
"""

import os

from bowerbird.core import plainjson
from bowerbird.core.foreign_file import HOW, ForeignFile
from bowerbird.core.path_text import as_text
from bowerbird.storage.side_file import WHAT, SideFile, lines_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.storage.side_file import Line

# What a line of the side file records: that a file came from outside.
FILE = "file"
_MARK = b'"what":"file"'


class ForeignFiles:
    """Implements `core.ports.foreign.ForeignFiles` over the side file, which is read once."""

    def __init__(self, store: str) -> None:
        self._side = SideFile(store)
        self._data: bytes | None = None

    @property
    def any(self) -> bool:
        """Whether any file is recorded."""
        if self._data is None:
            self._data = self._side.content()
        return _MARK in self._data

    def found(self, name: str) -> "Sequence[ForeignFile]":
        """The files and folders of that name, without the path before it, the last record last."""
        if not self.any or self._data is None:
            return ()
        # A path ends so, whatever is before it.
        ending = plainjson.dumps(as_text(name))[1:].encode("utf-8", "replace")
        if ending not in self._data:
            return ()
        read = map(read_line, lines_with(self._data, ending))
        wanted = as_text(name)
        return [one for one in read if one and os.path.basename(one.path) == wanted]

    def note(self, files: "Sequence[ForeignFile]") -> bool:
        """Record files; returns whether that was done."""
        self._data = None
        return self._side.append(map(line_of, files))


def line_of(file: ForeignFile) -> "Line":
    """What the side file says of a file."""
    return {
        WHAT: FILE,
        "at": file.at,
        "why": file.why,
        "session": file.session,
        "projects": [*file.projects],
        "root": file.root,
        "path": as_text(file.path),
    }


def read_line(line: "Line") -> ForeignFile | None:
    """A file of which a line says that it came from outside; None for any other line."""
    if line.get(WHAT) != FILE or line.get("why") not in HOW:
        return None
    texts = [line.get(name) for name in ("path", "session", "root")]
    projects, at = line.get("projects"), line.get("at")
    if not all(isinstance(one, str) for one in texts) or not isinstance(at, int):
        return None
    if not isinstance(projects, list) or not all(isinstance(one, str) for one in projects):
        return None
    path, session, root = map(str, texts)
    return ForeignFile(path, line["why"], session, at, tuple(projects), root)
