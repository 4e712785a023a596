"""The folders for data, configuration and state, and the project of a folder. Reads no configuration."""

import os
import sys

from bowerbird.core.errors import BadInput
from bowerbird.core.path_text import as_text
from bowerbird.core.types import GLOBAL, Project
from bowerbird.host.repository import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bowerbird.core.ports.files import Projects

# Windows and macOS have their own folders; elsewhere the XDG base directories apply.
_XDG = {
    "data": ("XDG_DATA_HOME", ".local/share"),
    "config": ("XDG_CONFIG_HOME", ".config"),
    "state": ("XDG_STATE_HOME", ".local/state"),
}
PROJECT_FILE = ".bowerbird.toml"
# Suffix of the side file that records which entries were returned to whom.
HANDED = ".handed"
# Suffix of the side file in which hooks and readers record what the next writer takes into the store.
NOTED = ".noted"
# Suffix of the side file in which readers record what was used, for the next writer to count.
USED = ".usage"
# The files and folders that we keep beside any store, by the suffix of their names; `Store.sidecars` has
# those that only its backend knows.
SIDECARS = (HANDED, ".handed.new", ".asked", ".watch")
SIDE_FOLDERS = (".journal", ".scratchpad")
# Folders below the home in which agents keep transcripts of all projects.
_SESSIONS = (
    ".claude/projects",
    ".codex/sessions",
    ".codex/archived_sessions",
    ".gemini/tmp",
    ".openclaw/agents",
)


def folder(what: str, environment: "Mapping[str, str]") -> str:
    """Bowerbird's folder for `data`, `config` or `state`.

    A relative XDG value is ignored, as XDG specifies.
    """
    home = os.path.expanduser("~")
    variable, default = _XDG[what]
    base = environment.get(variable, "")
    if os.path.isabs(base):
        return os.path.join(base, "bowerbird")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "bowerbird", what)
    if sys.platform == "win32":
        local = environment.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return os.path.join(local, "bowerbird", what)
    return os.path.join(home, default, "bowerbird")


def trusted_file(environment: "Mapping[str, str]") -> str:
    """The file with the user's answers about trusted folders."""
    return os.path.join(folder("config", environment), "trusted.json")


def project_of(path: str) -> Project:
    """The project that holds a folder: its git repository, or a folder with our own file in it.

    A repository is identified by its remote, which is the same on every machine, else by its path; both
    are returned, and what is checked out, so that a store recognises it when one of them changes.
    Anything else is global. Git itself is not run.
    """
    start = os.path.abspath(path)
    if not os.path.isdir(start):
        start = os.path.dirname(start)
    current = start
    while True:
        if os.path.exists(os.path.join(current, ".git")):
            return _of_repository(current)
        if os.path.exists(os.path.join(current, PROJECT_FILE)):
            root = as_text(os.path.realpath(current))
            uid = "path:" + root
            return Project(uid, os.path.basename(root) or "/", root, (uid,))
        parent = os.path.dirname(current)
        if parent == current:
            return GLOBAL
        current = parent


# A folder in which anybody puts anything.
_ANYBODYS = "tmp"


def plain_place(folder: str) -> Project:
    """A plain folder as a project by its path; global if everything is below it, or if anybody's is.

    It becomes one with the first lasting statement that a person types there, to an agent.
    """
    root = os.path.realpath(folder)
    home = os.path.realpath(os.path.expanduser("~"))
    if (home + os.sep).startswith(root.rstrip(os.sep) + os.sep) or os.path.basename(
        root
    ) == _ANYBODYS:
        return GLOBAL
    root = as_text(root)
    uid = "path:" + root
    return Project(uid, os.path.basename(root), root, (uid,))


def plain_project(folder: str, known: "Projects") -> "Project | None":
    """The known project of a plain folder or of one above it; None if there is none.

    Only one that never had a commit: a repository whose `.git` is gone may be anybody's files by now.
    """
    places = []
    while (place := plain_place(folder)).uid:
        places.append(place)
        folder = os.path.dirname(folder)
    uids = [one.uid for one in places]
    rows = known.known_as(uids) if uids else ()
    there = {alias for uid, alias, head in rows if alias == uid and not head}
    return next((one for one in places if one.uid in there), None)


def _of_repository(tree: str) -> Project:
    found = Repository(tree)
    root = as_text(os.path.realpath(tree))
    if not found.is_own:
        return Project("path:" + root, os.path.basename(root) or "/", root, ("path:" + root,))
    uid = "path:" + as_text(found.main_tree)
    remote, cloned = found.remote(), found.cloned_from()
    return Project(
        uid="remote:" + remote if remote else uid,
        name=os.path.basename(root) or "/",
        root=root,
        aliases=("remote:" + remote, uid) if remote else (uid,),
        head=found.head(),
        cloned="remote:" + cloned if cloned else "",
    )


def make_folder(path: str) -> None:
    """Creates a folder and its missing parents, accessible only by the owner. Raises OSError.

    `os.makedirs` gives its mode only to the last one: whoever may write into a parent could replace a
    child.
    """
    if path and not os.path.isdir(path):
        make_folder(os.path.dirname(path))
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            if not os.path.isdir(path):
                raise
        else:
            _give_to_its_owner(path)


def _give_to_its_owner(path: str) -> None:
    """Leaves what root made in another user's folder to that user, who could not use it."""
    if this_user() == 0:
        above = os.stat(os.path.dirname(path) or ".")
        if above.st_uid:
            os.chown(path, above.st_uid, above.st_gid, follow_symlinks=False)


def private_file(path: str, flags: int) -> int:
    """A handle of a file of the user's, made for its owner only if it is not there. Raises OSError."""
    new = not os.path.lexists(path)
    # Windows would turn line ends into others.
    flags |= os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, 0o600)
    if new:
        _give_to_its_owner(path)
    return handle


def this_user() -> int | None:
    """The uid of this process; None on Windows, where files have other owners and rights."""
    user = getattr(os, "geteuid", None)
    return None if user is None else int(user())


def append_to(path: str) -> int:
    """A handle that appends to a side file, created for its owner only. Raises OSError.

    A link is refused, and a file of several names: whoever may write beside a store could choose a file
    that others write to.
    """
    # Windows has no such links.
    handle = private_file(path, os.O_RDWR | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0))
    if os.fstat(handle).st_nlink > 1:
        os.close(handle)
        raise OSError(f"{path} has another name")
    return handle


def require_own(folder: str) -> None:
    """Raises OSError if a folder is a link, or belongs neither to this user nor to its parent's owner."""
    found = os.lstat(folder)
    if os.path.islink(folder):
        raise OSError(f"{folder} is a link")
    user = this_user()
    if user is None:
        return
    if found.st_uid not in (user, os.stat(os.path.dirname(folder) or ".").st_uid):
        raise PermissionError(f"{folder} belongs to another user")


def write_lines(handle: int, lines: bytes) -> bool:
    """Append whole lines by one write; returns whether all were written. Raises OSError.

    A crash may have cut the last line short: these begin on a new line.
    """
    if os.lseek(handle, 0, os.SEEK_END):
        os.lseek(handle, -1, os.SEEK_END)
        if os.read(handle, 1) != b"\n":
            lines = b"\n" + lines
    return os.write(handle, lines) == len(lines)


def a_path(given: "str | os.PathLike[str]") -> str:
    """A path that a file can have. Raises BadInput."""
    try:
        path = os.fspath(given)
    except TypeError:
        path = None
    if not isinstance(path, str):
        remedy = "give a text or a pathlib.Path, and several one by one: *paths"
        raise BadInput(f"{given!r} is not a path", remedy)
    try:
        possible = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:  # a lone surrogate that encodes no byte of a name
        possible = False
    if not possible:
        raise BadInput(f"no file can be called {as_text(path)!r}", "give the path as text")
    return path


def working_folder() -> str:
    """The working directory. Raises BadInput if it was removed."""
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        raise BadInput("the working directory was removed", "go to one that is there") from error


def find_upwards(name: str) -> str | None:
    """The nearest file of that name in the working directory or a parent."""
    try:
        current = os.getcwd()
    except FileNotFoundError:
        return None  # the working directory was removed
    while True:
        path = os.path.join(current, name)
        if os.path.isfile(path):
            return path
        parent = os.path.dirname(current)
        if parent == current:
            return None
        current = parent


def known_as(name: str, known: "Sequence[Project]") -> Project | None:
    """The project with that uid, else the only one with that name.

    Raises BadInput if there are several.
    """
    found = [one for one in known if name == one.uid] or [one for one in known if name == one.name]
    if len(found) > 1:
        uids = ", ".join(one.uid or one.name for one in found)
        raise BadInput(f"several projects are called {name}", f"name one of them: {uids}")
    return found[0] if found else None


def in_checkout(origin: str) -> bool:
    """Whether a setting comes from a project's own file; `origin` is where it was set."""
    return os.path.basename(origin) == PROJECT_FILE


def called(project: Project, name: str, origin: str) -> Project:
    """A project by the name that the file at its root gives it; `origin` is where the name was set.

    The file came with a checkout: it names its own project and cannot claim another.
    """
    if project.root is None or origin != os.path.join(project.root, PROJECT_FILE):
        return project
    return project.replace(name=name)


def named_project(name: str) -> Project:
    """The project identified by a name alone; its uid, as shown in JSON, is accepted too."""
    name = as_text(name.removeprefix("name:") or name)
    return Project("name:" + name, name, None)


# Names of folders that contain tests.
_TESTS = frozenset(("test", "tests", "testing", "spec", "specs", "__tests__", "e2e"))
# How names of test files end, case-sensitive: "latest" is not one.
_TEST_ENDS = ("_test", "_tests", "_spec", "Test", "Tests", "Spec")


def is_test(path: str) -> bool:
    """Whether a file holds tests, by what every language calls them."""
    folder, base = os.path.split(path)
    stem, *rest = base.split(".")
    if (
        stem in {"test", "tests", "conftest"}
        or stem.startswith("test_")
        or stem.endswith(_TEST_ENDS)
    ):
        return True
    if any(part in {"test", "spec"} for part in rest[:-1]):
        return True
    return any(part in _TESTS for part in folder.split(os.sep)[-3:])


# Where agents keep their sessions below a home, asked of each file of an index run. No functools.cache: a
# hook would load functools for it.
_KEPT_BELOW: dict[str, tuple[str, ...]] = {}


def kept_by_agent(path: str) -> bool:
    """Whether a file is in a folder where an agent of this user keeps its sessions."""
    home = os.path.expanduser("~")
    kept = _KEPT_BELOW.get(home)
    if kept is None:
        real = os.path.realpath(home)
        kept = tuple(os.path.join(real, *below.split("/"), "") for below in _SESSIONS)
        _KEPT_BELOW[home] = kept
    return path.startswith(kept)


def is_downloaded(path: str) -> bool:
    """Whether a file is in the folder where programs of this user put what they download."""
    home = os.path.realpath(os.path.expanduser("~"))
    return (path + os.sep).startswith(os.path.join(home, "Downloads", ""))


def write_own(path: str, text: str) -> None:
    """Replaces a file atomically, readable by its owner only, since it may contain a key.

    Raises OSError.
    """
    make_folder(os.path.dirname(path))
    new = f"{path}.{os.getpid()}"
    with open(private_file(new, os.O_WRONLY | os.O_TRUNC), "w") as file:
        file.write(text)
    os.replace(new, path)
