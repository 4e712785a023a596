"""Words, tokens and sentences."""

import unicodedata

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bowerbird.core.text import (
    clean,
    count_tokens,
    fold,
    searchable,
    segment,
    sentences,
    spaced,
    summarise,
    together,
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
        ("Какой ёж", ["какои", "еж"]),
        ("Ελλάδα", ["ελλαδα"]),
        ("दिल्ली की सड़कें", ["दलल", "क", "सडक"]),
        ("بالكتاب والمدرسةِ", ["كتاب", "مدرس"]),
        ("กินข้าว", ["กน", "นข", "ขา", "าว"]),
        ("ﬁne ＡＢＣ m²", ["fine", "abc", "m2"]),
        ("서울에서", ["서울", "울에", "에서"]),
        ("", []),
        ("…!?", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text() | st.text(st.characters(max_codepoint=127)))
@example("the getUserName of GitHub, an HTTPServer's GitHub")
def test_a_run_of_words_is_those_words(text: str) -> None:
    run = spaced(text)
    said = words(text)
    assert run.split()[: len(said)] == said
    assert set(run.split()[len(said) :]) == {*together(text)}
    assert run[:1].isspace()
    assert run[-1:].isspace()


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("Straße", "Strasse"),
        ("STRAẞE", "STRASSE"),
        ("Łódź", "Lodz"),
        ("đường phố", "duong pho"),
        ("Ærøskøbing", "Aeroskobing"),
        ("œuvre", "oeuvre"),
        ("ısınma", "isinma"),
        ("Þingvellir", "Thingvellir"),
    ],
)
def test_words_are_the_same_as_typed_without_the_letters(written: str, typed: str) -> None:
    assert words(written) == words(typed)
    assert searchable(written).lower().split("\n")[0] == typed.lower()


def test_fold_keeps_scripts_whose_letters_are_composed() -> None:
    assert fold("ÉCOLE Ўзбек") == "ecole узбек"
    assert fold("がぎ 한국") == "がぎ 한국"


def test_searchable_adds_the_parts_of_identifiers_and_keeps_the_whole() -> None:
    assert searchable("call writeBoolean now") == "call writeBoolean now\nwrite Boolean"
    assert searchable("plain words") == "plain words"


@pytest.fixture(scope="module")
def index() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE t USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    return connection


def test_every_letter_is_found_in_the_index_as_it_is_asked_for(index: apsw.Connection) -> None:
    missed = []
    for place in range(0x80, 0x1100):
        # A letter inside a word; a word that opens with a mark, or one without a letter, is none.
        text = f"q{chr(place)}w"
        if unicodedata.category(chr(place))[0] not in "LMN":
            continue
        index.execute("INSERT INTO t (rowid, text) VALUES (?, ?)", (place, searchable(text)))
        for word in words(text):
            found = index.execute(
                "SELECT 1 FROM t WHERE t MATCH ? AND rowid = ?", (f'"{word}"', place)
            ).fetchone()
            missed += [] if found else [text]
    assert missed == []


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("黑豹", 2)]
)
def test_tokens_are_quarters_of_the_bytes_rounded_up(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


def test_clean_strips_what_is_not_seen() -> None:
    assert clean("a\u202eb\u200bc\x1b[31m\r\nd\U000e0041\ufeff\x00") == "abc\nd"
    assert clean("\0a.py\0\u200b\0b.py\0\nc\0\u200b") == "a.py b.py\nc"
    assert clean("lone \ud800 surrogate") == "lone ? surrogate"


@given(st.text())
def test_any_text_survives(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    cleaned.encode()
    assert all(word == fold(word) and word for word in words(cleaned))
    searchable(cleaned)
    segment(cleaned)
    assert all(sentences(cleaned))


def test_a_summary_is_the_first_sentence_cut_at_a_word() -> None:
    assert summarise("Redis first. Then tests.") == "Redis first."
    gaps = "… nightly build failed … disk of runner 3 … full."
    assert summarise(f"{gaps} (The because the was.)") == gaps, "what is left out ends no sentence"
    assert summarise("word " * 100) == ("word " * 32).strip() + "…"
    assert summarise("黑豹队的防守。第二句") == "黑豹队的防守。"


@pytest.mark.parametrize(
    "text",
    [
        "The dentist is Dr. Weber in Lime Street 4.",
        "Ask J. R. Miller, Mrs. Hall or Prof. Okafor of St. Ives.",
        "Use a queue, e.g. Redis, i.e. no cron.",
        "Die Kaution beträgt ca. drei Mieten, z. B. 2.400 Euro, lt. Vertrag Nr. 12.",
        "At 5 p.m. U.S. time the job runs, cf. page 3.",
    ],
)
def test_a_full_stop_of_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert sentences(f"{text} Then more.") == [text, "Then more."]


def test_short_words_end_a_sentence() -> None:
    assert sentences("It is so. He said no. Go on.") == ["It is so.", "He said no.", "Go on."]
    dated = "Ab dem 1. Februar 2027 ist Redis 8 Pflicht."
    assert sentences(f"{dated} Bis 31. 12. gilt 7.") == [dated, "Bis 31. 12. gilt 7."]
    assert sentences("Am 3. und 4. Mai ist zu. It took 3. Then 4.") == [
        "Am 3. und 4. Mai ist zu.",
        "It took 3.",
        "Then 4.",
    ]
    assert sentences("We chose plan B. It works.") == ["We chose plan B. It works."]
