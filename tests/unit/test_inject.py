"""What may be handed over unasked, by its numbers alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bowerbird.core.answers import Hit
from bowerbird.core.text import count_tokens
from bowerbird.core.types import Entry
from bowerbird.guard.redact import redact
from bowerbird.sessions.inject.prompt import is_query, relevant
from bowerbird.sessions.inject.selection import shortened
from bowerbird.sessions.observe.transcript import last_said

if TYPE_CHECKING:
    from pathlib import Path


def hit(relevance: float, id: str = "one", family: str = "memory") -> Hit:
    entry = Entry(1, id, family, "fact", "text", "", "full", "active", 0)
    return Hit(entry, 1.0, relevance, 0.5, 0.5, 0.0, ())


def ids(hits: list[Hit], *, long: bool = False, out: str = "") -> list[str]:
    found = relevant(hits, lambda one: None if one.id == out else one.entry, long=long)
    return [entry.id for entry, _ in found]


def test_the_best_entry_decides_whether_anything_is_injected() -> None:
    assert ids([hit(0.2, "a"), hit(0.25, "b"), hit(0.09, "c")]) == ["a", "b"]
    assert ids([hit(0.23, "a"), hit(0.22, "b")]) == []
    assert ids([hit(0.9, "a"), hit(0.35, "b"), hit(0.37, "c")]) == ["a", "c"]


def test_a_long_prompt_is_similar_to_more_and_needs_more() -> None:
    assert ids([hit(0.29)]) == ["one"]
    assert ids([hit(0.29)], long=True) == []
    assert ids([hit(0.31)], long=True) == ["one"]


def test_an_entry_that_may_not_be_injected_lets_no_other_in() -> None:
    """Weaker ones are beside the best one, and without it they are nothing."""
    assert ids([hit(0.6, "waits"), hit(0.25, "b"), hit(0.2, "c")], out="waits") == ["b", "c"]
    assert ids([hit(0.6, "waits"), hit(0.23, "b")], out="waits") == []


def test_a_passage_of_a_note_needs_more_than_a_memory() -> None:
    assert ids([hit(0.34, family="passage")]) == []
    assert ids([hit(0.36, "note", "passage"), hit(0.3, "memory")]) == ["note", "memory"]


@pytest.mark.parametrize(
    ("prompt", "asks"),
    [
        ("staging port?", True),
        ("billing owner", True),
        ("and staging?", True),
        ("go on", False),
        ("commit this", False),
        ("staging?", False),
        ("yes", False),
    ],
)
def test_two_words_that_ask_or_name_two_things_are_a_query(prompt: str, asks: bool) -> None:
    assert is_query(prompt) == asks


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
