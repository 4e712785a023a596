"""What of a session's texts a colleague would note: passages, each with the odds of it. Pure.

Candidates are the passages of an agent's messages, and of what it wrote into documents that are no plans;
not the comments that it wrote into code, where the next agent reads them. A logistic regression on
their form and their place in the session gives each its log odds; `benchmarks/noteworthy.py` fits its
weights, in `noteworthy_weights.txt`, to notes that readers took. No single word of a text counts, so that
the weights hold for other code bases.
"""

import re
from functools import cache
from os.path import dirname, join

from bowerbird.core.events import SAID
from bowerbird.core.value import Record
from bowerbird.sessions.learn.explanations import (
    DID,
    LABEL,
    REASON,
    SAYS_CAUSE,
    SUPPOSES,
    Passage,
    dangles,
    inline_label,
    is_report,
    is_unfit,
    names,
    passages,
    said,
)
from bowerbird.sessions.learn.steps import once
from bowerbird.sessions.learn.turns import turns
from bowerbird.sessions.observe.calls import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.sessions.learn.steps import RecordedSession, Step
    from bowerbird.sessions.learn.turns import Turn

FITTED = join(dirname(__file__), "noteworthy_weights.txt")
CONSTANT = "constant"
# The regressions: on passages, and on what a person said in a prompt (`signals/corrections.py`).
PASSAGES = "passages"
WORDS = "words"
# What a passage comes from.
MESSAGE, DOCUMENT = ("message", "document")
_FEWEST_WORDS = 7
# In characters, of an edit that is read: larger ones are copies.
_LONGEST_EDIT = 60_000
_PROSE = re.compile(r"(?i)\.(?:md|mdx|rst|txt|adoc)$")
_PLAN = re.compile(r"(?i)\bplans?\b|todo|/requirements/|review")
# What tells of this session alone: checks that passed, sums, commits, lines that move, unfinished code.
PASSED = re.compile(r"(?i)[✅✓❌]|\bpass(?:es|ed|ing)?\b|\b0 issues\b|: success\b")
_SUM = re.compile(r"[=+*/→-] ?\d")
_MANY_SUMS = 3
_SHA = re.compile(r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b")
_LINE = re.compile(r"(?i)\w\.\w{1,5}`?:\d+|\blines? \d+")
_UNFINISHED = re.compile(
    r"(?i)\b(?:missing|unused|wrong|undefined)(?: `?\w+`?)? (?:imports?|variables?)\b"
    r"|\b(?:syntax|compil\w+|typecheck) errors?\b|\bmy (?:test|edit|change|mistake)\b"
)
# What tells of a test: its name, or a list of tests that were written.
_OF_TESTS = re.compile(
    r"(?i)^(?:`?test_?\w*|(?:new|added?|created) .{0,30}\btests?\b|tests\b)|\btest cases?\b"
)
# The words of a short passage.
_FEW_WORDS = 12
# Steps before a message in which a failure is what it speaks of.
_NEAR = 3


class Span(Record):
    """A passage with its `odds`, its `step`, its `source`, and the number of its `turn`."""

    odds: float
    passage: Passage
    step: "Step"
    source: str
    turn: int


@once
def spans(session: "RecordedSession") -> list[Span]:
    """Return the passages of the turns that nobody rejected, in their order."""
    found = []
    pieces = turns(session)
    for number, turn in enumerate(pieces):
        if turn.refused:
            continue
        for source, step, passage, named in candidates(turn, number / max(1, len(pieces) - 1)):
            found.append(Span(odds(PASSAGES, named), passage, step, source, number))
    return found


def odds(regression: str, named: dict[str, float]) -> float:
    """Return the log odds that a regression gives to some features."""
    weights = fitted(regression)
    return weights[CONSTANT] + sum(weights.get(one, 0.0) * by for one, by in named.items())


@cache
def fitted(regression: str) -> dict[str, float]:
    """Return the weights of a regression, `PASSAGES` or `WORDS`, by the names of its features."""
    with open(FITTED, encoding="utf-8") as file:
        rows = [line.split("\t") for line in file]
    return {name: float(value) for of, name, value in rows if of == regression}


def candidates(
    turn: "Turn", late: float
) -> "Iterator[tuple[str, Step, Passage, dict[str, float]]]":
    """Yield the passages of a turn that may be noted: source, step, passage and features.

    `late` is the turn's place in its session, 0 to 1.
    """
    for at, step in enumerate(turn.steps):
        around = _around(turn, at, late)
        for source, text, heading, place in _texts(step):
            kept = said(text)
            if len(kept.split()) < _FEWEST_WORDS or is_unfit(heading, kept):
                continue
            passage = Passage(heading, kept, place)
            yield source, step, passage, _form(passage) | around | {f"from {source}": 1.0}


def _texts(step: "Step") -> "Iterator[tuple[str, str, str, int]]":
    """Yield the source, text, heading and place of each passage of a step."""
    event = step.event
    if event.what == SAID:
        for place, one in enumerate(passages(event.text)):
            yield MESSAGE, one.text, one.heading, place
        return
    if step.failed or kind_of(event.tool) != "edit":
        return
    given = event.given
    text = str(given.get("new_string") or given.get("content") or "")
    before = str(given.get("old_string") or "")
    path = str(given.get("file_path") or "".join(step.paths[:1]))
    if not _PROSE.search(path) or _PLAN.search(path) or len(text) > _LONGEST_EDIT:
        return
    for place, one in enumerate(passages(text)):
        if one.text not in " ".join(before.split()):
            yield DOCUMENT, one.text, one.heading, place


def _form(one: Passage) -> dict[str, float]:
    text, heading = one.text, one.heading
    words = len(text.split())
    reasons = len({word.lower() for word in REASON.findall(text)})
    values = {
        "words": min(words, 80) / 40,
        "few words": words < _FEW_WORDS,
        "names": min(names(text), 5) / 3,
        "no name": not names(text),
        "reasons": min(reasons, 4) / 2,
        "no reason": not reasons,
        "label": LABEL.search(heading) or LABEL.search(inline_label(text)),
        "cause": SAYS_CAUSE.search(text),
        "did": DID.match(text) or DID.match(heading),
        "supposes": SUPPOSES.search(text),
        "dangles": dangles(text),
        "report": is_report(heading),
        "heading": heading,
        "heading names": names(heading) > 0,
        "first": one.place == 0,
        "place": min(one.place, 10) / 10,
        "I": re.search(r"\bI\b|\b[Ll]et me\b", text),
        "number": any(map(str.isdigit, text)),
        "listed": min(text.count("; "), 6) / 3,
        "passed": PASSED.search(text),
        "sums": len(_SUM.findall(text)) >= _MANY_SUMS,
        "commit": _SHA.search(text),
        "line": _LINE.search(text),
        "unfinished": _UNFINISHED.search(text),
        "of tests": _OF_TESTS.search(text) or _OF_TESTS.search(heading),
        "no full stop": text[-1] not in ".!)`",
    }
    return {
        name: float(value if isinstance(value, float) else bool(value))
        for name, value in values.items()
    }


def _around(turn: "Turn", at: int, late: float) -> dict[str, float]:
    step = turn.steps[at]
    prompt = turn.steps[0].event.text
    values = {
        "closes": step is turn.closing,
        "late": late,
        "asks": "?" in prompt[-300:],
        "long prompt": min(len(prompt), 1500) / 750,
        "long message": min(len(step.event.text), 3000) / 1500,
        "no edits": not turn.edits,
        "edits after": any(kind_of(one.event.tool) == "edit" for one in turn.steps[at:]),
        "failed before": any(one.failed for one in turn.steps[max(0, at - _NEAR) : at]),
        "tested": turn.tested,
        "broken": turn.broken,
        "sub-agent": bool(step.event.sub),
    }
    return {name: float(value) for name, value in values.items()}
