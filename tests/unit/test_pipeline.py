"""The pipeline over a real store: what memories add, what may be left out, and what never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import UnknownName
from bowerbird.retrieval.stages import OPTIONAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

DAY = 86_400_000


@pytest.fixture
def bird(store_path: str, clock: Callable[[], int]) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="here", clock=clock) as bird:
        yield bird


def ids(bird: Bowerbird, text: str, **options: object) -> list[str]:
    return [hit.id for hit in bird.query(text, **options)]  # type: ignore[arg-type]


def test_a_related_memory_comes_along_in_both_directions(bird: Bowerbird) -> None:
    redis = bird.remember("The auth tests need Redis on port 6379.").id
    owner = bird.remember("Wilhelmina maintains the shared cluster.").id
    assert owner not in ids(bird, "redis for auth tests", fast=True)
    bird.link(redis, owner, "informs")
    assert ids(bird, "redis for auth tests", fast=True) == [redis, owner]
    assert ids(bird, "who is Wilhelmina", fast=True)[:2] == [owner, redis]
    assert owner not in ids(bird, "redis for auth tests", fast=True, without=["relations"])


def test_relations_pass_the_same_filters(bird: Bowerbird) -> None:
    redis = bird.remember("The auth tests need Redis on port 6379.", kind="fact").id
    gone = bird.remember("Wilhelmina maintains the shared cluster.", kind="preference").id
    bird.link(redis, gone)
    assert gone not in ids(bird, "redis for auth tests", fast=True, kinds=["fact"])
    bird.forget(gone)
    assert gone not in ids(bird, "redis for auth tests", fast=True)


def test_where_nothing_is_related_nothing_changes(bird: Bowerbird) -> None:
    for text in ("Redis runs on port 6379.", "The harbour office opens at nine."):
        bird.remember(text)
    question = "which port has redis, and when does the harbour office open"
    plain = bird.query(question, without=["relations", "life"])
    both = bird.query(question, without=["life"])
    assert len(both) == 2
    assert [(hit.id, hit.score) for hit in plain] == [(hit.id, hit.score) for hit in both]


def test_a_past_orders_equals_and_leaves_relevance_alone(bird: Bowerbird) -> None:
    low = bird.remember("The staging queue is called heron.", source="observer_inferred").id
    high = bird.remember("The staging queue is called pelican.", source="user_taught").id
    hits = {hit.id: hit for hit in bird.query("what is the staging queue called")}
    plain = {
        hit.id: hit for hit in bird.query("what is the staging queue called", without=["life"])
    }
    assert hits[high].score > hits[low].score
    assert {id: hit.relevance for id, hit in hits.items()} == {
        id: hit.relevance for id, hit in plain.items()
    }


def test_what_is_of_the_time_asked_about_comes_first(bird: Bowerbird, tmp_path: Path) -> None:
    lines = [
        f'{{"role": "user", "content": "We met at the harbour.", "timestamp": "{date}T10:00:00Z"}}'
        for date in ("2025-11-03", "2025-12-12")
    ]
    for number, line in enumerate(lines):
        (tmp_path / f"talk{number}.jsonl").write_text(line + "\n")
    bird.index(tmp_path)
    for words, wanted in (("in November 2025", "talk0"), ("in December 2025", "talk1")):
        hits = bird.query(f"where did we meet {words}", explain=True)
        assert wanted in str(hits[0].path)
        assert "period" in hits.trace.contributions(hits[0].entry.row)


def test_code_is_compared_with_every_word_counting_the_same(
    bird: Bowerbird, tmp_path: Path
) -> None:
    for number in range(20):
        (tmp_path / f"one{number}.py").write_text(f"def one{number}(file):\n    return file\n")
        (tmp_path / f"two{number}.md").write_text(f"A file of the year {number}.\n")
    (tmp_path / "walk.py").write_text("def walk(file):\n    return list(file)\n")
    (tmp_path / "walk.md").write_text("To walk a file is to list it.\n")
    bird.index(tmp_path)
    question, left = "walk list file", ["rarity"]
    weighed = {hit.path: hit.semantic for hit in bird.query(question, limit=50)}
    evenly = {hit.path: hit.semantic for hit in bird.query(question, limit=50, without=left)}
    for path, cosine in weighed.items():
        assert (cosine == evenly[path]) == str(path).endswith(".py"), path


def test_other_forms_of_a_foreign_word_are_found(bird: Bowerbird) -> None:
    wanted = bird.remember("Die Verteidigungslinie wurde 2021 verstärkt.").id
    bird.remember("Die Kantine kocht um zwei Uhr.")
    question = "Wann wurde die Verteidigung verstärkt?"
    assert ids(bird, "Was ist mit der Verteidigung?", fast=True) == [wanted]
    assert ids(bird, "Was ist mit der Verteidigung?", fast=True, without=["beginnings"]) == []
    stages = {stage.name for stage in bird.query(question).trace.stages}
    assert "beginnings" in stages
    assert "beginnings" not in {stage.name for stage in bird.query("the defence").trace.stages}


def test_turns_of_people_count_by_what_they_tell_and_those_with_a_program_by_how_little(
    bird: Bowerbird, tmp_path: Path
) -> None:
    people = ("Did the harbour flood?", "The harbour did flood.")
    agent = ("Did the harbour flood now?", "The harbour did flood now.")
    for name, speakers, turns in (
        ("people", ("Ann", "Bob"), people),
        ("agent", ("user", "assistant"), agent),
    ):
        lines = [
            f'{{"role": "{speaker}", "content": "{text}"}}\n'
            for speaker, text in zip(speakers, turns, strict=True)
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(lines))
    bird.index(tmp_path)
    hits = bird.query("harbour flood", explain=True)
    expected = {(hit.path.rsplit("/")[-1], hit.text): hit for hit in hits if hit.path}
    parts = {key: hits.trace.contributions(hit.entry.row) for key, hit in expected.items()}
    asked, said = (parts["people.jsonl", text]["turns"] for text in people)
    assert asked < said < 0
    assert all(parts["agent.jsonl", text]["turns"] > 0 for text in agent)
    assert [("answers" in parts["people.jsonl", text]) for text in people] == [False, True]
    assert not any("answers" in parts["agent.jsonl", text] for text in agent)


def test_what_stands_side_by_side_counts_more(bird: Bowerbird, tmp_path: Path) -> None:
    (tmp_path / "apart.md").write_text("A rate is not a limit.\n")
    (tmp_path / "side.md").write_text("A rate limit, is it not?\n")
    bird.index(tmp_path)
    hits = bird.query('what is the "rate limit"', explain=True)
    assert str(hits[0].path).endswith("side.md")
    assert "together" in hits.trace.contributions(hits[0].entry.row)


@pytest.mark.parametrize("stage", OPTIONAL)
def test_every_optional_stage_can_be_left_out(bird: Bowerbird, stage: str) -> None:
    kept = bird.remember("Redis must be up before the auth tests.", kind="gotcha").id
    found = bird.query('must Redis be up before "auth tests"?', without=[stage])
    assert [hit.id for hit in found] == [kept]


def test_what_is_no_stage_cannot_be_left_out(bird: Bowerbird) -> None:
    bird.remember("Redis runs on port 6379.")
    with pytest.raises(UnknownName, match="stage"):
        bird.query("redis", without=["lexial"])


def test_the_trace_tells_what_the_question_is_after(bird: Bowerbird) -> None:
    bird.remember("We decided on Redis.", kind="decision")
    hits = bird.query("what did we decide about Redis yesterday", explain=True)
    (stage,) = (stage for stage in hits.trace.stages if stage.name == "analyse")
    assert "wants decision" in stage.note
    assert "about yesterday" in stage.note
    assert sum(hits.trace.contributions(hits[0].entry.row).values()) == pytest.approx(hits[0].score)
