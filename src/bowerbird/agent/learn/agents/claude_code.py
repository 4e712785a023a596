"""Transcripts of Claude Code: one JSON record per line. Unknown records are skipped."""

from bowerbird.agent.learn.collector import Collector
from bowerbird.ingest.dates import moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Flags of records that are not part of the conversation.
_ASIDE = ("isMeta", "isApiErrorMessage")
# The agent's own summary from a compaction is not a person's text.
_RECAP = ("isCompactSummary", "isVisibleInTranscriptOnly")
# Beginnings of texts that the agent's program inserted in place of typed text.
_PUT_IN = ("<", "Caveat:", "This session is being continued")


class ClaudeCode:
    """Converts one transcript into steps, record by record."""

    def __init__(self) -> None:
        self.collector = Collector("claude-code")
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
        person = record["type"] == "user"
        for part in parts if isinstance(parts, list) else ():
            if isinstance(part, dict):
                self._part(part, person, sub, at, line)

    def _part(self, part: "dict[str, Any]", person: bool, sub: str, at: int, line: int) -> None:
        kind, collector = part.get("type"), self.collector
        if kind == "text" and isinstance(part.get("text"), str) and part["text"].strip():
            text = part["text"].strip()
            if not person:
                collector.said(text, at, line, sub)
            elif not text.startswith(_PUT_IN):
                collector.typed(text, at, line, sub)
        elif kind == "tool_use" and isinstance(part.get("input"), dict):
            collector.called(str(part.get("id")), str(part.get("name", "")), part["input"], at)
        elif kind == "tool_result":
            flagged = part.get("is_error") is True
            use = str(part.get("tool_use_id"))
            collector.returned(use, part.get("content"), at, line, sub, flagged=flagged)


def _texts(parts: "Any") -> "list[str]":
    found = [one.get("text") for one in parts or () if isinstance(one, dict)]
    return [one.strip() for one in found if isinstance(one, str) and one.strip()]
