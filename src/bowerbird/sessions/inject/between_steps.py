"""Injection between an agent's steps: traps of its files, new notes, and answers to its searches."""

import re

from bowerbird.core.injected import FILE, NOTES, SEARCH, Injection
from bowerbird.sessions.inject.selection import (
    BETWEEN,
    ENVELOPE,
    RULES,
    TRAPS,
    by_words,
    fitting,
    is_learned_cure,
    is_tentative,
)
from bowerbird.sessions.inject.selection import BUDGET as WIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bowerbird.core.ports.recall import Recall
    from bowerbird.core.types import Entry
    from bowerbird.sessions.inject.selection import Sure

# The number of calls before the first injection between steps: until then the agent has just received the
# brief.
FIRST_STEP = 5
# Kinds about files that go with a file, useful before another one is changed.
COMPANIONS = ("prefetch_pattern", "causal_dependency")
_MOST_OF_FILES = 4
_MOST_NOTES = 2
_MOST_ANSWERS = 2
_LISTED = 40
# A word of a search that is specific enough by itself: an identifier. Of four searches that were answered
# by a long word alone ("interface", "integration") none was answered well.
_NAME = r"\w*[a-z]\w*[A-Z]\w*|\w+_\w+"
_FEWEST_LETTERS = 4
# Kinds that answer no search. Known errors were injected for 32 searches and helped none; of 160 searches
# with an entry on where a name is defined or which file is long, the search itself had found that, or the
# agent did not go there, in all but four. Of 11 with any other entry 4 were helped.
_NO_ANSWERS = ("error_pattern", "module_insight", "context_cost", *COMPANIONS)
# Keywords of programming languages, which are not specific to a search.
_KEYWORDS = frozenset(
    "func function class interface struct type import from return const static public private async await"
    " self this test error string package module default export".split()
)
_SEARCHES = 3


def of_files(
    memory: "Recall",
    paths: "Sequence[str]",
    seen: "Collection[str]",
    sure: "Sure",
    *,
    now: bool,
) -> Injection:
    """Return the traps and rules of files, and for those touched `now` what goes with them.

    A rule of a folder, or of a type of files, is one of each file in it.

    A learned cure waits for its error.
    """
    listed: list[Entry] = []
    reasons: dict[str, str] = {}
    for path in paths:
        for entry in memory.list(
            kinds=(*TRAPS, *RULES, *COMPANIONS) if now else (*TRAPS, *RULES),
            path=path,
            memories_only=True,
            min_trust="normal",
            coming=False,
            limit=_LISTED,
        ):
            if entry.id not in reasons:
                listed.append(entry)
                reasons[entry.id] = f"about {path}"
    told = [one for one in listed if not is_learned_cure(one)]
    traps_first = sorted(told, key=lambda one: one.kind in COMPANIONS)
    room = (WIDE if now else BETWEEN) - ENVELOPE
    items = fitting(filter(sure, traps_first), seen, room, _MOST_OF_FILES)
    about = (
        "What is known of this file." if now else "What is known of the files of the last steps."
    )
    return Injection(FILE, about, items, reasons=reasons)


def new_notes(
    memory: "Recall", since: int, session: str, seen: "Collection[str]", sure: "Sure"
) -> Injection:
    """Return what others stored in this project since this session began (`since`, UTC ms)."""
    listed = memory.list(
        kinds=(), memories_only=True, min_trust="normal", coming=False, limit=_LISTED, since=since
    )
    others = [one for one in listed if one.session != session and one.created >= since]
    told = [one for one in others if sure(one) and not is_tentative(one)]
    items = fitting(told, seen, BETWEEN - ENVELOPE, _MOST_NOTES)
    reasons = {one.id: "kept since this session began" for one in items}
    return Injection(
        NOTES,
        "What other sessions stored here since this one began.",
        items,
        reasons=reasons,
    )


def of_searches(
    memory: "Recall", patterns: "Sequence[str]", seen: "Collection[str]", sure: "Sure"
) -> Injection:
    """Return what memory knows about the last searches, the newest search first."""
    about = "Memories about what was searched for."
    for pattern in [*dict.fromkeys(reversed(patterns))][:_SEARCHES]:
        for words in asked_for(pattern):
            hits = [
                hit
                for hit in by_words(memory, " ".join(words), ())
                if hit.id not in seen and hit.kind not in _NO_ANSWERS and answers(hit.text, words)
            ]
            known = [entry for hit in hits if sure(entry := memory.get(hit.id))]
            items = fitting(known, seen, BETWEEN - ENVELOPE, _MOST_ANSWERS)
            if items:
                reasons = {one.id: "contains the searched name" for one in items}
                return Injection(SEARCH, about, items, reasons=reasons)
    return Injection(SEARCH, about)


def asked_for(pattern: str) -> "list[list[str]]":
    """Return the specific words of each alternative of a pattern; of a path its last part.

    One of them is an identifier (`handleStop`, `max_steps`).
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
    """Return whether a text contains each of some searched words; names must match as a whole."""
    low = text.lower()
    ends = {one: r"(?!\w)" if re.fullmatch(_NAME, one) else "" for one in words}
    return all(
        re.search(rf"(?<![^\W_]){re.escape(one.lower())}{end}", low) for one, end in ends.items()
    )
