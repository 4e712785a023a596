"""Words, tokens and sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bowerbird.core.text import (
    clean,
    count_tokens,
    fold,
    searchable,
    segment,
    sentences,
    summarise,
    words,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("writeBoolean to HTTPServer", ["write", "boolean", "to", "http", "server"]),
        ("snake_case_name v2.10", ["snake", "case", "name", "v2", "10"]),
        ("Café Ångström naïve", ["cafe", "angstrom", "naive"]),
        ("don't", ["don", "t"]),
        ("黑豹队", ["黑豹", "豹队"]),
        ("が", ["が"]),
        ("서울에서", ["서울", "울에", "에서"]),
        ("", []),
        ("…!?", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_fold_keeps_scripts_whose_letters_are_composed() -> None:
    assert fold("ÉCOLE Ўзбек") == "ecole узбек"
    assert fold("がぎ 한국") == "がぎ 한국"


def test_searchable_adds_the_parts_of_identifiers_and_keeps_the_whole() -> None:
    assert searchable("call writeBoolean now") == "call writeBoolean now\nwrite Boolean"
    assert searchable("plain words") == "plain words"


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("黑豹", 2)]
)
def test_tokens_are_quarters_of_the_bytes_rounded_up(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


def test_clean_strips_what_is_not_seen() -> None:
    assert clean("a\u202eb\u200bc\x1b[31m\r\nd\U000e0041\ufeff\x00") == "abc\nd"
    assert clean("lone \ud800 surrogate") == "lone ? surrogate"


@given(st.text())
def test_any_text_survives(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    cleaned.encode()
    assert all(word == fold(word) and word for word in words(cleaned))
    segment(cleaned)
    assert all(sentences(cleaned))


def test_a_summary_is_the_first_sentence_cut_at_a_word() -> None:
    assert summarise("Redis first. Then tests.") == "Redis first."
    assert summarise("word " * 100) == ("word " * 32).strip() + "…"
    assert summarise("黑豹队的防守。第二句") == "黑豹队的防守。"
