"""What may be handed over unasked, by its numbers alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bowerbird.agent.inject.prompt import fits, shared
from bowerbird.agent.inject.selection import shortened
from bowerbird.agent.observe.transcript import last_said
from bowerbird.core.answers import Hit
from bowerbird.core.text import count_tokens
from bowerbird.core.types import Entry
from bowerbird.guard.redact import redact

if TYPE_CHECKING:
    from pathlib import Path


def hit(relevance: float, *matched: str) -> Hit:
    entry = Entry(1, "id", "memory", "fact", "text", "", "full", "active", 0)
    return Hit(entry, 1.0, relevance, 0.5, 0.5, 0.0, matched)


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (hit(0.5, "queue", "drained"), True),
        (hit(0.7, "test", "Tests", "testing"), False),
        (hit(0.39, "queue", "drained"), False),
        (hit(0.99, "fix"), False),
        (hit(0.31, "staging", "database", "port"), True),
        (hit(0.24, "staging", "database", "port"), False),
    ],
)
def test_a_hit_fits_by_relevance_and_shared_words(found: Hit, wanted: bool) -> None:
    assert fits(found) is wanted


def test_a_long_prompt_shares_three_words_with_anything() -> None:
    assert not fits(hit(0.31, "staging", "database", "port", "worker"), long=True)
    assert not fits(hit(0.5, "staging", "database"), long=True)
    assert fits(hit(0.5, "staging", "database", "port"), long=True)


def test_forms_of_a_word_numbers_and_short_words_are_not_shared() -> None:
    assert shared(["Test", "tests", "2", "go", "coverage"]) == 2


@pytest.mark.parametrize("text", ["word " * 300, "wörter " * 300, "x" * 900, "a\n" * 400])
@pytest.mark.parametrize("tokens", [1, 10, 100])
def test_a_shortened_text_keeps_to_its_tokens(text: str, tokens: int) -> None:
    assert count_tokens(shortened(text, tokens)) <= max(1, tokens)


def test_no_part_of_a_secret_is_reported_where_a_message_is_cut_short(tmp_path: Path) -> None:
    text = ("The gate stays as it is. " * 40)[:570] + " ghp_" + "4tRw9XbKq2" * 4
    path = tmp_path / "session.jsonl"
    record = {"type": "user", "message": {"role": "user", "content": text}}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    (line,) = last_said(str(path), lambda text: redact(text).text, people_only=False)
    assert line.text.startswith("The gate stays")
    assert "ghp_" not in line.text
