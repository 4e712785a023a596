"""What ``bench growth`` has made so far, in a folder: each step is done once, and says by which commit.

Making a corpus of a million passages and taking it in takes longer than asking it, so a run that is
given the folder of an earlier one goes on from there. Without one the folder is a temporary one, and
every step is of this run.
"""

import json
import os

from bowerbird.core.errors import BadInput
from bowerbird.surfaces.bench.record import circumstances, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_STEPS = "steps.json"
# What of the circumstances says who did a step.
_WHO = ("version", "commit", "changed_since_commit", "date", "python")


class Kept:
    """The steps that are done in a folder, each with what it found and who did it."""

    def __init__(self, folder: str, asked: "dict[str, int]") -> None:
        """Raises BadInput where the folder was made for something else."""
        self.folder = folder
        self._path = os.path.join(folder, _STEPS)
        self._steps: dict[str, dict[str, Any]] = {}
        os.makedirs(folder, exist_ok=True)
        if os.path.exists(self._path):
            with open(self._path, encoding="utf-8") as file:
                data = json.load(file)
            if data["asked"] != asked:
                raise BadInput(f"{folder} was made for {data['asked']}", "name another folder")
            self._steps = data["steps"]
        self._asked = asked

    def once(self, name: str, do: "Callable[[], dict[str, Any]]") -> "dict[str, Any]":
        """What a step found, now or earlier. A step that was broken off is done from its start."""
        if name not in self._steps:
            before = load()
            found = do()
            now = circumstances()
            by = {key: now[key] for key in _WHO} | {"load": {"before": before, "after": load()}}
            self._steps[name] = {"found": found, "by": by}
            self._write()
        found = self._steps[name]["found"]
        return dict(found)

    def by(self, name: str) -> "dict[str, Any]":
        """Who did a step that is done, when, and how busy the machine was."""
        by: dict[str, Any] = self._steps[name]["by"]
        return by

    def _write(self) -> None:
        new = self._path + ".new"
        with open(new, "w", encoding="utf-8") as file:
            json.dump({"asked": self._asked, "steps": self._steps}, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self._path)
