"""What is put before an agent between its steps: a cure, the traps of its files, new notes."""

import re

from bowerbird.agent.inject.asking import TRAPS
from bowerbird.agent.inject.choosing import BUDGET as WIDE
from bowerbird.agent.inject.choosing import ENVELOPE, fitting, trusted
from bowerbird.agent.observe.fingerprint import fingerprint
from bowerbird.core.injected import CURE, FILE, NOTES, SEARCH, Injection
from bowerbird.core.types import MEMORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from bowerbird.agent.inject.asking import Sure
    from bowerbird.core.answers import Hit
    from bowerbird.core.ports.asked import Asked
    from bowerbird.core.types import Entry

# Tokens of what is handed over between two steps: half of what a prompt may be given.
BUDGET = 250
# Calls from which on memory speaks between steps: before, an agent takes in what it was given at first.
FIRST_STEP = 5
# What goes with a file, and is worth knowing before another one is changed.
COMPANIONS = ("prefetch_pattern", "causal_dependency")
_MOST_OF_FILES, _MOST_NOTES, _MOST_CURES, _MOST_ANSWERS = 4, 2, 2, 2
_LISTED = 40
# Errors whose cures are known.
_CURING = ("error_pattern", "gotcha")
# Words that a message must have without its names and numbers: shorter ones ("exit status") are of any.
FEWEST_WORDS = 4
# Characters and words of a message that a memory quotes.
_FEWEST_QUOTED, _FEWEST_QUOTED_WORDS = 12, 2
_QUOTED = r"`([^`\n]+)`|\"([^\"\n]+)\"|“([^”\n]+)”|'([^'\n]{12,})'"
# Lines of an error that are looked at, and how many of them are asked for; hits that are compared.
_LINES, _ASKED, _DEPTH = 200, 6, 20
_LONGEST_LINE = 300
# How runners of tasks begin the lines of one: `[lint] a.go:1:2: …`.
_TASK = r"^\[[\w:-]+\]\s+"
# Lines that name a place in a file, or say that something is wrong.
_TELLS = r"(?i):\d+:|\b(?:error|failed|cannot|denied|refused|not found)\b"
# A word of a search that tells something by itself: a name that somebody gave. Of four searches that were
# answered by a long word alone ("interface", "integration") none was answered well.
_NAME = r"\w*[a-z]\w*[A-Z]\w*|\w+_\w+"
_FEWEST_LETTERS = 4
# What answers no search. Of 32 that known errors answered none was helped; of 160 that were told where a
# name is defined or which file is long, the search itself had said so, or nobody went there, in all but
# four. Of 11 that were told anything else 4 were.
_NO_ANSWERS = ("error_pattern", "module_insight", "context_cost", *COMPANIONS)
# A part of a quotation that makes it code and no message: any output may hold `if err != nil {`.
_CODE = r"[{};]$|:=|[!=]=|=>|->"
# Words of languages, which tell nothing of what is looked for.
_KEYWORDS = frozenset(
    "func function class interface struct type import from return const static public private async await"
    " self this test error string package module default export".split()
)
_SEARCHES = 3
# Messages and names that were searched for are written as programs write them.
_WITHOUT = ("fuzzy",)


def cure(
    memory: "Asked", error: str, command: str, seen: "Collection[str]", sure: "Sure"
) -> Injection:
    """What is known to cure an error, by the message alone: the command may be another one."""
    lines = [*_telling(error)]
    found: dict[str, Entry] = {}
    # Line by line, without names and places: what several lines share crowds out what one of them needs.
    for asked in lines[:_ASKED]:
        if len(found) >= _MOST_CURES:
            break
        for hit in _by_words(memory, fingerprint(asked), _CURING):
            told = any(tells_of(hit.text, line, command) for line in lines)
            if told and hit.id not in {*found, *seen} and sure(entry := memory.get(hit.id)):
                found[hit.id] = entry
    items = fitting(found.values(), seen, BUDGET - ENVELOPE, _MOST_CURES)
    reasons = {one.id: "tells of this error" for one in items}
    return Injection(CURE, "What is known of this error.", items, reasons=reasons)


def _telling(error: str) -> "list[str]":
    """The lines of an error that may be known, none twice, those that name a place or an error first."""
    known: dict[str, str] = {}
    for raw in error.splitlines()[:_LINES]:
        line = re.sub(_TASK, "", raw.strip())[:_LONGEST_LINE]
        print_ = fingerprint(line)
        if len(print_.split()) >= _FEWEST_QUOTED_WORDS:
            known.setdefault(print_, line)
    return sorted(known.values(), key=lambda line: not re.search(_TELLS, line))


def tells_of(text: str, line: str, command: str = "") -> bool:
    """Whether a memory tells of an error: its words hold those of the line, or it quotes the message.

    Names, numbers and places do not count: the same error comes in another file. A quoted part of the
    `command` that failed is no message.
    """
    print_ = fingerprint(line)
    if len(print_.split()) >= FEWEST_WORDS and f" {print_} " in f" {fingerprint(text)} ":
        return True
    low = line.lower()
    for found in re.finditer(_QUOTED, text):
        quoted = (found[1] or found[2] or found[3] or found[4]).strip().lower()
        long = len(quoted) >= _FEWEST_QUOTED and len(quoted.split()) >= _FEWEST_QUOTED_WORDS
        if not long or quoted not in low or quoted in command.lower():
            continue
        if fingerprint(quoted) and not re.search(_CODE, quoted):
            return True
    return False


def of_files(
    memory: "Asked",
    paths: "Sequence[str]",
    seen: "Collection[str]",
    sure: "Sure",
    *,
    now: bool,
) -> Injection:
    """The traps of files, and of those that are touched `now` what goes with them."""
    listed: list[Entry] = []
    reasons: dict[str, str] = {}
    for path in paths:
        for entry in memory.list(
            kinds=(*TRAPS, *COMPANIONS) if now else TRAPS,
            path=path,
            memories_only=True,
            min_trust="normal",
            limit=_LISTED,
        ):
            if entry.id not in reasons:
                listed.append(entry)
                reasons[entry.id] = f"about {path}"
    traps_first = sorted(listed, key=lambda one: one.kind in COMPANIONS)
    room = (WIDE if now else BUDGET) - ENVELOPE
    items = fitting(filter(sure, traps_first), seen, room, _MOST_OF_FILES)
    about = (
        "What is known of this file." if now else "What is known of the files of the last steps."
    )
    return Injection(FILE, about, items, reasons=reasons)


def new_notes(
    memory: "Asked", since: int, session: str, seen: "Collection[str]", sure: "Sure"
) -> Injection:
    """What others kept in this project since this session began: `since`, in UTC milliseconds."""
    listed = memory.list(
        kinds=(), memories_only=True, min_trust="normal", limit=_LISTED, since=since
    )
    others = [one for one in listed if one.session != session and one.created >= since]
    items = fitting(filter(sure, others), seen, BUDGET - ENVELOPE, _MOST_NOTES)
    reasons = {one.id: "kept since this session began" for one in items}
    return Injection(NOTES, "What was kept in this project meanwhile.", items, reasons=reasons)


def of_searches(
    memory: "Asked", patterns: "Sequence[str]", seen: "Collection[str]", sure: "Sure"
) -> Injection:
    """What memory knows of what was searched for last, the newest search first."""
    about = "What is known of what was searched for."
    for pattern in [*dict.fromkeys(reversed(patterns))][:_SEARCHES]:
        for words in asked_for(pattern):
            hits = [
                hit
                for hit in _by_words(memory, " ".join(words), ())
                if hit.id not in seen and hit.kind not in _NO_ANSWERS and answers(hit.text, words)
            ]
            known = [entry for hit in hits if sure(entry := memory.get(hit.id))]
            items = fitting(known, seen, BUDGET - ENVELOPE, _MOST_ANSWERS)
            if items:
                reasons = {one.id: "holds what was searched for" for one in items}
                return Injection(SEARCH, about, items, reasons=reasons)
    return Injection(SEARCH, about)


def asked_for(pattern: str) -> "list[list[str]]":
    """The words of each alternative of a pattern that tell what is looked for, of a path its last part.

    One of them is a name that somebody gave (`handleStop`, `max_steps`).
    """
    found = []
    for part in re.split(r"\\?\||,|[{}]", pattern):
        plain = re.sub(r"\\[a-zA-Z]", " ", part.rpartition("/")[2])
        words = [
            one
            for one in re.findall(r"\w+", plain)
            if len(one) >= _FEWEST_LETTERS and one.lower() not in _KEYWORDS
        ]
        if any(re.fullmatch(_NAME, one) for one in words):
            found.append(words)
    return found


def answers(text: str, words: "Sequence[str]") -> bool:
    """Whether a text holds each of some words as it was searched for: names as a whole."""
    low = text.lower()
    ends = {one: r"(?!\w)" if re.fullmatch(_NAME, one) else "" for one in words}
    return all(
        re.search(rf"(?<![^\W_]){re.escape(one.lower())}{end}", low) for one, end in ends.items()
    )


def _by_words(memory: "Asked", text: str, kinds: "Sequence[str]") -> "Iterator[Hit]":
    """Memories that share words with a text, best first."""
    hits = memory.query(
        text,
        limit=_DEPTH,
        min_score=0.0,
        min_trust="normal",
        without=_WITHOUT,
        fast=True,
        kinds=kinds,
        memories_only=True,
    )
    return (hit for hit in hits if hit.entry.family == MEMORY and trusted(hit.entry))
