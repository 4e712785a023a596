"""What leaves the store because its file is gone, and what stays because it may come back."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.clock import system_clock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DAY = 24 * 60 * 60 * 1000
BEFORE = 1_700_000_000


class Clock:
    """The real one, which can be set."""

    ahead = 0

    def __call__(self) -> int:
        return system_clock() + self.ahead


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bird(store_path: str, clock: Clock) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, clock=clock) as opened:
        yield opened


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Two files, on what may be a drive."""
    folder = tmp_path / "drive" / "notes"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.md").write_text("Redis must be up before the auth tests.")
    (folder / "deep" / "b.md").write_text("Deploy on Mondays.")
    (tmp_path / "other.md").write_text("Elsewhere.")
    return folder


def unmount(folder: Path) -> None:
    """An empty folder that has long been there, in the place of what stood in it."""
    shutil.rmtree(folder)
    folder.mkdir()
    os.utime(folder, (BEFORE, BEFORE))


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (BEFORE, BEFORE))


def kept(bird: Bowerbird) -> int:
    return bird.status().total_documents


def test_a_drive_that_is_not_mounted_loses_nothing(bird: Bowerbird, notes: Path) -> None:
    assert bird.index(notes).added == 2
    drive = notes.parent
    unmount(drive)
    for path in (notes / "a.md", notes, drive):
        report = bird.index(path)
        assert (report.removed, len(report.skipped)) == (0, 1), path
        assert "not mounted" in report.skipped[0].reason
        assert kept(bird) == 2
    drive.rmdir()
    report = bird.index(notes)
    assert (report.removed, len(report.skipped)) == (0, 1)
    assert str(drive.parent) in report.skipped[0].reason
    assert kept(bird) == 2


def test_a_drive_inside_what_is_indexed_loses_nothing_either(
    bird: Bowerbird, notes: Path, tmp_path: Path
) -> None:
    assert bird.index(tmp_path).added == 3
    (tmp_path / "other.md").unlink()
    unmount(notes)
    report = bird.index(tmp_path)
    assert report.removed == 1
    assert [one.path for one in report.skipped if "not mounted" in one.reason] == [str(notes)]
    assert kept(bird) == 2


def test_what_is_mounted_beside_what_is_not_is_indexed(
    bird: Bowerbird, notes: Path, tmp_path: Path
) -> None:
    bird.index(notes)
    shutil.rmtree(notes.parent)
    report = bird.index(notes, tmp_path / "other.md")
    assert (report.added, report.removed, len(report.skipped)) == (1, 0, 1)


def test_what_was_deleted_goes(bird: Bowerbird, notes: Path) -> None:
    bird.index(notes)
    (notes / "deep" / "b.md").unlink()
    assert bird.index(notes / "deep" / "b.md").removed == 1
    (notes / "a.md").unlink()
    (notes / "deep").rmdir()
    assert bird.index(notes).removed == 1
    assert kept(bird) == 0


def test_the_folder_above_drops_what_was_deleted_with_its_folder(
    bird: Bowerbird, notes: Path, tmp_path: Path
) -> None:
    bird.index(notes / "deep")
    shutil.rmtree(notes)
    assert bird.index(notes / "deep").removed == 0
    assert bird.index(tmp_path).removed == 1


@pytest.mark.parametrize("step", [-DAY, 365 * DAY])
def test_what_was_deleted_goes_although_the_clock_was_set(
    bird: Bowerbird, notes: Path, clock: Clock, step: int
) -> None:
    bird.index(notes)
    (notes / "a.md").unlink()
    clock.ahead = step
    assert bird.index(notes).removed == 1


def test_a_repository_that_was_deleted_goes_with_the_folder_above(
    bird: Bowerbird, notes: Path
) -> None:
    (notes / "deep" / ".git").mkdir()
    assert bird.index(notes).added == 2
    shutil.rmtree(notes / "deep")
    assert bird.index(notes).removed == 1
    assert [one["passages"] for one in bird.status().projects] == [0, 1]


def test_a_folder_that_becomes_a_repository_is_not_there_twice(
    bird: Bowerbird, notes: Path
) -> None:
    assert bird.index(notes).added == 2
    (notes / ".git").mkdir()
    report = bird.index(notes)
    assert (report.added, report.removed) == (2, 2)
    found = [hit.path for hit in bird.query("redis auth tests", all_projects=True)]
    assert found.count(str(notes / "a.md")) == 1


def test_what_a_named_project_takes_in_stays_where_else_it_is(
    bird: Bowerbird, notes: Path, store_path: str
) -> None:
    bird.index(notes)
    with Bowerbird.open(store_path, project="shop") as named:
        assert named.index(notes).removed == 0
    assert str(notes / "a.md") in [hit.path for hit in bird.query("redis auth tests")]


def test_what_a_link_leads_to_is_known_and_goes_when_it_is_gone(
    bird: Bowerbird, notes: Path, tmp_path: Path
) -> None:
    put(tmp_path / "far" / "owls.md", "Owls hunt at night.")
    put(tmp_path / "far" / "deep" / "cats.md", "Cats hunt at dawn.")
    put(tmp_path / "alone.md", "Snails do not hunt.")
    (notes / "far").symlink_to(tmp_path / "far")
    (notes / "alone.md").symlink_to(tmp_path / "alone.md")
    assert bird.index(notes, follow_links=True).added == 5
    report = bird.index(notes, follow_links=True)
    assert (report.added, report.unchanged) == (0, 5)
    (tmp_path / "far" / "owls.md").unlink()
    (tmp_path / "far" / "deep" / "cats.md").rename(tmp_path / "far" / "cats.md")
    report = bird.index(notes, follow_links=True)
    assert (report.added, report.removed, report.unchanged) == (1, 2, 3)
    # A link that leads nowhere may lead somewhere again, as when a drive is mounted.
    (tmp_path / "far").rename(tmp_path / "farther")
    (tmp_path / "alone.md").unlink()
    assert bird.index(notes, follow_links=True).removed == 0
    assert kept(bird) == 4


def test_a_named_environment_stays_when_the_folder_around_it_is_indexed(
    bird: Bowerbird, notes: Path
) -> None:
    put(notes / "env" / "pyvenv.cfg", "home = /usr")
    put(notes / "env" / "memory.md", "Use tabs.")
    assert bird.index(notes / "env").added == 2
    assert bird.index(notes).removed == 0
