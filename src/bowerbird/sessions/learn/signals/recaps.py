"""Recaps: errors and concepts from an agent's own summary of its work.

Definition: a list item of the summary that an agent writes for a compaction. From the section on errors:
one that describes a fault with an identifier, and its fix. From the section on concepts: one that says
what an identifier means, or where something is stored. Source: recaps.
"""

import re

from bowerbird.core.events import COMPACTING
from bowerbird.sessions.learn.phrasing import names, same, whole
from bowerbird.sessions.learn.steps import Lesson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "recaps"
_ERRORS = re.compile(
    r"(?ms)^\s*(?:#+\s*)?(?:\d+\.\s*)?\**(?:Errors?|Bugs?|Problems?|Issues?"
    r"|Fix(?:es)?)\b[^\n]*\n(?P<points>.*?)"
    r"(?=^\s*(?:#+\s*)?\d+\.\s*\**[A-Z]|\Z)"
)
_POINT = re.compile(r"^(?P<in>\s*)(?:[-*•]|\d+\.)\s+(?P<text>.+)$")
_MENDED = re.compile(
    r"(?is)^(?P<what>.{15,}?)[\s.;,–—-]*\b(?:fix(?:ed)?|solution|resolved|solved)(?:\s+(?:by"
    r"|with)\b\s*:?|\s*:)\s+"
    r"(?P<how>.{8,})$"
)
_LABEL = re.compile(r"^(?:P\d )?(?:(?:bug|issue|error|fix) ?#?\d+\s*[-–—:]\s*)+", re.IGNORECASE)
# A failed test counts only with its reason; and a revert is not a fix.
_TESTS = re.compile(r"(?i)\btests?\b.{0,40}\bfail|\bfail\w* tests?\b|\btest failures?\b")
_WHY = re.compile(r"(?i)\b(?:because|since|due to|caus\w+|so that|as \w+|expected|no longer|now)\b")
_PUT_BACK = re.compile(r"(?i)\b(?:git (?:checkout|restore|reset|stash)|revert\w*|undo|undone)\b")
# Errors that every compiler reports for unfinished code.
_UNFINISHED = re.compile(
    r"(?i)\b(?:missing|unused|wrong) imports?\b|compil|syntax|\bimport cycle fixed\b|type mismatch"
)
_CONCEPTS = re.compile(
    r"(?ms)^\s*(?:#+\s*)?(?:\d+\.\s*)?\**(?:Key )?(?:Technical )?Concepts\b[^\n]*\n(?P<points>.*?)"
    r"(?=^\s*(?:#+\s*)?\d+\.\s*\**[A-Z]|…\[|\Z)"
)
# What something is, or where it is stored; not what was done, nor common knowledge of a language.
_IS = re.compile(
    r"`[^`]{3,}`.{0,40}?(?:\s[-–—]\s|:\s|\b(?:is|are|tracks?|stores?|holds?|returns?|maps?|points?"
    r"|means)\b|\bfor \w)"
    r"|\b(?:stored|kept|saved|written|defined|lives?|configured|named|naming)\b.{0,20}`[^`]{3,}`"
)
_DONE = re.compile(
    r"(?i)^(?:fix|solv|add|chang|updat|remov|refactor|implement|us(?:e|ing)\b|backwards?|error handling"
    r"|go |git |json|test)"
    r"|\b(?:old|new|legacy|currently|pending|todo|instead|vs\.?)\b"
)
_LONGEST = 420
_FEWEST_WORDS = 6
# The share of a definition's words that the name contains, too, from which the definition says nothing;
# words are compared by their first letters.
_SAYS_NOTHING = 0.5
_STEM = 4
_MOST = 6


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each list item."""
    found: dict[str, Lesson] = {}
    recaps = [step for step in session.steps if step.event.what == COMPACTING]
    for step in recaps:
        for kind, text in _texts(step.event.text, last=step is recaps[-1]):
            key = " ".join(re.findall(r"\w+", text.lower()))
            if text and len(found) < _MOST and not any(same(key, one) for one in found):
                found[key] = Lesson(
                    NAME,
                    key,
                    kind,
                    text,
                    (step.line,),
                    (session.id,),
                    strength=0.7,
                    outside=step.outside,
                )
    return [*found.values()]


def _texts(recap: str, *, last: bool) -> "Iterator[tuple[str, str]]":
    for section in _ERRORS.finditer(recap):
        for point in _points(section["points"]):
            yield "error_pattern", _mended(point)
    # Concepts may change until the last recap.
    for section in _CONCEPTS.finditer(recap) if last else ():
        for point in _points(section["points"]):
            yield "module_insight", _concept(point)


def _points(text: str) -> "Iterator[str]":
    """Yield the items of a list, each with its sub-items."""
    point: list[str] = []
    margin = -1
    for line in text.split("\n"):
        match = _POINT.match(line)
        if match is None:
            continue
        deep = len(match["in"])
        if margin < 0 or deep <= margin:
            if point:
                yield " ".join(point)
            point, margin = [], deep
        point.append(match["text"].strip())
    if point:
        yield " ".join(point)


def _mended(point: str) -> str:
    """Return a fault and its fix as two sentences; empty if either is missing."""
    match = _MENDED.match(_LABEL.sub("", point.replace("**", "")))
    if match is None or _UNFINISHED.search(point):
        return ""
    what, how = _LABEL.sub("", match["what"]).strip(" -–—:.;,"), match["how"].strip(" .")
    # With several fixes it is unknown which one counted; a fix without an identifier is too vague.
    if re.search(r"(?i)\bfix(?:ed)?\b", how) or not names(how) or _PUT_BACK.search(how):
        return ""
    if _TESTS.search(what) and not _WHY.search(what):
        return ""
    text = f"{what[:1].upper()}{what[1:]}. Fix: {how}."
    return text if len(text) <= _LONGEST and names(what) and names(text) and whole(text) else ""


def _concept(point: str) -> str:
    """Return what something is, as a sentence; empty if there is none or it is common knowledge."""
    text = re.sub(r"(?<=`) [-–—] ", ": ", point.replace("**", "").strip(" ."))
    long = len(text.split()) >= _FEWEST_WORDS and len(text) <= _LONGEST
    if not long or _DONE.search(text) or not _IS.search(text) or not whole(text):
        return ""
    return "" if _says_its_name(text) else f"{text[:1].upper()}{text[1:]}."


def _says_its_name(text: str) -> bool:
    """Return whether a definition only repeats the name."""
    name, _, said = text.lstrip("`").partition("`")
    parts = [one[:_STEM].lower() for one in re.findall(r"[A-Z]?[a-z]{2,}", name)]
    words = [one[:_STEM].lower() for one in re.findall(r"[A-Za-z]{4,}", said)]
    same = sum(any(one.startswith(part) for part in parts) for one in words)
    return bool(words) and same >= _SAYS_NOTHING * len(words)
