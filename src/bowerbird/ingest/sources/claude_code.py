"""Transcripts of Claude Code: JSON lines whose format is internal, so the unknown is passed over.

One answer of the model spans several lines with one message id; results of tools come back on lines
of the user. A turn here is what the person typed, or one answer with its calls and their results.
"""

import os

from bowerbird.ingest.ignore import is_database
from bowerbird.ingest.moment import moment
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.turns import Turn, call, pieces_of, result, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_SPOKEN = {"user", "assistant"}
# Records that say nothing: state of the program, and steps that lead to no text.
_BOOKKEEPING = {
    "system",
    "attachment",
    "progress",
    "summary",
    "file-history-snapshot",
    "custom-title",
    "ai-title",
    "last-prompt",
    "tag",
    "mode",
    "permission-mode",
    "queue-operation",
    "pr-link",
    "worktree-state",
    "content-replacement",
    "relocated",
    "cost-state",
}
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
    known = record.get("type") in _SPOKEN and isinstance(record.get("message"), dict)
    return known and ("sessionId" in record or "parentUuid" in record)


class _Transcript:
    """One pass over the lines, with what is needed to put together what belongs together."""

    def __init__(self, material: "Material") -> None:
        self._material = material
        self._turns: list[Turn] = []
        self._answers: dict[str, Turn] = {}
        self._callers: dict[str, Turn] = {}
        self._seen: set[str] = set()
        self._session = ""
        self._title = ""

    def reading(self) -> Reading:
        unknown = 0
        for line, record in self._material.records():
            if record is None:
                unknown += 1
            elif _is_spoken(record):
                self._spoken(line, record)
            elif record.get("type") in _BOOKKEEPING:
                self._title = next(
                    (text for key in _TITLES if isinstance(text := record.get(key), str) and text),
                    self._title,
                )
            else:
                unknown += 1
        return Reading(
            pieces_of(self._turns),
            title=" ".join(self._title.split())[:200],
            session=self._session or self._material.stem,
            unknown=unknown,
        )

    def _spoken(self, line: int, record: "dict[str, Any]") -> None:
        uuid = record.get("uuid")
        if isinstance(uuid, str):
            if uuid in self._seen:
                # Forks and resumed sessions copy lines.
                return
            self._seen.add(uuid)
        if not self._session and isinstance(record.get("sessionId"), str):
            self._session = record["sessionId"]
        content = record["message"].get("content")
        if record["type"] == "assistant":
            self._answer(line, record, content)
        else:
            self._typed(line, record, content)

    def _new_turn(self, speaker: str, line: int, record: "dict[str, Any]") -> Turn:
        note = next((note for mark, note in _NOTES if record.get(mark) is True), "")
        turn = Turn(speaker, line, moment(record.get("timestamp")), note)
        self._turns.append(turn)
        return turn

    def _answer(self, line: int, record: "dict[str, Any]", content: "Any") -> None:
        answer = record["message"].get("id")
        turn = self._answers.get(answer) if isinstance(answer, str) else None
        if turn is None:
            turn = self._new_turn("assistant", line, record)
            if isinstance(answer, str):
                self._answers[answer] = turn
        turn.say(text_of(content) if isinstance(content, str) else "", line)
        for part in _parts(content):
            if part.get("type") == "text":
                turn.say(text_of([part]), line)
            elif part.get("type") == "tool_use":
                turn.say(call(str(part.get("name", "")), part.get("input")), line)
                if isinstance(part.get("id"), str):
                    self._callers[part["id"]] = turn

    def _typed(self, line: int, record: "dict[str, Any]", content: "Any") -> None:
        text = text_of(
            content
            if isinstance(content, str)
            else [part for part in _parts(content) if part.get("type") == "text"]
        )
        if text.strip():
            self._new_turn("user", line, record).say(text)
        for part in _parts(content):
            if part.get("type") != "tool_result":
                continue
            said = result(self._result_text(part), failed=part.get("is_error") is True)
            caller = part.get("tool_use_id")
            turn = self._callers.get(caller) if isinstance(caller, str) else None
            if turn is None:
                turn = self._new_turn("tool", line, record)
            turn.say(said, line)

    def _result_text(self, part: "dict[str, Any]") -> str:
        """The text of a result, from the file it was written to where that is still there."""
        text = text_of(part.get("content"))
        if _SPILLED not in text[:_SPILLED_HEAD]:
            return text
        # Only the name is taken from the text, which may say anything: other files are not ours.
        rest = text[:_SPILLED_HEAD].split(_SPILLED, 1)[1].lstrip("/\\").split(maxsplit=1)
        name = os.path.basename(rest[0]) if rest else ""
        for folder in self._session_folders():
            path = os.path.join(folder, _SPILLED, name)
            try:
                if name and not is_database(name) and _is_plain(path):
                    with open(path, encoding="utf-8", errors="replace") as file:
                        return file.read(_SPILLED_HEAD)
            except OSError:
                continue
        return text

    def _session_folders(self) -> tuple[str, ...]:
        """Where spilled results stand: in the session's folder, beside it, above a subagent's."""
        here = os.path.dirname(self._material.path)
        return (os.path.join(here, self._material.stem), here, os.path.dirname(here))


def _is_plain(path: str) -> bool:
    return os.path.isfile(path) and not os.path.islink(path)


def _parts(content: "Any") -> "Iterator[dict[str, Any]]":
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict):
            yield part
