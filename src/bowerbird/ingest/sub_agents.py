"""The transcripts of a session's sub-agents: what the answers of these rest on."""

import json
import os

from bowerbird.guard.reading import AGENT, CHECK, PROGRAM
from bowerbird.host.foreign import head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from bowerbird.guard.reading import Reading

_ENDING = ".jsonl"
# What precedes the id of a sub-agent in its answer.
_ID = "agentId: "
# Types of sub-agents that search the project and change nothing.
_SEARCHERS = frozenset(("explore", "plan"))
_LARGEST = 100_000_000


class SubAgents:
    """The sub-agents of one session; their transcripts lie beside its own."""

    def __init__(self, path: str, reading_for: "Callable[[str], Reading]") -> None:
        folder, name = os.path.split(path)
        own = os.path.join(folder, name.partition(".")[0])
        self._folders = (os.path.join(own, "subagents"), own, folder)
        self._reading_for = reading_for
        self._known: dict[str, bool | None] = {}

    def read(self, given: "dict[str, Any]", answer: str) -> str:
        """What the answer of the sub-agent with this task rests on, as a word of guard.reading.

        AGENT if it read what others wrote. Without its transcript only those agents are trusted whose
        work is to search the project, and nobody knows whose words they give: PROGRAM.
        """
        id = _id_of(answer)
        if id not in self._known:
            self._known[id] = self._find(id)
        found = self._known[id]
        if found is not None:
            return AGENT if found else ""
        kind = str(given.get("subagent_type", "")).lower()
        beyond = kind not in _SEARCHERS or "://" in f"{given.get('prompt')} {answer}"
        return AGENT if beyond else PROGRAM

    def _find(self, id: str) -> bool | None:
        for folder in self._folders if id else ():
            try:
                data = head(os.path.join(folder, f"agent-{id}{_ENDING}"), _LARGEST)
            except OSError:
                continue
            return self._reads(data)
        return None

    def _reads(self, data: bytes) -> bool:
        reading: Reading | None = None
        for record in _records(data):
            folder = str(record.get("cwd") or "")
            reading = reading or self._reading_for(folder)
            message = record.get("message")
            content = message.get("content") if isinstance(message, dict) else None
            for part in content if isinstance(content, list) else ():
                if not isinstance(part, dict) or part.get("type") != "tool_use":
                    continue
                given = part.get("input")
                why = reading.foreign(
                    str(part.get("name")), given if isinstance(given, dict) else {}, folder
                )
                if why and why not in (CHECK, PROGRAM):
                    return True
        return False


def _records(data: bytes) -> "Iterator[dict[str, Any]]":
    for line in data.split(b"\n"):
        try:
            record = json.loads(line) if line.startswith(b"{") else None
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield record


def _id_of(answer: str) -> str:
    """The id of a sub-agent, as its program appends it to the answer; empty if there is none."""
    words = answer.rpartition(_ID)[2].split(maxsplit=1) if _ID in answer else []
    return words[0] if words and words[0].isalnum() else ""
