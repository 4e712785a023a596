"""A process that stays answers as one that begins, whatever was written in between, and by whom."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, NotFound

TEXTS = [
    "Redis must be up before the auth tests",
    "Redis must be up before the auth tests, by make redis",
    "Postgres listens on 5432",
    "Deploy on Mondays after review",
    "The auth tests hang without Redis",
]
QUESTIONS = [
    "why do the auth tests hang",
    "which port does postgres listen on",
    "deploy mondays review",
    "redis",
    "walrus ice section",
]
# More than the store is asked before it is read into memory.
TURNS = 2
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("remember"), st.sampled_from(TEXTS), st.sampled_from([None, "gotcha"])),
        st.tuples(st.sampled_from(["forget", "pin", "tag", "revert"]), st.integers(0, 5)),
        # Of three files, one with so many sections; none takes it away.
        st.tuples(st.just("index"), st.integers(0, 2), st.integers(0, 4)),
    ),
    min_size=2,
    max_size=8,
)


def take(bird: Bowerbird, notes: Path, ids: list[str], step: tuple[Any, ...]) -> None:
    match step:
        case "remember", text, kind:
            ids.append(bird.remember(text, kind=kind).id)
        case "index", number, sections:
            file = notes / f"{number}.md"
            file.unlink(missing_ok=True)
            if sections:
                parts = (
                    f"# Section {i}\n\nThe walrus {number} sleeps on ice {i}.\n"
                    for i in range(sections)
                )
                file.write_text("\n".join(parts))
            bird.index(notes)
        case what, place if ids:
            id = ids[place % len(ids)]
            if what == "forget":
                bird.forget(id)
            elif what == "revert":
                bird.revert(id)
            elif what == "pin":
                bird.remember(bird.get(id).text, pinned=True)
            elif what == "tag":
                bird.remember(bird.get(id).text, tags=[f"t{place}"])


def reported(bird: Bowerbird, text: str) -> dict[str, tuple[float, float]]:
    """Score and relevance of everything that is found; equal scores have no order to compare."""
    return {hit.id: (hit.score, hit.relevance) for hit in bird.query(text, limit=50, min_score=0.0)}


@settings(max_examples=8, deadline=None)
@given(STEPS, st.booleans())
def test_answers_are_those_of_a_process_that_begins(
    steps: list[tuple[Any, ...]], by_itself: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        notes, store = Path(folder, "notes"), os.path.join(folder, "memory.db")
        notes.mkdir()
        (notes / "kept.md").write_text("# Kept\n\nThe seal sleeps as well.\n")
        ids: list[str] = []
        with (
            Bowerbird.open(store, project="shop", resident=True) as stays,
            Bowerbird.open(store, project="shop") as other,
        ):
            other.index(notes)
            for step in steps:
                with suppress(BadInput, NotFound):
                    take(stays if by_itself else other, notes, ids, step)
                with Bowerbird.open(store, project="shop") as begins:
                    for text in QUESTIONS * TURNS:
                        here, there = reported(stays, text), reported(begins, text)
                        assert here.keys() == there.keys(), (step, text)
                        for id, figures in there.items():
                            assert here[id] == pytest.approx(figures, abs=1e-6), (step, text)
