"""The memories that an agent stored itself in a session, by the tool or by the command. Pure."""

import re

from bowerbird.core.events import PROMPTED
from bowerbird.sessions.learn.commit_messages import sha_of
from bowerbird.sessions.observe.calls import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bowerbird.sessions.learn.steps import RecordedSession, Step

_STORES = re.compile(r"bowerbird.*memory_store$")
_CURATES = re.compile(r"\b(?:bower|bowerbird) (?:\S+ )*(?:curate|remember)\b")
# The id in the answer of the tool as text, of the tool or the command in JSON, and of the command on a
# terminal. What was known before is not the session's.
_IDS = re.compile(
    r"(?:^|\b)(?:created|superseded|quarantined): \w+, id (?P<tool>[0-9a-f-]{13,36})"
    r"|\"id\":\s*\"(?P<json>[0-9a-f-]{36})\"[^{}]*?\"decision\":\s*\"(?:created|superseded|quarantined)\""
    r"|\bbower get (?P<text>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{4,})"
)
_KEPT = re.compile(r"\bKept as\b")
# The words that a memory rests on, at its end, as an agent is asked for them (`hook/asking.py`).
QUOTE = re.compile(r"[\s(]*[“\"](?P<quote>[^”\"]{3,})[”\"][\s).]*$")


def stores(step: "Step") -> bool:
    """Return whether a step stored a memory."""
    tool = step.event.tool
    return bool(tool and (_STORES.search(tool) or _CURATES.search(command(step.event.given))))


def stored_texts(steps: "Iterable[Step]") -> list[str]:
    """Return what the agent stored in the rest of a turn: the text, or the command that holds it.

    Not what it stored because it was asked: the person's own words are told with more trust.
    """
    found = []
    for step in steps:
        if step.event.what == PROMPTED and not step.event.sub:
            break
        if stores(step) and not step.failed:
            given = step.event.given
            said = given.get("content")
            text = said if isinstance(said, str) else command(given)
            if not QUOTE.search(text):
                found.append(text)
    return found


def committed_memories(session: "RecordedSession") -> dict[str, str]:
    """Return the ids of the memories that were stored in a session, each with the commit of its work."""
    found = {id: sha_of(session, step.line) for id, step in _stored(session)}
    return {id: sha for id, sha in found.items() if sha}


def stored_since(session: "RecordedSession", at: int) -> dict[str, str]:
    """Return the ids of the memories that were stored in a session since a time in UTC milliseconds.

    Each with its text as it was given; empty if a command gave it.
    """
    found = {id: step.event.given.get("content") for id, step in _stored(session) if step.at >= at}
    return {id: text if isinstance(text, str) else "" for id, text in found.items()}


def stored_after_reading(session: "RecordedSession") -> list[str]:
    """Return the ids of the memories that were stored in a session after it had read foreign text."""
    return [id for id, step in _stored(session) if step.outside]


def _stored(session: "RecordedSession") -> "Iterator[tuple[str, Step]]":
    for step in session.steps:
        if step.failed or not stores(step) or not isinstance(step.event.answer, str):
            continue
        answer = step.event.answer
        for one in _IDS.finditer(answer):
            if not one["text"] or _KEPT.search(answer):
                yield one["tool"] or one["json"] or one["text"], step
