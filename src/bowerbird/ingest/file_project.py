"""Determines a file's project and how far its text is trusted."""

import os

from bowerbird.core.types import GLOBAL
from bowerbird.core.value import Record
from bowerbird.guard.grounds import NOBODYS
from bowerbird.host.places import kept_by_agent
from bowerbird.ingest.session_folder import session_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bowerbird.core.grounds import Grounds
    from bowerbird.core.report import Report
    from bowerbird.core.types import Project
    from bowerbird.ingest.walk import Found


class FileProject(Record):
    """A folder's project, whether the folder is in the project's repository, and its owner.

    A session is at home in the project of the folder in which it ran.
    """

    project: "Project"
    at_home: bool
    grounds: "Grounds"

    def origin(self, owner: int) -> str:
        """The origin of a file in such a folder that belongs to this user."""
        return self.grounds.origin(owner)


def nobodys(_folder: str) -> "Grounds":
    """Used where the owner of folders is unknown: all files count as imported."""
    return NOBODYS


class FileProjects:
    """The project of each folder, determined once: a repository may contain another one."""

    def __init__(
        self,
        project_for: "Callable[[str], Project]",
        grounds_for: "Callable[[str], Grounds]",
        named: "Sequence[str]",
        session_project: "Callable[[str, str], Project | None] | None" = None,
    ) -> None:
        """`session_project` maps a session's folder and remote to a project; None: only paths count."""
        self._project_for = project_for
        self._grounds_for = grounds_for
        self._named = named
        self._session_project = session_project
        self._known: dict[str, FileProject] = {}
        self._sessions: dict[str, FileProject] = {}
        self._filed: set[str] = set()

    def of_file(self, path: str) -> FileProject:
        """The project of a file; a session belongs to the project of the folder in which it ran."""
        assigned = self._inside(os.path.dirname(path))
        if self._session_project is None or not (
            assigned.project.uid == GLOBAL.uid or kept_by_agent(path)
        ):
            return assigned
        found = self._sessions.get(path)
        if found is None:
            folder = session_folder(path)
            project = self._session_project(folder.folder, folder.remote) if folder else None
            found = assigned
            if project is not None:
                found = FileProject(project, at_home=True, grounds=assigned.grounds)
            self._sessions[path] = found
        return found

    def of(self, path: str) -> FileProject:
        """The project of a folder, or of a file's folder."""
        return self._inside(path if os.path.isdir(path) else os.path.dirname(path))

    def name_of(self, path: str) -> str:
        """A file's path below its project, else below the named root.

        The folders above are the same for all files. As words of every file they would lose their weight
        in queries: in a store of ``/home/ana/work``, "work" would match everything.
        """
        folder = os.path.dirname(path)
        root = self.of_file(path).project.root
        if root is None or not _holds(root, folder):
            # A link can lead out of the named roots.
            root = next((named for named in self._named if _holds(named, folder)), folder)
        return os.path.relpath(path, root)

    def _inside(self, folder: str) -> FileProject:
        assigned = self._known.get(folder)
        if assigned is None:
            project = self._project_for(folder)
            grounds = self._grounds_for(folder)
            assigned = self._known[folder] = FileProject(
                project, _holds(project.root, folder), grounds
            )
        return assigned

    def meet(self, files: "Iterable[Found]") -> "dict[str, Project]":
        """Assigns every file to a project; returns all projects met so far, by uid."""
        self._filed = {self.of_file(file.path).project.name for file in files}
        return self.projects()

    def projects(self) -> "dict[str, Project]":
        """All projects that were met, by uid."""
        known = (*self._known.values(), *self._sessions.values())
        return {assigned.project.uid: assigned.project for assigned in known}

    def fill(self, report: "Report") -> None:
        """Writes the projects of the files, and the untrusted repositories by path, into the report."""
        names = self._filed or {one.name for one in self.projects().values()}
        report.project = ", ".join(sorted(names))
        met = {assigned.grounds.root: assigned.grounds for assigned in self._known.values()}
        report.imported = tuple(
            met[root] for root in sorted(met) if met[root].repository and not met[root].trusted
        )


def _holds(root: str | None, folder: str) -> bool:
    """Whether the folder is below a project's root; False for a project without one."""
    return root is not None and (folder + os.sep).startswith(root.rstrip(os.sep) + os.sep)
