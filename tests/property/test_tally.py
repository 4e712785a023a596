"""The counts that are kept are those that counting gives, whatever was done."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, NotFound

TEXTS = ["Redis must be up before the auth tests", "Postgres listens on 5432", "Deploy on Mondays"]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("remember"), st.sampled_from(TEXTS), st.sampled_from([None, "gotcha"])),
        st.tuples(st.sampled_from(["forget", "revert"]), st.integers(0, 5)),
        # Of three files, one with so many sections; none takes it away.
        st.tuples(st.just("index"), st.integers(0, 2), st.integers(0, 3)),
        st.tuples(st.just("fail"), st.integers(0, 2)),
    ),
    min_size=3,
    max_size=12,
)


def kept(connection: apsw.Connection) -> list[tuple[Any, ...]]:
    return list(connection.execute("SELECT * FROM tally WHERE entries <> 0 ORDER BY 1, 2, 3, 4"))


def counted(connection: apsw.Connection) -> list[tuple[Any, ...]]:
    return list(
        connection.execute(
            "SELECT project, family, kind, state, count(*) FROM facet GROUP BY 1, 2, 3, 4"
            " ORDER BY 1, 2, 3, 4"
        )
    )


def fail(store: Any, rest: int) -> None:
    """A write that comes to nothing."""
    with store.transaction():
        store.connection.execute("DELETE FROM facet WHERE id % 3 = ?", (rest,))
        raise ZeroDivisionError


def take(bird: Bowerbird, notes: Path, ids: list[str], step: tuple[Any, ...]) -> None:
    match step:
        case ("remember", text, kind):
            ids.append(bird.remember(text, kind=kind).id)
        case (("forget" | "revert") as verb, number) if ids:
            getattr(bird, verb)(ids[number % len(ids)])
        case ("index", file, sections):
            path = notes / f"{file}.md"
            body = "".join(f"# Part {i}\n\n{TEXTS[file]}, {i}.\n\n" for i in range(sections))
            path.write_text(body, encoding="utf-8")
            if not sections:
                path.unlink()
            bird.index(str(notes))
        case ("fail", rest):
            with pytest.raises(ZeroDivisionError):
                fail(bird._wiring.writer(), rest)


@settings(max_examples=60)
@given(STEPS)
def test_the_counts_that_are_kept_are_those_that_stand(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes"
        notes.mkdir()
        (notes / "always.md").write_text("It is always there.", encoding="utf-8")
        with Bowerbird.open(os.path.join(folder, "memory.db"), project="shop") as bird:
            bird.index(str(notes))
            connection = apsw.Connection(bird.path)
            ids: list[str] = []
            for step in steps:
                try:
                    take(bird, notes, ids, step)
                except (BadInput, NotFound):
                    continue
                assert kept(connection) == counted(connection)
                assert bird.status().total_passages == sum(
                    count for _, family, _, _, count in counted(connection) if family == "passage"
                )
