"""What a language model may have kept: a hundred answers, written before the checks, and their edges."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bowerbird.core.errors import ModelError
from bowerbird.models.llm.expanding import phrased
from bowerbird.models.llm.judging import verdict
from bowerbird.models.llm.rating import rated
from bowerbird.models.llm.summarising import pattern
from bowerbird.sessions.learn.model_lessons import refused
from bowerbird.sessions.learn.session_lines import Line

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "model_answers.jsonl")
    .read_text()
    .splitlines()
]
SESSIONS = {row["session"]: [Line(**one) for one in row["lines"]] for row in ROWS if "lines" in row}
ANSWERS = [row for row in ROWS if "task" in row]


def outcome(row: dict[str, Any]) -> object:
    """What is made of an answer; nothing if it is dropped."""
    task, answer = row["task"], row["answer"]
    given: Any = row.get("given")
    if task == "lessons":
        return not refused(answer, SESSIONS[row["session"]])
    if task == "judge":
        return verdict(answer, given["old"], given["new"]).relation
    if task == "consolidate":
        return pattern(answer, given)
    if task == "expand":
        return phrased(answer, given)
    try:
        return rated(answer, len(given["texts"]))
    except ModelError:
        return None


def told(row: dict[str, Any]) -> str:
    return f"{row['task']} {row['answer']}"[:90]


def test_there_are_a_hundred() -> None:
    assert len(ANSWERS) == 100


# What worked stands in another line than what did not, beside no word of the lesson.
LOST = "pydocstyle cannot read the overloads in api.py; ruff's D rules work."


def test_what_is_supported_passes_and_nothing_else() -> None:
    passed = [(told(row), row["why"]) for row in ANSWERS if outcome(row) and not row["good"]]
    assert passed == []
    lost = [row["answer"] for row in ANSWERS if row["good"] and not outcome(row)]
    assert [one["text"] for one in lost] == [LOST]


TURNED = {
    "never": "always",
    "before": "after",
    "up": "down",
    "under": "over",
    "every": "no",
    "only": "also",
    "don't": "do",
    "cannot": "can",
    "from": "outside",
}
GOOD = [
    one
    for one in ANSWERS
    if one["good"] and one["task"] == "lessons" and one["answer"]["text"] != LOST
]


def altered(text: str) -> list[str]:
    """A statement with one thing in it changed, each time another one."""
    words = text.split()
    found = [" ".join((*words[:at], *new, *words[at + 1 :])) for at, new in changes(words)]
    found.append(" ".join(("Bob", *words[1:])))
    return [*found, f"Always {text}", f"{text} This holds for all projects.", f"Not so: {text}"]


def changes(words: list[str]) -> list[tuple[int, list[str]]]:
    found = []
    for at, word in enumerate(words):
        bare = word.strip("`.,;:'\"()").lower()
        if any(char.isdigit() for char in word):
            digits = "".join(str((int(one) + 1) % 10) if one.isdigit() else one for one in word)
            found.append((at, [digits]))
        elif bare in TURNED:
            found.append((at, [TURNED[bare]]))
        elif any(sign in bare for sign in "/_.-"):
            end = len(word.rstrip("`.,;:'\"()"))
            found.append((at, [f"{word[:end]}x{word[end:]}"]))
        elif at and word[:1].isupper():
            found.append((at, ["Kafka"]))
    return found


def test_a_supported_statement_that_is_altered_passes_no_more() -> None:
    passed = [
        text
        for row in GOOD
        for text in altered(row["answer"]["text"])
        if not refused({**row["answer"], "text": text}, SESSIONS[row["session"]])
    ]
    assert passed == []


@pytest.mark.parametrize("row", GOOD, ids=told)
def test_nothing_passes_without_its_line(row: dict[str, Any]) -> None:
    lines, answer = SESSIONS[row["session"]], row["answer"]
    outside = [one.replace(outside=True) if one.line == answer["line"] else one for one in lines]
    assert refused(answer, outside) == f"line {answer['line']} is none of its session's own"
    assert refused({**answer, "quote": ""}, lines)
    assert refused({**answer, "stands": "revises", "of": 3}, lines)
    assert refused(answer, lines, says=lambda text: text == answer["text"]) == "it is known"


STATED = "Both fetch functions have a timeout of 2 minutes."
LATER = {
    "No, the timeout of both fetch functions is one of the server.": True,
    "Use a timeout of the server in both fetch functions instead. Then go on.": True,
    # A long message on something else, which uses the same words elsewhere.
    "The fetch functions hang. The comment is not accurate. Validate the name instead.": False,
    "Thanks. The timeout of the fetch functions is good now, is it?": False,
}


@pytest.mark.parametrize("later", LATER)
def test_a_correction_is_about_what_it_corrects(later: str) -> None:
    answer: dict[str, Any] = {"kind": "decision", "text": STATED, "quote": STATED, "line": 3}
    answer |= {"stands": "new", "of": 0, "holds": "lasting"}
    lines = [Line(3, "agent", STATED), Line(5, "user", later)]
    assert refused(answer, lines) == ("it was corrected later" if LATER[later] else "")


def test_what_is_quoted_says_what_is_kept() -> None:
    said = "The payload only contains event data. The key is read from the package."
    answer: dict[str, Any] = {"kind": "fact", "line": 3, "stands": "new", "of": 0}
    answer |= {"holds": "lasting", "text": "The payload also contains event data."}
    lines = [Line(3, "user", said)]
    assert refused({**answer, "quote": "the payload only contains"}, lines)
    # Another sentence of the line, which has not the word that turns it.
    beside = refused({**answer, "quote": "The key is read from the package"}, lines)
    assert beside == "its quote says something else"


TOLD = (
    "Images are pushed by the pipeline, never from a laptop. And for prod you need Ada's approval in the"
    " release channel. The worker image has no curl. Alpine has it."
)
PUT = {
    "For prod you need Ada's approval in the release channel.": True,
    "For the pipeline you need Ada's approval in the release channel.": False,
    "For images you need Ada's approval in the release channel.": False,
    "For prod you need a laptop's approval in the release channel.": False,
    "The worker image has no curl.": True,
    "The Alpine image has no curl.": False,
}


@pytest.mark.parametrize("text", PUT)
def test_a_word_of_the_session_takes_no_other_ones_place(text: str) -> None:
    said = TOLD.split(". ", 2)
    quote = TOLD if "image has" in text else said[1]
    answer: dict[str, Any] = {"kind": "fact", "text": text, "quote": quote, "line": 3}
    answer |= {"stands": "new", "of": 0, "holds": "lasting"}
    assert (not refused(answer, [Line(3, "user", TOLD)])) == PUT[text]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("In the web client dates are formatted by luxon, since June.", True),
        ("Luxon formats dates by the web client, since June.", False),
    ],
)
def test_what_stands_elsewhere_in_a_sentence_is_the_same(text: str, kept: bool) -> None:
    said = "Since June dates are formatted by luxon in the web client."
    answer: dict[str, Any] = {"kind": "fact", "text": text, "quote": said, "line": 3}
    answer |= {"stands": "new", "of": 0, "holds": "lasting"}
    assert (not refused(answer, [Line(3, "user", said)])) == kept
