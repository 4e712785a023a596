"""Any string is a safe query."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, UnknownName

OPERATORS = st.sampled_from(
    [
        '"',
        "*",
        "AND",
        "OR",
        "NOT",
        "NEAR(",
        ")",
        ":",
        "^",
        "-",
        "text:",
        "{",
        "}",
        "'",
        ";--",
        "\x00",
        "%",
        "\\",
    ]
)


@pytest.fixture(scope="module")
def bird(tmp_path_factory: pytest.TempPathFactory) -> Bowerbird:
    folder = tmp_path_factory.mktemp("safe")
    (folder / "note.md").write_text("# Redis\nRedis must be up before the tests.\n缓存服务器\n")
    bird = Bowerbird.open(folder / "memory.db", project="safe")
    bird.index(folder / "note.md")
    return bird


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(OPERATORS | st.text(max_size=12) | st.just("redis"), min_size=1, max_size=8))
def test_any_text_is_answered(bird: Bowerbird, parts: list[str]) -> None:
    text = " ".join(parts)
    if not text.strip():
        return
    if "\0" in text:
        with pytest.raises(BadInput, match="text: it contains the character NUL"):
            bird.query(text)
        return
    hits = bird.query(text, limit=3, explain=True)
    assert len(hits) <= 3
    assert all(0 <= hit.score <= 1 and 0 <= hit.relevance <= 1 for hit in hits)


@pytest.mark.parametrize("words", [1, 40, 2_000])
def test_a_long_question_is_answered(bird: Bowerbird, words: int) -> None:
    text = " ".join(f"word{i}" for i in range(words)) + " redis"
    hits = bird.query(text)
    (looked_for,) = [stage.note for stage in hits.trace.stages if stage.name == "lexical"]
    assert len(looked_for.split()) <= 60
    assert "redis" in looked_for or words > 48


HALF = "redis\udcff"


@pytest.mark.parametrize("what", ["agents", "sessions", "sources", "modules", "path"])
def test_a_filter_that_is_no_unicode_is_refused(bird: Bowerbird, what: str) -> None:
    """What a shell hands over need be no UTF-8."""
    given: dict[str, Any] = {what: HALF}
    with pytest.raises(BadInput, match=f"{what}: it contains half a character"):
        bird.list(**given)
    assert list(bird.list(path="note.md"))


def test_a_kind_that_is_no_text_is_refused_before_its_name_is_looked_up(bird: Bowerbird) -> None:
    with pytest.raises(BadInput, match="kinds: it contains half a character"):
        bird.list(kinds=HALF)
    with pytest.raises(UnknownName):
        bird.list(kinds="redis")


def test_a_name_that_is_no_unicode_is_refused(bird: Bowerbird) -> None:
    with pytest.raises(BadInput, match="project: it contains half a character") as refused:
        bird.within(HALF)
    assert HALF not in str(refused.value)
    for call in (bird.get, bird.history, lambda given: bird.list(exclude=[given])):
        with pytest.raises(BadInput):
            call(HALF)


@pytest.mark.parametrize(("limit", "offset"), [(1 << 70, 0), (10, 1 << 70), (-1, 0), (10, -1)])
def test_no_number_of_entries_is_too_large_to_be_refused(
    bird: Bowerbird, limit: int, offset: int
) -> None:
    with pytest.raises(BadInput):
        bird.list(limit=limit, offset=offset)


def test_a_floor_that_is_no_number_is_refused(bird: Bowerbird) -> None:
    with pytest.raises(BadInput):
        bird.query("redis", min_score=float("nan"))
