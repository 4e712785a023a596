"""Disks that cannot be written, that others write to, and that are far away."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird.bird import Bowerbird
from bowerbird.core.document import Document, Incoming, Piece
from bowerbird.core.errors import StoreBusy, StoreDamaged
from bowerbird.core.types import GLOBAL, ModelIdentity, Vector
from bowerbird.storage.sqlite.file import journal_mode
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

MODEL = ModelIdentity("test", "hand", 8, "1")
NOW = 1_700_000_000_000
# The folder of a run is closed to everybody else.
OPEN_TO_ALL = tempfile.gettempdir()


def clock() -> int:
    return NOW


def write(store: Store, path: str, texts: list[str]) -> None:
    with store.transaction():
        incoming = Incoming(
            store.projects.ensure(GLOBAL),
            Document(path, path, "markdown", b"h" * 16, 10, NOW),
            [Piece(text, i + 1, i + 1) for i, text in enumerate(texts)],
            [Vector(bytes(8), 0.0) for _ in texts],
            "import",
            "imported",
        )
        store.documents.replace_all([incoming], store.ensure_model(MODEL))


READ_ONLY = """
import os, sys
from bowerbird.core.errors import StoreReadOnly
from bowerbird.storage.sqlite.store import Store
import bowerbird.core.ids
import bowerbird.storage.sqlite.care.creation
os.setuid(65534)
store = Store.open(sys.argv[1], lambda: 0, write=False)
assert sum(store.entries.active().values()) == 1
try:
    Store.open(os.path.dirname(sys.argv[1]) + "/new.db", lambda: 0, write=True)
except StoreReadOnly as error:
    assert error.remedy
    print("read, and refused to write")
"""


LIVE = """
import os, sys
from bowerbird.core.errors import StoreBusy, StoreReadOnly
from bowerbird.storage.sqlite.file.connection import AtRest
from bowerbird.storage.sqlite.store import Store
import bowerbird.core.ids
os.setuid(65534)

def report(text):
    print(text, flush=True)
    sys.stdin.readline()

def count(store):
    with store.reading():
        return sum(store.entries.active().values())

# Nobody has it open: no log stands, and none can be made.
resting = Store.open(sys.argv[1], lambda: 0, write=False)
report(f"{isinstance(resting.connection, AtRest)} {resting.stale()} {count(resting)}")
# Somebody writes now, into a log that the one at rest does not see.
try:
    report(f"an old answer: {count(resting)}")
except StoreBusy as error:
    report(f"{resting.stale()} {error.remedy[:15]}")
live = Store.open(sys.argv[1], lambda: 0, write=False)
report(f"{isinstance(live.connection, AtRest)} {count(live)}")
report(count(live))
live.close()
try:
    Store.open(sys.argv[2], lambda: 0, write=False)
except StoreReadOnly as error:
    report(error.message[len(sys.argv[2]) :][:26])
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody without rights")
def test_whoever_may_not_write_sees_what_others_write() -> None:
    with tempfile.TemporaryDirectory(dir=OPEN_TO_ALL) as folder:
        os.chmod(folder, 0o755)
        path, left = os.path.join(folder, "memory.db"), os.path.join(folder, "left.db")
        for name in (path, left):
            store = Store.open(name, clock, write=True)
            write(store, "/a.md", ["one"])
            os.chmod(name, 0o644)
            store.close()
        # A log that a crash left behind, without what is shared about it.
        with open(left + "-wal", "wb") as log:
            log.write(bytes(64))
        with subprocess.Popen(
            [sys.executable, "-c", LIVE, path, left],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as child:
            assert child.stdin is not None
            assert child.stdout is not None

            def next_told() -> str:
                assert child.stdout is not None
                return child.stdout.readline().strip()

            def go_on() -> None:
                assert child.stdin is not None
                child.stdin.write("go\n")
                child.stdin.flush()

            assert next_told() == "True False 1"
            store = Store.open(path, clock, write=True)
            write(store, "/b.md", ["two"])
            go_on()
            assert next_told() == "True run the command"
            go_on()
            assert next_told() == "False 2"
            write(store, "/c.md", ["three"])
            go_on()
            assert next_told() == "3"
            go_on()
            assert next_told() == "has a write-ahead log, wh"
            go_on()
        store.close()


def test_a_network_gets_no_write_ahead_log_and_a_local_disk_gets_one_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "a share"
    folder.mkdir()
    path = str(folder / "memory.db")
    mounts = tmp_path / "mounts"
    local = f"/dev/vda / ext4 rw 0 0\nserver:/x {tmp_path}/other nfs4 rw 0 0\n"

    def journal(table: str) -> str:
        mounts.write_text(table)
        store = Store.open(path, clock, write=True)
        write(store, "/a.md", ["kept"])
        mode = str(store.connection.pragma("journal_mode"))
        store.close()
        return mode

    monkeypatch.setattr(journal_mode, "MOUNTS", str(mounts))
    assert journal(local) == "wal"
    place = str(folder).replace(" ", "\\040")
    for kind in ("nfs4", "cifs", "virtiofs", "9p", "fuse.sshfs", "fuse.unheard-of", "fuse"):
        assert journal(f"{local}somewhere {place} {kind} rw 0 0\n") == "delete", kind
    assert journal(f"{local}overlay {place} fuse.fuse-overlayfs rw 0 0\n") == "wal"
    # While others hold the log it cannot be left, and says so.
    mounts.write_text(local)
    other = Store.open(path, clock, write=False)
    mounts.write_text(f"{local}somewhere {place} nfs4 rw 0 0\n")
    monkeypatch.setattr("bowerbird.storage.sqlite.file.connection.BUSY_TIMEOUT_MS", 10)
    with pytest.raises(StoreBusy):
        Store.open(path, clock, write=True)
    other.close()
    assert Store.open(path, clock, write=True).connection.pragma("journal_mode") == "delete"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody without rights")
def test_a_read_only_folder_still_answers(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(dir=OPEN_TO_ALL) as folder:
        os.chmod(folder, 0o755)
        path = os.path.join(folder, "memory.db")
        store = Store.open(path, clock, write=True)
        write(store, "/a.md", ["kept"])
        store.close()
        os.chmod(path, 0o644)
        done = subprocess.run(
            [sys.executable, "-c", READ_ONLY, path], capture_output=True, text=True, check=False
        )
    assert done.stdout == "read, and refused to write\n", done.stderr


FULL = """
import resource, signal, sys
from bowerbird.core.errors import StoreError
from bowerbird.storage.sqlite.store import Store
import bowerbird.core.ids

# No file may grow: as on a full disk, not even what processes share can be made.
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
store = Store.open(sys.argv[1], lambda: 0, write=False)
with store.reading():
    print(sum(store.entries.active().values()))
try:
    Store.open(sys.argv[1], lambda: 0, write=True).projects.all()
except StoreError as error:
    print(error.message.partition(sys.argv[1])[0])
"""


def test_a_full_disk_can_be_read_when_nobody_has_the_store_open(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    store = Store.open(path, clock, write=True)
    write(store, "/a.md", ["kept"])
    store.close()
    done = subprocess.run(
        [sys.executable, "-c", FULL, path], capture_output=True, text=True, check=False
    )
    assert done.stdout == "1\nthe disk failed under \n", done.stderr
    store = Store.open(path, clock, write=True)
    write(store, "/b.md", ["kept after some space was freed"])
    assert sum(row[0] for row in store.connection.execute("SELECT count(*) FROM entry")) == 2


@pytest.mark.parametrize(
    ("table", "verb"),
    [
        ("project", lambda bird: bird.within("shop").query("tabs")),
        ("project", lambda bird: bird.status()),
        ("entry", lambda bird: bird.list()),
        ("model", lambda bird: bird.admin.reindex()),
        ("meta", lambda bird: bird.query("tabs")),
        ("embedding", lambda bird: bird.admin.cache_state()),
    ],
)
def test_a_damaged_file_is_called_so_by_whoever_meets_it(
    store_path: str, table: str, verb: "Callable[[Bowerbird], object]"
) -> None:
    with Bowerbird.open(store_path) as bird:
        bird.remember("No tabs")
    connection = apsw.Connection(store_path)
    connection.pragma("writable_schema", True)
    # The page of another kind of table: reading it meets what is none of its own.
    connection.execute(
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = iif("
        "(SELECT sql FROM sqlite_schema WHERE name = ?1) LIKE '%WITHOUT ROWID', 'facet', 'tag_name'"
        ")) WHERE name = ?1",
        (table,),
    )
    connection.close()
    for resident in (False, True):
        with Bowerbird.open(store_path, resident=resident) as bird:
            with pytest.raises(StoreDamaged) as found:
                verb(bird)
            assert "bower verify" in found.value.remedy
