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
    with pytest.raises(BadInput, match="tells nothing") as raised:
        complete(Draft(text), ALLOW_NOTHING, NOW, Kinds())
    assert "say what it is about" in raised.value.remedy


@pytest.mark.parametrize(
    "text", ["Use tabs", "port 5432", "42", "我喜欢猫", "Ship it 🚀", "猫が好き"]
)
def test_short_memories_are_kept_as_they_are(text: str) -> None:
    assert complete(Draft(text), ALLOW_NOTHING, NOW, Kinds()).belief.text == text


@pytest.mark.parametrize("name", ["pairs", "everyday", "opposed"])
def test_no_labelled_memory_is_too_short(name: str) -> None:
    lines = PAIRS.with_name(f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    for pair in map(json.loads, lines):
        for text in (pair["old"], pair["new"]):
            assert complete(Draft(text), ALLOW_NOTHING, NOW, Kinds()).belief.text
