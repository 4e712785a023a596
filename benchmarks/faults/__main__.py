"""The command: runs parts of the fault injection, and reports what they found.

    make faults
    make faults ARGS="kills power-cuts --count kills=50 --seed 3"
    make faults ARGS="soak --hours 4"

Writes benchmarks/results/faults.json, one entry a part, with the commit. Exit code 1 if a promise was
broken.
"""

import argparse
import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable

from bowerbird import Bowerbird
from bowerbird.core.pattern import late
from bowerbird.host.repository import own_commit
from faults.clocks import clocks
from faults.commands import commands, full_disks
from faults.failing import failing
from faults.found import Found
from faults.kills import kills
from faults.learned import learned_cuts
from faults.powercuts import power_cuts
from faults.rebuilds import rebuilds
from faults.replicas import replicas
from faults.servers import servers
from faults.soak import soak
from faults.versions import versions

_RESULT = os.path.join(os.path.dirname(os.path.dirname(__file__)), "results", "faults.json")
# Each part, and how often by itself.
PARTS: dict[str, tuple[Callable[[str, int, int], Found], int]] = {
    "kills": (kills, 1_000),
    "rebuilds": (rebuilds, 300),
    "commands": (commands, 1_000),
    # Every n-th write.
    "full-disks": (full_disks, 1),
    "power-cuts": (power_cuts, 2_000),
    "learned-cuts": (learned_cuts, 400),
    # Every n-th point.
    "failing": (failing, 1),
    "versions": (versions, 20),
    "clocks": (clocks, 5),
    "replicas": (replicas, 2_000),
    # Of each harm.
    "servers": (servers, 100),
    # Minutes.
    "soak": (soak, 10),
}


def main(arguments: list[str] | None = None) -> int:
    """Run some parts. 0: every promise held; 1: one did not; 2: a wrong call."""
    parser = argparse.ArgumentParser(prog="faults", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--count", action="append", default=[], metavar="PART=N")
    parser.add_argument("--hours", type=float, help="of the soak, in place of its ten minutes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="where the stores stand: a disk, or memory (default)")
    parser.add_argument("--out", default=_RESULT, help="the result; - for none")
    asked = parser.parse_args(arguments)
    if unknown := {*asked.parts} - {*PARTS}:
        parser.error(f"{', '.join(sorted(unknown))}: there are {', '.join(PARTS)}")
    counts = {name: count for name, (_, count) in PARTS.items()}
    for one in asked.count:
        name, _, number = one.partition("=")
        if name not in counts or not number.isdigit():
            parser.error(f"--count {one}: PART=N with one of {', '.join(counts)}")
        counts[name] = max(1, int(number))
    if asked.hours:
        counts["soak"] = max(1, round(asked.hours * 60))
    base = asked.folder or ("/dev/shm" if os.path.isdir("/dev/shm") else None)  # noqa: S108
    with tempfile.TemporaryDirectory(dir=base, prefix="faults-") as folder:
        _alone(folder)
        done = []
        for name in asked.parts or PARTS:
            found = PARTS[name][0](folder, counts[name], asked.seed)
            done.append(found)
            print(_summary(found), flush=True)
            if asked.out != "-":
                keep(asked.out, found)
    return int(any(found.violations for found in done))


def _alone(folder: str) -> None:
    """Drop the caller's settings, project and threads, and load what is used."""
    for name in [name for name in os.environ if name.startswith(("BOWER_", "GIT_"))]:
        del os.environ[name]
    # Reading notes by a model after each index would take most of the time of a kill.
    os.environ["BOWER_INDEX_READ"] = "0"
    os.environ["HOME"] = folder
    # Processes are forked from this one, so numerical libraries must not have started threads.
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
    for name in ("DATA", "CONFIG", "STATE"):
        os.environ[f"XDG_{name}_HOME"] = os.path.join(folder, name.lower())
    os.chdir(folder)
    with Bowerbird.open(os.path.join(folder, "first.db"), project="shop") as bird:
        bird.remember("The first one loads what all others need")
    # What each forked process would compile for itself: two fifths of a `remember`.
    for one in [one for one in gc.get_objects() if type(one) is type(late(""))]:
        _ = one.search


def _summary(found: Found) -> str:
    said = found.raw_dict()
    figures = ", ".join(f"{name.replace('_', ' ')} {n:g}" for name, n in found.figures.items())
    bad = len(found.violations)
    return f"{found.part}: {figures}; {bad} violations, {said['seconds']} s, seed {found.seed}"


def keep(path: str, found: Found) -> None:
    """Write a part's figures into the result file, and keep those of other parts."""
    try:
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
    except (FileNotFoundError, ValueError):
        kept = {}
    kept[found.part] = {
        "commit": own_commit(),
        "on": time.strftime("%Y-%m-%d", time.gmtime()),
        "python": sys.version.split()[0],
        **found.raw_dict(),
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(dict(sorted(kept.items())), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    sys.exit(main())
