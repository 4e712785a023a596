"""One Bowerbird in several threads, and paths that no file can have: neither ends in a raw error."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.admin import Admin
from bowerbird.core.errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path

HALF = "a\ud800b"


@pytest.mark.parametrize("resident", [False, True])
def test_threads_share_a_bird(store_path: str, tmp_path: Path, resident: bool) -> None:
    (tmp_path / "zoo.md").write_text("The okapi eats its hay at dusk.\n")
    wrong: list[BaseException] = []

    def work(bird: Bowerbird, number: int) -> None:
        try:
            for turn in range(4):
                bird.remember(f"Stall {number}{turn} of the zoo holds animal {number * 7 + turn}.")
                bird.query(f"which animal is in stall {number}{turn}")
                bird.index(tmp_path / "zoo.md")
                bird.admin.doctor()
        except BaseException as error:  # noqa: BLE001 told below
            wrong.append(error)

    with Bowerbird.open(store_path, project="zoo", resident=resident) as bird:
        # Bowerbirds of one store share its connections, whatever project they are about.
        birds = [bird, bird, bird.within("other"), bird.within("zoo")]
        threads = [Thread(target=work, args=(one, n)) for n, one in enumerate(birds)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
        assert len(bird.list(memories_only=True, all_projects=True, limit=50)) == 16


def test_every_verb_waits_its_turn() -> None:
    # To watch is to wait: what has changed is taken in as a verb of its own, so that others come between.
    # An adapter holds the bird and asks its verbs.
    at_once = {"open", "within", "under", "acting", "setting", "watch", "adapter"}
    assert hasattr(Admin._taken_in, "__wrapped__")
    for whose in (Bowerbird, Admin):
        verbs = {name for name in dir(whose) if not name.startswith("_")}
        called = {name: getattr(whose, name) for name in verbs if callable(getattr(whose, name))}
        assert called
        assert {name for name in called if not hasattr(called[name], "__wrapped__")} <= at_once


def test_a_verb_may_ask_another_one(store_path: str, tmp_path: Path) -> None:
    (tmp_path / "zoo.md").write_text("The okapi eats its hay at dusk.\n")
    seen = []

    class Looking:
        def start(self, what: str, total: int) -> None:
            seen.append(bird.path)

        def advance(self, units: int, label: str = "") -> None:
            seen.append(label)

        def finish(self) -> None:
            seen.append(bird.project.name)

    with Bowerbird.open(store_path, project="zoo") as bird:
        bird.index(tmp_path, progress=Looking())
    assert seen


def test_what_no_file_can_be_called_is_reported_as_such(store_path: str) -> None:
    with Bowerbird.open(store_path, project="zoo") as bird:
        bird.remember("The okapi eats hay.")
        for call in (bird.at, bird.index):
            for path in (HALF, "a\0b"):
                with pytest.raises(BadInput, match=r"^(path|paths): "):
                    call(path)
    with pytest.raises(BadInput, match="no file can be called"):
        Bowerbird.open(HALF)
