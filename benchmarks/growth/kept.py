"""The results of the steps of a growth measurement in a folder: each step runs once, with its commit.

Generating and indexing a corpus of a million passages takes longer than querying it, so a run with the
folder of an earlier one resumes it. Without one the folder is temporary, and every step belongs to this
run.
"""

import fcntl
import json
import os
from contextlib import contextmanager

from bowerbird.bench.record import circumstances, load
from bowerbird.core.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

# The circumstances that identify who ran a step.
_WHO = ("version", "commit", "changed_since_commit", "date", "python")


class Kept:
    """The finished steps in a folder, one file each: the result and its circumstances."""

    def __init__(self, folder: str, asked: "dict[str, int]") -> None:
        """Raises BadInput if the folder was made with other parameters."""
        self.folder = folder
        self._steps = os.path.join(folder, "steps")
        os.makedirs(self._steps, exist_ok=True)
        made_for = self.once("asked", lambda: asked)
        if made_for != asked:
            raise BadInput(f"{folder} was made for {made_for}", "name another folder")

    def once(self, name: str, do: "Callable[[], dict[str, Any]]") -> "dict[str, Any]":
        """The result of a step, from now or earlier; an interrupted step is repeated from its start.

        Waits for another process that runs the same step.
        """
        path = self._path(name)
        with _alone(path + ".lock"):
            if not os.path.exists(path):
                before = load()
                found = do()
                now = circumstances()
                by = {key: now[key] for key in _WHO} | {"load": {"before": before, "after": load()}}
                _write(path, {"found": found, "by": by})
        return dict(self._read(name)["found"])

    def by(self, name: str) -> "dict[str, Any]":
        """The circumstances of a finished step: commit, date and load of the machine."""
        return dict(self._read(name)["by"])

    def _path(self, name: str) -> str:
        return os.path.join(self._steps, name.replace(" ", "-") + ".json")

    def _read(self, name: str) -> "dict[str, Any]":
        with open(self._path(name), encoding="utf-8") as file:
            step: dict[str, Any] = json.load(file)
        return step


@contextmanager
def _alone(path: str) -> "Iterator[None]":
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _write(path: str, step: "dict[str, Any]") -> None:
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(step, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)
