"""Relevance is pure: the score and coverage of a hit in, a calibrated number out."""

import pytest

from bowerbird.core.types import MEMORY, Entry
from bowerbird.retrieval.relevance import (
    NOTHING,
    NOTHING_KEPT,
    STRANGER,
    Calibration,
    coverage,
    crowd,
    nothing,
    words_of,
)


def entry(row: int, text: str = "text", **fields: object) -> Entry:
    usual: dict[str, object] = {
        "id": str(row), "family": "passage", "kind": "passage", "project": "", "trust": "imported",
        "state": "active", "created": 0, "document": 1, "ordinal": row, "start_line": row,
        "end_line": row,
    }  # fmt: skip
    return Entry(row=row, text=text, **{**usual, **fields})  # type: ignore[arg-type]


def test_relevance_grows_with_both_and_stays_between_0_and_1() -> None:
    measure = Calibration({"redis": 3.0, "tests": 1.0}, set(), 1_000)
    shares = [measure.covered(text) for text in ("  ", " tests ", " redis ", " redis tests ")]
    grid = [[measure.relevance(score / 10, held) for held in shares] for score in range(11)]
    assert all(0 < value < 1 for row in grid for value in row)
    assert all(row == sorted(set(row)) for row in grid)
    assert all(list(column) == sorted(set(column)) for column in zip(*grid, strict=True))


def test_an_equal_score_says_more_of_many_words_and_less_among_many_entries() -> None:
    few, many = dict.fromkeys("ab", 1.0), dict.fromkeys("abcdefgh", 1.0)
    small = Calibration(few, set(), 100).relevance(0.3, 1.0)
    assert small < Calibration(many, set(), 100).relevance(0.3, 1.0)
    assert small > Calibration(few, set(), 100_000).relevance(0.3, 1.0)
    assert small == Calibration(few, set(), 1).relevance(0.3, 1.0)


def test_of_memories_a_cosine_says_more_in_a_longer_question_and_less_among_many() -> None:
    few, many = {"a": 1.0}, dict.fromkeys("abcdefgh", 1.0)
    low = Calibration(few, set(), 40).understood(0.4, 0.3, 0.2, 0.25, 0.0, 40)
    assert 0 < low < Calibration(few, set(), 40).understood(0.5, 0.3, 0.2, 0.25, 0.0, 40) < 1
    assert low < Calibration(few, set(), 40).understood(0.4, 0.2, 0.2, 0.25, 0.0, 40)
    assert low < Calibration(few, set(), 40).understood(0.4, 0.3, 0.4, 0.25, 0.0, 40)
    assert low < Calibration(few, set(), 40).understood(0.6, 0.3, 0.2, 0.25, 0.0, 40)
    assert low < Calibration(few, set(), 40).understood(0.4, 0.3, 0.2, 0.28, 0.0, 40)
    assert low < Calibration(many, set(), 40).understood(0.4, 0.3, 0.2, 0.25, 0.0, 40)
    assert low > Calibration(few, set(), 40).understood(0.4, 0.3, 0.2, 0.25, 0.0, 4_000)


def test_the_crowd_are_those_behind_the_best_and_strangers_where_they_are_few() -> None:
    assert crowd([0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.1]) == 0.5
    assert crowd([]) == crowd([0.9]) == pytest.approx(STRANGER)
    assert STRANGER < crowd([0.9, 0.8]) < 0.8


def test_by_the_first_look_a_memory_of_no_score_is_none() -> None:
    measure = Calibration({"redis": 3.0, "tests": 1.0}, set(), 40)
    assert measure.remembered(0.0) < 0.01 < measure.remembered(0.1) < measure.remembered(0.3)
    large = Calibration({"redis": 3.0, "tests": 1.0}, set(), 4_000)
    assert measure.remembered(0.3) > large.remembered(0.3)


def test_less_is_nothing_of_a_passage_than_of_a_memory() -> None:
    between = (NOTHING + NOTHING_KEPT) / 2
    assert nothing(between, "memory")
    assert not nothing(between, "passage")


def test_what_was_read_into_a_misspelt_word_says_less() -> None:
    scores = [
        Calibration({"a": 1.0}, guessed, 100).relevance(0.3, 1.0) for guessed in ({"a"}, set())
    ]
    assert scores[0] < scores[1]


def test_what_an_entry_holds_are_its_tags_and_headings_too() -> None:
    tagged = entry(1, "Runs on EKS.", context="Deployment").replace(tags=("k8s",))
    assert words_of(tagged).split() == ["deployment", "k8s", "runs", "on", "eks"]


def test_coverage_counts_what_a_word_tells() -> None:
    measure = Calibration({"redis": 3.0, "tests": 1.0}, set(), 10)
    assert measure.covered(" redis ") == 0.75
    assert measure.covered(" tests redis ") == 1.0
    assert measure.covered(" testing redis ") == 0.875
    assert measure.covered("  ") == 0.0
    assert Calibration({}, set(), 0).covered(" x ") == 0.0


def test_what_stands_by_itself_gains_by_what_it_holds_of_the_question() -> None:
    calibration = Calibration({"redis": 3.0, "tests": 1.0}, set(), 10)
    entries = {
        1: entry(1, "The tests need Redis."),
        2: entry(2, "The tests are slow."),
        3: entry(3, "Redis for the tests.").replace(session="talk"),
        4: entry(4, "Redis it is.").replace(session="talk", family=MEMORY, document=None),
    }
    assert coverage(entries, calibration) == pytest.approx({1: 1.0, 2: 1 / 4, 4: 3 / 4})
    assert coverage({3: entries[3]}, calibration) == {}
