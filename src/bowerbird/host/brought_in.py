"""Whether a path came from outside in an earlier session, and what a session brings in now."""

import os

from bowerbird.core.foreign_file import ForeignFile
from bowerbird.core.path_text import as_text
from bowerbird.host.places import project_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bowerbird.core.ports.foreign import ForeignFiles
    from bowerbird.core.types import Project


class BroughtIn:
    """The files of this machine that came from outside."""

    def __init__(self, files: "ForeignFiles") -> None:
        self._files = files
        self._projects: dict[str, Project] = {}

    @property
    def any(self) -> bool:
        """Whether any file came from outside."""
        return self._files.any

    def has(self, path: str, roots: "Sequence[str]" = (), at: int = 0) -> bool:
        """Whether a path came from outside before a time (0: now), or a folder that holds it.

        Not a folder that holds one of the `roots`: whoever works in it made it their project.
        """
        if not self._files.any:
            return False
        real = os.path.realpath(path)
        return any(
            self._is_recorded(one, at)
            for named in dict.fromkeys((path, real))
            for one in _with_folders(named, roots)
        )

    def folder_of(self, path: str) -> str:
        """The nearest folder above a path that came from outside; empty if there is none."""
        above = [*_with_folders(os.path.realpath(path), ())][1:]
        return next((one for one in above if self._is_recorded(one, 0)), "")

    def holds(self, path: str, file: ForeignFile) -> bool:
        """Whether a recorded file is a path, or below it in the same project."""
        project, below = self._place(os.path.join(path, "") if os.path.isdir(path) else path)
        if not file.projects:
            return _is_below(os.path.realpath(path), file.path)
        names = {project.uid, *project.aliases}
        return not names.isdisjoint(file.projects) and _is_below(below, file.path)

    def note(self, paths: "Iterable[tuple[str, str]]", session: str, at: int) -> bool:
        """Record paths, each with how it came about. Returns whether that was done."""
        files = [self._file(path, how, session, at) for path, how in dict(paths).items()]
        return not files or self._files.note(files)

    def _is_recorded(self, path: str, at: int) -> bool:
        found = [*self._files.found(os.path.basename(path))]
        if not found:
            return False
        project, below = self._place(path)
        names = {project.uid, *project.aliases}
        return any(
            one.path == below
            and (not at or one.at <= at)
            and (not names.isdisjoint(one.projects) if one.projects else not project.root)
            for one in found
        )

    def _file(self, path: str, why: str, session: str, at: int) -> ForeignFile:
        project, below = self._place(path)
        names = tuple(dict.fromkeys((project.uid, *project.aliases))) if project.root else ()
        return ForeignFile(below, why, session, at, names, project.root or "")

    def _place(self, path: str) -> "tuple[Project, str]":
        """The project that holds a path, and the path below its root; else the real path."""
        folder, name = os.path.split(path)
        folder = os.path.realpath(folder)
        project = self._projects.get(folder)
        if project is None:
            project = self._projects[folder] = project_of(folder)
        real = as_text(os.path.join(folder, name))
        if not project.root:
            return project, real
        return project, os.path.relpath(real, project.root)


def _is_below(folder: str, path: str) -> bool:
    folder = os.path.normpath(folder)
    return folder in (".", path) or path.startswith(folder + os.sep)


def _with_folders(path: str, roots: "Sequence[str]") -> "Iterator[str]":
    """A path and the folders above it, up to the innermost of the roots that holds it."""
    path = os.path.abspath(path)
    while True:
        inside = path.rstrip(os.sep) + os.sep
        if any((root.rstrip(os.sep) + os.sep).startswith(inside) for root in roots if root):
            return
        yield path
        above = os.path.dirname(path)
        if above == path:
            return
        path = above
