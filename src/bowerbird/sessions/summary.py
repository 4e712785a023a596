"""What was injected into a session, what of it the agent cited, and what that saved. Pure."""

import re

from bowerbird.core.events import GAVE, PROMPTED
from bowerbird.core.sessions import GivenMemory, Summary
from bowerbird.core.types import SHORT_ID
from bowerbird.core.value import Advice, Do
from bowerbird.guard.redact import marks_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Any

# Tokens that an agent needs to find something out by itself: a search that ends with reading a file 1,580
# (the median of 697), the way from an error to its cure 1,480 (of ten that were learned).
DISCOVERY = 1_500
_CITED = r"\[Memory #([0-9a-f-]{8,36})"


def cited_in(texts: "Iterable[str]") -> frozenset[str]:
    """Return the prefixes of ids that an agent's texts cite."""
    return frozenset(id[:SHORT_ID] for text in texts for id in re.findall(_CITED, text))


def said(lines: "Iterable[dict[str, Any]]") -> "list[str]":
    """Return the agent's messages in the journal of a session."""
    return [
        line["text"]
        for line in lines
        if line.get("what") not in (PROMPTED, GAVE) and isinstance(line.get("text"), str)
    ]


def summary(
    session: str, lines: "Iterable[dict[str, Any]]", cited: "Collection[str]" = frozenset()
) -> Summary:
    """Return the summary of a session's journal; `cited` are ids cited in messages outside of it."""
    kept = [*lines]
    known = cited_in(said(kept)) | frozenset(cited)
    given: dict[str, GivenMemory] = {}
    tokens = 0
    for line in kept:
        if line.get("what") != GAVE:
            continue
        tokens += line["tokens"] if type(line.get("tokens")) is int else 0
        items = line.get("items")
        for item in items if isinstance(items, list) else ():
            id = str(item.get("id", "")) if isinstance(item, dict) else ""
            if id and id not in given:
                labels = (str(item.get("kind", "")), str(item.get("citation", "")))
                given[id] = GivenMemory(id, *labels, cited=id[:SHORT_ID] in known)
    used = sum(one.cited for one in given.values())
    saved = used * DISCOVERY - tokens
    formula = f"{used} cited x {DISCOVERY:,} - {tokens:,} injected = {saved:,} (estimated)"
    return Summary(session, tuple(given.values()), tokens, saved, formula)


def secrets_typed(lines: "Iterable[dict[str, Any]]") -> int:
    """Return how many secrets were replaced in the prompts of a journal."""
    texts = (line.get("text") for line in lines if line.get("what") == PROMPTED)
    return sum(marks_in(text) for text in texts if isinstance(text, str))


def farewell(summary: Summary, waiting: int = 0, secrets: int = 0) -> str:
    """Return a one-line summary of a session; empty if there is nothing to tell.

    `waiting` is the number of memories that wait for review, `secrets` that of secrets in prompts.
    """
    if secrets:
        told = "1 secret that you typed was not kept, nor the sentence around it."
        if secrets > 1:
            told = f"{secrets} secrets that you typed were not kept, nor the sentences around them."
        more = farewell(summary, waiting)
        return Advice(f"{told} ", more) if more else told
    waits = f"{waiting} memor{'y waits' if waiting == 1 else 'ies wait'} for review: "
    if not summary.given:
        return Advice(waits, Do("review")) if waiting else ""
    used = sum(one.cited for one in summary.given)
    line = f"Memory: {len(summary.given)} injected ({summary.tokens:,} tokens)"
    line += f", {used} cited" * bool(used)
    if waiting:
        line += f". {waiting} wait{'s' if waiting == 1 else ''} for review (bower review)"
    return Advice(line + ". What was learned: ", Do("session", summary=True))
