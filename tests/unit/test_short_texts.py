"""What is too short to tell of anything is refused; no real memory is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bowerbird.core.draft import Draft
from bowerbird.core.errors import BadInput
from bowerbird.core.kinds import Kinds
from bowerbird.guard.redact import ALLOW_NOTHING
from bowerbird.lifecycle.complete import complete

NOW = 1_767_225_600_000
PAIRS = Path(__file__).parents[1] / "data" / "pairs" / "pairs.jsonl"


@pytest.mark.parametrize(
    "text",
    ["ok", "Yes!", "thanks", "gracias", "да", "好的", "👍", "🎉 🎉", "...", "—", "The.", "ok, ok"],
)
def test_what_could_never_be_found_is_no_memory(text: str) -> None:
    with pytest.raises(BadInput, match="contains nothing") as raised:
        complete(Draft(text), ALLOW_NOTHING, NOW, Kinds())
    assert "say what it is about" in raised.value.remedy


@pytest.mark.parametrize(
    "text",
    [
        "got it",
        "Thank you",
        "thanks a lot!",
        "No problem.",
        "Sounds good to me",
        "will do",
        "That's right",
        "okay, I see",
        "You're welcome",
        "Good morning",
        "yes, that is it",
        "Alles klar",
        "Vielen Dank!",
        "Ja, genau so",
        "gern geschehen",
        "das ist gut",
        "Merci beaucoup",
        "d'accord",
        "très bien",
        "de rien",
        "Je vous en prie, c'est bon",
        "Muchas gracias",
        "de nada",
        "está bien",
        "Muito obrigado",
        "Grazie mille",
        "va bene",
    ],
)
def test_what_only_answers_somebody_is_no_memory(text: str) -> None:
    with pytest.raises(BadInput, match="contains nothing"):
        complete(Draft(text), ALLOW_NOTHING, NOW, Kinds())


@pytest.mark.parametrize(
    "text",
    [
        "Thank donors in May",
        "The build is green",
        "I like jazz",
        "No sugar",
        "Use it twice",
        "Good coffee matters",
        "It was Ada",
        "She is the reviewer",
        "Ada says yes",
        "ok is 200",
        "Danke an Jonas",
        "Das Tor ist zu",
        "Il est végétarien",
        "Es alérgico",
        "你好世界",
    ],
)
def test_one_word_of_content_is_enough(text: str) -> None:
    assert complete(Draft(text), ALLOW_NOTHING, NOW, Kinds()).belief.text == text


@pytest.mark.parametrize("text", ["Use tabs", "port 5432", "我喜欢猫", "Ship it 🚀", "猫が好き"])
def test_short_memories_are_kept_as_they_are(text: str) -> None:
    assert complete(Draft(text), ALLOW_NOTHING, NOW, Kinds()).belief.text == text


@pytest.mark.parametrize("name", ["pairs", "everyday", "opposed"])
def test_no_labelled_memory_is_too_short(name: str) -> None:
    lines = PAIRS.with_name(f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    for pair in map(json.loads, lines):
        for text in (pair["old"], pair["new"]):
            assert complete(Draft(text), ALLOW_NOTHING, NOW, Kinds()).belief.text


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "R2",
        "a b",
        "x 1",
        "- 3 -",
        "42",
        "42.",
        "5432",
        "12:30",
        "1 2 3",
        "3.14",
        "2026-03-01",
        "１２３",
    ],
)
def test_letters_and_numbers_alone_are_no_memory(text: str) -> None:
    with pytest.raises(BadInput, match="nothing to search for"):
        complete(Draft(text), ALLOW_NOTHING, NOW, Kinds())


@pytest.mark.parametrize(
    "text",
    ["port 8080", "R2 bucket", "v2 it is", "改 1", "CVE-2024-3094", "42 is the answer", "at 12:30"],
)
def test_a_name_or_a_number_of_something_is_one(text: str) -> None:
    complete(Draft(text), ALLOW_NOTHING, NOW, Kinds())
