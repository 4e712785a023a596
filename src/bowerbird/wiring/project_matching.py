"""Matches a folder with the store's projects, also if its remote changed."""

import os

from bowerbird.core.repository import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.ports.files import Projects
    from bowerbird.core.types import Project

_REMOTE, _PATH = "remote:", "path:"


def matched(project: "Project", known: "Projects") -> "tuple[Project, tuple[str, ...]]":
    """The project that writes from a folder belong to, and the uids of all projects that are read there.

    The remote decides first; then the projects that this path has had, if it is still the same
    repository: the commit checked out at the last write must be in it. A repository without a remote that
    was moved is recognised by that commit alone. The project that a folder was cloned from is read but
    never written to: forks and copies of a template share a past, and must not share later memories.
    """
    rows = known.known_as([*project.aliases, project.cloned])
    own = [
        uid
        for uid, alias, _ in rows
        if alias == project.uid and (alias.startswith(_REMOTE) or uid == project.uid)
    ]
    own += [
        uid
        for uid, alias, head in rows
        if alias in project.aliases and uid not in own and _holds(project, head)
    ]
    if not own and project.uid.startswith(_PATH):
        own = _moved_here(project, known)
    own = list(dict.fromkeys(own)) or [project.uid]
    read = [uid for uid, alias, _ in rows if alias == project.cloned]
    return project.replace(uid=own[0]), tuple(dict.fromkeys([*own, *read]))


def _moved_here(project: "Project", known: "Projects") -> list[str]:
    """The project without a remote whose known paths are all gone and whose commit is in this folder.

    Read apart from the names of this folder: whatever is written in between, one that is elsewhere by
    then is not taken.
    """
    if not project.head:
        return []
    heads: dict[str, str] = {}
    stays = set()
    for uid, alias, head in known.without_remote():
        if os.path.exists(alias.removeprefix(_PATH)):
            stays.add(uid)
        heads.setdefault(uid, head)
    return [uid for uid, head in heads.items() if uid not in stays and _holds(project, head)][:1]


def _holds(project: "Project", head: str) -> bool:
    """Whether a path still holds the repository with that commit; always true if it had no commit."""
    return not head or (project.root is not None and Repository(project.root).holds(head))
