"""Finds the facts by which the calls of a session are judged: its project, and the user's own files."""

import os

from bowerbird.core.types import GLOBAL
from bowerbird.core.value import Record
from bowerbird.guard.heard import Heard
from bowerbird.guard.reading import Reading
from bowerbird.host.brought_in import BroughtIn
from bowerbird.host.foreign import whole
from bowerbird.host.ownership import Whose, owner_of
from bowerbird.host.places import folder, is_downloaded, kept_by_agent, project_of, trusted_file
from bowerbird.host.project_names import ProjectNames
from bowerbird.host.repository import Repository
from bowerbird.host.trusted import Trusted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from bowerbird.core.ports.foreign import ForeignFiles
    from bowerbird.core.types import Project

    Earlier = Callable[[str, Collection[str]], Collection[str]]

# Folders below the home that hold the settings, plans and notes of the user's agents.
_AGENTS = (".claude", ".codex", ".gemini", ".cursor", ".opencode", ".config/opencode", ".openclaw")
# Variables that name the folder of temporary files, as Node looks them up.
_TEMPORARY = ("TMPDIR", "TMP", "TEMP")
# The folder beside a store in which hooks record, and the one of archived transcripts.
_JOURNAL = ".journal"
RESCUED = "rescued"
# Scripts larger than this are not looked into.
_LONGEST_SCRIPT = 100_000


def nothing_heard(_project: str, _names: "Collection[str]") -> "Collection[str]":
    """For where no earlier session is known."""
    return ()


class SessionFile(Record):
    """Whether a transcript is the user's own, so that what it says of who typed, and where, counts."""

    own: bool


class ReadingFacts:
    """Judges of calls by folder; what the disk says is looked up when a call needs it."""

    def __init__(
        self,
        environment: "Mapping[str, str]",
        foreign_files: "ForeignFiles",
        earlier: "Earlier" = nothing_heard,
        is_word: "Callable[[str], bool]" = bool,
    ) -> None:
        """`earlier` returns, of some names, those that a project, by its uid, first heard from others.

        `is_word` knows common words, which are no names.
        """
        self._earlier, self._is_word = earlier, is_word
        self._names: dict[str, ProjectNames] = {}
        self._environment = environment
        self._brought_in = BroughtIn(foreign_files)
        self._home = os.path.realpath(os.path.expanduser("~"))
        self._whose: Whose | None = None

    def reading_for(self, folder: str) -> Reading:
        """What judges the calls of a session that was held in a folder."""
        project = project_of(folder) if os.path.isdir(folder) else GLOBAL
        roots = (folder, project.root) if project.root else (folder,)

        def own(path: str) -> bool:
            return self._is_own(path, project.uid)

        remotes = tuple(Repository(project.root).remotes()) if project.root else ()
        pulls = self._takes_in(project.root)
        return Reading(
            roots,
            self._home,
            own,
            _script,
            os.path.exists,
            pulls=pulls,
            remotes=remotes,
            brought_in=self._brought_in.has,
            members=top_names,
            heard=lambda reading: self._heard(project, reading),
        )

    def _heard(self, project: "Project", reading: Reading) -> Heard:
        """What remembers the words of others in a session of a project."""

        def in_project(names: "Collection[str]") -> "Collection[str]":
            if not project.root:
                return ()
            return self.names_in(project.root).held(names, reading.written, reading.windows)

        return Heard(lambda names: self._earlier(project.uid, names), in_project, self._is_word)

    def names_in(self, root: str) -> ProjectNames:
        """The names that the files of a project hold."""
        if root not in self._names:
            self._names[root] = ProjectNames(root, lambda path: self.brought_in(path, (root,)))
        return self._names[root]

    @property
    def brought(self) -> BroughtIn:
        """The files of this machine that came from outside."""
        return self._brought_in

    def brought_in(self, path: str, roots: "Sequence[str]") -> bool:
        """Whether a session brought a path in from outside (host.brought_in)."""
        return self._brought_in.has(path, roots)

    def session_file(self, path: str, store: str) -> SessionFile:
        """What is known of a transcript or a journal.

        Own are the user's files that agents and Bowerbird keep for them, those in folders that they
        trust, and those that they name outside of any repository, but not among what they downloaded.
        """
        real = os.path.realpath(path)
        grounds = self.whose.of(os.path.dirname(real))
        if not self.whose.mine(owner_of(real)) or grounds.answer is False:
            return SessionFile(own=False)
        kept = (
            os.path.realpath(store + _JOURNAL) + os.sep,
            os.path.realpath(os.path.join(folder("data", self._environment), RESCUED)) + os.sep,
        )
        at_home = kept_by_agent(real) or real.startswith(kept)
        named = not grounds.root and not is_downloaded(real)
        return SessionFile(own=grounds.trusted or at_home or named)

    @property
    def whose(self) -> Whose:
        """The owner of each folder's files. Raises BadConfig."""
        if self._whose is None:
            self._whose = Whose(Trusted(trusted_file(self._environment)), self._environment)
        return self._whose

    def _takes_in(self, root: str | None) -> bool:
        """Whether the user trusts a repository although others can write to it."""
        return bool(root) and self.whose.of(str(root)).answer is True

    def _is_own(self, path: str, uid: str) -> bool:
        path = os.path.realpath(path)
        if kept_by_agent(path) or path.startswith(self._agents):
            return True
        if not os.path.exists(path):
            return False
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        grounds = self.whose.of(folder)
        if grounds.trusted and not grounds.foreign:
            return True
        # Another checkout of the session's project, such as a worktree.
        return uid != GLOBAL.uid and project_of(folder).uid == uid

    @property
    def _agents(self) -> tuple[str, ...]:
        own = [os.path.join(self._home, *below.split("/"), "") for below in _AGENTS]
        user = getattr(os, "getuid", None)  # Windows has none
        if user is not None:
            # Where Claude Code writes the output of commands that run in the background.
            given = filter(None, map(self._environment.get, _TEMPORARY))
            folder = os.path.realpath(next(given, "/tmp"))  # noqa: S108 it is looked into, not written to
            own.append(os.path.join(folder, f"claude-{user()}", ""))
        return tuple(own)


def _script(path: str) -> str:
    try:
        return whole(path, _LONGEST_SCRIPT).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


# In bytes and in members; more is not looked at.
_LARGEST = 100_000_000
_MOST = 20_000


def top_names(path: str) -> list[str]:
    """The names of an archive's members without the folders below them; none if it cannot be read."""
    import tarfile  # start-up: unpacking is rare
    import zipfile  # start-up: as above

    names: dict[str, None] = {}
    try:
        if os.path.getsize(path) > _LARGEST:
            return []
        if path.endswith(".zip"):
            with zipfile.ZipFile(path) as packed:
                found = packed.namelist()[:_MOST]
        else:
            with tarfile.open(path) as bundle:
                found = [one.name for one, _ in zip(bundle, range(_MOST), strict=False)]
    except (OSError, ValueError, EOFError, tarfile.TarError, zipfile.BadZipFile):
        return []
    for name in found:
        first = os.path.normpath(name).split(os.sep)[0]
        if first not in ("", ".", ".."):
            names[first] = None
    return [*names]
