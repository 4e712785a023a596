"""Packages of one npm workspace, which import each other by their names."""

import os
from fnmatch import fnmatchcase
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Read = Callable[[str], dict[str, Any]]

# Limits: folders above a file in which its workspace may be, and folders searched for packages.
_MOST_ABOVE = 30
_MOST_FOLDERS = 2_000
# Fields of package.json that name the file it is imported as; source comes before build output.
_ENTRIES = ("source", "module", "main", "types")
_WRITTEN = ("src/index", "index", "lib/index")


class Workspaces:
    """The packages of the workspace that contains a folder; each workspace is read once."""

    def __init__(self, read: "Read") -> None:
        """`read` parses a JSON file; it returns an empty table if that fails."""
        self._read = read
        self._roots: dict[str, dict[str, str]] = {}

    def ways(self, path: str, name: str) -> list[str]:
        """The paths, without extension, that a package name, or a file in a package, may refer to."""
        packages = self._of(os.path.dirname(path), 0)
        parts = name.split("/")
        whole = "/".join(parts[: 2 if name.startswith("@") else 1])
        folder = packages.get(whole)
        if folder is None:
            return []
        rest = name[len(whole) + 1 :]
        if rest:
            return [os.path.join(folder, rest), os.path.join(folder, "src", rest)]
        table = self._read(os.path.join(folder, "package.json"))
        said = [table[field] for field in _ENTRIES if isinstance(table.get(field), str)]
        return [os.path.join(folder, one) for one in (*said[:1], *_WRITTEN, *said[1:])]

    def _of(self, folder: str, steps: int) -> dict[str, str]:
        if folder not in self._roots:
            above = os.path.dirname(folder)
            patterns = _patterns(self._read(os.path.join(folder, "package.json")))
            if patterns:
                self._roots[folder] = self._packages(folder, patterns)
            elif above == folder or steps >= _MOST_ABOVE:
                self._roots[folder] = {}
            else:
                self._roots[folder] = self._of(above, steps + 1)
        return self._roots[folder]

    def _packages(self, root: str, patterns: list[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for folder in _folders(root):
            way = os.path.relpath(folder, root).replace(os.sep, "/")
            if any(_fits(way, pattern) for pattern in patterns):
                name = self._read(os.path.join(folder, "package.json")).get("name")
                if isinstance(name, str):
                    found.setdefault(name, folder)
        return found


def _patterns(table: "dict[str, Any]") -> list[str]:
    said = table.get("workspaces")
    said = said.get("packages") if isinstance(said, dict) else said
    return [one.removeprefix("./").rstrip("/") for one in said or () if isinstance(one, str)]


def _fits(way: str, pattern: str) -> bool:
    """Whether a folder matches a pattern, in which `*` matches one name and `**` any number."""
    if "**" in pattern:
        return fnmatchcase(way, pattern)
    return way.count("/") == pattern.count("/") and fnmatchcase(way, pattern)


def _folders(root: str) -> "Iterator[str]":
    """The folders below `root` that contain a package, up to a limit, without installed ones."""
    for folder, below, files in islice(os.walk(root), _MOST_FOLDERS):
        below[:] = sorted(one for one in below if one != "node_modules" and not one.startswith("."))
        if "package.json" in files and folder != root:
            yield folder
