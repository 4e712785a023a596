"""Lists the files of recorded sessions, and finds the project of one by the folder that it ran in."""

import os

from bowerbird.core.path_text import as_text
from bowerbird.core.types import GLOBAL, Project
from bowerbird.host.places import project_of
from bowerbird.host.repository import normal_remote
from bowerbird.ingest.ignore import generated_folder, marked_as_kept_out
from bowerbird.sessions.learn.transcript import ENDINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bowerbird.wiring.opened import Opened

_PATH = "path:"
_REMOTE = "remote:"


class SessionProject:
    """Finds the project of a folder that may no longer exist, such as a removed git worktree."""

    def __init__(self, opened: "Opened", project_of: "Callable[[str], Project]") -> None:
        self._opened = opened
        self._project_of = project_of
        self._found: dict[tuple[str, str], Project | None] = {}

    def __call__(self, folder: str, remote: str) -> Project | None:
        """The project of a folder, or of a remote if the folder is unknown; None if neither is known."""
        if (folder, remote) not in self._found:
            self._found[folder, remote] = self._of(folder, remote)
        return self._found[folder, remote]

    def _of(self, folder: str, remote: str) -> Project | None:
        if os.path.isdir(folder) or project_of(folder).uid != GLOBAL.uid:
            found = self._project_of(folder)
            if found.uid == GLOBAL.uid or found.root is None:
                return None
            # Also by a worktree's path, so that it is still found after the worktree is removed.
            key = _PATH + found.root
            return found.replace(aliases=tuple(dict.fromkeys((*found.aliases, key))))
        folder = as_text(folder)
        its = _REMOTE + normal_remote(remote) if remote else ""
        known = self._known([*map(_PATH.__add__, _above(folder)), its])
        if known is not None:
            return known
        key = _PATH + folder
        name = os.path.basename(its.rstrip("/")) or os.path.basename(folder) or "/"
        return Project(its or key, name, None, (its, key) if its else (key,))

    def _known(self, aliases: "list[str]") -> Project | None:
        """The project of the first alias that the store or this run knows."""
        from bowerbird.core.errors import StoreMissing, StoreOutdated

        met = [one for one in self._found.values() if one is not None]
        by_alias = {alias: one for one in met for alias in one.aliases if alias}
        try:
            with self._opened.reading() as store:
                uids = {alias: uid for uid, alias, _ in store.projects.known_as(aliases)}
                stored = {one.uid: one for one in store.projects.all()} if uids else {}
        except (StoreMissing, StoreOutdated):
            uids, stored = {}, {}
        for alias in filter(None, aliases):
            if alias in by_alias:
                return by_alias[alias]
            if alias in uids:
                return stored[uids[alias]]
        return None


def _above(folder: str) -> list[str]:
    """A folder and its parents, without the root."""
    found = [folder]
    while (folder := os.path.dirname(folder)) != os.path.dirname(folder):
        found.append(folder)
    return found


def given_files(paths: "Sequence[str]") -> dict[str, str]:
    """The files below some paths, each with the path that was given; a file that was given has itself."""
    given: dict[str, str] = {}
    for one in sorted(paths, key=os.path.isdir):
        for path in session_files([one]):
            given.setdefault(os.path.abspath(path), os.path.abspath(one))
    return given


def session_files(paths: "Sequence[str]") -> "Iterator[str]":
    """The files that may be transcripts: each that was given, and those below the folders."""
    for path in paths:
        if os.path.isdir(path):
            for folder, inside, names in os.walk(path):
                if folder != path and marked_as_kept_out({*names}):
                    inside.clear()
                    continue
                # Hidden folders are entered: agents keep their sessions in them.
                beside = {*inside, *names}
                inside[:] = [one for one in inside if not generated_folder(one, beside)]
                yield from (os.path.join(folder, name) for name in names if name.endswith(ENDINGS))
        else:
            yield path
