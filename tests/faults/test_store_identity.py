"""A store that is deleted, replaced, linked or put back under its log: an error, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import (
    BowerbirdError,
    NotAStore,
    StoreLinked,
    StoreMissing,
    StoreReplaced,
)
from bowerbird.storage.sqlite.file.connection import connect

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.forked import Forks

# Keeps what it is told to, acknowledges it, and is killed with its log beside the store.
WRITER = """
import sys
from bowerbird import Bowerbird

with Bowerbird.open(sys.argv[1], project="shop") as bird:
    for line in sys.stdin:
        try:
            bird.remember(line)
        except Exception as error:
            print(type(error).__name__, flush=True)
        else:
            print("kept", flush=True)
"""
SUBJECTS = ("Redis", "Postgres", "Kafka", "Nginx", "Vault", "Consul", "Traefik", "Grafana")


def facts(what: str) -> list[str]:
    return [f"{name} of the {what} listens on port {8000 + i}" for i, name in enumerate(SUBJECTS)]


def fill(path: str, texts: list[str]) -> None:
    with Bowerbird.open(path, project="shop") as bird:
        for text in texts:
            bird.remember(text)


def texts_of(path: str) -> set[str]:
    with Bowerbird.open(path, project="shop") as bird:
        return {entry.text for entry in bird.list(limit=100)}


def copy(source: str, target: str) -> None:
    subprocess.run(["cp", source, target], check=True)


class Writer:
    """A process that has the store open."""

    def __init__(self, forks: Forks, path: str) -> None:
        self._process = forks.open((path,), program=WRITER, text=True)

    def remember(self, text: str) -> str:
        """`kept`, or the name of the error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()
        said: str = self._process.stdout.readline()
        return said.strip()

    def leave(self) -> None:
        """Let it end by itself, which closes the store."""
        self._process.communicate()

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()


@pytest.fixture(scope="module")
def filled_once(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("filled") / "memory.db")
    fill(path, facts("shop"))
    return path


@pytest.fixture
def filled(filled_once: str, store_path: str) -> str:
    shutil.copyfile(filled_once, store_path)
    return store_path


def test_what_is_written_to_a_deleted_store_is_not_acknowledged(forks: Forks, filled: str) -> None:
    writer = Writer(forks, filled)
    assert writer.remember("The depot opens at seven") == "kept"
    os.unlink(filled)
    assert writer.remember("The depot closes at nine") == "StoreReplaced"
    # Its log still stands, and may hold what is nowhere else: nobody begins anew over it unasked.
    assert writer.remember("The depot closes at nine") == "StoreReplaced"
    writer.kill()
    for mode in (Bowerbird.status, lambda bird: bird.remember("The depot has two gates")):
        with Bowerbird.open(filled, project="shop") as bird:
            with pytest.raises(StoreReplaced) as raised:
                mode(bird)
            assert f"rm {filled}-wal" in raised.value.remedy
    assert not os.path.exists(filled)
    os.unlink(filled + "-wal")
    os.unlink(filled + "-shm")
    fill(filled, ["The depot has two gates"])
    assert texts_of(filled) == {"The depot has two gates"}


def test_the_first_write_after_a_store_was_replaced_is_an_error(forks: Forks, filled: str) -> None:
    other = filled + ".other"
    fill(other, facts("garden"))
    writer = Writer(forks, filled)
    assert writer.remember("The depot opens at seven") == "kept"
    os.rename(filled, filled + ".former")
    os.rename(other, filled)
    assert writer.remember("The depot closes at nine") == "StoreReplaced"
    # The log belongs to the former one: nobody plays it into this one.
    assert writer.remember("The depot closes at nine") == "StoreReplaced"
    with pytest.raises(StoreReplaced):
        texts_of(filled)
    writer.kill()
    os.rename(filled, other)
    os.rename(filled + ".former", filled)
    assert texts_of(filled) == {*facts("shop"), "The depot opens at seven"}
    assert texts_of(other) == {*facts("garden")}


def test_a_resident_reader_sees_that_its_store_was_deleted_or_replaced(filled: str) -> None:
    other = filled + ".other"
    fill(other, facts("garden"))
    verbs: list[Callable[[Bowerbird], object]] = [
        lambda bird: bird.query("which port is Redis on"),
        lambda bird: bird.list(),
        lambda bird: bird.context("connect to Redis"),
    ]
    for verb in verbs:
        with Bowerbird.open(filled, project="shop", resident=True) as bird:
            assert bird.query("which port is Redis on")[0].text == facts("shop")[0]
            os.rename(filled, filled + ".former")
            with pytest.raises(StoreReplaced) as raised:
                verb(bird)
            assert raised.value.remedy
            with pytest.raises(StoreMissing):
                bird.get("00000000")
            os.rename(other, filled)
            # What stands there now is what is asked from now on, and no answer of before is given.
            assert bird.query("which port is Redis on")[0].text == facts("garden")[0]
        os.rename(filled, other)
        os.rename(filled + ".former", filled)


def test_a_store_of_two_names_is_refused_until_one_is_removed(forks: Forks, filled: str) -> None:
    second = filled + ".second"
    writer = Writer(forks, filled)
    assert writer.remember("The depot opens at seven") == "kept"
    os.link(filled, second)
    assert writer.remember("The depot closes at nine") == "StoreLinked"
    for name in (filled, second):
        with pytest.raises(StoreLinked) as raised:
            texts_of(name)
        assert "-samefile" in raised.value.remedy
    os.unlink(second)
    assert writer.remember("The depot closes at nine") == "kept"
    writer.kill()
    assert {"The depot opens at seven", "The depot closes at nine"} <= texts_of(filled)


@pytest.mark.parametrize("made", ["cp", "backup"])
@pytest.mark.parametrize("put", ["cp", "mv"])
def test_a_backup_that_is_put_back_under_a_log_is_not_overlaid_by_it(
    forks: Forks, filled: str, made: str, put: str
) -> None:
    kept = filled + ".kept"
    if made == "cp":
        copy(filled, kept)
    else:
        from bowerbird.storage.sqlite.care.migrations import backup
        from bowerbird.storage.sqlite.file.connection import connect

        connection = connect(filled, write=False)
        backup(connection, kept)
        connection.close()
    # Folded into the file: the backup is of a moment before the log begins.
    fill(filled, facts("depot")[:4])
    writer = Writer(forks, filled)
    for text in facts("depot")[4:]:
        assert writer.remember(text) == "kept"
    writer.kill()
    # Killed and opened again, it is all there: the log is its own.
    writer = Writer(forks, filled)
    assert writer.remember("The depot opens at seven") == "kept"
    writer.kill()
    assert os.path.getsize(filled + "-wal")
    copy(filled, filled + ".former")
    if put == "cp":
        copy(kept, filled)
    else:
        os.rename(kept, filled)
    with pytest.raises(StoreReplaced) as raised:
        texts_of(filled)
    with pytest.raises(StoreReplaced):
        fill(filled, ["The depot has two gates"])
    assert f"rm {filled}-wal" in raised.value.remedy
    # Nothing was touched: the former file with its log is whole, and the backup is without it.
    kept_log = filled + "-wal.kept"
    os.rename(filled + "-wal", kept_log)
    os.unlink(filled + "-shm")
    assert texts_of(filled) == {*facts("shop")}
    copy(filled + ".former", filled)
    os.rename(kept_log, filled + "-wal")
    assert {*facts("shop"), *facts("depot"), "The depot opens at seven"} <= texts_of(filled)


@pytest.mark.parametrize("made", ["cp", "backup"])
def test_a_file_that_is_copied_over_an_open_store_is_not_written_to(
    forks: Forks, filled: str, made: str
) -> None:
    kept = filled + ".kept"
    if made == "cp":
        copy(filled, kept)
    else:
        with Bowerbird.open(filled, project="shop") as bird:
            bird.admin.backup(kept)
    fill(filled, facts("depot")[:4])
    writer = Writer(forks, filled)
    for text in facts("depot")[4:]:
        assert writer.remember(text) == "kept"
    copy(filled, filled + ".former")
    # Into the very file that is open, under the log that is in use.
    copy(kept, filled)
    assert writer.remember("The depot opens at seven") == "StoreReplaced"
    assert writer.remember("The depot closes at nine") == "StoreReplaced"
    writer.leave()
    # What it left is the backup as it was put there, and the log of the former file, whole.
    with pytest.raises(StoreReplaced):
        texts_of(filled)
    for name in (filled, filled + "-wal"):
        copy(name, name + ".left")
    os.unlink(filled + "-wal")
    assert texts_of(filled) == {*facts("shop")}
    copy(filled + ".former", filled)
    copy(filled + "-wal.left", filled + "-wal")
    assert texts_of(filled) == {*facts("shop"), *facts("depot")}


def test_the_file_of_the_moment_at_which_its_log_begins_is_overlaid_and_whole(
    forks: Forks, filled: str
) -> None:
    copy(filled, filled + ".kept")
    writer = Writer(forks, filled)
    for text in facts("depot"):
        assert writer.remember(text) == "kept"
    writer.kill()
    copy(filled + ".kept", filled)
    assert texts_of(filled) == {*facts("shop"), *facts("depot")}


@pytest.mark.parametrize("write", [True, False])
def test_a_file_of_no_bytes_is_not_begun_again(store_path: str, *, write: bool) -> None:
    os.close(os.open(store_path, os.O_CREAT | os.O_WRONLY | os.O_EXCL))
    with Bowerbird.open(store_path, project="shop") as bird, pytest.raises(NotAStore) as raised:
        bird.remember("The depot has two gates") if write else bird.list()
    assert f"rm {store_path}" in raised.value.remedy
    assert os.path.getsize(store_path) == 0


def refused(path: str) -> list[BowerbirdError]:
    """What a writer and a reader are told."""
    errors = []
    for verb in (lambda bird: bird.remember("The depot has two gates"), Bowerbird.list):
        with Bowerbird.open(path, project="shop") as bird:
            try:
                verb(bird)
            except BowerbirdError as error:
                errors.append(error)
    return errors


def test_what_cannot_be_a_store_is_called_what_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "notes.txt").write_text("x" * 5000)
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere" / "memory.db")
    for name, message in [
        ("", "is a folder"),
        ("pipe", "is a named pipe"),
        ("notes.txt", "is not a Bowerbird store"),
        ("notes.txt/memory.db", "notes.txt is no folder"),
    ]:
        for error in refused(str(tmp_path / name)):
            assert message in error.message
            assert error.remedy
    assert refused("/dev/null")[0].message == "/dev/null is a device, not a file"


def killed_with_a_log(forks: Forks, filled: str, texts: list[str]) -> bytes:
    """The log that a killed writer leaves behind."""
    writer = Writer(forks, filled)
    for text in texts:
        assert writer.remember(text) == "kept"
    writer.kill()
    with open(filled + "-wal", "rb") as log:
        return log.read()


def meta_frame(log: bytes, page: int) -> int:
    """Where the first frame of a page begins."""
    step = 24 + int.from_bytes(log[8:12], "big")
    frames = range(32, len(log), step)
    return next(at for at in frames if int.from_bytes(log[at : at + 4], "big") == page)


def root_of_meta(path: str) -> int:
    connection = connect(path, write=False)
    root = next(connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'meta'"))[0]
    connection.close()
    return int(root)


def test_a_log_that_reached_the_disk_in_part_is_not_taken_for_another_stores(
    forks: Forks, filled: str
) -> None:
    page = root_of_meta(filled)
    whole = killed_with_a_log(forks, filled, facts("depot")[:1])
    at = meta_frame(whole, page) + 24
    # As where the power fails before the log was synced: the page is not there, or only half of it.
    for torn in (
        bytes(4096),
        whole[at : at + 2048] + bytes(2048),
        bytes(2048) + whole[at + 2048 : at + 4096],
    ):
        with open(filled + "-wal", "wb") as log:
            log.write(whole[:at] + torn + whole[at + 4096 :])
        copy(filled, filled + ".copy")
        os.rename(filled + "-wal", filled + ".copy-wal")
        assert texts_of(filled + ".copy") == {*facts("shop")}


def test_a_file_that_its_log_was_being_folded_into_is_made_whole_by_it(
    forks: Forks, filled: str
) -> None:
    page = root_of_meta(filled)
    whole = killed_with_a_log(forks, filled, facts("depot"))
    # As where the power fails while the log is folded back: of the page nothing is readable.
    with open(filled, "rb") as file:
        left = bytearray(file.read())
    left[(page - 1) * 4096 + 8 : page * 4096] = bytes(4096 - 8)
    for name, data in ((".copy", left), (".copy-wal", whole)):
        with open(filled + name, "wb") as file:
            file.write(data)
    assert texts_of(filled + ".copy") == {*facts("shop"), *facts("depot")}
