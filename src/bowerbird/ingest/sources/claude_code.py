"""Transcripts of Claude Code: JSON Lines in an internal format, so unknown records are skipped.

One answer of the model spans several lines with one message id; tool results come on lines of the user. A
turn here is one input of the person, or one answer with its calls and their results.
"""

import os

from bowerbird.guard.trust import TAINTED
from bowerbird.host.foreign import head
from bowerbird.ingest.dates import moment
from bowerbird.ingest.fields import tables_at, text_at
from bowerbird.ingest.ignore import is_database
from bowerbird.ingest.sources.claude_prompt import Prompt, prompt_of, without_records
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.turns import Turn, Turns, call, one_line, result, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_SPOKEN = {"user", "assistant"}
# Records without text: state of the program, intermediate steps.
_BOOKKEEPING = frozenset(
    "system attachment progress summary file-history-snapshot custom-title ai-title last-prompt tag"
    " mode permission-mode queue-operation pr-link worktree-state content-replacement relocated"
    " cost-state".split()
)
_TITLES = ("customTitle", "aiTitle", "title", "summary")
# Flags of a line, by precedence, and the note that the turn gets for each.
_NOTES = (
    ("isCompactSummary", "compact summary"),
    ("isApiErrorMessage", "API error"),
    ("isMeta", "meta"),
    ("isVisibleInTranscriptOnly", "transcript only"),
    ("isSidechain", "sidechain"),
)
# A result too long for the conversation is written to a file in this folder, near the transcript.
_SPILLED = "tool-results"
_SPILLED_HEAD = 4096


class ClaudeCode:
    """One session, or one subagent's part of it."""

    name = "claude-code"

    def accepts(self, material: "Material") -> bool:
        """Whether some of the first records have a session id and a message in this format."""
        return material.suffix == ".jsonl" and any(map(_is_spoken, material.sample))

    def read(self, material: "Material", _size: "Size") -> Reading:
        """One piece for each turn, several for a long one."""
        return _Transcript(material).reading()


def _is_spoken(record: "dict[str, Any]") -> bool:
    known = text_at(record, "type") in _SPOKEN and isinstance(record.get("message"), dict)
    return known and ("sessionId" in record or "parentUuid" in record)


class _Transcript:
    """One pass over the lines, with the state that is needed to join related lines."""

    def __init__(self, material: "Material") -> None:
        self._material = material
        self._turns = Turns()
        self._trail = material.trail
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
        if self._turns.cut and not self._answers and not self._callers:
            # No turn is kept any more, and none that is kept can be added to: trust need not be weighed.
            return
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
        self._limit(turn, text_at(message, "content"))
        for part in tables_at(message, "content"):
            if part.get("type") == "text":
                turn.say(text_at(part, "text"), line)
                self._limit(turn, text_at(part, "text"))
            elif part.get("type") == "tool_use":
                said = call(text_at(part, "name"), part.get("input"))
                turn.say(said, line)
                self._callers[text_at(part, "id")] = turn
                if self._trail is not None:
                    self._trail.called(
                        text_at(part, "id"),
                        text_at(part, "name"),
                        part.get("input"),
                        moment(record.get("timestamp")) or 0,
                    )
                self._limit(turn, said)

    def _typed(self, line: int, record: "dict[str, Any]") -> None:
        prompt = prompt_of(record)
        if prompt.text or prompt.rest:
            self._prompted(self._new_turn("user", line, record), prompt)
        for part in tables_at(record["message"], "content"):
            if part.get("type") == "tool_result":
                caller = self._callers.get(text_at(part, "tool_use_id"))
                turn = caller or self._new_turn("tool", line, record)
                failed = part.get("is_error") is True
                text, id = text_of(part.get("content")), text_at(part, "tool_use_id")
                trust = self._trail.answered(id, text) if self._trail is not None else ""
                turn.say(result(self._result_text(part), failed=failed), line, trust)
                self._limit(turn)

    def _prompted(self, turn: Turn, prompt: "Prompt") -> None:
        trail = self._trail
        if trail is None:
            turn.say(without_records("\n".join(filter(None, (prompt.text, prompt.rest)))))
            return
        if prompt.recap:
            turn.say(prompt.rest, trust=trail.recapped(prompt.rest))
            return
        found = trail.prompted(prompt.text, one_line=prompt.one_line)
        turn.say(found.text)
        # All of it is weighed, since the agent read it, and what somebody said is a passage.
        turn.say(without_records(found.rest), trust=TAINTED)
        if prompt.rest:
            trust = trail.unknown(prompt.rest, others=prompt.others)
            turn.say(without_records(prompt.rest), trust=trust)

    def _limit(self, turn: Turn, text: str = "") -> None:
        """Limits a turn of the agent to the trust of what the session had read."""
        if self._trail is not None:
            turn.trust = turn.trust or self._trail.trust_of(text)

    def _result_text(self, part: "dict[str, Any]") -> str:
        """The text of a result, from the file that it was written to if that still exists."""
        text = text_of(part.get("content"))
        before, spilled, rest = text[:_SPILLED_HEAD].partition(_SPILLED)
        words = rest.lstrip("/\\").split(maxsplit=1)
        if not spilled or not words or "saved to" not in before:
            return text
        # Only the file's name is taken from the text, which is not trusted: it must not lead to other
        # files.
        name = os.path.basename(words[0])
        for folder in self._session_folders():
            path = os.path.join(folder, _SPILLED, name)
            if not is_database(name):
                try:
                    spilt = head(path, _SPILLED_HEAD, links=False).decode("utf-8", "replace")
                except OSError:
                    continue
                # This file was not redacted yet. It is redacted before it is shortened, because half a
                # secret would not be detected.
                return self._material.safe(spilt)
        return text

    def _session_folders(self) -> tuple[str, ...]:
        """Possible folders of spilled results: the session's, the one beside it, a subagent's parent."""
        here = os.path.dirname(self._material.path)
        return (os.path.join(here, self._material.stem), here, os.path.dirname(here))
