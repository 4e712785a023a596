"""A store that is being made or upgraded: readers meet none of it, and a kill leaves nothing of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.storage.sqlite.file.steps import MIGRATIONS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.forked import Forks

READERS = 4
# Looks until it has seen an entry, and says every error that is not "no store yet".
READER = """
import sys
from bowerbird import Bowerbird
from bowerbird.core.errors import StoreMissing

print("ready", flush=True)
while True:
    try:
        with Bowerbird.open(sys.argv[1], project="shop") as bird:
            if bird.list():
                break
    except StoreMissing:
        pass
    except Exception as error:
        print(type(error).__name__, error)
"""
# Is killed once the step of that number has been taken.
MAKER = """
import os, signal, sys
from bowerbird import Bowerbird
from bowerbird.storage.sqlite.care import creation
from bowerbird.storage.sqlite.care import migrations

last = int(sys.argv[2])

def counted(step, number):
    def taken(connection):
        step(connection)
        if number == last:
            os.kill(os.getpid(), signal.SIGKILL)
    taken.__name__ = step.__name__
    return taken

steps = tuple(counted(step, number) for number, step in enumerate(migrations.MIGRATIONS))
take = migrations.take_steps
creation.take_steps = lambda *some: take(*some, steps)
Bowerbird.open(sys.argv[1], project="shop").remember("The depot opens at seven")
"""
# Holds the upgrade open until it is told to go on.
UPGRADER = """
import sys
from bowerbird.storage.sqlite.file import connection
from bowerbird.storage.sqlite.file import writer_queue

held = connection.connect(sys.argv[1], write=True)
with writer_queue.file_lock(sys.argv[1]):
    print("upgrading", flush=True)
    sys.stdin.readline()
    held.pragma("user_version", int(sys.argv[2]))
held.close()
"""


def test_readers_meet_no_part_of_a_store_that_is_being_made(forks: Forks, tmp_path: Path) -> None:
    path = str(tmp_path / "new" / "memory.db")
    readers = [forks.open((path,), program=READER, text=True) for _ in range(READERS)]
    for reader in readers:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "ready\n"
    with Bowerbird.open(path, project="shop") as bird:
        bird.remember("The depot opens at seven")
    assert [reader.communicate()[0] for reader in readers] == [""] * READERS


@pytest.mark.parametrize("step", range(len(MIGRATIONS)))
def test_a_killed_creation_leaves_no_store_and_no_backup(
    forks: Forks, tmp_path: Path, store_path: str, step: int
) -> None:
    maker = forks.open((store_path, str(step)), program=MAKER, text=True)
    assert maker.communicate() == ("", "")
    assert maker.returncode == -signal.SIGKILL
    assert not os.path.exists(store_path)
    with Bowerbird.open(store_path, project="shop") as bird:
        assert bird.list() == []
        bird.remember("The depot opens at seven")
    beside = {"memory.db", "memory.db.lock", "memory.db.reserve"}
    assert {"memory.db"} <= {*os.listdir(tmp_path)} <= beside


def test_a_reader_waits_for_an_upgrade_that_is_under_way(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.remember("The depot opens at seven")
    raw = apsw.Connection(store_path)
    raw.pragma("user_version", len(MIGRATIONS) - 1)
    raw.close()
    with subprocess.Popen(
        [sys.executable, "-c", UPGRADER, store_path, str(len(MIGRATIONS))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as upgrader:
        assert upgrader.stdin is not None
        assert upgrader.stdout is not None
        assert upgrader.stdout.readline() == "upgrading\n"
        with subprocess.Popen(
            [sys.executable, "-c", READER, store_path], stdout=subprocess.PIPE, text=True
        ) as reader:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "ready\n"
            upgrader.stdin.write("go\n")
            upgrader.stdin.flush()
            assert reader.communicate()[0] == ""
