"""Transcripts of Claude Code: one JSON record per line. Unknown records are skipped."""

from bowerbird.ingest.dates import moment
from bowerbird.ingest.sources.claude_prompt import Prompt, prompt_of
from bowerbird.sessions.learn.collector import Collector
from bowerbird.sessions.learn.failures import stopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Flags of records that are not part of the conversation.
_ASIDE = ("isMeta", "isApiErrorMessage", "isVisibleInTranscriptOnly")


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
        if not spoken:
            return
        uuid = str(record.get("uuid", ""))
        if uuid and uuid in self._seen:
            return
        self._seen.add(uuid)
        self.collector.identify(str(record.get("sessionId") or ""), str(record.get("cwd") or ""))
        aside = any(record.get(mark) is True for mark in _ASIDE)
        prompt = prompt_of(record) if record["type"] == "user" else Prompt()
        if aside and not prompt.recap:
            self.collector.put_in(
                prompt.rest, moment(record.get("timestamp")) or 0, line, others=prompt.others
            )
            return
        self.collector.on(str(record.get("gitBranch") or ""))
        at = moment(record.get("timestamp")) or 0
        sub = str(record.get("agentId") or "sub") if record.get("isSidechain") is True else ""
        content = message.get("content") if isinstance(message, dict) else None
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if prompt.recap:
            self.collector.recapped(prompt.rest, at, line)
            return
        if sub or stopped(prompt.rest):
            if whole := prompt.text or prompt.rest:
                self.collector.typed(whole, at, line, sub)
        elif prompt.text or prompt.rest:
            self.collector.put_in(prompt.rest, at, line, others=prompt.others)
            self.collector.typed(prompt.text, at, line, one_line=prompt.one_line)
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
