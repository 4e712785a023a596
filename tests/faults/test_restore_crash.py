"""``restore`` killed at any of its steps, or on a full disk: the old store or the backup, never none."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import StoreBusy, StoreFull
from bowerbird.storage.sqlite.care import backup as backups
from bowerbird.storage.sqlite.file.location import RESTORED

if TYPE_CHECKING:
    from pathlib import Path

# Audit events are raised before a file is opened, renamed or removed: what a process is killed before.
PROGRAM = """
import json, os, shutil, signal, sys
from bowerbird import Bowerbird

folder = sys.argv[1]
KINDS = {"open", "os.rename", "os.remove", "os.mkdir"}

def texts(path):
    with Bowerbird.open(path, project="shop") as bird:
        return sorted(entry.text for entry in bird.list(memories_only=True))

def restore(home, number):
    left = number
    def hook(name, arguments):
        nonlocal left
        if name in KINDS and home in str(arguments[0]):
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)
    pid = os.fork()
    if not pid:
        try:
            with Bowerbird.open(home + "/memory.db", project="shop") as bird:
                sys.addaudithook(hook)
                bird.admin.restore(home + "/copy.db")
        finally:
            os._exit(1 if left <= 0 else 0)
    return os.waitpid(pid, 0)[1]

found = []
number = 0
while True:
    number += 1
    home = f"{folder}/{number}"
    shutil.copytree(folder + "/begin", home)
    killed = restore(home, number)
    path = home + "/memory.db"
    # A reader first, as the hook of an agent is one.
    try:
        read = texts(path)
    except Exception as error:
        read = type(error).__name__
    with Bowerbird.open(path, project="shop") as bird:
        bird.remember("The sieve of plover 7 is kept in the granary")
        damages = len(bird.admin.verify().damages)
    found.append([read, texts(path), damages, sorted(os.listdir(home))])
    shutil.rmtree(home)
    if not killed:
        break
print(json.dumps(found))
"""
OLD = "The otter sleeps in the old boat shed"
NEW = "The kestrel nests above the mill's door"
AFTER = "The sieve of plover 7 is kept in the granary"


@pytest.fixture
def begin(tmp_path: Path) -> Path:
    """A store with a memory, and a backup of before that memory was written."""
    folder = tmp_path / "begin"
    folder.mkdir()
    with Bowerbird.open(folder / "memory.db", project="shop") as bird:
        bird.remember(OLD)
        bird.admin.backup(folder / "copy.db")
        bird.remember(NEW)
    return folder


def texts(path: Path) -> list[str]:
    with Bowerbird.open(path, project="shop") as bird:
        return sorted(entry.text for entry in bird.list(memories_only=True))


def test_a_restore_that_is_killed_leaves_the_old_store_or_the_backup(begin: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(begin.parent)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: list[list[Any]] = json.loads(done.stdout)
    assert len(found) > 5
    for number, (read, written, damages, _) in enumerate(found, 1):
        assert read in ([NEW, OLD], [OLD]), f"killed before step {number}: {read}"
        assert written == sorted([*read, AFTER])
        assert damages == 0
    # The last one was not killed.
    read, _, _, left = found[-1]
    assert read == [OLD]
    assert not [name for name in left if "restored" in name]


def test_what_a_killed_restore_left_goes_with_the_next_one(begin: Path) -> None:
    stale = begin / ("memory.db" + RESTORED)
    stale.write_bytes(b"half a copy")
    with Bowerbird.open(begin / "memory.db", project="shop") as bird:
        bird.admin.restore(begin / "copy.db")
    assert texts(begin / "memory.db") == [OLD]
    assert not stale.exists()


def test_a_store_stays_where_a_disk_is_too_full_for_its_backup(
    begin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> None:
        raise StoreFull("the disk is full", "make room")

    monkeypatch.setattr(backups, "backup", full)
    with (
        Bowerbird.open(begin / "memory.db", project="shop") as bird,
        pytest.raises(StoreFull),
    ):
        bird.admin.restore(begin / "copy.db")
    assert texts(begin / "memory.db") == sorted([OLD, NEW])


def test_a_store_in_use_leaves_no_copy_behind(begin: Path) -> None:
    path = begin / "memory.db"
    with Bowerbird.open(path, project="shop") as other, Bowerbird.open(path) as bird:
        other.query("where does the otter sleep")
        with pytest.raises(StoreBusy):
            bird.admin.restore(begin / "copy.db")
    assert not [one.name for one in begin.iterdir() if "restored" in one.name]
