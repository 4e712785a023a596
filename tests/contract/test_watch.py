"""Watched folders: changes are taken in, whatever editors and disks do, by one process a store."""

from __future__ import annotations

import os
import threading
from queue import Queue
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import BadInput, BowerbirdError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bowerbird.core.report import Report

pytest.importorskip("watchfiles")
# Long enough for any machine; what goes wrong is told by it.
PATIENCE = 600


class Watched:
    """A folder that is watched by a thread, and what was told of it."""

    def __init__(self, store: str, folder: Path) -> None:
        self.folder = folder
        self.reports: Queue[tuple[str, Report | BowerbirdError]] = Queue()
        self._bird = Bowerbird.open(store)
        self.stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        assert self.next().added == 1

    def _watch(self) -> None:
        def tell(folder: str, came: Report | BowerbirdError) -> None:
            self.reports.put((folder, came))

        self._bird.admin.watch(self.folder, tell=tell, stop=self.stop)

    def next(self) -> Report:
        _, came = self.reports.get(timeout=PATIENCE)
        assert not isinstance(came, BowerbirdError), came
        return came

    def until(self, wanted: Callable[[set[str]], bool]) -> None:
        """Wait until the files that are in satisfy something."""
        while not wanted(self.files()):
            self.next()

    def files(self) -> set[str]:
        listed = self._bird.list(all_projects=True, limit=100_000)
        return {os.path.basename(one.path) for one in listed if one.path}

    def close(self) -> None:
        self.stop.set()
        self._thread.join(PATIENCE)
        self._bird.close()


@pytest.fixture
def watched(store_path: str, tmp_path: Path) -> Iterator[Watched]:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "first.md").write_text("The first note stands here already.")
    found = Watched(store_path, folder)
    yield found
    found.close()


def test_what_comes_changes_moves_and_goes_is_followed(watched: Watched) -> None:
    folder = watched.folder
    (folder / "second.md").write_text("The second note came later.")
    watched.until(lambda files: files == {"first.md", "second.md"})
    (folder / "second.md").rename(folder / "third.md")
    watched.until(lambda files: files == {"first.md", "third.md"})
    # As editors save: aside, and then in the place of the old one.
    (folder / ".third.md.swp").write_text("half a note")
    (folder / "third.md~").write_text("a copy")
    (folder / "third.md.new").write_text("The third note was saved by an editor.")
    os.replace(folder / "third.md.new", folder / "third.md")
    (folder / "first.md").unlink()
    watched.until(lambda files: files == {"third.md"})


def test_a_thousand_changes_are_taken_in_together(watched: Watched) -> None:
    for number in range(1_000):
        (watched.folder / f"{number}.md").write_text(f"Note {number} of a thousand.")
    reports = 0
    while len(watched.files()) < 1_001:
        watched.next()
        reports += 1
    assert reports <= 20


def test_a_folder_that_goes_is_waited_for_and_nothing_of_it_is_dropped(watched: Watched) -> None:
    aside = watched.folder.with_name("aside")
    watched.folder.rename(aside)
    (aside / "later.md").write_text("Written while the drive was elsewhere.")
    assert watched.files() == {"first.md"}
    aside.rename(watched.folder)
    watched.until(lambda files: files == {"first.md", "later.md"})


def test_one_process_watches_for_a_store(watched: Watched, store_path: str) -> None:
    notified: list[Any] = []
    with Bowerbird.open(store_path) as bird, pytest.raises(BadInput, match="watches for this"):
        bird.admin.watch(watched.folder, tell=lambda *one: notified.append(one))
    assert notified == []


def test_a_folder_that_is_not_there_is_an_error(store_path: str, tmp_path: Path) -> None:
    with Bowerbird.open(store_path) as bird, pytest.raises(BadInput, match="no folder"):
        bird.admin.watch(tmp_path / "nowhere", tell=lambda *_: None)
