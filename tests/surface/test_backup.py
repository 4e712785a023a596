"""Copies of a store, going back to them, and what can be saved of a damaged one."""

from __future__ import annotations

import os
import stat
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, StoreBusy, StoreDamaged

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


@pytest.fixture
def filled(store_path: str, notes: Path) -> str:
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.index(notes)
        first = bird.remember("No tabs in the warehouse", tags=("style",)).id
        bird.link(first, bird.remember("The warehouse listens on port 8012").id, "causes")
    return store_path


def reported(path: str) -> list[tuple[str, str]]:
    with Bowerbird.open(path) as bird:
        return [(one.id, one.text) for one in bird.list(all_projects=True, limit=1000)]


def test_a_backup_is_whole_while_others_write(filled: str, tmp_path: Path) -> None:
    stop = threading.Event()
    written: list[str] = []

    def write() -> None:
        with Bowerbird.open(filled, project="shop") as other:
            while not stop.is_set():
                written.append(other.remember(f"Fact number {len(written)} of the run").id)

    writer = threading.Thread(target=write)
    with Bowerbird.open(filled, project="shop") as bird:
        writer.start()
        while len(written) < 5:
            pass
        before = list(written)
        done = bird.admin.backup(tmp_path / "copy.db")
        stop.set()
        writer.join()
    there = {id for id, _ in reported(done.path)}
    assert there >= set(before)
    assert len(there) == done.entries
    with Bowerbird.open(done.path) as copy:
        assert copy.admin.verify().damages == ()
    assert stat.S_IMODE(os.stat(done.path).st_mode) == 0o600
    assert not os.path.exists(done.path + "-wal")


def test_the_oldest_go(filled: str) -> None:
    with Bowerbird.open(filled) as bird:
        made = [bird.admin.backup(keep=2) for _ in range(3)]
    folder = os.path.join(os.path.dirname(filled), "backups")
    assert [os.path.join(folder, name) for name in sorted(os.listdir(folder))] == [
        one.path for one in made[1:]
    ]
    assert made[2].removed == (made[0].path,)
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700


def test_nothing_is_overwritten(filled: str, tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("something else")
    with Bowerbird.open(filled) as bird, pytest.raises(BadInput):
        bird.admin.backup(tmp_path / "theirs")
    assert (tmp_path / "theirs").read_text() == "something else"


def test_a_store_goes_back_and_what_stood_there_is_put_aside(filled: str, tmp_path: Path) -> None:
    before = reported(filled)
    with Bowerbird.open(filled, project="shop") as bird:
        backup = bird.admin.backup(tmp_path / "copy.db")
        bird.remember("What came later")
        later = [(one.id, one.text) for one in bird.list(all_projects=True, limit=1000)]
        done = bird.admin.restore(backup.path)
        assert bird.admin.verify().damages == ()
        bird.remember("And it goes on")
        # What it wrote before is not another copy's.
        assert not any(
            bird.history(one.id).elsewhere for one in bird.list() if one.family == "memory"
        )
    assert reported(done.aside) == later
    assert [one for one in reported(filled) if one[1] != "And it goes on"] == before


def test_what_was_erased_since_stays_erased(bower: Bower, filled: str, tmp_path: Path) -> None:
    copy, secret = tmp_path / "copy.db", "the safe opens with quokka"
    with Bowerbird.open(filled, project="shop") as bird:
        gone = bird.remember(secret).id
        kept = bird.remember("The shop closes at six").id
        bird.admin.backup(copy)
        bird.admin.erase([gone])
    before = reported(filled)
    done = bower("restore", str(copy), "--yes", "--format", "text").out
    assert "without 1 memory erased since: " in done
    assert gone[:18] in done
    assert "--with-erased" in done
    assert reported(filled) == before
    assert b"quokka" not in Path(filled).read_bytes()
    assert not [one for one in os.listdir(Path(filled).parent) if ".restored" in one]
    with Bowerbird.open(filled, project="shop") as bird:
        assert bird.admin.verify().damages == ()
        # Of a store that erased nothing of it, nothing is left out.
        assert bird.admin.restore(copy).erased == (gone,)
        bird.admin.erase([kept])
    done = bower("restore", str(copy), "--yes", "--with-erased", "--format", "text").out
    assert "with 2 memories erased since: " in done
    assert secret in {text for _, text in reported(filled)}
    with Bowerbird.open(tmp_path / "other.db") as other:
        assert other.admin.restore(copy).erased == ()
    assert reported(str(tmp_path / "other.db")) == reported(filled)


def test_a_damaged_store_cannot_tell_what_was_erased(filled: str, tmp_path: Path) -> None:
    with Bowerbird.open(filled) as bird:
        copy = bird.admin.backup(tmp_path / "copy.db").path
    data = bytearray(Path(filled).read_bytes())
    data[100:] = b"x" * (len(data) - 100)
    Path(filled).write_bytes(data)
    with Bowerbird.open(filled) as bird:
        assert bird.admin.restore(copy).erased is None


def test_a_store_in_use_is_not_put_aside(filled: str, tmp_path: Path) -> None:
    with Bowerbird.open(filled, project="shop") as other, Bowerbird.open(filled) as bird:
        backup = bird.admin.backup(tmp_path / "copy.db")
        other.query("warehouse")
        with pytest.raises(StoreBusy) as refused:
            bird.admin.restore(backup.path)
        assert other.remember("It goes on").id
    if sys.platform == "linux":
        assert f"process {os.getpid()} (" in refused.value.message


def test_a_damaged_backup_is_refused(filled: str, tmp_path: Path) -> None:
    with Bowerbird.open(filled) as bird:
        backup = bird.admin.backup(tmp_path / "copy.db").path
    raw = apsw.Connection(backup)
    raw.execute("UPDATE entry SET text = 'x' || text")
    raw.close()
    before = reported(filled)
    with Bowerbird.open(filled) as bird:
        with pytest.raises(StoreDamaged):
            bird.admin.restore(backup)
        with pytest.raises(BadInput):
            bird.admin.restore(tmp_path / "nowhere")
    assert reported(filled) == before


def test_a_file_that_cannot_be_restored_is_told_with_its_own_remedy(
    bower: Bower, filled: str, tmp_path: Path
) -> None:
    copy, torn, text = (str(tmp_path / name) for name in ("copy.db", "torn.db", "text.db"))
    assert bower("backup", copy).code == 0
    data = bytearray(Path(copy).read_bytes())
    for page in range(5, len(data) // 4096):
        data[page * 4096 : page * 4096 + 100] = b"x" * 100
    Path(torn).write_bytes(data)
    Path(text).write_text("this is a text, and by its length it could be a store" * 100)

    def refused(path: str) -> tuple[str, str]:
        data = bower("restore", path).data
        return data["error"], data["remedy"]

    error, remedy = refused(torn)
    assert error.startswith(f"{torn} is damaged: ")
    assert "\n" not in error
    assert remedy == f"save what can be read of it: bower recover --store {torn}"
    other = "name a backup, or create one with: bower backup"
    assert refused(text) == (f"{text} is not a Bowerbird store", other)
    nowhere = str(tmp_path / "nowhere.db")
    assert refused(nowhere) == (f"there is no file {nowhere}", other)
    assert refused(filled) == (f"{filled} is the store itself", other)


def test_of_a_damaged_store_the_rest_is_saved(filled: str, tmp_path: Path) -> None:
    """A page of texts is gone, one row is no text, and another says something else."""
    facts = tmp_path / "facts.md"
    expected = (f"# {n}\n\nFact {n} says {'one thing and another ' * 9}{n}\n\n" for n in range(200))
    facts.write_text("".join(expected))
    with Bowerbird.open(filled, project="shop") as bird:
        bird.index(facts)
        size = len(bird.list(all_projects=True, limit=1000))
    raw = apsw.Connection(filled)
    raw.pragma("journal_mode", "delete")
    raw.execute("UPDATE entry SET text = CAST(x'ff' AS TEXT) WHERE id = 1")
    raw.execute("UPDATE entry SET text = replace(text, '8012', '8013') WHERE text GLOB '*8012'")
    page = next(
        raw.execute("SELECT max(pageno) FROM dbstat WHERE name = 'entry' AND pagetype = 'leaf'")
    )[0]
    raw.close()
    with open(filled, "r+b") as file:
        file.seek((int(str(page)) - 1) * 4096)
        file.write(bytes(4096))
    with Bowerbird.open(filled) as bird:
        done = bird.admin.recover(tmp_path / "saved.db")
    assert size - 30 < done.entries < size
    assert done.lost["entry"] >= 2
    assert done.doubtful == {"entry": 1}
    with Bowerbird.open(done.path, project="shop") as bird:
        (doubtful,) = bird.admin.verify().damages
        assert doubtful.hurt == "text"
        assert "8013" in bird.get(doubtful.entry).text
        assert len(bird.query("fact one thing")) > 5
        assert bird.remember("It goes on").id
        assert all(one.level != "problem" or one.check == "seals" for one in bird.admin.doctor())


def test_a_sound_store_is_recovered_whole(filled: str, tmp_path: Path) -> None:
    with Bowerbird.open(filled) as bird:
        done = bird.admin.recover(tmp_path / "saved.db")
    assert (done.lost, done.doubtful) == ({}, {})
    assert reported(done.path) == reported(filled)
    with Bowerbird.open(done.path) as bird:
        assert bird.admin.verify().damages == ()
        assert all(one.level != "problem" for one in bird.admin.doctor())


def test_the_commands_tell_what_they_did(bower: Bower, filled: str, tmp_path: Path) -> None:
    made = bower("backup", str(tmp_path / "copy.db"), "--format", "text")
    assert (made.code, "checked" in made.out) == (0, True)
    assert bower("backup", str(tmp_path / "copy.db")).code == 2
    back = bower("restore", str(tmp_path / "copy.db"), "--yes", "--format", "text")
    assert (back.code, "was moved to" in back.out) == (0, True)
    saved = bower("recover", "--into", str(tmp_path / "saved.db"), "--format", "text")
    assert (saved.code, "nothing is lost" in saved.out) == (0, True)


def test_a_file_is_checked_before_anybody_is_asked(
    terminal: Bower, filled: str, tmp_path: Path
) -> None:
    (tmp_path / "notes.md").write_text("no store")
    ran = terminal("restore", str(tmp_path / "notes.md"), typed="n\n")
    assert "is not a Bowerbird store" in ran.out
    assert "Replace" not in ran.out
    with Bowerbird.open(filled) as bird:
        copy = bird.admin.backup(tmp_path / "copy.db").path
    assert "nothing was restored" in terminal("restore", copy, typed="n\n").out
