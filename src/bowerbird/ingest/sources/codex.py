"""Rollouts of Codex: JSON Lines of ``{timestamp, type, payload}``.

Each message is in the file twice, as the model's item and as the program's event: one of each pair is
kept.
"""

import json
from collections import Counter

from bowerbird.ingest.dates import moment
from bowerbird.ingest.fields import table_at, tables_at, text_at
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.talk import PUT_IN
from bowerbird.ingest.sources.turns import one_line, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_RECORDS = frozenset(("session_meta", "turn_context", "response_item", "event_msg", "compacted"))
_SPEAKERS = {"user_message": "user", "agent_message": "assistant"}
_SILENT_ITEMS = frozenset(("reasoning", "ghost_snapshot", "compaction", "other"))
# Blocks that the program puts before the person's first message, each by its start and end marker.
_INJECTED = (
    ("# AGENTS.md instructions", "</INSTRUCTIONS>"),
    ("<environment_context>", "</environment_context>"),
    ("<user_instructions>", "</user_instructions>"),
    ("<permissions instructions>", "</permissions instructions>"),
    ("<recommended_plugins>", "</recommended_plugins>"),
    ("<turn_aborted>", "</turn_aborted>"),
    ("<INSTRUCTIONS>", "</INSTRUCTIONS>"),
)


class Codex:
    """One session of Codex."""

    name = "codex"

    def accepts(self, material: "Material") -> bool:
        """Whether the first records are those of a rollout."""
        return material.suffix == ".jsonl" and any(
            text_at(record, "type") in _RECORDS and isinstance(record.get("payload"), dict)
            for record in material.sample
        )

    def read(self, material: "Material", _size: "Size") -> Reading:
        """One piece for each turn, several for a long one."""
        return _Rollout(material).reading()


class _Rollout:
    def __init__(self, material: "Material") -> None:
        self._material = material
        self._talk = material.talk()
        self._session = ""
        self._unknown = 0
        self._typed = _typed_texts(material)
        # How often each text occurred as an item and as an event.
        self._met: tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]] = (
            Counter(),
            Counter(),
        )

    def reading(self) -> Reading:
        for line, record in self._material.records():
            kind = text_at(record, "type") if record is not None else ""
            if record is None or kind not in _RECORDS:
                self._unknown += 1
                continue
            payload = table_at(record, "payload")
            when = moment(record.get("timestamp"))
            if kind == "session_meta":
                self._session = self._session or text_at(payload, "id")
            elif kind == "response_item":
                self._item(payload, line, when)
            elif kind == "event_msg":
                self._event(payload, line, when)
            elif kind == "compacted":
                summary = text_at(payload, "message")
                self._talk.say("assistant", summary, line, when, "compact summary")
        return Reading(
            self._talk.pieces(),
            session=one_line(self._session) or self._material.stem,
            unknown=self._unknown,
            cut=self._talk.cut,
        )

    def _item(self, item: "dict[str, Any]", line: int, when: int | None) -> None:
        kind = text_at(item, "type")
        id = text_at(item, "call_id", "id")
        if kind == "message":
            role = text_at(item, "role")
            if role in {"user", "assistant"}:
                self._say(0, role, text_of(item.get("content")), line, when)
        elif kind in {"function_call", "custom_tool_call"}:
            arguments = _decoded(item.get("arguments", item.get("input")))
            self._talk.call(id, text_at(item, "name"), arguments, line, when)
        elif kind in {"local_shell_call", "web_search_call"}:
            name = kind.removesuffix("_call")
            self._talk.call(id, name, table_at(item, "action"), line, when)
        elif kind.endswith("_output"):
            output = item.get("output")
            self._talk.result(id, _output(output), line, when, failed=_failed(output))
        elif kind not in _SILENT_ITEMS:
            self._unknown += 1

    def _event(self, event: "dict[str, Any]", line: int, when: int | None) -> None:
        speaker = _SPEAKERS.get(text_at(event, "type"))
        if speaker is not None:
            self._say(1, speaker, text_at(event, "message"), line, when)

    def _say(self, channel: int, role: str, text: str, line: int, when: int | None) -> None:
        """Adds a turn, unless the other channel already contained it."""
        if role == "user":
            text = _without_injected(text)
        key = (role, " ".join(text.split()))
        mine, others = self._met[channel], self._met[1 - channel]
        mine[key] += 1
        if mine[key] > others[key]:
            put_in = role == "user" and self._typed and key[1] not in self._typed
            self._talk.say(role, text, line, when, PUT_IN if put_in else "")


def _typed_texts(material: "Material") -> frozenset[str]:
    """The texts that the program's events call a person's input, on single spaces; maybe none."""
    if '"user_message"' not in material.text:
        return frozenset()
    found = set()
    for _, record in material.records():
        payload = table_at(record, "payload") if record is not None else {}
        if text_at(payload, "type") == "user_message":
            found.add(" ".join(_without_injected(text_at(payload, "message")).split()))
    return frozenset(found)


def _without_injected(text: str) -> str:
    """The person's input without the blocks that the program put before it.

    Cut at the last end marker: the content of a block may contain one as well.
    """
    text = text.strip()
    for _ in _INJECTED:
        end = next((end for mark, end in _INJECTED if text.startswith(mark)), None)
        if end is None:
            break
        text = text.rpartition(end)[2].strip()
    return text


def _decoded(arguments: "Any") -> "Any":
    """The arguments of a call: parsed if they are JSON in a string, else unchanged."""
    if isinstance(arguments, str) and arguments.startswith("{"):
        try:
            return json.loads(arguments)
        except (ValueError, RecursionError):
            return arguments
    return arguments


def _output(output: "Any") -> str:
    """The text of a result: plain, in an object, or in JSON within a string."""
    decoded = _decoded(output)
    if isinstance(decoded, dict):
        return text_at(decoded, "output", "content") or "\n".join(
            text_at(part, "text") for part in tables_at(decoded, "content")
        )
    return text_of(decoded)


def _failed(output: "Any") -> bool:
    """Whether the program reports that a command failed."""
    decoded = _decoded(output)
    code = table_at(decoded, "metadata").get("exit_code") if isinstance(decoded, dict) else 0
    return isinstance(code, int) and code != 0
