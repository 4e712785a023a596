"""The transcript of a session of Claude Code as steps. What is not understood is passed over."""

import json
import os

from bowerbird.agent.learn.failing import failed, said_instead, shown, stopped
from bowerbird.agent.learn.steps import Step, Told
from bowerbird.agent.observe import calls
from bowerbird.agent.observe.record import output_of
from bowerbird.core.events import CALLED, FAILED, PROMPTED, SAID, STOPPED, Event
from bowerbird.core.foreign import head, opened
from bowerbird.ingest.moment import moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_AGENT = "claude-code"
_INTERRUPTED = "interrupted"
# Records that stand for something else than what was said.
_ASIDE = ("isMeta", "isCompactSummary", "isApiErrorMessage", "isVisibleInTranscriptOnly")
# A text in place of what was typed, put there by the agent's program.
_PUT_IN = ("<", "Caveat:", "This session is being continued")
# Of a line; longer ones hold images.
_LONGEST_LINE = 4_000_000
# Bytes in which the first time stands.
_FIRST = 1 << 18


def told(path: str) -> Told | None:
    """The session in a file; None where it is no transcript of this agent. Raises OSError."""
    reader = _Reader()
    with os.fdopen(opened(path), "rb") as file:
        for number, raw in enumerate(file, 1):
            for record in _records(raw):
                reader.take(number, record)
    if not reader.session:
        return None
    return Told(reader.session, reader.folder, tuple(reader.steps))


def began(path: str) -> int:
    """When the session in a file began, in UTC milliseconds; 0 where it is not told."""
    try:
        start = head(path, _FIRST)
    except OSError:
        return 0
    for raw in start.splitlines():
        for record in _records(raw):
            if found := moment(record.get("timestamp")):
                return found
    return 0


def _records(raw: bytes) -> "Iterator[dict[str, Any]]":
    """The record of a line; of two that are glued together the first."""
    if len(raw) > _LONGEST_LINE or not raw.startswith(b"{"):
        return
    try:
        found, _ = json.JSONDecoder().raw_decode(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return
    if isinstance(found, dict):
        yield found


class _Reader:
    def __init__(self) -> None:
        self.session = ""
        self.folder = ""
        self._here = ""
        self.steps: list[Step] = []
        self._calls: dict[str, tuple[str, dict[str, Any]]] = {}
        self._seen: set[str] = set()
        self._outside = False

    def take(self, line: int, record: "dict[str, Any]") -> None:
        message = record.get("message")
        spoken = record.get("type") in ("user", "assistant") and isinstance(message, dict)
        if not spoken or any(record.get(mark) is True for mark in _ASIDE):
            return
        uuid = str(record.get("uuid", ""))
        if uuid and uuid in self._seen:
            return
        self._seen.add(uuid)
        self.session = self.session or str(record.get("sessionId") or "")
        self.folder = self.folder or str(record.get("cwd") or "")
        self._here = str(record.get("cwd") or self.folder)
        at, sub = (
            moment(record.get("timestamp")) or 0,
            "sub" if record.get("isSidechain") is True else "",
        )
        content = message.get("content") if isinstance(message, dict) else None
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        person = record["type"] == "user"
        for part in parts if isinstance(parts, list) else ():
            if isinstance(part, dict):
                self._part(part, person, sub, at, line)

    def _part(self, part: "dict[str, Any]", person: bool, sub: str, at: int, line: int) -> None:
        kind = part.get("type")
        if kind == "text" and isinstance(part.get("text"), str) and part["text"].strip():
            self._text(part["text"].strip(), person, sub, at, line)
        elif kind == "tool_use" and isinstance(part.get("input"), dict):
            self._calls[str(part.get("id"))] = (str(part.get("name", "")), part["input"])
        elif kind == "tool_result":
            self._result(part, sub, at, line)

    def _text(self, text: str, person: bool, sub: str, at: int, line: int) -> None:
        if person and stopped(text):
            self._add(Event(_AGENT, "user", STOPPED, sub=sub, why=_INTERRUPTED), at, line)
        elif person and not text.startswith(_PUT_IN):
            self._add(Event(_AGENT, "user", PROMPTED, sub=sub, text=text), at, line)
        elif not person:
            self._add(Event(_AGENT, "assistant", SAID, sub=sub, text=text), at, line)

    def _result(self, part: "dict[str, Any]", sub: str, at: int, line: int) -> None:
        use = str(part.get("tool_use_id"))
        tool, given = self._calls.pop(use, ("", {}))
        text = output_of(part.get("content"))
        if stopped(text):
            self._add(Event(_AGENT, "user", STOPPED, sub=sub, why=_INTERRUPTED), at, line)
            if said := said_instead(text):
                self._add(Event(_AGENT, "user", PROMPTED, sub=sub, text=said), at, line)
            return
        command = calls.command(given) if calls.kind_of(tool) == "shell" else ""
        wrong = failed(command, text, flagged=part.get("is_error") is True)
        event = Event(
            *(_AGENT, "tool_result", FAILED if wrong else CALLED),
            cwd=self._here,
            sub=sub,
            tool=tool,
            given=given,
            answer=text,
            use=use,
        )
        self._outside = self._outside or bool(calls.external(event))
        self._add(event, at, line, error=shown(text) if wrong else "", failed=wrong)

    def _add(
        self, event: "Event", at: int, line: int, error: str = "", failed: bool = False
    ) -> None:
        paths = tuple(filter(None, (self._within(one) for one in calls.paths(event.given))))
        outside = self._outside
        self.steps.append(Step(event, at, line, error, paths, failed=failed, outside=outside))

    def _within(self, path: str) -> str:
        """A path from the session's folder on; empty where it lies outside."""
        if not os.path.isabs(path):
            return os.path.normpath(path) if not path.startswith("..") else ""
        base = self.folder.rstrip("/") + "/"
        return os.path.normpath(path[len(base) :]) if path.startswith(base) else ""
