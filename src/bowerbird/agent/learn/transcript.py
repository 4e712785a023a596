"""Reads a recorded session as steps: an agent's transcript, the hooks' journal, or an archive.

Claude Code and the journal are read record by record; transcripts of other agents by the reader that
`index` uses. Unknown records are skipped.
"""

import json
import os

from bowerbird.agent.learn.agents.claude_code import ClaudeCode
from bowerbird.agent.learn.agents.journal import Journal
from bowerbird.agent.learn.collector import Collector, judged_by_folder
from bowerbird.core.report import Skipped
from bowerbird.ingest.chunk import Size
from bowerbird.ingest.contents import COMPRESSED, beginning, read
from bowerbird.ingest.dates import moment
from bowerbird.ingest.session_folder import session_folder
from bowerbird.ingest.sources.codex import Codex
from bowerbird.ingest.sources.gemini import Gemini
from bowerbird.ingest.sources.openclaw import OpenClaw
from bowerbird.ingest.sources.opencode import OpenCode
from bowerbird.ingest.sources.reading import Material, table_at
from bowerbird.ingest.walk import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.agent.learn.collector import ReadingFor
    from bowerbird.agent.learn.steps import RecordedSession
    from bowerbird.core.events import Event

ENDINGS = (".jsonl", ".json", *COMPRESSED)
_OTHERS = (Codex(), Gemini(), OpenClaw(), OpenCode())
_PLAIN = ".jsonl"
# What precedes the id of a sub-agent in its answer.
_AGENT_ID = "agentId: "
# Types of sub-agents that search the project and change nothing.
_SEARCHERS = frozenset(("explore", "plan"))
# In characters; longer lines hold images.
_LONGEST_LINE = 4_000_000
# Bytes of a transcript: one of a day of work has some 20 MB.
_LARGEST = 400_000_000
# Bytes that contain the first timestamp; and the number of lines by which the format is detected.
_FIRST, _SAMPLE = 1 << 18, 40
# The passage size, which is irrelevant here.
_ANY_SIZE = Size(1, 0)


def recorded_session(
    path: str, reading_for: "ReadingFor" = judged_by_folder
) -> "RecordedSession | None":
    """Return the session in a file; None if it is not a recorded session. Raises OSError.

    `reading_for` returns what judges the calls of a session that was held in a folder.
    """
    subs = SubAgents(path, reading_for)

    def collector() -> Collector:
        return Collector(reading_for=reading_for, sub_read=subs.read_foreign)

    status = os.stat(path)
    contents = read(Found(path, status.st_size, status.st_mtime_ns // 1_000_000), _LARGEST)
    if isinstance(contents, Skipped):
        raise OSError(0, contents.reason, path)
    material = Material(path, contents.text)
    for number, record in _records(contents.text):
        if number > _SAMPLE:
            break
        if ClaudeCode.knows(record):
            return _by_record(ClaudeCode(collector()), contents.text).session_recorded()
        if Journal.knows(record):
            # Hooks report the calls of sub-agents, too: what they read is in the journal itself.
            journal = Journal(Collector(reading_for=reading_for, sub_read=_reported))
            _by_record(journal, contents.text)
            journal.name(material.stem.removesuffix(_PLAIN))
            return journal.collector.session_recorded()
    return _by_reader(material, collector())


class SubAgents:
    """The transcripts of a session's sub-agents, which lie beside its own."""

    def __init__(self, path: str, reading_for: "ReadingFor") -> None:
        self._folder, name = os.path.split(path)
        self._own = os.path.join(self._folder, name.partition(".")[0])
        self._reading_for = reading_for
        self._known: dict[str, bool | None] = {}

    def read_foreign(self, event: "Event") -> bool:
        """Whether the sub-agent of a call read what others wrote.

        Without its transcript only those agents are trusted whose work is to search the project.
        """
        answer = str(event.answer or "")
        id = _id_of(answer)
        if id not in self._known:
            self._known[id] = self._find(id)
        found = self._known[id]
        if found is not None:
            return found
        type_of = str(event.given.get("subagent_type", "")).lower()
        return type_of not in _SEARCHERS or "://" in f"{event.given.get('prompt')} {answer}"

    def _find(self, id: str) -> bool | None:
        name = f"agent-{id}{_PLAIN}"
        beside = (os.path.join(self._own, "subagents"), self._own, self._folder)
        for folder in beside if id else ():
            try:
                found = recorded_session(os.path.join(folder, name), self._reading_for)
            except OSError:
                continue
            if found is not None:
                return any(step.outside for step in found.steps)
        return None


def _id_of(answer: str) -> str:
    """The id of a sub-agent, as its program appends it to the answer; empty if there is none."""
    words = answer.rpartition(_AGENT_ID)[2].split(maxsplit=1) if _AGENT_ID in answer else []
    return words[0] if words and words[0].isalnum() else ""


def _reported(_event: "Event") -> bool:
    return False


def began(path: str) -> int:
    """Return when the session in a file began, in UTC milliseconds; 0 if unknown."""
    try:
        start = beginning(path, _FIRST).decode("utf-8", "replace")
    except OSError:
        return 0
    for _, record in _records(start):
        at = record.get("at")
        found = moment(record.get("timestamp")) or moment(record.get("startTime"))
        created = moment(table_at(table_at(record, "info"), "time").get("created"))
        if first := found or (at if isinstance(at, int) else 0) or created:
            return first
    return 0


def lines(path: str, numbers: "tuple[int, ...]") -> "dict[int, str]":
    """Return some lines of a transcript verbatim. Raises OSError."""
    status = os.stat(path)
    contents = read(Found(path, status.st_size, status.st_mtime_ns // 1_000_000), _LARGEST)
    if isinstance(contents, Skipped):
        raise OSError(0, contents.reason, path)
    wanted = frozenset(numbers)
    rows = enumerate(contents.text.split("\n"), 1)
    return {number: line for number, line in rows if number in wanted}


def _by_record(reader: "ClaudeCode | Journal", text: str) -> Collector:
    for number, record in _records(text):
        reader.take(number, record)
    return reader.collector


def _by_reader(material: Material, collector: Collector) -> "RecordedSession | None":
    reader = next((one for one in _OTHERS if one.accepts(material)), None)
    if reader is None:
        return None
    collector.agent = reader.name
    where = session_folder(material.path)
    collector.identify("", where.folder if where is not None else "")
    material.talk = lambda: collector
    collector.session = reader.read(material, _ANY_SIZE).session
    return collector.session_recorded()


def _records(text: str) -> "Iterator[tuple[int, dict[str, Any]]]":
    """Yield the record of each line with its number; of two records on one line the first."""
    decode = json.JSONDecoder(strict=False).raw_decode
    start, number = 0, 0
    while start < len(text):
        end = text.find("\n", start)
        end = end if end >= 0 else len(text)
        number += 1
        if text.startswith("{", start) and end - start <= _LONGEST_LINE:
            try:
                found, _ = decode(text[start:end])
            except (ValueError, RecursionError):
                found = None
            if isinstance(found, dict):
                yield number, found
        start = end + 1
