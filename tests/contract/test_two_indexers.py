"""Two processes take in one folder at once: no file is taken in twice, and the newer text stays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Between:
    """Does something once when a run has read its first file, before it writes anything."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work: Callable[[], object] | None = work

    def start(self, what: str, total: int) -> None:
        pass

    def advance(self, units: int, label: str = "") -> None:
        work, self._work = self._work, None
        if work is not None:
            work()

    def finish(self) -> None:
        pass


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "notes"
    made.mkdir()
    for name in ("auth", "release", "shop"):
        (made / f"{name}.md").write_text(f"# {name}\n\nThe {name} opens at eight.\n")
    return made


def texts(bird: Bowerbird) -> dict[str, str]:
    return {entry.id: entry.text for entry in bird.list(all_projects=True, limit=200)}


@pytest.mark.parametrize("known", [False, True])
def test_what_another_has_taken_in_meanwhile_is_left_as_it_is(
    store_path: str, folder: Path, known: bool
) -> None:
    with (
        Bowerbird.open(store_path, project="p") as one,
        Bowerbird.open(store_path, project="p") as other,
    ):
        if known:
            one.index(folder)
            for file in folder.iterdir():
                file.write_text(file.read_text() + "\nAnd closes at nine.\n")
        seen: list[dict[str, str]] = []

        def theirs() -> None:
            report = other.index(folder)
            assert (report.changed if known else report.added) == 3
            seen.append(texts(other))

        report = one.index(folder, progress=Between(theirs))
        assert (report.added, report.changed, report.unchanged, report.passages) == (0, 0, 3, 0)
        assert texts(one) == seen[0]
        assert one.status().total_documents == 3
        assert one.index(folder).unchanged == 3


def test_the_newer_text_of_a_file_stays(store_path: str, folder: Path) -> None:
    with (
        Bowerbird.open(store_path, project="p") as one,
        Bowerbird.open(store_path, project="p") as other,
    ):
        file = folder / "auth.md"
        before = file.stat().st_mtime_ns

        def theirs() -> None:
            file.write_text("# auth\n\nThe okapi has the key.\n")
            os.utime(file, ns=(before + 10**9, before + 10**9))
            other.index(folder)

        report = one.index(folder, progress=Between(theirs))
        assert (report.added, report.unchanged) == (0, 3)
        assert "The okapi has the key." in " ".join(texts(one).values())
        # An older file in its place is a change like any other, for whoever reads it.
        os.utime(file, ns=(before - 10**9, before - 10**9))
        file.write_text("# auth\n\nThe quagga has the key.\n")
        os.utime(file, ns=(before - 10**9, before - 10**9))
        assert one.index(folder).changed == 1
        assert "The quagga has the key." in " ".join(texts(one).values())


def test_a_file_that_came_back_meanwhile_is_not_taken_out(store_path: str, folder: Path) -> None:
    with (
        Bowerbird.open(store_path, project="p") as one,
        Bowerbird.open(store_path, project="p") as other,
    ):
        one.index(folder)
        gone = folder / "shop.md"
        gone.unlink()
        # Something to be told of, so that the other comes between the walk and the end.
        (folder / "auth.md").write_text("# auth\n\nThe auth opens at ten.\n")

        def theirs() -> None:
            gone.write_text("# shop\n\nThe shop opens at noon.\n")
            other.index(folder)

        report = one.index(folder, progress=Between(theirs))
        assert report.removed == 0
        assert "The shop opens at noon." in " ".join(texts(one).values())
        gone.unlink()
        assert one.index(folder).removed == 1
