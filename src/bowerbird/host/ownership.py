"""Finds out who owns a folder's files, from the disk and the user's answers; guard/grounds.py decides."""

import os
import stat

from bowerbird.core.errors import BadInput
from bowerbird.core.grounds import naming
from bowerbird.core.path_text import as_text
from bowerbird.core.value import Advice, Do
from bowerbird.guard.grounds import NOBODY, NOBODYS, grounds_of, sole_owner, within
from bowerbird.host.places import kept_by_agent, this_user
from bowerbird.host.repository import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bowerbird.core.grounds import Grounds
    from bowerbird.host.trusted import Trusted


class Whose:
    """Why the files of each folder are trusted or not, each looked up once."""

    def __init__(self, trusted: "Trusted", environment: "Mapping[str, str]") -> None:
        self._trusted = trusted
        self._owners = _owners(environment)
        self._home = os.path.realpath(os.path.expanduser("~"))
        self._known: dict[str, Grounds] = {}

    def of(self, folder: str) -> "Grounds":
        """The grounds of a folder: its repository's, else those of the nearest folder with an answer.

        A repository inside another one, or inside such a folder, has its own grounds.
        """
        folder = os.path.abspath(folder)
        chain = []
        while folder not in self._known:
            chain.append(folder)
            if folder == os.path.dirname(folder):
                break
            folder = os.path.dirname(folder)
        found = self._known.get(folder, NOBODYS)
        for below in reversed(chain):
            if self.is_repository(below):
                its = self._judged(below, repository=True)
                # In a tree of others' code only an answer makes a repository the user's own.
                found = its if not found.vendored or its.answer is not None else found
            elif not found.repository and self._trusted.about(below, "") is not None:
                # An answer inside a repository counts only while the repository is the same.
                found = self._judged(below, repository=False)
            elif kept_by_agent(below + os.sep) and found is NOBODYS:
                found = self._of_agents(below)
            if found.trusted:
                found = within(found, as_text(below), shared=_is_shared(below))
            self._known[below] = found
        return found

    def mine(self, owner: int) -> bool:
        """Whether a file with this owner is the user's; true on systems without uids."""
        return self._owners is None or owner in self._owners

    def is_repository(self, folder: str) -> bool:
        """Whether a folder is a repository whose files may be trusted as its own.

        A repository at the home folder (for dotfiles) or above it contains whatever programs put there,
        such as downloads.
        """
        marked = os.path.lexists(os.path.join(folder, ".git"))
        return marked and not _holds(folder, self._home)

    def root_of(self, path: str) -> str:
        """The folder that an answer for a path applies to: its repository, else the path itself.

        Raises BadInput if it is not a folder, or is the home folder or one above it.
        """
        root = real_path(path)
        if not path.strip() or not os.path.isdir(root):
            raise BadInput(f"there is no folder {as_text(path)!r}", "name an existing folder")
        above = root
        while not self.is_repository(above) and above != os.path.dirname(above):
            above = os.path.dirname(above)
        if self.is_repository(above):
            return above
        if _holds(root, self._home):
            raise BadInput(
                f"{as_text(root)} holds what programs and others put there",
                "name the folders in it whose files are your own",
            )
        return root

    def unanswered(self, paths: "Sequence[str]") -> "tuple[Grounds, ...]":
        """Of these paths, the repositories and folders without an answer, if an answer would matter.

        It would not for another user's files, or where agents keep their sessions.
        """
        met = {}
        for path in paths:
            real = real_path(path)
            grounds = self.of(real if os.path.isdir(real) else os.path.dirname(real))
            undecided = grounds.answer is None and not grounds.foreign and not grounds.trusted
            if not grounds.repository and os.path.isdir(real) and not _holds(real, self._home):
                grounds = NOBODYS if kept_by_agent(real + os.sep) else self.judge(real)
                undecided = undecided and not grounds.foreign
            if grounds.root and undecided and os.path.exists(real):
                met[grounds.root] = grounds
        return tuple(met.values())

    def answer(self, path: str, *, trusted: bool) -> "Grounds":
        """Saves the user's answer for a folder and its repository. Returns its grounds now.

        An answer for a deleted folder can be removed. Raises BadInput if the answer cannot apply, as for
        another user's folder, and BadConfig.
        """
        if not trusted and not os.path.isdir(real_path(path)):
            root = real_path(path)
            if not self._trusted.drop(root):
                remedy = Advice("see: ", Do("trust", list=True))
                raise BadInput(f"nothing was said of {as_text(root)}", remedy)
            return NOBODYS.replace(root=as_text(root))
        root = self.root_of(path)
        grounds = self.judge(root)
        if trusted and grounds.foreign:
            raise BadInput(f"{as_text(root)}: {grounds.reason}", grounds.remedy)
        if trusted or grounds.repository:
            self._trusted.put(root, grounds.source, trusted=trusted)
        else:
            self._trusted.drop(root)
        self._known.clear()
        return self.judge(root)

    def answers(self) -> "tuple[Grounds, ...]":
        """The current grounds of every folder that has an answer."""
        return tuple(
            self.judge(one.root) if os.path.isdir(one.root) else _gone(one.root)
            for one in self._trusted.all()
        )

    def _of_agents(self, folder: str) -> "Grounds":
        """The grounds of a folder in which an agent of the user keeps its sessions."""
        strangers = self._strangers((folder,))
        return grounds_of(
            as_text(folder),
            "",
            repository=False,
            strangers=strangers,
            unread=False,
            answer=None,
            owners=self._owners,
            kept=True,
        )

    def judge(self, root: str) -> "Grounds":
        """The grounds of a root, without its parents."""
        return self._judged(root, repository=self.is_repository(root))

    def _judged(self, root: str, *, repository: bool) -> "Grounds":
        found = Repository(root) if repository else None
        source = found.source() if found is not None else ""
        return grounds_of(
            as_text(root),
            source,
            repository=repository,
            strangers=self._strangers(found.parts if found is not None else (root,)),
            unread=found is not None and (bool(found.unread) or not found.is_own),
            answer=self._trusted.about(root, source),
            owners=self._owners,
        )

    def _strangers(self, paths: "Sequence[str]") -> set[int]:
        """The other users who own one of these paths; missing paths have no owner."""
        if self._owners is None:
            return set()
        return {owner for path in paths for owner in _owners_of(path)} - self._owners


def real_path(path: str) -> str:
    """The real path of what a person typed; anything that is no path is returned unchanged."""
    return path if "\0" in path else os.path.realpath(os.path.expanduser(path))


def owner_of(path: str) -> int:
    """The uid of a file's owner; -1, which is nobody's, if unknown or if others can write to it."""
    try:
        found = os.stat(path)
    except OSError:
        return NOBODY
    return sole_owner(found.st_uid, found.st_gid, found.st_mode)


def _is_shared(folder: str) -> bool:
    """Whether other users can put files into a folder, or replace those in it."""
    try:
        found = os.stat(folder)
    except OSError:
        return False
    sticky = found.st_mode & stat.S_ISVTX
    return not sticky and sole_owner(found.st_uid, found.st_gid, found.st_mode) == NOBODY


def _owners_of(path: str) -> set[int]:
    """Owners of a path's target and of the link to it: the link's owner decides where it leads."""
    try:
        return {os.lstat(path).st_uid, os.stat(path).st_uid}
    except OSError:
        return set()


def _gone(root: str) -> "Grounds":
    return NOBODYS.replace(root=root, reason="it is gone", remedy=Advice(naming(root, remove=True)))


def _owners(environment: "Mapping[str, str]") -> frozenset[int] | None:
    """The uids whose files count as the user's.

    Their own, and under sudo that of the invoking user, as in git.
    """
    user = this_user()
    if user is None:
        return None
    own = {user}
    caller = environment.get("SUDO_UID", "")
    if own == {0} and caller.isascii() and caller.isdigit():
        own.add(int(caller))
    return frozenset(own)


def _holds(root: str, folder: str) -> bool:
    return (folder.rstrip(os.sep) + os.sep).startswith(root.rstrip(os.sep) + os.sep)
