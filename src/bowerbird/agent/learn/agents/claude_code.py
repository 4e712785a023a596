"""Transcripts of Claude Code: one JSON record per line. Unknown records are skipped."""

from bowerbird.agent.learn.collector import Collector
from bowerbird.agent.learn.failures import stopped
from bowerbird.ingest.dates import moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Flags of records that are not part of the conversation.
_ASIDE = ("isMeta", "isApiErrorMessage")
# The sources of prompts that a person typed into the program; older versions record none. With any other,
# such as that of `claude -p`, which appends what is piped into it, only the first line is known to be.
_TYPED = frozenset(("", "typed"))
# The model's own proposal of a prompt.
_PROPOSED = "suggestion_accepted"
# The agent's own summary from a compaction is not a person's text.
_RECAP = ("isCompactSummary", "isVisibleInTranscriptOnly")
# Fields of records that a tool or a skill put into the conversation.
_OF_TOOL = ("sourceToolUseID", "sourceToolAssistantUUID", "planContent")


class ClaudeCode:
    """Converts one transcript into steps, record by record."""

    def __init__(self, collector: "Collector | None" = None) -> None:
        self.collector = collector or Collector()
        self.collector.agent = "claude-code"
        self._seen: set[str] = set()

    @staticmethod
    def knows(record: "dict[str, Any]") -> bool:
        """Return whether a record is one of this agent's."""
        spoken = record.get("type") in ("user", "assistant")
        return spoken and "sessionId" in record and isinstance(record.get("message"), dict)

    def take(self, line: int, record: "dict[str, Any]") -> None:
        """Process the next record."""
        message = record.get("message")
        spoken = record.get("type") in ("user", "assistant") and isinstance(message, dict)
        if not spoken or any(record.get(mark) is True for mark in _ASIDE):
            return
        uuid = str(record.get("uuid", ""))
        if uuid and uuid in self._seen:
            return
        self._seen.add(uuid)
        self.collector.identify(str(record.get("sessionId") or ""), str(record.get("cwd") or ""))
        self.collector.on(str(record.get("gitBranch") or ""))
        at = moment(record.get("timestamp")) or 0
        sub = str(record.get("agentId") or "sub") if record.get("isSidechain") is True else ""
        content = message.get("content") if isinstance(message, dict) else None
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if any(record.get(mark) is True for mark in _RECAP):
            for text in _texts(parts) if record.get(_RECAP[0]) is True else ():
                self.collector.recapped(text, at, line)
            return
        if record["type"] == "user" and (text := typed_text(parts)):
            if is_typed(record) or sub or stopped(text):
                source = record.get("promptSource") or ""
                self.collector.typed(text, at, line, sub, one_line=source not in _TYPED)
            else:
                self.collector.typed("", at, line)
        for part in parts if isinstance(parts, list) else ():
            if isinstance(part, dict):
                self._part(part, sub, at, line, said=record["type"] == "assistant")

    def _part(self, part: "dict[str, Any]", sub: str, at: int, line: int, *, said: bool) -> None:
        kind, collector = part.get("type"), self.collector
        if kind == "text" and said and isinstance(part.get("text"), str) and part["text"].strip():
            collector.said(part["text"].strip(), at, line, sub)
        elif kind == "tool_use" and isinstance(part.get("input"), dict):
            collector.called(str(part.get("id")), str(part.get("name", "")), part["input"], at)
        elif kind == "tool_result":
            flagged = part.get("is_error") is True
            use = str(part.get("tool_use_id"))
            collector.returned(use, part.get("content"), at, line, sub, flagged=flagged)


def is_typed(record: "dict[str, Any]") -> bool:
    """Return whether the record of a prompt says, or did not yet say, that a person wrote it."""
    origin = record.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else "human"
    if kind != "human" or record.get("promptSource") == _PROPOSED:
        return False
    return not any(record.get(name) for name in _OF_TOOL)


def typed_text(parts: "Any") -> str:
    """Return the first text of a prompt that its program did not put there; later ones are added."""
    return next((one for one in _texts(parts) if not one.startswith("<")), "")


def _texts(parts: "Any") -> "list[str]":
    found = [one.get("text") for one in parts or () if isinstance(one, dict)]
    return [one.strip() for one in found if isinstance(one, str) and one.strip()]
