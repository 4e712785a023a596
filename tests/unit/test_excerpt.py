"""What of a text shows why it was found."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bowerbird.core.excerpt import LENGTH, Finder, matched_words, quoted, snippet, stem
from bowerbird.core.text import bare
from bowerbird.retrieval.analyse import distinct_words


def test_matched_words_are_shown_as_written() -> None:
    shown = Finder(["tests", "naive", "on"])
    assert matched_words("Testing a Naïve test, one upon", shown) == ("Testing", "Naïve", "test")
    assert matched_words("anything", Finder([])) == ()
    assert matched_words("黑豹队的防守", Finder(["防守"])) == ("防守",)


@given(st.text(max_size=400), st.lists(st.text(alphabet="abtesé_9 ", max_size=9), max_size=4))
def test_what_is_found_are_the_words_that_begin_like_a_term(text: str, asked: list[str]) -> None:
    terms = distinct_words(" ".join(asked))
    folded = bare(text + " abc_tests testing9 atest " + " ".join(asked))
    wanted = [
        word.span()
        for word in re.finditer(r"[^\W_]+", folded)
        if any(
            word.group() == term
            or (
                (len(term) > 4 and word.group().startswith(stem(term)))
                and len(word.group()) <= len(stem(term)) + 6
            )
            for term in terms
        )
    ]
    assert Finder(terms).spans(folded) == wanted


@pytest.mark.parametrize("before", [0, 20, 300, 650, 880, 898])
@pytest.mark.parametrize("word", ["鍵", "/srv/keys/a-long-path-of-forty-characters-or-more/鍵"])
@pytest.mark.parametrize("length", [60, 200, LENGTH])
def test_a_snippet_shows_what_matched_where_nothing_is_between_words(
    before: int, word: str, length: int
) -> None:
    text = "あ" * before + word + "い" * (899 - before)
    cut = snippet(text, [word], length)
    assert word in cut
    assert length * 3 // 4 <= len(cut) <= length


@given(st.text(max_size=3_000), st.text(alphabet="abc ", max_size=12))
def test_a_snippet_is_short_and_of_the_text(text: str, asked: str) -> None:
    matched = matched_words(text, Finder(asked.split()))
    cut = snippet(text, matched)
    assert len(cut) <= LENGTH
    assert cut.strip("…").strip() in text


def _quoted(text: str, *matched: str) -> list[str]:
    return [text[begin:end] for begin, end in quoted(text, matched, 2)]


LONG = "The pipeline takes twelve minutes, and posts what it did to the channel of the team. " * 4


def test_a_short_text_is_quoted_whole_and_without_its_heading() -> None:
    said = "Deploys go out Tuesday and Thursday. Never on Friday."
    assert _quoted(f"# When\n\n{said}", "Deploys", "Friday") == [said]
    assert _quoted("# Deploys", "Deploys") == ["# Deploys"]
    assert _quoted("") == []


def test_of_a_long_text_the_sentences_are_quoted_that_hold_more_of_the_words() -> None:
    first, last = "Deploys go out by the team; a deploy is small.", "Never deploy on Friday."
    text = f"# Deploys\n\n{first} {LONG}Deploys are logged. {last} {LONG}"
    # Forms of one word count once, and a short sentence stands with the one before it.
    assert _quoted(text, "Deploys", "deploy", "Friday") == [first, f"Deploys are logged. {last}"]
    assert _quoted(f"{first} {last} {LONG}", "Friday") == [f"{first} {last}"]
    assert _quoted(LONG) == [LONG[: len(LONG) // 4].strip()]
