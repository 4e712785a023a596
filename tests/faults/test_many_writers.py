"""Many processes remember into one new store at once: nothing is lost, and none meets an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from pathlib import Path

    from tests.forked import Forks

PROCESSES = 16
EACH = 3
WRITER = """
import sys
from bowerbird import Bowerbird

path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
sys.stdin.readline()
for number in range(count):
    # Opened anew each time, as agents do that run one command after the other.
    with Bowerbird.open(path, project="shop") as bird:
        decision = bird.remember(f"Worker {name} keeps fact number {number} in drawer {number * 7}")
        bird.used([decision.id], name)
        bird.remember("Every worker knows this one")
        print(decision.id)
"""


def test_sixteen_processes_lose_nothing(forks: Forks, tmp_path: Path) -> None:
    path = str(tmp_path / "new" / "memory.db")
    writers = [
        forks.open((path, f"w{name}", str(EACH)), program=WRITER, text=True)
        for name in range(PROCESSES)
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    done = [writer.communicate() for writer in writers]
    assert [error for _, error in done if error] == []
    ids = [line for out, _ in done for line in out.split()]
    assert len(set(ids)) == PROCESSES * EACH
    with Bowerbird.open(path, project="shop") as bird:
        bird.remember("The last one counts what was used")
        kept = bird.list(memories_only=True, limit=10_000)
        assert len(kept) == PROCESSES * EACH + 2
        assert {entry.id for entry in kept} >= set(ids)
        texts = [entry.text for entry in kept]
        assert texts.count("Every worker knows this one") == 1
        counts = {entry.id: entry.details.access_count for entry in kept if entry.details}
        assert [counts[id] for id in ids] == [1] * len(ids)
        assert bird.status().index_healthy
        stamps = [row[0] for row in apsw.Connection(path).execute("SELECT hlc FROM version")]
        assert len(set(stamps)) == len(stamps)
