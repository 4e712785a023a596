"""Matches a folder with the store's projects, also if its remote changed."""

import os

from bowerbird.host.git_objects import holds_commit
from bowerbird.host.places import is_downloaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.ports.files import Projects
    from bowerbird.core.types import Project

_REMOTE = "remote:"
_PATH = "path:"


def matched(
    project: "Project",
    known: "Projects",
    vouched: "Callable[[], bool]",
    unread: "dict[str, str]",
) -> "tuple[Project, tuple[str, ...]]":
    """The project that writes from a folder belong to, and the uids of all projects that are read there.

    The remote decides first, if the folder is a clone and does not merely name that remote, as an
    unpacked archive can (`_is_clone`); else it is a project of its own. Then the projects that this path
    has had, if it is still the same repository: the commit checked out at the last write must be in it.
    A repository without a remote that was moved is recognised by that commit alone. The project that a
    folder was cloned from is read but never written to: forks and copies of a template share a past, and
    must not share later memories. `vouched`: whether the user trusts the folder. `unread` gets what could
    not be read of its commits, and why.
    """
    rows = known.known_as([*project.aliases, project.cloned])
    remote = project.uid.startswith(_REMOTE)
    named = [(uid, head) for uid, alias, head in rows if remote and alias == project.uid]
    places = {uid for uid, alias, _ in rows if alias.startswith(_PATH)}
    a_clone = any(uid in places or _is_clone(project, head, unread) for uid, head in named)
    if named and not a_clone and not vouched():
        apart = _by_place(project)
        return apart, (apart.uid,)
    own = [uid for uid, _ in named]
    own += [uid for uid, alias, _ in rows if alias == uid == project.uid and not remote]
    own += [
        uid
        for uid, alias, head in rows
        if alias in project.aliases and uid not in own and _holds(project, head, unread)
    ]
    if not own and project.uid.startswith(_PATH):
        own = _moved_here(project, known, unread)
    own = list(dict.fromkeys(own)) or [project.uid]
    # Where it was cloned from is a line in a file of its own, too.
    read = [
        uid
        for uid, alias, head in rows
        if alias == project.cloned and (uid in own or _is_clone(project, head, unread) or vouched())
    ]
    return project.replace(uid=own[0]), tuple(dict.fromkeys([*own, *read]))


def is_stranger(project: "Project", matched: "Project") -> bool:
    """Whether a folder names the remote of a known project without being a clone of it."""
    return project.uid.startswith(_REMOTE) and matched.uid in project.aliases[1:]


def _is_clone(project: "Project", head: str, unread: "dict[str, str]") -> bool:
    """Whether a folder has the commit that was checked out when the project was last written to.

    The address in a `.git/config` proves nothing, since it comes with the files. Neither does a commit
    that everybody can have, but of which folders hold it by a clone of the user's, files do not tell
    more: only where downloads are put is it not believed.
    """
    if not head or project.root is None or is_downloaded(project.root):
        return False
    return holds_commit(project.root, head, unread)


def _by_place(project: "Project") -> "Project":
    """The folder as a project of its own, without its remote."""
    places = tuple(alias for alias in project.aliases if alias.startswith(_PATH))
    return project.replace(uid=places[0], aliases=places, cloned="")


def _moved_here(project: "Project", known: "Projects", unread: "dict[str, str]") -> list[str]:
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
    return [
        uid for uid, head in heads.items() if uid not in stays and _holds(project, head, unread)
    ][:1]


def _holds(project: "Project", head: str, unread: "dict[str, str]") -> bool:
    """Whether a path still holds the repository with that commit; always true if it had no commit."""
    return not head or (project.root is not None and holds_commit(project.root, head, unread))
