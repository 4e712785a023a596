"""The counting rules of the bench, on cases small enough to count by hand."""

from __future__ import annotations

from math import log2

from bowerbird.bench.baselines import fused
from bowerbird.bench.metrics import (
    Shown,
    evidence_shown,
    ndcg,
    overlap,
    paired_interval,
    ranked,
    recall,
)


def test_a_hit_over_n_documents_takes_n_ranks_and_a_repeat_none() -> None:
    hits = [Shown("", (3, 4)), Shown("", (3,)), Shown("", (7,))]
    assert ranked(hits) == [3, 4, 7]


def test_recall_is_the_share_of_the_evidence() -> None:
    assert recall([1, 2, 3], {3: 1.0, 9: 1.0}, 3) == 0.5
    assert recall([1, 2, 3], {3: 1.0}, 2) == 0.0


def test_ndcg_discounts_by_rank_and_uses_grades() -> None:
    assert ndcg([5], {5: 1.0}, 10) == 1.0
    assert ndcg([1, 5], {5: 1.0}, 10) == 1 / log2(3)
    graded = (1 + 2 / log2(3)) / (2 + 1 / log2(3))
    assert abs(ndcg([1, 2], {1: 1.0, 2: 2.0}, 10) - graded) < 1e-12


def test_a_hit_is_cut_where_the_budget_ends() -> None:
    evidence = {0: "a" * 40}
    hits = [Shown("b" * 20, (1,)), Shown("a" * 40, (0,))]
    assert evidence_shown(hits, evidence, 15) == 1.0
    assert evidence_shown(hits, evidence, 10) == 0.5
    assert evidence_shown(hits, evidence, 5) == 0.0


def test_what_is_shown_twice_counts_once() -> None:
    text = "one two three four"
    hits = [Shown("one two three", (0,)), Shown("three four", (0,))]
    assert evidence_shown(hits, {0: text}, 1_000) == 1.0
    assert evidence_shown(hits[:1] * 2, {0: text}, 1_000) == 11 / 15


def test_two_turns_in_one_hit_are_each_credited() -> None:
    first, second = "x" * 8, "y" * 8
    hit = Shown(f"{first}\n{second}", (0, 1))
    assert evidence_shown([hit], {0: first, 1: second}, 1_000) == 1.0
    # Four tokens are sixteen bytes: the first turn, its line end, and seven of the second.
    assert evidence_shown([hit], {0: first, 1: second}, 4) == (1 + 7 / 8) / 2


def test_text_that_is_not_quite_the_same_is_aligned() -> None:
    document = "".join(f"<{i}>" for i in range(200))
    redacted = document[:300].replace("<50>", "[x]")
    start, end = overlap(redacted, len(redacted), document)
    assert start == 0
    assert abs(end - 300) <= 1
    assert overlap("nothing alike", 13, document) == (0, 0)


def test_the_interval_is_paired_and_repeatable() -> None:
    ours, theirs = [1.0, 0.5, 0.8] * 50, [0.9, 0.4, 0.7] * 50
    mean, low, high = paired_interval(ours, theirs)
    assert abs(mean - 0.1) < 1e-9
    assert abs(low - 0.1) < 1e-9
    assert abs(high - 0.1) < 1e-9
    assert paired_interval([1, 0, 1, 0], [0] * 4) == paired_interval([1, 0, 1, 0], [0] * 4)


def test_reciprocal_ranks_add_up() -> None:
    assert fused([[1, 2], [2, 3]])[0] == 2
