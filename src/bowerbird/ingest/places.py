"""Where a file belongs: its project, and with it how far its text is believed."""

import os

from bowerbird.core.origins import trust_of
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.core.types import Project


class Place(Value):
    """A project with the origin and the trust of files in it."""

    __slots__ = ("origin", "project", "trust")

    def __init__(self, project: "Project", origin: str, trust: str) -> None:
        self.project = project
        self.origin = origin
        self.trust = trust


class Places:
    """The place of each folder, asked for once a folder: a repository may stand inside another."""

    def __init__(self, project_for: "Callable[[str], Project]", named: "Sequence[str]") -> None:
        self._project_for = project_for
        self._named = named
        self._known: dict[str, Place] = {}

    def of_file(self, path: str) -> Place:
        """The place of a file."""
        return self._inside(os.path.dirname(path))

    def of(self, path: str) -> Place:
        """The place of a file or a folder."""
        return self._inside(path) if os.path.isdir(path) else self.of_file(path)

    def name_of(self, path: str) -> str:
        """The part of a file's path that tells it from others: below its project, else what was named.

        The folders above lead to all of them alike. As words of every file they would be worth
        nothing in a question: in a store of what lies in ``/home/ana/work``, "work" was no word.
        """
        folder = os.path.dirname(path)
        root = self.of_file(path).project.root
        if root is None or not _holds(root, folder):
            # A link leads out of what was named.
            root = next((named for named in self._named if _holds(named, folder)), folder)
        return os.path.relpath(path, root)

    def _inside(self, folder: str) -> Place:
        place = self._known.get(folder)
        if place is None:
            project = self._project_for(folder)
            origin = "tool_internal" if _holds(project.root, folder) else "import"
            place = self._known[folder] = Place(project, origin, trust_of(origin))
        return place

    def projects(self) -> "dict[str, Project]":
        """Every project that was met, by uid."""
        return {place.project.uid: place.project for place in self._known.values()}


def _holds(root: str | None, folder: str) -> bool:
    """Whether a project's own root holds the folder; a project without one holds nothing."""
    return root is not None and (folder + os.sep).startswith(root.rstrip(os.sep) + os.sep)
