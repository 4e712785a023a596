"""How long `bower watch` takes to start over many files, what it needs, and how soon it follows a change.

    python benchmarks/watch.py [--files 100000] [--folder DIRECTORY]

Prints the seconds until all files are in the store, the peak memory, the CPU of doing nothing, and the
seconds from a change to its being indexed. Linux only: it reads /proc. The load is printed as well.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time

# Files of one folder, and seconds of idling that are measured.
A_FOLDER = 500
IDLE = 10
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def fill(folder: str, files: int) -> None:
    """Writes short notes."""
    for number in range(files):
        below = os.path.join(folder, f"part{number // A_FOLDER}")
        if number % A_FOLDER == 0:
            os.makedirs(below)
        with open(os.path.join(below, f"note{number}.md"), "w", encoding="utf-8") as file:
            file.write(f"# Note {number}\n\nThe valve of heron {number} is kept in the attic.\n")


def peak_megabytes(pid: int) -> int:
    """The peak of a process's resident memory."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(file.read().split("VmHWM:")[1].split()[0]) // 1024


def cpu_seconds(pid: int) -> float:
    """The CPU that a process has used."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def measure(folder: str, files: int) -> None:
    """Runs the command and prints the figures."""
    notes = os.path.join(folder, "notes")
    fill(notes, files)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("BOWER_")}
    command = [sys.executable, "-m", "bowerbird", "watch", notes]
    command += ["--store", os.path.join(folder, "memory.db")]
    begun = time.monotonic()
    watching = subprocess.Popen(  # noqa: S603 our own command
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=clean | {"HOME": folder},
        cwd=folder,
    )
    try:
        _until(watching, "added")
        took, pid = time.monotonic() - begun, watching.pid
        print(f"{files:,} files are in after {took:.1f} s, {peak_megabytes(pid)} MB at most")
        before = cpu_seconds(pid)
        time.sleep(IDLE)
        print(f"idle: {(cpu_seconds(pid) - before) / IDLE:.1%} of a processor")
        begun, before = time.monotonic(), cpu_seconds(pid)
        with open(os.path.join(notes, "part0", "new.md"), "w", encoding="utf-8") as file:
            file.write("# New\n\nThe winch of otter is kept in the mill.\n")
        _until(watching, "added")
        took, used = time.monotonic() - begun, cpu_seconds(pid) - before
        print(f"a new file is in after {took:.1f} s, {used:.1f} s of CPU; {peak_megabytes(pid)} MB")
    finally:
        watching.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        watching.communicate()
    print(f"ended in {time.monotonic() - begun:.2f} s; load {os.getloadavg()[0]:.1f}")


def _until(watching: subprocess.Popen[str], word: str) -> None:
    for line in watching.stderr or ():
        if word in line:
            return
    raise SystemExit("bower watch ended by itself")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument(
        "--folder", help="where the files are written: a disk (default: a temporary)"
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder, prefix="watch-") as folder:
        measure(folder, asked.files)


if __name__ == "__main__":
    main()
