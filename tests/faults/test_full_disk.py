"""A full disk: what takes out works, what puts in says so, reads go on, and nothing is lost."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from pathlib import Path

# A disk of its own, seen by nobody else and gone with the process, with what was made before on it.
MOUNT = 'mount -t tmpfs -o size=8m tmpfs "$1" && cp -pR "$2/." "$1" && shift && shift && exec "$@"'
NOW = 1_767_225_600_000
PROGRAM = """
import json, os, sys
from bowerbird import Bowerbird
from bowerbird.core.errors import BowerbirdError

folder, verb = sys.argv[1:]
path, day = folder + "/memory.db", 86_400_000
now = 1_767_225_600_000

def opened(later=0):
    return Bowerbird.open(path, project="shop", clock=lambda: now + later * day)

def free():
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize

def fill():
    handle = os.open(folder + "/filler", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        while True:
            os.write(handle, bytes(4096))
    except OSError:
        os.close(handle)

with opened() as bird:
    ids = [entry.id for entry in bird.list(limit=500, memories_only=True)]
    if verb == "prune":
        bird.forget_all(ids)
    if verb == "cache":
        store = bird._wiring.writer()
        with store.transaction():
            store.connection.executemany(
                'INSERT INTO embedding VALUES (?, ?, ?, 1.0, 0, 0)',
                [("m", bytes([n]) * 16, os.urandom(6000)) for n in range(200)],
            )

for n in range(12):
    os.unlink(f"{folder}/notes/{n}.md")
fill()
results = {}
with opened() as bird:
    try:
        bird.remember("This one finds no room " * 3)
    except BowerbirdError as error:
        results["remember"] = [type(error).__name__, bool(error.remedy)]
    results["read"] = len(bird.query("blue jars on shelf 7"))
fill()
results["before"] = free()
with opened(100) as bird:
    if verb == "forget":
        # One after the other, while others take all the room that there is.
        for id in ids[:20]:
            bird.forget(id)
            fill()
        results["done"] = 20
    if verb == "prune":
        results["done"] = bird.prune().removed
    if verb == "cache":
        results["done"] = bird.admin.prune_cache()
    if verb == "gone":
        results["done"] = bird.index(*[f"{folder}/notes/{n}.md" for n in range(12)]).removed
    if verb == "folder":
        results["done"] = bird.index(folder + "/notes").removed
    if verb == "recover":
        try:
            bird.admin.recover(folder + "/new.db")
        except BowerbirdError as error:
            results["done"] = type(error).__name__
results["after"] = free()
with opened() as bird:
    store = bird._wiring.store()
    results["left"] = len(bird.list(limit=500, memories_only=True))
    results["healthy"] = store.healthy()
    results["check"] = store.connection.pragma("integrity_check")
print(json.dumps(results))
"""


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Where a disk is put, and what stands on it at first: a store of 120 memories and 13 notes."""
    place, made = (tmp_path_factory.mktemp(name) for name in ("disk", "made"))
    (place / "notes").mkdir()
    for n in range(13):
        said = [f"# Part {k}\n\n" + f"What note {n} says of part {k}. " * 9 for k in range(6)]
        (place / "notes" / f"{n}.md").write_text("\n\n".join(said))
    with Bowerbird.open(place / "memory.db", project="shop", clock=lambda: NOW) as bird:
        for n in range(120):
            bird.remember(f"Shelf {n} holds the {n * 7} blue jars")
        bird.index(place / "notes")
    shutil.copytree(place, made, dirs_exist_ok=True)
    return place, made


def run(disk: tuple[Path, Path], verb: str) -> dict[str, Any]:
    place, made = map(str, disk)
    try:
        done = subprocess.run(
            [
                "unshare",
                "-Urm",
                "sh",
                "-c",
                MOUNT,
                "sh",
                place,
                made,
                sys.executable,
                "-c",
                PROGRAM,
                place,
                verb,
            ],
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("no namespaces of mounts on this system")
    if "unshare:" in done.stderr or "mount:" in done.stderr:
        pytest.skip("no namespaces of mounts for this user")
    assert done.returncode == 0, done.stderr
    output: dict[str, Any] = json.loads(done.stdout)
    return output


@pytest.mark.parametrize(
    ("verb", "done", "left", "freed"),
    [
        ("forget", 20, 100, 0),
        ("prune", 120, 0, 200_000),
        ("cache", 200, 120, 1_000_000),
        ("gone", 12, 120, 0),
        ("folder", 12, 120, 0),
    ],
)
def test_what_takes_out_works_on_a_full_disk(
    disk: tuple[Path, Path], verb: str, done: int, left: int, freed: int
) -> None:
    result = run(disk, verb)
    assert result["remember"] == ["StoreFull", True]
    assert result["read"] > 0
    assert result["before"] == 0
    assert (result["done"], result["left"]) == (done, left)
    assert result["after"] >= freed
    assert (result["healthy"], result["check"]) == (True, "ok")


def test_recovery_onto_a_full_disk_says_so_and_not_that_the_store_is_lost(
    disk: tuple[Path, Path],
) -> None:
    """Its remedy for a damaged store, a backup, would lose what is newer."""
    result = run(disk, "recover")
    assert result["done"] == "StoreFull"
    assert (result["left"], result["healthy"], result["check"]) == (120, True, "ok")
