"""Sessions of OpenClaw in their older format: a header, then one event a line as JSON."""

from bowerbird.ingest.dates import moment
from bowerbird.ingest.fields import table_at, tables_at, text_at
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.talk import ASSISTANT, PUT_IN, Talk
from bowerbird.ingest.sources.turns import one_line, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

# Events that replace earlier messages by a summary, with the note that the turn gets.
_SUMMARIES = {"compaction": "compact summary", "branch_summary": "branch summary"}
_SILENT = frozenset(("model_change", "thinking_level_change", "session_info", "label", "custom"))


class OpenClaw:
    """One session; its branches follow each other."""

    name = "openclaw"

    def accepts(self, material: "Material") -> bool:
        """Whether the first record is a session header."""
        first = material.sample[0] if material.sample else {}
        header = text_at(first, "type") == "session" and bool(text_at(first, "id"))
        return material.suffix == ".jsonl" and header and "version" in first

    def read(self, material: "Material", _size: "Size") -> Reading:
        """One piece for each turn, several for a long one."""
        talk = material.talk()
        session, title, unknown = "", "", 0
        for line, record in material.records():
            kind = text_at(record, "type") if record is not None else ""
            if record is None or not kind:
                unknown += 1
                continue
            when = moment(record.get("timestamp"))
            if kind == "session":
                session = session or text_at(record, "id")
            elif kind == "message":
                message = table_at(record, "message")
                _message(talk, message, line, when or moment(message.get("timestamp")))
            elif kind in _SUMMARIES:
                talk.say(ASSISTANT, text_at(record, "summary"), line, when, _SUMMARIES[kind])
            elif kind in _SILENT:
                title = text_at(record, "name") if kind == "session_info" else title
            else:
                unknown += 1
        return Reading(
            talk.pieces(),
            title=one_line(title),
            session=one_line(session) or material.stem,
            unknown=unknown,
            cut=talk.cut,
        )


def _message(talk: Talk, message: "dict[str, Any]", line: int, when: int | None) -> None:
    role = text_at(message, "role")
    content = message.get("content")
    if role == "toolResult":
        failed = message.get("isError") is True
        talk.result(text_at(message, "toolCallId"), text_of(content), line, when, failed=failed)
        return
    parts = tables_at(message, "content")
    texts = _of_type(parts, "text")
    first = texts[:1] if role != ASSISTANT else texts
    if role:
        talk.say(role, content if isinstance(content, str) else text_of(first), line, when)
        talk.say(role, text_of(texts[len(first) :]), line, when, PUT_IN)
    for part in _of_type(parts, "toolCall"):
        talk.call(text_at(part, "id"), text_at(part, "name"), part.get("arguments"), line, when)


def _of_type(parts: "list[dict[str, Any]]", kind: str) -> "list[dict[str, Any]]":
    return [part for part in parts if part.get("type") == kind]
