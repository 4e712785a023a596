"""What of a text shows why it was found."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bowerbird.core.excerpt import LENGTH, Finder, matched_words, snippet, stem
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
