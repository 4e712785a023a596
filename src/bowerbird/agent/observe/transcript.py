"""What was said last in a session, out of the file that its agent writes: the words of people and models.

Only the end of the file is read, whatever agent wrote it; what is no message of either is passed over.
"""

import json
import os
import re
from contextlib import suppress

from bowerbird.core.foreign import opened
from bowerbird.core.injected import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

# Of a long session the last ten messages stand in here: results of tools between them are long.
_TAIL = 1_000_000
_MESSAGES = 10
_LONGEST = 600
_ROLES = {"user": "user", "assistant": "agent", "gemini": "agent", "model": "agent"}
_TEXTS = ("text", "input_text", "output_text")
# Records that stand for something else than what was said.
_ASIDE = ("isMeta", "isCompactSummary", "isSidechain", "isApiErrorMessage")
_QUEUED = "queued_command"
# What programs put into a message of the user.
_PUT_IN = re.compile(r"(?s)<(system-reminder|command-[a-z]+|local-command-[a-z]+)>.*?</\1>")

# What says nothing of what was asked or done: a bare yes, and what programs write in a user's name.
_BARE = re.compile(
    r"(?i)(?:y|n|ok(?:ay)?|yes|yeah|yep|no|nope|sure|continue|go on|go ahead|proceed|thanks?|thank you"
    r"|please|do it|perfect|great|good|\d{1,2}|[\s,.!])+"
    r"|\[Request interrupted by user.*\]|No response requested\.?|Caveat: The messages below.*",
    re.DOTALL,
)


def last_said(path: str, clean: "Callable[[str], str]", *, people_only: bool) -> list[Line]:
    """The last messages that say something, oldest first, each in short.

    `people_only` leaves out what models said.
    """
    found: list[Line] = []
    for record in _records(path):
        role, text = _message(record)
        text = _PUT_IN.sub("", text).strip()
        if not text or _BARE.fullmatch(text) or (people_only and role != "user"):
            continue
        if len(found) >= _MESSAGES:
            break
        # Twice as much is looked at: a secret that is cut in two is none that a rule knows.
        found.append(Line(role, clean(text[: 2 * _LONGEST])[:_LONGEST]))
    return found[::-1]


def spoken(path: str) -> "Iterator[str]":
    """What models said in the part of a session that its file ends with, the last first."""
    for record in _records(path):
        role, text = _message(record)
        if role == "agent":
            yield text


def _records(path: str) -> "Iterator[dict[str, Any]]":
    """The records at the end of a file, the last one first."""
    try:
        handle = opened(path)
    except OSError:
        return
    try:
        size = os.fstat(handle).st_size
        data = os.pread(handle, _TAIL, max(0, size - _TAIL))
    finally:
        os.close(handle)
    for raw in reversed(data.splitlines()):
        with suppress(ValueError, RecursionError):
            record = json.loads(raw)
            if isinstance(record, dict):
                yield record


def _message(record: "dict[str, Any]") -> tuple[str, str]:
    """Who said something in a record, and what; empty where nobody did."""
    if any(record.get(name) is True for name in _ASIDE):
        return "", ""
    queued = record.get("attachment")
    if isinstance(queued, dict):
        # Typed while the agent was at work, and handed to it with the result of a call.
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
