"""A name is found however its letters are cased, and a word in its other number."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OTHERS = [f"Potatoes number {i} are cooked with garden herbs and salt" for i in range(5)]
CASES = [
    pair
    for name in ("GitHub", "JavaScript", "macOS", "LaTeX", "IPv6", "HTTPServer", "ÉcoLe")
    for pair in ((name, name.lower()), (name.lower(), name))
]
NUMBERS = [("API", "APIs"), ("APIs", "api"), ("URL", "URLs"), ("key", "keys"), ("keys", "key")]


@pytest.fixture(scope="module")
def holding(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, str]]:
    """A store in which one memory says a name among others that do not, and that memory's id.

    A module has one store a name: its tests only read.
    """
    folder = tmp_path_factory.mktemp("names")
    others = folder / "others.db"
    with Bowerbird.open(others) as bird:
        for text in OTHERS:
            bird.remember(text)
    made: dict[str, tuple[Path, str]] = {}

    def store(said: str) -> tuple[Path, str]:
        if said not in made:
            path = folder / f"{len(made)}.db"
            shutil.copy(others, path)
            with Bowerbird.open(path) as bird:
                kept = bird.remember(f"The nightly build of the shop needs {said} these days")
            made[said] = (path, kept.id)
        return made[said]

    return store


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(("said", "asked"), CASES + NUMBERS)
@pytest.mark.parametrize("question", ["{}", "what needs {} now?"])
def test_a_name_is_found(
    holding: Callable[[str], tuple[Path, str]], said: str, asked: str, question: str, fast: bool
) -> None:
    path, kept = holding(said)
    with Bowerbird.open(path) as bird:
        (hit, *_) = bird.query(question.format(asked), fast=fast)
        assert hit.id == kept
        assert hit.relevance > (0.75 if (said, asked) in CASES else 0.2)


def test_an_identifier_is_found_by_its_parts_where_nobody_writes_it_in_one(
    tmp_path: Path,
) -> None:
    bird = Bowerbird.open(tmp_path / "memory.db")
    kept = bird.remember("get_user_name fails when the cookie is gone").id
    bird.remember("The user found a name for the cat")
    assert bird.query("getUserName")[0].id == kept


@pytest.mark.parametrize("fast", [False, True])
def test_a_beginning_is_looked_for_where_nothing_holds_the_word(tmp_path: Path, fast: bool) -> None:
    with Bowerbird.open(tmp_path / "memory.db") as bird:
        kept = bird.remember("Quokkas rest in the shade at noon").id
        for text in OTHERS:
            bird.remember(text)
        assert bird.query("quok", fast=fast)[0].id == kept
        assert not bird.query("zzyx", fast=fast)
