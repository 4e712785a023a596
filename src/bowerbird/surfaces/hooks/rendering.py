"""Formats an injection: each entry with its citation, as data inside the envelope."""

import time

from bowerbird.agents.agent import INNER, NAMED, SNAKE
from bowerbird.core import plainjson
from bowerbird.core.injected import COMPACTION, LEARNED_FROM_USER, START
from bowerbird.core.origins import ACCEPTED_BY_USER
from bowerbird.core.recalled import envelope, name, nonce, plain, quoted, strayed
from bowerbird.core.text import count_tokens, one_line
from bowerbird.core.types import DIGEST, SHORT_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.injected import Injection
    from bowerbird.core.packs import Item
    from bowerbird.hook import Hook


def handed(hook: "Hook", form: str, found: "Injection") -> "dict[str, Any]":
    """The injection in one of the formats of agents/agent.py, after it was recorded. Raises OSError."""
    sign = nonce()
    block = enveloped(found, sign)
    hook.gave(found, sign, count_tokens(block))
    return shaped(form, hook.event.name, block)


def printed(answer: "dict[str, Any]") -> bytes:
    """An answer as an agent reads it; nothing for an empty one."""
    return plainjson.escaped(answer).encode() if answer else b""


def shaped(form: str, event: str, context: str) -> "dict[str, Any]":
    """Context for an event in one of those formats."""
    if form == NAMED:
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}}
    if form == INNER:
        return {"hookSpecificOutput": {"additionalContext": context}}
    return {"additional_context" if form == SNAKE else "additionalContext": context}


def enveloped(found: "Injection", nonce: str) -> str:
    """The envelope of an injection."""
    said: list[str] = []
    others: list[str] = []
    if found.lines:
        others.append("\n".join(quoted(f"{one.speaker}: {one.text}") for one in found.lines))
    for one in found.items:
        told = said if one.instruction else others
        bare = one.instruction and found.why in (START, COMPACTION)
        told.append((_rule if bare else _item)(one, found.reasons.get(one.id, "")))
    return envelope(others, found.about, nonce, said, found.note)


def _rule(item: "Item", reason: str) -> str:
    """What the user said, as a session begins or goes on: in the fewest words that name it."""
    day = time.strftime("%Y-%m-%d", time.gmtime(item.created // 1000))
    about = [f"{reason} on {day}" if reason == LEARNED_FROM_USER else ""]
    about += [name(item.review) if item.review else "", *strayed(item)[:1]]
    head = f"[Memory #{item.id[:SHORT_ID]}] {' · '.join(filter(None, about))}".rstrip()
    return f"{head}\n{quoted(item.text)}"


def _item(item: "Item", reason: str) -> str:
    day = time.strftime("%Y-%m-%d", time.gmtime(item.created // 1000))
    citation = f"[Memory #{item.id[:SHORT_ID]}: {name(item.citation)}]"
    when = [day]
    accepted = item.speaker == ACCEPTED_BY_USER
    if accepted:
        when = [f"proposed by {item.speaker} on {day}"]
    elif reason == LEARNED_FROM_USER:
        when = [f"{reason} on {day}"]
    if item.kind == DIGEST:
        # Which session it was says whether its work goes on.
        when.append(reason)
    if item.speaker and not accepted and item.path is None:
        when.append(f"said by {name(item.speaker)}")
    if item.review:
        when.append(name(item.review))
    about = " · ".join([plain(one_line(item.kind)), *filter(None, when), *strayed(item)[:1]])
    return f"{citation} {about}\n{quoted(item.text)}"
