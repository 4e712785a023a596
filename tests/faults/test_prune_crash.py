"""A kill in the middle of pruning: each memory is as it was or as it was to be, and the next run ends."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from typing import Any

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.clock import system_clock
from bowerbird.core.life import DAY
from bowerbird.core.types import STATES

MEMORIES = 48

# Says each memory as it goes, inside its transaction, and waits for nobody.
PRUNE = """
import sys
from bowerbird import Bowerbird
from bowerbird.lifecycle import prune

prune.BATCH = 4
take = prune.Prune._prune

def reporting(self, one, *rest):
    take(self, one, *rest)
    print(one.id, flush=True)

prune.Prune._prune = reporting
with Bowerbird.open(sys.argv[1], project="shop") as bird:
    bird.prune()
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[str]]:
    """A store and its memories: half of them fade, half were forgotten long ago and are to be removed."""
    path = str(tmp_path_factory.mktemp("kept") / "memory.db")

    def then() -> int:
        return system_clock() - 100 * DAY

    with Bowerbird.open(path, project="shop", clock=then) as bird:
        ids = [bird.remember(f"Shelf {n} holds the {n * 7} blue jars").id for n in range(MEMORIES)]
        for id in ids[::2]:
            bird.forget(id)
    return path, ids


def standing(bird: Bowerbird, id: str) -> dict[str, Any]:
    """In how many rows of each table a memory stands, and what its last version and audit say."""
    count = apsw.Connection(bird.path)
    row = count.execute("SELECT id FROM entry WHERE uid = ?", (id,)).fetchone()
    tables = {"facet": "id", "entry": "id", "memory": "id", "vector": "id", "tag": "entry"}
    found = {
        name: next(count.execute(f"SELECT count(*) FROM {name} WHERE {key} = ?", row or (-1,)))[0]
        for name, key in tables.items()
    }
    audit = "SELECT action FROM audit WHERE entry = ? ORDER BY seq DESC LIMIT 1"
    last = next(count.execute(audit, (id,)))[0]
    graves = next(count.execute("SELECT count(*) FROM tombstone WHERE uid = ?", (id,)))[0]
    versions = next(count.execute("SELECT count(*) FROM version WHERE memory = ?", (id,)))[0]
    return found | {"versions": versions, "tombstones": graves, "last": last}


@pytest.mark.parametrize("seed", range(3))
def test_a_kill_leaves_each_memory_old_or_new_and_the_next_run_finishes(
    kept: tuple[str, list[str]], store_path: str, seed: int
) -> None:
    path, ids = kept
    shutil.copyfile(path, store_path)
    after = random.Random(seed).randrange(1, MEMORIES)
    with subprocess.Popen(
        [sys.executable, "-c", PRUNE, store_path], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in range(after):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    with Bowerbird.open(store_path, project="shop") as bird:
        listed = {one.id: one.state for one in bird.list(states=STATES, limit=200)}
        gone = 0
        for number, id in enumerate(ids):
            rows = standing(bird, id)
            if id not in listed:
                gone += 1
                assert (rows.pop("tombstones"), rows.pop("last")) == (1, "removed")
                assert set(rows.values()) == {0}
            else:
                forgotten = number % 2 == 0
                assert listed[id] in ({"deleted"} if forgotten else {"active", "deprecated"})
                pruned = listed[id] == "deprecated"
                gone += pruned
                assert rows["versions"] == 1 + forgotten + pruned
                assert (rows["entry"], rows["vector"], rows["tombstones"]) == (1, 1, 0)
        # What was said in a transaction that was cut off is not done; what came before it is.
        assert after - 4 <= gone <= MEMORIES
        assert bird.status().index_healthy
        bird.prune()
        states = [one.state for one in bird.list(states=STATES, limit=200)]
        assert states == ["deprecated"] * (MEMORIES // 2)
        assert bird.status().index_healthy
