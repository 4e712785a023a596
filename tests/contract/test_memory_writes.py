"""What writing does with bad and secret values, and to what would come back as a twin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TOKEN = "ghp_" + "aB3dE6gH9jK2" * 3
TEXT = "Deploys run on Fridays from main"


@pytest.fixture
def bird(store_path: str) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="shop") as opened:
        yield opened


def test_no_column_keeps_a_secret(bird: Bowerbird, store_path: str) -> None:
    first = bird.remember(
        TEXT, session=f"s {TOKEN}", actor=f"a {TOKEN}", source=f"x {TOKEN}", origin="user"
    )
    assert first.redacted == ("github-token",)
    bird.link(first.id, f"file:x?{TOKEN}", actor=f"l {TOKEN}")
    bird.forget(first.id, reason=TOKEN, actor=TOKEN)
    connection = apsw.Connection(store_path)
    for table in ("memory", "version", "audit", "relation"):
        for row in connection.execute(f"SELECT * FROM {table}"):
            assert TOKEN not in repr(row), table


@pytest.mark.parametrize("text", [None, 5, ["a"]])
def test_what_is_no_text_is_bad_input(bird: Bowerbird, text: Any) -> None:
    with pytest.raises(BadInput):
        bird.remember(text)


@pytest.mark.parametrize(
    "given",
    [
        *({name: 5} for name in ("kind", "origin", "source", "session", "priority", "summary")),
        {"importance": "high"},
        {"confidence": []},
        {"metadata": ["a"]},
        {"metadata": "a"},
        {"payload": "abc", "kind": "dead_end"},
        {"payload": ["abc"], "kind": "dead_end"},
    ],
)
def test_a_value_of_another_type_is_bad_input(bird: Bowerbird, given: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        bird.remember(TEXT, **given)


@pytest.mark.parametrize(
    "given",
    [{"expires": 2**70}, {"metadata": {"n": 10**5000}}, {"metadata": {"n": [2**1001]}}],
)
def test_what_no_store_can_hold_is_bad_input(bird: Bowerbird, given: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        bird.remember(TEXT, **given)


@pytest.mark.parametrize("name", ["source", "session", "actor"])
def test_lone_surrogates_are_refused_in_every_name(bird: Bowerbird, name: str) -> None:
    odd: dict[str, Any] = {name: "s\ud800"}
    with pytest.raises(BadInput, match=f"^{name}: "):
        bird.remember(TEXT, **odd)


def test_nothing_comes_back_beside_its_own_twin(bird: Bowerbird) -> None:
    first = bird.remember(TEXT)
    active = bird.history(first.id).versions[0]
    bird.forget(first.id)
    second = bird.remember(TEXT)
    with pytest.raises(BadInput, match="says the same"):
        bird.revert(first.id)
    with pytest.raises(BadInput, match="says the same"):
        bird.revert(first.id, active.id)
    bird.forget(second.id)
    assert bird.revert(first.id).state == "active"
    assert [one.id for one in bird.list(memories_only=True)] == [first.id]


def test_an_earlier_text_does_not_come_back_beside_its_twin(bird: Bowerbird) -> None:
    id = bird.remember("The gate closes at nine").id
    first = bird.history(id).versions[0].id
    bird.edit(id, "Otters build dams beside the old mill")
    twin = bird.remember("The gate closes at nine").id
    for version in (None, first):
        with pytest.raises(BadInput, match=twin):
            bird.revert(id, version)
    bird.forget(twin)
    bird.revert(id)
    assert bird.get(id).text == "The gate closes at nine"


def test_a_text_believed_more_is_taken_back_for_what_it_replaced(bird: Bowerbird) -> None:
    """Both say the same; the newer one goes in the same step, so it is no twin."""
    first = bird.remember(TEXT, origin="peer")
    second = bird.remember(TEXT, origin="user")
    assert second.decision == "superseded"
    bird.revert(second.id)
    assert [one.id for one in bird.list(memories_only=True)] == [first.id]


def test_many_different_words_are_weighed_at_once(
    bird: Bowerbird, cost: Callable[..., float]
) -> None:
    """Were each word looked for in the text, ten times the words would cost a hundred times."""
    from bowerbird.lifecycle.keywords import keywords

    few, many = (" ".join(f"w{number:x}" for number in range(most)) for most in (2_000, 20_000))
    assert len(keywords(many, {})) == 8
    assert cost(keywords, many, {}) < 40 * cost(keywords, few, {})
    assert bird.remember("one two three").decision == "created"


def test_what_takes_a_place_matters_as_much_as_what_stood_there(bird: Bowerbird) -> None:
    short = "Redis must be up before auth tests"
    bird.remember(short, priority="critical", metadata={"team": "core", "room": 1}, tags=["auth"])
    old = bird.get(bird.remember(short).id)
    longer = bird.remember(f"{short}, because they share sessions", metadata={"room": 2})
    assert longer.decision == "superseded"
    new = bird.get(longer.id)
    assert new.importance == old.importance
    assert (new.importance or 0.0) > 0.3
    assert bird.history(longer.id).versions[0].fields.priority == "critical"
    assert bird.history(longer.id).versions[0].fields.metadata == {"team": "core", "room": 2}


def test_a_file_that_is_named_like_an_id_is_told_how_files_are_named(bird: Bowerbird) -> None:
    kept = bird.remember(TEXT)
    with pytest.raises(NotFound) as caught:
        bird.link(kept.id, "src/auth.py")
    assert caught.value.remedy == "is it a file? write: file:src/auth.py"


def test_now_is_a_time(bird: Bowerbird) -> None:
    bird.remember(TEXT)
    assert len(bird.query("deploys", since="1h", until="now")) == 1


def test_what_one_project_says_is_not_written_onto_what_every_project_sees(
    bird: Bowerbird,
) -> None:
    shared = bird.remember(TEXT, everywhere=True, tags=["deploy"])
    known = bird.remember(TEXT, tags=["shop"], metadata={"plan": "shop's"}, expires="1h")
    assert (known.id, known.decision, known.changed) == (shared.id, "known", ())
    assert "every project" in known.reason
    assert "tags" in known.reason
    kept = bird.get(shared.id)
    assert kept.tags == ("deploy",)
    assert kept.details is not None
    assert kept.details.fields.metadata == {}
    assert kept.details.fields.expires is None
    again = bird.remember(TEXT, everywhere=True, tags=["ci"])
    assert (again.changed, bird.get(shared.id).tags) == (("tags",), ("ci", "deploy"))
