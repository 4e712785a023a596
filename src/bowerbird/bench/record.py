"""The circumstances of a measurement: program, machine and load; and its result file."""

import json
import os
import platform
import shutil
import subprocess
import time

from bowerbird.core.version import VERSION
from bowerbird.host.repository import own_commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PACKAGE = os.path.normpath(os.path.join(os.path.dirname(__file__), ".."))


def circumstances() -> "dict[str, Any]":
    """The program and the machine."""
    return {
        "version": VERSION,
        "commit": own_commit(),
        "changed_since_commit": _changed(),
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
    }


def load() -> "list[float]":
    """The load averages of 1, 5 and 15 minutes; empty if the system does not report them."""
    try:
        return [round(value, 2) for value in os.getloadavg()]
    except OSError:
        return []


def _changed() -> bool | None:
    """Whether the package's files differ from the commit; None if git cannot tell."""
    git = shutil.which("git")
    if git is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 our own words, no shell
            [git, "-C", _PACKAGE, "status", "--porcelain", "--", "."],
            capture_output=True,
            check=True,
            timeout=20,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return bool(done.stdout.strip())


def stamp(data: "dict[str, Any]") -> str:
    """The identifier in a result's file name: the commit, else the version."""
    return str(data["commit"] or "v" + data["version"])[:10]


def write(folder: str, stem: str, data: "dict[str, Any]") -> str:
    """Writes a result as JSON and returns the path."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{stem}-{stamp(data)}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(data, file, indent=1, ensure_ascii=False)
        file.write("\n")
    return path
