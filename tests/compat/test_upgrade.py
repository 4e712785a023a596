"""A store of every released schema, made by the code of its time, opened by the code of today.

One of a version before the first release is refused, and copied by `recover`.
"""

from __future__ import annotations

import ast
import glob
import gzip
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import NotAStore, StoreOutdated
from bowerbird.core.health import PROBLEM
from bowerbird.core.life import DAY
from bowerbird.core.query import Filter
from bowerbird.storage.sqlite.care.migrations import migrate, take_steps
from bowerbird.storage.sqlite.file import steps
from bowerbird.storage.sqlite.file.connection import connect
from bowerbird.storage.sqlite.file.schema import VERSION
from bowerbird.storage.sqlite.file.steps import MIGRATIONS
from bowerbird.storage.sqlite.nouns.registry import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable

# When the first line was written into each of them.
START = 1_750_000_000_000
STORES = Path(__file__).parent / "stores"
UNRELEASED = STORES / "unreleased.db.gz"
VERSIONS = sorted(int(name.name.split(".")[0]) for name in STORES.glob("[0-9]*.db.gz"))
# What says something of the file, or is computed from the texts; the latter is looked at by `verify`, or
# read anew by a model.
OWN = {"meta", "migration", "word", "tally", "seal", "contextual"}


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def old(version: int, store_path: str) -> str:
    with gzip.open(STORES / f"{version}.db.gz") as packed:
        Path(store_path).write_bytes(packed.read())
    return store_path


Rows = dict[str, tuple[list[str], list[tuple[Any, ...]]]]


def kept(path: str, like: Rows | None = None) -> Rows:
    """Every row of every table that keeps something, in the columns that `like` has."""
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    connection.pragma("query_only", True)
    tables: list[str] = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        if not name.startswith(("word_index", "document_index", "sqlite_")) and name not in OWN
    ]
    found: Rows = {}
    for table in tables if like is None else like:
        columns = (
            [f'"{row[1]}"' for row in connection.execute(f"PRAGMA table_info({table})")]
            if like is None
            else like[table][0]
        )
        rows = connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
        found[table] = columns, sorted(rows, key=repr)
    connection.close()
    return found


def upgraded(path: str, clock: Callable[[], int]) -> Bowerbird:
    """Open for writing, which upgrades, without writing anything of one's own."""
    bird = Bowerbird.open(path, project="till", clock=clock)
    bird._wiring.writer()
    return bird


def test_there_is_a_store_of_every_schema() -> None:
    assert list(range(1, VERSION + 1)) == VERSIONS


def schema(connection: apsw.Connection) -> list[Any]:
    return sorted(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"))


def test_the_steps_make_what_they_made_when_they_were_released(
    old: str, version: int, tmp_path: Path
) -> None:
    new = apsw.Connection(str(tmp_path / "new.db"))
    take_steps(new, "", 0, 0, "replica", MIGRATIONS[:version])
    raw = apsw.Connection(old)
    assert schema(new) == schema(raw)
    raw.close()
    new.close()


def test_a_step_calls_nothing_that_may_change() -> None:
    tree = ast.parse(Path(steps.__file__).read_text(encoding="utf-8"))
    named = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not [one for one in named if one.startswith("bowerbird")]


def test_a_reader_leaves_an_old_store_as_it_is(old: str, version: int) -> None:
    before = Path(old).read_bytes()
    with Bowerbird.open(old) as bird:
        if version == VERSION:
            assert bird.query("short receipts")
        else:
            for ask in (lambda: bird.query("euro sign"), bird.admin.verify):
                with pytest.raises(StoreOutdated) as raised:
                    ask()
                assert "a backup is made first" in raised.value.remedy
    assert Path(old).read_bytes() == before


def test_an_upgrade_keeps_every_row(old: str, version: int, clock: Callable[[], int]) -> None:
    before = kept(old)
    assert before["memory"][1], "it holds something to lose"
    with upgraded(old, clock):
        pass
    assert kept(old, before) == before
    backups = glob.glob(f"{old}.before-m*.bak")
    assert len(backups) == (version < VERSION)
    for backup in backups:
        assert kept(backup) == before
        assert os.stat(backup).st_mode & 0o077 == 0


def test_an_upgraded_store_is_sound_and_answers(old: str, clock: Callable[[], int]) -> None:
    with upgraded(old, clock) as bird:
        assert bird.admin.verify().damages == ()
        assert [one for one in bird.admin.doctor() if one.level == PROBLEM] == []
        status = bird.status()
        assert status.index_healthy

        def first(text: str) -> str:
            return bird.query(text, all_projects=True)[0].text

        assert "9100" in first("Which port does the receipt printer listen on?")
        assert "858" in first("Which code page prints the euro sign?")
        assert "Süßen Straße in Łódź" in first("strasse lodz")
        assert "йогурт" in first("йогурт")
        assert "open_drawer" in first("open_drawer")
        assert "seven" in first("When is the shop open?")
        assert "salt" in first("recipes bread salt")


def test_the_folders_above_a_project_are_no_words(old: str, clock: Callable[[], int]) -> None:
    with upgraded(old, clock) as bird:
        candidates = bird._wiring.store().candidates
        words = ("bowerbird", "tmp", "recipes", "notes")
        assert [len(candidates.lexical((word,), Filter(), 50)) for word in words] == [0, 0, 0, 2]


def test_who_prunes_first_upgrades_first(old: str) -> None:
    later = START + 300 * DAY
    with Bowerbird.open(old, project="till", clock=lambda: later) as bird:
        assert any("drawer" in one.summary for one in bird.prune(dry_run=True).leaving)
        assert bird.prune(all_projects=True).pruned > 0
        assert bird.admin.verify().damages == ()


def test_an_upgrade_that_was_killed_between_two_steps_goes_on(
    old: str, version: int, clock: Callable[[], int]
) -> None:
    connection = connect(old, write=True)
    for end in range(version + 1, VERSION):
        migrate(connection, old, START, "replica", MIGRATIONS[:end])
        with pytest.raises(StoreOutdated), Bowerbird.open(old) as bird:
            bird.query("euro sign")
    connection.close()
    with upgraded(old, clock) as bird:
        assert bird.admin.verify().damages == ()


def test_an_upgraded_store_goes_on(old: str, clock: Callable[[], int]) -> None:
    """What was told before has its history, its relations and its counts, and takes new ones."""
    with upgraded(old, clock) as bird:
        printer = bird.query("Which port does the receipt printer listen on?", all_projects=True)[0]
        history = bird.history(printer.id)
        assert {relation.kind for relation in history.relations} >= {"causes", "related_to"}
        details = bird.get(printer.id).details
        assert details is not None
        assert details.access_count == 1
        assert details.importance == pytest.approx(0.81)
        gone = {one.text for one in bird.list(all_projects=True, states=["deleted", "superseded"])}
        assert any("back door key" in text for text in gone)
        bird.forget(printer.id)
        bird.revert(printer.id)
        assert bird.get(printer.id).state == "active"
        known = bird.remember("The receipt printer listens on port 9100.", everywhere=True)
        again = bird.remember("The receipt printer listens on port 9100.", everywhere=True)
        assert (known.id, again.decision) == (again.id, "known")
        bird.admin.reindex()
        assert bird.admin.verify().damages == ()


def test_a_store_from_before_the_first_release_is_refused_and_copied(
    store_path: str, tmp_path: Path, clock: Callable[[], int]
) -> None:
    with gzip.open(UNRELEASED) as packed:
        Path(store_path).write_bytes(packed.read())
    before, content = kept(store_path), Path(store_path).read_bytes()
    with Bowerbird.open(store_path, clock=clock) as bird:
        for ask in (
            lambda: bird.query("euro sign"),
            lambda: bird.remember("The shop closes at six."),
            bird.admin.verify,
        ):
            with pytest.raises(NotAStore) as raised:
                ask()
            assert raised.value.remedy.split(": ")[1].startswith("bower recover")
        done = bird.admin.recover(tmp_path / "copied.db")
    assert (done.lost, done.doubtful) == ({}, {})
    assert Path(store_path).read_bytes() == content
    rebuilt = {table.name for table in TABLES if not table.copied}
    same = {table: rows for table, rows in before.items() if table not in rebuilt}
    assert kept(done.path, same) == same
    with Bowerbird.open(done.path, project="till", clock=clock) as bird:
        assert bird.admin.verify().damages == ()
        printer = bird.query("Which port does the receipt printer listen on?", all_projects=True)
        assert "9100" in printer[0].text


def test_a_command_that_reads_upgrades_the_store_of_its_owner(old: str, version: int) -> None:
    command = [sys.executable, "-m", "bowerbird", "--store", old, "list", "--all-projects"]
    environment = {**os.environ, "BOWER_STORE": old}

    def listed() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=120
        )

    os.chmod(old, 0o400)
    assert (listed().returncode == 0) is (version == VERSION)
    os.chmod(old, 0o600)
    first, second = listed(), listed()
    assert (first.returncode, second.returncode) == (0, 0)
    assert ("was upgraded" in first.stderr) is (version < VERSION)
    assert "upgraded" not in second.stderr
    assert len(glob.glob(f"{old}.before-m*.bak")) == (version < VERSION)
