"""Which files of a folder are left out: by ignore files, or because they are generated."""

import os
import stat
from itertools import accumulate

from bowerbird.host.foreign import whole
from bowerbird.ingest.patterns import Patterns, TooMuchError

IGNORE_FILES = (".gitignore", ".bowerignore")

_TOOL_FOLDERS = frozenset(
    "node_modules bower_components __pycache__ __pypackages__ site-packages venv virtualenv htmlcov"
    " coverage .git".split()
)
# Folders of build output, if a build file is beside them.
_BUILD_FOLDERS = frozenset(("build", "dist", "out", "target"))
_BUILD_FILES = frozenset(
    "pyproject.toml setup.py setup.cfg package.json Cargo.toml Makefile CMakeLists.txt pom.xml"
    " build.gradle build.gradle.kts BUILD meson.build tsconfig.json".split()
)
# Markers of a virtual environment, and of caches of many tools (bford.info/cachedir).
_FOLDER_MARKS = ("pyvenv.cfg", "CACHEDIR.TAG")
# Databases are never opened: closing one that this process has open elsewhere drops SQLite's locks, and
# other processes' writes are lost.
_DATABASES = (".db", ".sqlite", ".sqlite3", ".db3", "-wal", "-shm", "-journal", ".lock")
# Maximum bytes of an ignore file: thousands of patterns, far more than anyone writes by hand.
_LARGEST = 200_000
_GENERATED = (".min.js", ".min.css", ".map")
_GENERATED_NAMES = frozenset(
    ("package-lock.json", "pnpm-lock.yaml", "npm-shrinkwrap.json", "go.sum")
)

# Temporary files of Vim, Emacs and nano, and of programs that save as Kate does.
_EDITORS = ("~", ".swp", ".swo", ".swx", ".kate-swp")


def is_database(name: str) -> bool:
    """Whether a file name is that of a database, or of a file that belongs to one."""
    return name.lower().endswith(_DATABASES)


def kept_out_folder(name: str, beside: "frozenset[str] | set[str]") -> bool:
    """Whether a folder is hidden or generated; `beside` are the names in its parent."""
    return name.startswith(".") or generated_folder(name, beside)


def generated_folder(name: str, beside: "frozenset[str] | set[str]") -> bool:
    """Whether a folder is a tool's or build output; `beside` are the names in its parent."""
    if name in _TOOL_FOLDERS:
        return True
    return name in _BUILD_FOLDERS and not _BUILD_FILES.isdisjoint(beside)


def kept_out_file(name: str) -> bool:
    """Whether a file is hidden, generated, or an editor's temporary copy."""
    if name.startswith(".") or name in _GENERATED_NAMES or name.endswith(_GENERATED):
        return True
    return name.endswith(_EDITORS) or (name.startswith("#") and name.endswith("#"))


def marked_as_kept_out(names: "frozenset[str] | set[str]") -> bool:
    """Whether a folder that contains these names is a virtual environment or a cache."""
    return any(mark in names for mark in _FOLDER_MARKS)


def was_named(path: str, root: str) -> bool:
    """Whether a file below a root was indexed only because it, or a folder above it, was named.

    That is so if the built-in rules, apart from the user's ignore files, exclude it.
    """
    *folders, name = os.path.relpath(path, root).split(os.sep)
    if kept_out_file(name) or any(kept_out_folder(part, _BUILD_FILES) for part in folders):
        return True
    return within_generated(path, root)


def within_generated(path: str, root: str) -> bool:
    """Whether a file below a root is in a folder of a tool: a cache, an environment, build output."""
    *folders, _ = os.path.relpath(path, root).split(os.sep)
    if any(generated_folder(part, _BUILD_FILES) for part in folders):
        return True
    _, *inside = accumulate(folders, os.path.join, initial=root)
    return any(
        os.path.exists(os.path.join(folder, mark)) for folder in inside for mark in _FOLDER_MARKS
    )


class Ignore:
    """The ignore files of a folder and of its parents; the deepest that matches decides.

    `Ignore()` hides nothing. `refused` is the reason why the patterns are unknown, if they are: then
    nothing below may be indexed, because they might hide it.
    """

    def __init__(self, folder: str = "", above: "Ignore | None" = None) -> None:
        self._folder = folder.rstrip(os.sep) + os.sep
        self._above = above
        self.refused: str = above.refused if above is not None else ""
        self._patterns = Patterns(())
        if folder and not self.refused:
            lines: list[str] = []
            for name in IGNORE_FILES:
                try:
                    lines += _lines(os.path.join(folder, name))
                    self._patterns = Patterns(lines)
                except (OSError, TooMuchError) as error:
                    why = error.strerror if isinstance(error, OSError) else error
                    self.refused = f"its {name} cannot be followed: {why}; shorten it"
                    return

    def below(self, folder: str, names: "frozenset[str] | set[str]") -> "Ignore":
        """The rules inside a subfolder that contains these names."""
        return self if names.isdisjoint(IGNORE_FILES) else Ignore(folder, self)

    def hides(self, path: str) -> bool:
        """Whether the rules hide a file, or a folder if the path ends in a separator."""
        if self._patterns and path.startswith(self._folder):
            verdict = self._patterns.verdict(path[len(self._folder) :].replace(os.sep, "/"))
            if verdict is not None:
                return verdict
        return self._above.hides(path) if self._above is not None else False


def _lines(path: str) -> list[str]:
    """The lines of an ignore file. Raises OSError if it exists and cannot be read."""
    # Like git, does not follow links: one could lead to a database.
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return []
        data = whole(path, _LARGEST, links=False)
    except FileNotFoundError:
        return []
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
