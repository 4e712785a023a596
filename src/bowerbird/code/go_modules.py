"""The module that a Go project declares in go.mod, and the folders of its packages."""

import os
import re

from bowerbird.host.foreign import whole

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
