"""Measures whole processes: CPU time, wall time and peak memory, as the kernel counts them."""

import os
import subprocess
import sys
from importlib.util import cache_from_source
from statistics import median

from bowerbird.core.errors import BowerbirdError
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_HERE = os.path.dirname(__file__)
_LAUNCHER = os.path.join(_HERE, "launcher.py")
_PACKAGE = os.path.normpath(os.path.join(_HERE, ".."))
# If set, a cold command would compile every module again, which users do not experience.
_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


class Cost(Record):
    """The cost of one run: CPU seconds (user and system), wall seconds, peak bytes."""

    cpu: float
    wall: float
    peak: int
    output: str


class Processes:
    """Runs programs in a clean environment, without the user's settings."""

    def __init__(self, folder: str) -> None:
        self._output = os.path.join(folder, "output")
        self._folder = folder
        # The variables that are passed on from the caller's environment.
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("BOWER_") and name != _NO_BYTECODE
        }
        self.environment |= {
            f"XDG_{kind}_HOME": os.path.join(folder, "home")
            for kind in ("CONFIG", "STATE", "DATA", "CACHE")
        }
        # The contextual model reads a bounded number of passages at the end of each run: that would be
        # most of what a small corpus costs, and nothing of what a large one does.
        self.environment["BOWER_INDEX_READ"] = "0"

    def run(self, command: "Sequence[str]") -> Cost:
        """Runs a program to its end. Raises BowerbirdError if it fails."""
        done = subprocess.run(  # noqa: S603 our own interpreter and script, no shell
            [sys.executable, "-S", "-E", _LAUNCHER, self._output, *command],
            env=self.environment,
            cwd=self._folder,
            capture_output=True,
            text=True,
            check=True,
        )
        cpu, wall, peak, code = done.stdout.split()
        with open(self._output, encoding="utf-8", errors="replace") as file:
            output = file.read()
        if code != "0":
            raise BowerbirdError(
                f"{' '.join(command)} failed with {code}: {output[-500:]}",
                "run that command by itself to see why",
            )
        return Cost(float(cpu), float(wall), int(peak), output)

    def rounds(
        self, rounds: int, commands: "Mapping[str, Sequence[Sequence[str]]]"
    ) -> "dict[str, list[Cost]]":
        """Runs several commands in turn, round after round, so that load affects all of them alike.

        Each has a list of variants, of which every round uses the next. A first round is not counted: it
        writes the bytecode and warms the disk cache.
        """
        for forms in commands.values():
            self.run(forms[0])
        costs: dict[str, list[Cost]] = {name: [] for name in commands}
        for number in range(rounds):
            for name, forms in commands.items():
                costs[name].append(self.run(forms[number % len(forms)]))
        return costs


def bower(*arguments: str) -> list[str]:
    """The command as users run it: the script beside this interpreter, else the module."""
    script = os.path.join(os.path.dirname(sys.executable), "bower")
    start = (
        [sys.executable, script] if os.path.isfile(script) else [sys.executable, "-m", "bowerbird"]
    )
    return [*start, *arguments]


def bare() -> list[str]:
    """The reference of every cold command: this interpreter, doing nothing."""
    return [sys.executable, "-c", "pass"]


def against(costs: "Sequence[Cost]", base: "Sequence[Cost]") -> "dict[str, Any]":
    """CPU in ms and as a ratio to the base of the same round: minimum, median, maximum."""
    ratios = [cost.cpu / other.cpu for cost, other in zip(costs, base, strict=True)]
    return {
        "cpu_ms": spread([cost.cpu * 1000 for cost in costs], 2),
        "ratio": spread(ratios, 2),
        "ratio_of_medians": round(
            median(cost.cpu for cost in costs) / median(cost.cpu for cost in base), 2
        ),
        "wall_ms": spread([cost.wall * 1000 for cost in costs], 2),
        "peak_rss_mb": round(max(cost.peak for cost in costs) / 1e6, 1),
    }


def spread(values: "Sequence[float]", digits: int) -> dict[str, float]:
    """The minimum, median and maximum of some values."""
    return {
        "min": round(min(values), digits),
        "median": round(median(values), digits),
        "max": round(max(values), digits),
    }


def bytecode() -> "dict[str, Any]":
    """The number of our modules with compiled bytecode, and the caller's setting of it."""
    modules = compiled = 0
    for folder, folders, files in os.walk(_PACKAGE):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in files:
            if name.endswith(".py"):
                modules += 1
                source = os.path.join(folder, name)
                compiled += _is_current(source)
    return {
        "modules": modules,
        "compiled": compiled,
        "dont_write_bytecode_was_set": _NO_BYTECODE in os.environ,
        "dont_write_bytecode_in_runs": False,
    }


def _is_current(source: str) -> bool:
    try:
        return os.stat(cache_from_source(source)).st_mtime >= os.stat(source).st_mtime
    except OSError:
        return False
