"""What a search is narrowed by: the same filters for a question and for a list, before anything ranks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.operators import MOST_DEEP, MOST_PARTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Each lets through the memory that is told apart, and of the others none.
APART: dict[str, dict[str, Any]] = {
    "state": {"states": ["deleted"]},
    "scope": {"scopes": ["module"]},
    "audience": {"audiences": ["team"]},
    "source": {"sources": "qa_auto"},
    "agent": {"agents": ["codex"]},
    "session": {"sessions": ["s-1"]},
    "module": {"modules": ["auth"]},
    "confidence": {"min_confidence": 0.9},
    "trust": {"min_trust": "full"},
    "review": {"needs_review": True},
    "waiting": {"waiting": True},
    "kind": {"kinds": ["gotcha"]},
    "tag": {"tags": ["CI"]},
}
ABOUT: dict[str, dict[str, Any]] = {
    "scope": {"scope": "module"},
    "audience": {"audience": "team"},
    "source": {"source": "qa_auto"},
    "agent": {"actor": "codex"},
    "session": {"session": "s-1"},
    "module": {"modules": ["auth"]},
    "confidence": {"confidence": 1.0},
    "trust": {"origin": "user"},
    "kind": {"kind": "gotcha"},
    "tag": {"tags": ["ci"]},
}


@pytest.fixture(params=[False, True], ids=["once", "resident"])
def asked(request: pytest.FixtureRequest, store_path: str) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, resident=request.param) as bird:
        yield bird


@pytest.mark.parametrize("what", APART)
def test_a_question_is_narrowed_as_a_list_is(asked: Bowerbird, tmp_path: Path, what: str) -> None:
    note = tmp_path / "lanterns.md"
    note.write_text("Lanterns hang in the yard.\n")
    asked.index(note)
    plain: dict[str, Any] = {"confidence": 0.5, "kind": "fact"}
    asked.remember("The lanterns of the north gate are lit by hand", **plain)
    given = plain | ABOUT.get(what, {})
    apart = asked.remember("Paper lanterns burn for nine hours", **given).id
    if what == "state":
        asked.forget(apart)
    if what in {"review", "waiting"}:
        other = asked.remember("Paper lanterns burn for ten hours", confidence=0.5, kind="fact").id
        apart = other if what == "waiting" else apart
    for _ in range(3):  # a resident process reads everything into memory after a while
        found = {hit.id for hit in asked.query("how long do lanterns burn?", **APART[what])}
        assert apart in found
        assert found == {entry.id for entry in asked.list(**APART[what])}
        assert len(found) == (2 if what == "review" else 1)


def test_ids_and_passages_can_be_left_out(asked: Bowerbird, tmp_path: Path) -> None:
    note = tmp_path / "lanterns.md"
    note.write_text("Lanterns hang in the yard.\n")
    asked.index(note)
    kept = asked.remember("Paper lanterns burn for nine hours").id
    passage = next(entry.id for entry in asked.list() if entry.id != kept)
    assert [hit.id for hit in asked.query("lanterns", memories_only=True)] == [kept]
    assert [hit.id for hit in asked.query("lanterns", exclude=[kept[:18]])] == [passage]


@pytest.mark.parametrize(
    "given",
    [
        {"since": "1h", "until": "2h"},
        {"since": "soon"},
        {"min_confidence": 7.0},
        {"min_confidence": "high"},
        {"needs_review": "soon"},
        {"exclude": ["01a"]},
        {"kinds": 3},
    ],
)
def test_what_lets_nothing_through_is_refused(asked: Bowerbird, given: dict[str, Any]) -> None:
    for verb in (asked.list, lambda **by: asked.query("lanterns", **by)):
        with pytest.raises(BadInput):
            verb(**given)


@pytest.mark.parametrize("name", ["states", "scopes", "audiences"])
def test_unknown_names_are_reported(asked: Bowerbird, name: str) -> None:
    given: Any = {name: ["nowhere"]}
    with pytest.raises(UnknownName):
        asked.query("lanterns", **given)


@pytest.mark.parametrize("name", ["projects", "families", "now", "colour"])
def test_nothing_else_narrows(asked: Bowerbird, name: str) -> None:
    given: Any = {name: None}
    with pytest.raises(UnknownName):
        asked.list(**given)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("redis NOT staging", {"up"}),
        ("redis OR lantern", {"up", "staging", "lantern"}),
        ('"auth tests"', {"up"}),
        ('"tests auth"', set()),
        ("lant*", {"lantern"}),
        ("redis AND (hangs OR lit)", {"staging"}),
        ("redis and staging", {"staging"}),
    ],
)
def test_operators_count_where_they_are_asked_for(
    asked: Bowerbird, text: str, found: set[str]
) -> None:
    kept = {
        "up": "Redis must be up before the auth tests",
        "staging": "On staging, redis and its proxy: it hangs",
        "lantern": "The lantern is lit by hand",
    }
    ids = {asked.remember(said).id: name for name, said in kept.items()}
    for fast in (False, True, False):
        hits = asked.query(text, operators=True, fast=fast)
        assert {ids[hit.id] for hit in hits} <= found
        assert hits.query == text
        if fast:
            assert {ids[hit.id] for hit in hits} == found
    assert {ids[entry.id] for entry in asked.list(matching=text)} == found
    assert {ids[hit.id] for hit in asked.query(text, operators=True)} == found
    assert len(asked.query(text)) == 3


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("GitHub", {"apart", "together"}),
        ("github AND staging", {"apart"}),
        ("(deploys OR tests) NOT GitHub", {"other"}),
        ('"GitHub Actions"', {"apart", "together"}),
        ('"github actions"', {"apart", "together"}),
        ('(deploys OR tests) NOT "GitHub Actions"', {"other"}),
        ("GitH*", {"apart", "together"}),
    ],
)
def test_a_name_counts_however_it_is_cased(asked: Bowerbird, text: str, found: set[str]) -> None:
    kept = {
        "apart": "GitHub Actions deploys the shop to staging",
        "together": "github actions runs the tests at night",
        "other": "Jenkins deploys the docs",
    }
    ids = {asked.remember(said).id: name for name, said in kept.items()}
    assert {ids[entry.id] for entry in asked.list(matching=text)} == found


@pytest.mark.parametrize("level", ["(x OR y z NOT ", "(x OR y ", "(x NOT ", "(x OR ", "(x "])
def test_brackets_in_each_other_are_read_or_refused(asked: Bowerbird, level: str) -> None:
    asked.remember("Paper lanterns burn for nine hours")
    deep = MOST_PARTS // (len(level.split()) + 2)
    asked.list(matching=level * min(MOST_DEEP, deep) + "X2Yx" + ")" * min(MOST_DEEP, deep))
    with pytest.raises(BadInput):
        asked.list(matching="(x " * (MOST_DEEP + 1) + "x" + ")" * (MOST_DEEP + 1))


def test_a_question_with_operators_is_the_one_matching(asked: Bowerbird) -> None:
    kept = asked.remember("Redis must be up before the auth tests").id
    assert [hit.id for hit in asked.query("auth tests", matching="redis NOT staging")] == [kept]
    assert not asked.query("auth tests", matching="redis NOT auth")
    assert asked.query("auth", operators=True, matching=None)
    with pytest.raises(BadInput):
        asked.query("auth", operators=True, matching="redis NOT auth")


def test_half_a_character_stands_in_no_path(asked: Bowerbird) -> None:
    asked.remember("Paper lanterns burn for nine hours", files=["notes/a.md"])
    with pytest.raises(BadInput, match=r"^path: "):
        asked.list(path="\ud800")
    with pytest.raises(BadInput, match=r"^path: "):
        asked.query("lanterns", path="a.md\ud800")


def test_a_phrase_that_stands_nowhere_finds_nothing(asked: Bowerbird) -> None:
    asked.remember("Paper lanterns burn for nine hours")
    for turn in range(6):  # each another question: answers are kept, too
        assert not asked.query(f'"lanterns paper" {turn}', kinds=["gotcha"])


def test_a_session_is_its_talk_and_what_was_kept_in_it(asked: Bowerbird, tmp_path: Path) -> None:
    talk = {"sessionId": "s-1", "projectHash": "p", "messages": [
        {"id": "1", "type": "user", "content": "How long do lanterns burn?"},
        {"id": "2", "type": "gemini", "content": "Paper lanterns burn for nine hours."},
    ]}  # fmt: skip
    (tmp_path / "session-1.json").write_text(json.dumps(talk))
    asked.index(tmp_path / "session-1.json")
    asked.remember("Lanterns hang in the yard", session="s-1")
    asked.remember("Lanterns are lit by hand", session="s-2")
    found = asked.query("how long do lanterns burn?", sessions="s-1")
    assert {hit.id for hit in found} == {entry.id for entry in asked.list(sessions="s-1")}
    # All of it stands on one line; still nobody is told to have said what another one did.
    said = {(hit.entry.speaker, hit.text) for hit in found}
    assert said == {
        ("user", "How long do lanterns burn?"),
        ("assistant", "Paper lanterns burn for nine hours."),
        ("", "Lanterns hang in the yard"),
    }


@pytest.mark.parametrize("verb", ["query", "list"])
def test_a_mistyped_argument_is_told_the_nearest_of_the_verb(store_path: str, verb: str) -> None:
    given: list[str] = ["what is lit?"] if verb == "query" else []
    with (
        Bowerbird.open(store_path) as bird,
        pytest.raises(UnknownName, match="limitt") as raised,
    ):
        getattr(bird, verb)(*given, limitt=5)
    assert raised.value.remedy == "did you mean limit?"


def test_what_is_no_path_is_reported(store_path: str) -> None:
    wrong: Any = ["notes"]
    with Bowerbird.open(store_path) as bird:
        for verb in (bird.index, bird.admin.learn):
            with pytest.raises(BadInput, match="is not a path") as raised:
                verb(wrong)
            assert "one by one" in raised.value.remedy
