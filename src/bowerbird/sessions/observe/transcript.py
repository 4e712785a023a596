"""The last messages of people and models in a session, from the agent's own transcript or the journal.

Only the end of the file is read, whatever agent wrote it; other records are skipped.
"""

import json
import os
import re
from contextlib import suppress

from bowerbird.core.events import PROMPTED, STOPPED
from bowerbird.core.injected import Line
from bowerbird.host.foreign import opened
from bowerbird.ingest.sources.claude_prompt import without_records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

# In bytes. The last ten messages of a long session are within it: results of tools between them are long.
_TAIL = 1_000_000
_MESSAGES = 10
_LONGEST = 600
_ROLES = {"user": "user", "assistant": "agent", "gemini": "agent", "model": "agent"}
# Who speaks in an event of the journal.
_SPEAKERS = {PROMPTED: "user", STOPPED: "agent"}
_TEXTS = ("text", "input_text", "output_text")
# Flags of records that are not part of the conversation.
_ASIDE = ("isMeta", "isCompactSummary", "isSidechain", "isApiErrorMessage")
_QUEUED = "queued_command"
# Messages without content: a bare yes, and what programs write in a user's name.
_BARE = re.compile(
    r"(?i)(?:y|n|ok(?:ay)?|yes|yeah|yep|no|nope|sure|continue|go on|go ahead|proceed|thanks?|thank you"
    r"|please|do it|perfect|great|good|\d{1,2}|[\s,.!])+"
    r"|\[Request interrupted by user.*\]|No response requested\.?",
)


def last_said(path: str, clean: "Callable[[str], str]", *, people_only: bool) -> list[Line]:
    """Return the last messages with content, oldest first, each truncated.

    `people_only` leaves out the messages of models.
    """
    return _last(map(_message, _records(path)), clean, people_only=people_only)


def last_recorded(
    events: "Sequence[dict[str, Any]]", clean: "Callable[[str], str]", *, people_only: bool
) -> list[Line]:
    """Return the same of the events in the journal, oldest first, of a session without a transcript."""
    said = (
        (_SPEAKERS.get(one.get("what"), ""), _text(one.get("text")))
        for one in reversed(events)
        if not one.get("sub")
    )
    return _last(said, clean, people_only=people_only)


def _last(
    said: "Iterable[tuple[str, str]]", clean: "Callable[[str], str]", *, people_only: bool
) -> list[Line]:
    """Return the last messages with content, oldest first, of those given, the last one first.

    What an agent says before a call is left out: its summary tells how far it was.
    """
    found: list[Line] = []
    calls_next = False
    for role, written in said:
        text = without_records(written).strip()
        if role:
            narrates, calls_next = calls_next, not text or (calls_next and role != "user")
            if narrates and role != "user":
                continue
        if not (role and text) or _BARE.fullmatch(text) or (people_only and role != "user"):
            continue
        if len(found) >= _MESSAGES:
            break
        # Twice as much is cleaned before the cut: no rule detects half a secret.
        found.append(Line(role, clean(text[: 2 * _LONGEST])[:_LONGEST]))
    return found[::-1]


def spoken(path: str) -> "Iterator[str]":
    """Yield the messages of models in the end of a transcript, the last first."""
    for record in _records(path):
        role, text = _message(record)
        if role == "agent":
            yield text


def _records(path: str) -> "Iterator[dict[str, Any]]":
    """Yield the records at the end of a file, the last one first."""
    try:
        handle = opened(path)
    except OSError:
        return
    try:
        os.lseek(handle, max(0, os.fstat(handle).st_size - _TAIL), os.SEEK_SET)
        data = os.read(handle, _TAIL)
    finally:
        os.close(handle)
    for raw in reversed(data.splitlines()):
        with suppress(ValueError, RecursionError):
            record = json.loads(raw)
            if isinstance(record, dict):
                yield record


def _message(record: "dict[str, Any]") -> tuple[str, str]:
    """Return the role and text of a record's message; empty if it has none."""
    if any(record.get(name) is True for name in _ASIDE):
        return "", ""
    queued = record.get("attachment")
    if isinstance(queued, dict):
        # Typed while the agent was working, and passed to it with the result of a call.
        typed = queued.get("type") == _QUEUED and queued.get("commandMode", "prompt") == "prompt"
        return ("user", _text(queued.get("prompt"))) if typed else ("", "")
    message = record.get("message")
    inner = message if isinstance(message, dict) else record.get("payload")
    body = inner if isinstance(inner, dict) else record
    role = _ROLES.get(str(body.get("role") or body.get("type")), "")
    if not role:
        return "", ""
    return role, _text(body.get("content", body.get("parts")))


def _text(content: "Any") -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [
        part["text"]
        for part in parts
        if isinstance(part, dict)
        and part.get("type", "text") in _TEXTS
        and isinstance(part.get("text"), str)
    ]
    return "\n".join(texts)
