"""What a sentence takes back of itself or of the one before it: a jest, another project, this time."""

from __future__ import annotations

import pytest

from bowerbird.sessions.learn.prompt_sentences import typed_sentences
from bowerbird.sessions.learn.unmeant import unmeant

CANCELLED = (
    "haha from now on every class is named after a cheese, just kidding. left() stays above zero",
    "in the harbour repo, that's my other job, we always use Java 8",
    "Nina meinte, der Kunde will immer Fotos, mal sehen ob das stimmt",
    "lol from now on the parrot approves every merge",
    "always deploy at midnight, said nobody ever",
    "ab jetzt reden wir nur noch in Reimen, kleiner Scherz",
    "désormais tout en majuscules, je rigole",
    "a partir de ahora todo en latín, es broma",
    "da oggi niente test, scherzo",
    "this snippet is of the mill's site, they use tabs, nothing to do with this repo",
    "for a different project: they always squash",
    "das gilt nicht für uns, die nehmen immer Tabs",
    "only this time skip the linter",
    "voor deze keer mag het zonder test",
)
MEANT = (
    "no joke, the client wants all headings in Papyrus",
    "kein Scherz, Scans immer als TIFF",
    "not only for this one: errors end with what to do",
    "nicht nur dieses Mal: Beträge immer in Cent",
    "we never log addresses",
    "the other project of ours uses the same key, so never rotate it alone",
)


@pytest.mark.parametrize("prompt", CANCELLED)
def test_a_sentence_that_takes_itself_back_is_not_meant(prompt: str) -> None:
    assert 0 in unmeant(typed_sentences(prompt))


@pytest.mark.parametrize("prompt", MEANT)
def test_what_says_that_it_is_meant_is(prompt: str) -> None:
    assert not unmeant(typed_sentences(prompt))


def test_a_short_sentence_takes_back_the_one_before_it_and_leaves_the_others() -> None:
    prompt = "We format with black. New law: commits in verse. Just kidding. Tests go below tests/."
    assert unmeant(typed_sentences(prompt)) == {1, 2}


def test_what_stands_at_the_begin_takes_back_the_sentence_before_it_alone() -> None:
    prompt = "Every commit in verse. Just kidding, we keep to plain English in all of them."
    assert unmeant(typed_sentences(prompt)) == {0}


def test_to_wait_for_something_takes_nothing_back() -> None:
    assert unmeant(["no, wait for the review before you merge anything"]) == frozenset()
    assert unmeant(["use tabs here", "no, wait, that was the other one"]) != frozenset()


def test_what_holds_for_days_is_kept_with_its_dates() -> None:
    assert unmeant(["deploys are frozen for the next ten days"]) == frozenset()
    assert unmeant(["use the small fixture for the next ten minutes"]) == frozenset({0})
