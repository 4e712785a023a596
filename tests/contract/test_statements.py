"""How many statements SQLite is asked: each that is added is felt in every question and every memory."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Of an admission and of a cold question, the beginning and the end of their transactions counted.
ADMISSION = 27
QUESTION = 20
TEXTS = (
    "The deploy needs a green build first",
    "Redis must be up before the auth tests start",
    "The team eats lunch at noon on Fridays",
    "The gateway listens on port 8080",
)


@contextmanager
def counted() -> Iterator[Callable[[], int]]:
    """Gives a function that tells how many statements ran since it was last asked.

    What is run for many rows at once is one; what a connection sets when it opens is none.
    """
    ran: list[str] = []

    def heard(_cursor: apsw.Cursor, sql: str, _values: object) -> bool:
        opening = sql.lstrip().startswith(("pragma", "CREATE TEMP", "SELECT s.name, c.name"))
        if not opening and ran[-1:] != [sql]:
            ran.append(sql)
        return True

    def listen(connection: apsw.Connection) -> None:
        connection.exec_trace = heard

    def reported() -> int:
        count = len(ran)
        ran.clear()
        return count

    apsw.connection_hooks.append(listen)
    try:
        yield reported
    finally:
        apsw.connection_hooks.remove(listen)


@pytest.fixture
def filled(store_path: str) -> str:
    with Bowerbird.open(store_path, project="shop") as bird:
        for text in TEXTS:
            bird.remember(text, origin="user")
    return store_path


def test_every_admission_asks_few(filled: str) -> None:
    with counted() as statements, Bowerbird.open(filled, project="shop") as bird:
        bird.get(bird.list()[0].id)  # it is open
        statements()
        for text in ("Logs go to Loki", "The CI runs on Ubuntu", "Invoices go out on the first"):
            bird.remember(text, origin="user")
            assert statements() <= ADMISSION, text
        done = bird.remember("The gateway listens on port 9090", origin="user")
        assert [one.relation for one in done.matched] == ["contradicts"]
        assert statements() <= ADMISSION
        done = bird.remember(f"{TEXTS[2]} and on Mondays", origin="user")
        assert done.decision == "superseded"
        assert statements() <= ADMISSION


def test_an_admission_that_contradicts_asks_few_as_the_first_of_a_process(filled: str) -> None:
    with counted() as statements, Bowerbird.open(filled, project="shop") as bird:
        done = bird.remember("The gateway listens on port 9090", origin="user")
        assert [one.relation for one in done.matched] == ["contradicts"]
        assert statements() <= ADMISSION


def test_an_admission_that_replaces_asks_few_as_the_first_of_a_process(filled: str) -> None:
    with counted() as statements, Bowerbird.open(filled, project="shop") as bird:
        done = bird.remember(f"{TEXTS[2]} and on Mondays", origin="user")
        assert done.decision == "superseded"
        assert statements() <= ADMISSION


def test_a_cold_question_whose_hits_are_related_asks_few(filled: str) -> None:
    with Bowerbird.open(filled, project="shop") as bird:
        bird.remember("The gateway listens on port 9090", origin="user")
    with counted() as statements, Bowerbird.open(filled, project="shop") as bird:
        hits = bird.query("The gateway listens on port 9090")
        assert hits[0].linked
        assert statements() <= QUESTION
