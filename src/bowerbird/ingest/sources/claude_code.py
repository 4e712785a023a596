"""Transcripts of Claude Code: JSON lines whose format is internal, so the unknown is passed over.

One answer of the model spans several lines with one message id; results of tools come back on lines
of the user. A turn here is what the person typed, or one answer with its calls and their results.
"""

import os

from bowerbird.core.foreign import head
from bowerbird.ingest.ignore import is_database
from bowerbird.ingest.moment import moment
from bowerbird.ingest.sources.reading import Reading, tables_at, text_at
from bowerbird.ingest.sources.turns import Turn, Turns, call, one_line, result, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_SPOKEN = {"user", "assistant"}
# Records that say nothing: state of the program, and steps that lead to no text.
_BOOKKEEPING = frozenset(
    "system attachment progress summary file-history-snapshot custom-title ai-title last-prompt tag"
    " mode permission-mode queue-operation pr-link worktree-state content-replacement relocated"
    " cost-state".split()
)
_TITLES = ("customTitle", "aiTitle", "title", "summary")
# Marks of a line, in the order in which they win, and the note that the turn carries for them.
_NOTES = (
    ("isCompactSummary", "compact summary"),
    ("isApiErrorMessage", "API error"),
    ("isMeta", "meta"),
    ("isVisibleInTranscriptOnly", "transcript only"),
    ("isSidechain", "sidechain"),
)
# A result too long for the conversation was written to a file in this folder, near the transcript.
_SPILLED = "tool-results"
_SPILLED_HEAD = 4096


class ClaudeCode:
    """One session, or one subagent's part of it."""

    name = "claude-code"

    def accepts(self, material: "Material") -> bool:
        """Whether some of the first records carry a session's id and a message of that format."""
        return material.suffix == ".jsonl" and any(map(_is_spoken, material.sample))

    def read(self, material: "Material", _size: "Size") -> Reading:
        """A piece a turn, or several for a long one."""
        return _Transcript(material).reading()


def _is_spoken(record: "dict[str, Any]") -> bool:
    known = text_at(record, "type") in _SPOKEN and isinstance(record.get("message"), dict)
    return known and ("sessionId" in record or "parentUuid" in record)


class _Transcript:
    """One pass over the lines, with what is needed to put together what belongs together."""

    def __init__(self, material: "Material") -> None:
        self._material = material
        self._turns = Turns()
        self._answers: dict[str, Turn] = {}
        self._callers: dict[str, Turn] = {}
        self._seen: set[str] = set()

    def reading(self) -> Reading:
        unknown = 0
        title = session = ""
        for line, record in self._material.records():
            if record is None:
                unknown += 1
            elif _is_spoken(record):
                session = session or text_at(record, "sessionId")
                self._spoken(line, record)
            elif text_at(record, "type") in _BOOKKEEPING:
                title = text_at(record, *_TITLES) or title
            else:
                unknown += 1
        return Reading(
            self._turns.pieces(),
            title=one_line(title),
            session=one_line(session) or self._material.stem,
            unknown=unknown,
            cut=self._turns.cut,
        )

    def _spoken(self, line: int, record: "dict[str, Any]") -> None:
        uuid = text_at(record, "uuid")
        if uuid and uuid in self._seen:
            # Forks and resumed sessions copy lines.
            return
        self._seen.add(uuid)
        if record["type"] == "assistant":
            self._answer(line, record)
        else:
            self._typed(line, record)

    def _new_turn(self, speaker: str, line: int, record: "dict[str, Any]") -> Turn:
        note = next((note for mark, note in _NOTES if record.get(mark) is True), "")
        return self._turns.new(speaker, line, moment(record.get("timestamp")), note)

    def _answer(self, line: int, record: "dict[str, Any]") -> None:
        message = record["message"]
        answer = text_at(message, "id")
        turn = self._answers.get(answer) or self._new_turn("assistant", line, record)
        if answer:
            self._answers[answer] = turn
        turn.say(text_at(message, "content"), line)
        for part in tables_at(message, "content"):
            if part.get("type") == "text":
                turn.say(text_at(part, "text"), line)
            elif part.get("type") == "tool_use":
                turn.say(call(text_at(part, "name"), part.get("input")), line)
                self._callers[text_at(part, "id")] = turn

    def _typed(self, line: int, record: "dict[str, Any]") -> None:
        message = record["message"]
        parts = tables_at(message, "content")
        text = text_at(message, "content") or text_of(
            [part for part in parts if part.get("type") == "text"]
        )
        if text.strip():
            self._new_turn("user", line, record).say(text)
        for part in parts:
            if part.get("type") == "tool_result":
                caller = self._callers.get(text_at(part, "tool_use_id"))
                turn = caller or self._new_turn("tool", line, record)
                failed = part.get("is_error") is True
                turn.say(result(self._result_text(part), failed=failed), line)

    def _result_text(self, part: "dict[str, Any]") -> str:
        """The text of a result, from the file it was written to where that is still there."""
        text = text_of(part.get("content"))
        before, spilled, rest = text[:_SPILLED_HEAD].partition(_SPILLED)
        words = rest.lstrip("/\\").split(maxsplit=1)
        if not spilled or not words or "saved to" not in before:
            return text
        # Only the name is taken from the text, which may say anything: other files are not ours.
        name = os.path.basename(words[0])
        for folder in self._session_folders():
            path = os.path.join(folder, _SPILLED, name)
            if not is_database(name):
                try:
                    spilt = head(path, _SPILLED_HEAD, links=False).decode("utf-8", "replace")
                except OSError:
                    continue
                # It stands beside the transcript, so nobody has taken its secrets out; and cut short,
                # half of one would not be known for what it is.
                return self._material.safe(spilt)
        return text

    def _session_folders(self) -> tuple[str, ...]:
        """Where spilled results stand: in the session's folder, beside it, above a subagent's."""
        here = os.path.dirname(self._material.path)
        return (os.path.join(here, self._material.stem), here, os.path.dirname(here))
