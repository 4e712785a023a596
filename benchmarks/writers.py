"""Many processes write one store concurrently; and how long one of them holds the lock.

    python benchmarks/writers.py [--writers 16] [--each 500] [--readers 2] [--no-index]
    python benchmarks/writers.py --lock [--memories 10000] [--texts 15]

Each writer remembers short texts one after the other, as an agent's server does, while readers query
and one process indexes a folder repeatedly. Exceptions are printed, and the exit code is then 1.
`--lock` fills a store, remembers texts of 10,000 characters that are the most expensive for the judges,
and times the span between BEGIN and COMMIT. The machine's load is printed with the results, which mean
little without it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bowerbird import Bowerbird
from bowerbird.core.draft import Draft
from bowerbird.guard.redact import ALLOW_NOTHING
from bowerbird.lifecycle.admit import Admission

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 10_000
WRITER = """
import sys, time
from bowerbird import Bowerbird
path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Bowerbird.open(path, project="shop") as bird:
    sys.stdin.readline()
    for number in range(count):
        started = time.perf_counter()
        bird.remember(f"Worker {name} keeps fact {number} in drawer {number * 7}")
        print(time.perf_counter() - started)
"""
READER = """
import sys, time
from bowerbird import Bowerbird
path, until = sys.argv[1], time.monotonic() + float(sys.argv[3])
sys.stdin.readline()
with Bowerbird.open(path, project="shop") as bird:
    while time.monotonic() < until:
        started = time.perf_counter()
        bird.query("which drawer holds fact 12 of worker 3")
        print(time.perf_counter() - started)
        time.sleep(0.05)
"""
INDEXER = """
import sys, time
from pathlib import Path
from bowerbird import Bowerbird
path, folder, until = sys.argv[1], Path(sys.argv[2]), time.monotonic() + float(sys.argv[3])
sys.stdin.readline()
turn = 0
with Bowerbird.open(path, project="shop") as bird:
    while time.monotonic() < until:
        turn += 1
        for note in range(20):
            (folder / f"{note}.md").write_text(f"# Note {note}\\n\\nTurn {turn} of note {note}.\\n")
        started = time.perf_counter()
        bird.index(folder)
        print(time.perf_counter() - started)
"""


def together(writers: int, each: int, readers: int, *, index: bool) -> bool:
    """Run all processes on a new store; returns whether no error occurred and nothing was lost."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "memory.db")
        folder = os.path.join(place, "notes")
        os.mkdir(folder)
        with Bowerbird.open(path, project="shop") as bird:
            bird.remember("The store is there before anybody writes")
        # Readers and the indexer run for about as long as the writers do.
        most = str(max(writers * each / 120, 2.0))
        kinds = {
            "remember": [_start(WRITER, path, str(name), str(each)) for name in range(writers)],
            "query": [_start(READER, path, str(name), most) for name in range(readers)],
            "index": [_start(INDEXER, path, folder, most)] if index else [],
        }
        started = time.monotonic()
        for ran in (one for group in kinds.values() for one in group):
            if ran.stdin is not None:
                ran.stdin.write("go\n")
                ran.stdin.flush()
        errors = 0
        _log(f"{writers} writers x {each}, {readers} readers, {'an' if index else 'no'} indexer")
        for what, group in kinds.items():
            done = [one.communicate() for one in group]
            errors += sum(one.returncode != 0 for one in group)
            for error in (error for _, error in done if error):
                _log(error)
            took = sorted(float(line) * 1000 for out, _ in done for line in out.split())
            if took:
                _log(
                    f"  {what}: {len(took):,} times, p50 {_at(took, 0.5):.0f} ms,"
                    f" p99 {_at(took, 0.99):.0f} ms, longest {took[-1]:.0f} ms"
                )
        _log(f"  {time.monotonic() - started:.0f} s, {errors} processes with an error, {_load()}")
        with Bowerbird.open(path, project="shop") as bird:
            kept = len(bird.list(memories_only=True, limit=writers * each + 10))
        _log(f"  kept {kept - 1:,} of {writers * each:,}")
        return errors == 0 and kept == writers * each + 1


def under_lock(memories: int, texts: int) -> bool:
    """Time the lock for long, similar texts in a store of this number of memories."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "memory.db")
        with Bowerbird.open(path, project="shop") as bird:
            locked: list[tuple[float, float]] = []
            writer: Any = bird._wiring.writer()  # noqa: SLF001 - its lock is what is timed
            # Filled without the contextual model and without syncing the disk: neither is timed.
            wiring = bird._wiring  # noqa: SLF001 - as above
            project, clock = wiring.reach.project, writer.clock
            admission = Admission(
                writer, wiring.embedder(), project, ALLOW_NOTHING, wiring.kinds, clock
            )
            writer.connection.pragma("synchronous", 0)
            for number in range(memories):
                text = f"Drawer {number} of cabinet {number % 97} holds part {number * 31}"
                admission.admit(Draft(text))
            writer.connection.pragma("synchronous", 2)
            with _timed(writer, locked):
                whole = [_took(bird, text) for text in _long(texts)]
        worst = max(wall for wall, _ in locked)
        cpu = max(cpu for _, cpu in locked)
        _log(f"{memories:,} memories, {len(whole)} texts of {LONGEST:,} characters, {_load()}")
        _log(f"  under the lock: longest {worst * 1000:.1f} ms, of CPU {cpu * 1000:.1f} ms")
        _log(f"  remember as a whole: longest {max(whole) * 1000:.0f} ms")
        return worst <= 0.05  # noqa: PLR2004 - what we promise
    return False


def _long(texts: int) -> Iterator[str]:
    """Long, similar texts in which every word may begin a match of a judge."""
    shapes = ("dropped npm ", "is cached by ", "we moved from npm to ", "ab cd ", "with npm in ")
    for number in range(texts):
        start = f"We use drawer {number} for "
        yield (start + shapes[number % len(shapes)] * LONGEST)[:LONGEST].strip()


@contextmanager
def _timed(writer: object, locked: list[tuple[float, float]]) -> Iterator[None]:
    """Record how long each transaction of a store holds the lock."""
    usual = writer.transaction  # type: ignore[attr-defined]

    @contextmanager
    def transaction(*given: object) -> Iterator[None]:
        with usual(*given):
            wall, cpu = time.perf_counter(), time.process_time()
            yield
        # The commit is included.
        locked.append((time.perf_counter() - wall, time.process_time() - cpu))

    writer.transaction = transaction  # type: ignore[attr-defined]
    try:
        yield
    finally:
        del writer.transaction  # type: ignore[attr-defined]


def _took(bird: Bowerbird, text: str) -> float:
    started = time.perf_counter()
    bird.remember(text)
    return time.perf_counter() - started


def _start(program: str, *arguments: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)  # noqa: S603 - ours


def _at(took: list[float], share: float) -> float:
    return took[min(int(len(took) * share), len(took) - 1)]


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


def _log(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Run what the arguments request."""
    parser = argparse.ArgumentParser(description=Path(__file__).stem)
    parser.add_argument("--writers", type=int, default=16)
    parser.add_argument("--each", type=int, default=500)
    parser.add_argument("--readers", type=int, default=2)
    parser.add_argument("--no-index", action="store_true")
    parser.add_argument("--lock", action="store_true")
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--texts", type=int, default=15)
    asked = parser.parse_args()
    if asked.lock:
        well = under_lock(asked.memories, asked.texts)
    else:
        well = together(asked.writers, asked.each, asked.readers, index=not asked.no_index)
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
