"""The Bowerbirds of a process with threads: nobody shares one, and nobody answers from before a write."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import StoreBusy
from bowerbird.daemon import birds as module
from bowerbird.daemon.birds import ASK, QUEUES, READ, WRITE, Birds

if TYPE_CHECKING:
    from collections.abc import Iterator

THREADS = 8


@pytest.fixture
def birds(store_path: str) -> Iterator[Birds]:
    with Bowerbird.open(store_path, project="shop") as first:
        first.remember("Redis must be up before the auth tests run")
    opened = Birds(store_path)
    yield opened
    opened.close()


def beside(store: str, *words: str) -> None:
    """What another process writes while this one stays."""
    subprocess.run(
        [sys.executable, "-m", "bowerbird", *words, "--store", store, "--project", "shop"],
        check=True,
        capture_output=True,
    )


def test_no_answer_is_older_than_what_another_process_wrote(birds: Birds) -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        for number in range(4):
            word = f"zebra{number}"
            beside(birds.path, "curate", f"The {word} build runs on the night machine")

            def ask(_: int, word: str = word) -> tuple[list[str], int]:
                with birds.acquire(ASK, "shop") as bird:
                    found = bird.query(f"where does the {word} build run?", fuzzy=False)
                    return [hit.text for hit in found], bird.status().total_memories

            for texts, memories in pool.map(ask, range(4 * THREADS)):
                assert any(word in text for text in texts)
                assert memories == number + 2


def test_nothing_that_was_forgotten_beside_is_reported(birds: Birds) -> None:
    with birds.acquire(ASK, "shop") as bird:
        (entry,) = bird.list()
        assert bird.query("auth tests redis")[0].id == entry.id
    beside(birds.path, "forget", entry.id)
    for _ in range(3):
        with birds.acquire(ASK, "shop") as bird:
            assert len(bird.query("auth tests redis")) == 0


def test_threads_write_one_after_the_other_and_lose_nothing(birds: Birds) -> None:
    start = Barrier(THREADS)

    def write(thread: int) -> None:
        start.wait()
        for number in range(5):
            with birds.acquire(WRITE, f"project {thread % 2}") as bird:
                bird.remember(f"Machine {thread}-{number} belongs to rack {thread * 7 + number}")

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(write, range(THREADS)))
    listed = [0, 0]
    for parity in (0, 1):
        with birds.acquire(READ, f"project {parity}") as bird:
            listed[parity] = len(bird.list(limit=100))
            assert {entry.project for entry in bird.list()} == {f"name:project {parity}"}
    assert listed == [20, 20]


def test_who_finds_nobody_free_is_told_after_a_while(
    birds: Birds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAIT_S", 0.01)
    for queue in QUEUES:
        with ExitStack() as all_acquired:
            for _ in range(queue.limit):
                all_acquired.enter_context(birds.acquire(queue))
            with pytest.raises(StoreBusy, match=queue.name), birds.acquire(queue):
                pass
            # None holds up another queue.
            for other in QUEUES:
                if other != queue:
                    with birds.acquire(other):
                        pass


def test_vectors_are_kept_in_memory_once(birds: Birds) -> None:
    """However many threads ask; those that only look things up keep none."""
    resident = set()

    def ask(number: int) -> None:
        with birds.acquire(QUEUES[number % len(QUEUES)], "shop") as bird:
            bird.query("auth tests redis")
            resident.add((bird._wiring.opened.resident, id(bird._wiring.opened)))

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(ask, range(10 * THREADS)))
    assert len([one for keeps, one in resident if keeps]) == 1
    assert len(resident) <= sum(queue.limit for queue in QUEUES)
