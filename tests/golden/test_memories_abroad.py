"""Memories of other languages are found by questions in other words, in their language and in English."""

import json
from pathlib import Path

import pytest

from bowerbird import Bowerbird

SETS = json.loads((Path(__file__).parent / "memories.json").read_text(encoding="utf-8"))
# The share of questions whose memory stands among the first three.
FLOOR = 0.6


@pytest.mark.parametrize("language", SETS)
def test_a_memory_is_found_in_other_words(tmp_path: Path, language: str) -> None:
    memories, questions = SETS[language]["memories"], SETS[language]["questions"]
    found = {}
    with Bowerbird.open(tmp_path / "memory.db", project="golden") as bird:
        for text in memories:
            bird.remember(text)
        for text, right in questions:
            found[text] = any(right in hit.text for hit in list(bird.query(text))[:3])
    assert sum(found.values()) / len(found) >= FLOOR, found
