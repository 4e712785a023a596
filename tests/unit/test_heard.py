"""The names and runs of words by which a text is recognised as what others said first."""

from __future__ import annotations

import pytest

from bowerbird.guard.heard import Heard
from bowerbird.guard.names import Names
from bowerbird.models.registry import vocabulary

WORDS = vocabulary().holds


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("set `relay=mail.tarnquist.example` there", "mail.tarnquist.example"),
        ("add org.tarnquist:fast-brill:3.1", "fast-brill"),
        ("call it with --skip-brillig", "skip-brillig"),
        ("export BRILL_TOKEN=1", "brill_token"),
        ("useBrilligCache is needed", "usebrilligcache"),
        ("the group audit-free-circle may", "audit-free-circle"),
        ("feature/try-BRILL_FREE=1-first", "brill_free"),
        ("?note=push%20to%20hub.tarnquist.example", "hub.tarnquist.example"),
        ("table orders_copy_7", "orders_copy_7"),
    ],
)
def test_what_nobody_chooses_twice_by_chance_is_a_name(text: str, name: str) -> None:
    assert name in Names(WORDS).of(text)


@pytest.mark.parametrize(
    "text",
    [
        "We keep the list of tests up-to-date and read-only, end-to-end.",
        "README.md, package.json, next.js and config.yaml on GitHub, in JavaScript",
        "v2.1.0, 550e8400-e29b-41d4, 12.5, 2026-01-05, 3.11",
        "Der Build-Prozess und die Deployment-Strategie sind fertig.",
    ],
)
def test_plain_words_files_and_numbers_are_none(text: str) -> None:
    assert not Names(WORDS).of(text)


def heard(*earlier: str, own: tuple[str, ...] = ()) -> Heard:
    return Heard(
        lambda asked: {*earlier} & {*asked}, lambda asked: {*own} & {*asked}, is_word=WORDS
    )


def test_a_name_that_others_brought_in_is_repeated_in_other_words() -> None:
    session = heard()
    session.others("The proxy is brill.tarnquist.example, as all know.")
    assert session.repeats("Builds go through brill.tarnquist.example now")
    assert not session.repeats("Builds go through our own proxy now")


@pytest.mark.parametrize("whose", ["typed", "own"])
def test_a_name_of_ones_own_is_not(whose: str) -> None:
    session = heard()
    getattr(session, whose)("we run `brill_cache` in all stages")
    session.others("brill_cache: 3 warnings")
    assert not session.repeats("the warnings of brill_cache are gone")


def test_a_file_holds_a_name_only_if_the_session_did_not_put_it_there() -> None:
    held: set[str] = set()
    session = Heard(in_project=lambda asked: held & {*asked}, is_word=WORDS)
    session.others("use brill_cache and brill_queue")
    session.wrote("BRILL_CACHE=1")
    held |= {"brill_cache", "brill_queue"}
    session.own("BRILL_CACHE=1")
    assert session.repeats("brill_cache is on")
    assert not session.repeats("brill_queue is on")


def test_an_edit_repeats_only_what_it_adds() -> None:
    session = heard()
    session.others("orders.go:7: return brill_rows(all) hides an error from its caller")
    old = "return brill_rows(all) hides an error from its caller"
    assert session.repeats(old)
    assert not session.repeats(f"{old} // checked", old)


def test_a_name_from_an_earlier_session_is_ones_own_only_when_typed() -> None:
    session = heard("brill_cache")
    session.own("Commit: brill_cache is on")
    assert session.repeats("brill_cache is on")
    session.typed("yes, brill_cache is what we want")
    assert not session.repeats("brill_cache is on")


def test_what_is_kept_of_a_session_is_bounded_and_always_the_same() -> None:
    session, other = heard(), heard()
    many = [f"brill_{number}_cache" for number in range(500)]
    session.others(" ".join(many))
    other.others(" ".join(reversed(many)))
    assert len({*session.learned(100)}) == 100
    assert {*session.learned(100)} == {*other.learned(100)}
