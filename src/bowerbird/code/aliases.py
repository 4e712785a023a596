"""Where a project says that its modules are: paths of tsconfig, npm workspaces, go.mod."""

import json
import os
import re

from bowerbird.code.workspaces import Workspaces
from bowerbird.host.foreign import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NAMES = ("tsconfig.json", "jsconfig.json", "tsconfig.base.json")
# Limits of a configuration: bytes read, configurations it may extend, and folders above a file that are
# searched.
_MOST_BYTES = 1_000_000
_MOST_BASES = 5
_MOST_ABOVE = 30
_REMARKS = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r",(\s*[}\]])")


class Aliases:
    """The nearest configuration above each folder, read once."""

    def __init__(self) -> None:
        self._known: dict[str, list[tuple[str, list[str]]]] = {}
        self._workspaces = Workspaces(_read)
        self._go = GoModules()

    def ways(self, path: str, name: str) -> list[str]:
        """The paths, without extension, that a module name may refer to from a file."""
        if path.endswith(".go"):
            return self._go.ways(path, name)
        found = []
        for pattern, targets in self._of(os.path.dirname(path), 0):
            before, star, after = pattern.partition("*")
            if not star:
                found += targets if name == pattern else []
            elif name.startswith(before) and name.endswith(after) and len(name) >= len(pattern) - 1:
                middle = name[len(before) : len(name) - len(after)]
                found += [target.replace("*", middle) for target in targets]
        return [*found, *self._workspaces.ways(path, name)]

    def _of(self, folder: str, steps: int) -> "list[tuple[str, list[str]]]":
        if folder not in self._known:
            path = next(
                (way for one in _NAMES if os.path.isfile(way := os.path.join(folder, one))), ""
            )
            above = os.path.dirname(folder)
            if path:
                self._known[folder] = _paths(path, 0)
            elif above == folder or steps >= _MOST_ABOVE:
                self._known[folder] = []
            else:
                self._known[folder] = self._of(above, steps + 1)
        return self._known[folder]


def _paths(path: str, depth: int) -> "list[tuple[str, list[str]]]":
    """The name patterns of a configuration and the paths that they map to."""
    table = _read(path)
    options = table.get("compilerOptions")
    options = options if isinstance(options, dict) else {}
    folder = os.path.dirname(path)
    base = options.get("baseUrl")
    root = os.path.join(folder, base) if isinstance(base, str) else folder
    found: list[tuple[str, list[str]]] = []
    paths = options.get("paths")
    for pattern, targets in paths.items() if isinstance(paths, dict) else ():
        if isinstance(targets, list):
            ways = [os.path.join(root, one) for one in targets if isinstance(one, str)]
            found.append((pattern, ways))
    if isinstance(base, str):
        found.append(("*", [os.path.join(root, "*")]))
    above = table.get("extends")
    if not found and isinstance(above, str) and above.startswith(".") and depth < _MOST_BASES:
        way = os.path.normpath(os.path.join(folder, above))
        return _paths(way if way.endswith(".json") else f"{way}.json", depth + 1)
    return found


def _read(path: str) -> "dict[str, Any]":
    """Parses JSON with comments; an empty table if it is not valid."""
    try:
        text = whole(path, _MOST_BYTES).decode(errors="replace")
        text = _REMARKS.sub(lambda found: found.group(1) or "", text)
        table = json.loads(_LAST_COMMA.sub(r"\1", text))
    except (OSError, ValueError, RecursionError):
        return {}
    return table if isinstance(table, dict) else {}


_MOST_BYTES = 1_000_000
_MODULE = re.compile(r'^module\s+"?([^\s"]+)', re.MULTILINE)
# Maximum folders above a file that are searched.
_MOST_ABOVE = 30


class GoModules:
    """The nearest go.mod above each folder, read once."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, str] | None] = {}

    def ways(self, path: str, name: str) -> list[str]:
        """The folders that an import of a file may mean; empty without a go.mod.

        What is not below the module's own name is a dependency: of this project only if it was vendored.
        """
        found = self._of(os.path.dirname(path), 0)
        if found is None:
            return []
        module, root = found
        if name == module or name.startswith(f"{module}/"):
            return [os.path.normpath(os.path.join(root, name[len(module) + 1 :]))]
        return [os.path.join(root, "vendor", name)]

    def _of(self, folder: str, steps: int) -> tuple[str, str] | None:
        """The name and folder of the module that a folder belongs to."""
        if folder not in self._known:
            declared = _declared(os.path.join(folder, "go.mod"))
            above = os.path.dirname(folder)
            if declared:
                self._known[folder] = (declared, folder)
            elif above == folder or steps >= _MOST_ABOVE:
                self._known[folder] = None
            else:
                self._known[folder] = self._of(above, steps + 1)
        return self._known[folder]


def _declared(path: str) -> str:
    """The module name in a go.mod; empty if there is none."""
    try:
        found = _MODULE.search(whole(path, _MOST_BYTES).decode(errors="replace"))
    except OSError:
        return ""
    return found[1] if found else ""
