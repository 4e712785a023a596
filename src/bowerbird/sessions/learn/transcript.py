"""Reads a recorded session as steps: an agent's transcript, the hooks' journal, or an archive.

Claude Code and the journal are read record by record; transcripts of other agents by the reader that
`index` uses. Unknown records are skipped.
"""

import json
import os

from bowerbird.core.report import Skipped
from bowerbird.ingest.chunk import Size
from bowerbird.ingest.contents import COMPRESSED, beginning, read
from bowerbird.ingest.dates import moment
from bowerbird.ingest.fields import table_at
from bowerbird.ingest.session_folder import session_folder
from bowerbird.ingest.sources.codex import Codex
from bowerbird.ingest.sources.gemini import Gemini
from bowerbird.ingest.sources.openclaw import OpenClaw
from bowerbird.ingest.sources.opencode import OpenCode
from bowerbird.ingest.sources.reading import Material
from bowerbird.ingest.sub_agents import SubAgents
from bowerbird.ingest.trail import judged_by_folder
from bowerbird.ingest.walk import Found
from bowerbird.sessions.learn.agents.claude_code import ClaudeCode
from bowerbird.sessions.learn.agents.journal import Journal
from bowerbird.sessions.learn.collector import Collector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.core.events import Event
    from bowerbird.ingest.trail import ReadingFor
    from bowerbird.sessions.learn.steps import RecordedSession

ENDINGS = (".jsonl", ".json", *COMPRESSED)
_OTHERS = (Codex(), Gemini(), OpenClaw(), OpenCode())
_PLAIN = ".jsonl"
# In characters; longer lines hold images.
_LONGEST_LINE = 4_000_000
# Bytes of a transcript: one of a day of work has some 20 MB.
_LARGEST = 400_000_000
# Bytes that contain the first timestamp; and the number of lines by which the format is detected.
_FIRST = 1 << 18
_SAMPLE = 40
# The passage size, which is irrelevant here.
_ANY_SIZE = Size(1, 0)


def recorded_session(
    path: str, reading_for: "ReadingFor" = judged_by_folder
) -> "RecordedSession | None":
    """Return the session in a file; None if it is not a recorded session. Raises OSError.

    `reading_for` returns what judges the calls of a session that was held in a folder.
    """
    subs = SubAgents(path, reading_for)

    def sub_read(event: "Event") -> str:
        return subs.read(event.given, str(event.answer or ""))

    def collector() -> Collector:
        return Collector(reading_for=reading_for, sub_read=sub_read)

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


def _reported(_event: "Event") -> str:
    return ""


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
