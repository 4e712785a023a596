"""A kill in the middle of an upgrade: the store is as it was, and the next run finishes."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird.core.clock import system_clock
from bowerbird.core.document import Document, Incoming, Piece
from bowerbird.core.types import GLOBAL, ModelIdentity, Vector
from bowerbird.storage.sqlite.care import migrations
from bowerbird.storage.sqlite.file.steps import MIGRATIONS
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from pathlib import Path

MODEL = ModelIdentity("test", "hand", 8, "1")
# More than one step of the backup copies.
PASSAGES = 9_000
TEXT = "a passage of some length that fills pages " * 20

# Dies at the word that it is given: while the copy is written, or inside the step.
UPGRADE = """
import os, resource, signal, sys
import apsw
from bowerbird.storage.sqlite.care import migrations
from bowerbird.storage.sqlite.file.connection import connect
from bowerbird.storage.sqlite.file.steps import MIGRATIONS

def step_a_column(connection):
    connection.execute("ALTER TABLE project ADD COLUMN colour TEXT")
    if sys.argv[2] == "step":
        os.kill(os.getpid(), signal.SIGKILL)

connection = connect(sys.argv[1], write=True)
if sys.argv[2] == "backup":
    # The kernel ends the process in the write that goes beyond half of the file.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (os.stat(sys.argv[1]).st_size // 2,) * 2)
migrations.migrate(connection, sys.argv[1], 0, "replica", (*MIGRATIONS, step_a_column))
print("upgraded")
"""


def step_a_column(connection: apsw.Connection) -> None:
    """The step that the killed process takes too."""
    connection.execute("ALTER TABLE project ADD COLUMN colour TEXT")


def upgrade(path: str, dies_at: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", UPGRADE, path, dies_at], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


def fill(path: str, name: str, passages: int) -> None:
    store = Store.open(path, system_clock, write=True)
    with store.transaction():
        incoming = Incoming(
            store.projects.ensure(GLOBAL),
            Document(name, name, "markdown", b"h" * 16, 10, 0),
            [Piece(f"{TEXT} {i}", i + 1, i + 1) for i in range(passages)],
            [Vector(bytes(8), 0.0)] * passages,
            "import",
            "imported",
        )
        store.documents.replace_all([incoming], store.ensure_model(MODEL))
    store.close()


def entries(path: str) -> int:
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    count = next(connection.execute("SELECT count(*) FROM entry"))[0]
    connection.close()
    return int(count)


@pytest.mark.parametrize(("dies_at", "by"), [("backup", signal.SIGXFSZ), ("step", signal.SIGKILL)])
def test_an_upgrade_that_was_killed_is_repeated(
    tmp_path: Path, store_path: str, dies_at: str, by: int
) -> None:
    fill(store_path, "/a.md", PASSAGES)
    backup = f"{store_path}.before-step_a_column.bak"
    assert upgrade(store_path, dies_at) == -by
    assert os.path.exists(backup) == (dies_at == "step")
    assert entries(store_path) == PASSAGES

    assert upgrade(store_path, "end") == 0
    connection = apsw.Connection(store_path)
    assert connection.pragma("user_version") == len(MIGRATIONS) + 1
    connection.close()
    assert entries(store_path) == entries(backup) == PASSAGES
    assert stat.S_IMODE(os.stat(backup).st_mode) == 0o600
    kept = {name for name in os.listdir(tmp_path) if "bak" in name}
    assert kept == {os.path.basename(backup)}


def test_a_backup_of_another_moment_is_kept_beside_the_new_one(
    store_path: str,
) -> None:
    fill(store_path, "/a.md", 3)
    backup = f"{store_path}.before-step_a_column.bak"
    store = Store.open(store_path, system_clock, write=True)
    migrations.backup(store.connection, backup)
    store.close()
    fill(store_path, "/b.md", 4)
    store = Store.open(store_path, system_clock, write=True)
    steps = (*MIGRATIONS, step_a_column)
    assert migrations.migrate(store.connection, store_path, 0, "r", steps) == ["step_a_column"]
    store.close()
    assert entries(backup) == 3
    assert entries(f"{store_path}.before-step_a_column-2.bak") == 7
