"""Plain conversations: a JSON object a line with a role and what was said."""

from bowerbird.ingest.moment import moment
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.turns import Turn, call, pieces_of, result, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_SUFFIXES = {".jsonl", ".ndjson"}
_SESSION_KEYS = ("session_id", "sessionId", "session", "conversation_id")
_TIME_KEYS = ("timestamp", "created_at", "time", "date", "ts")


class Conversation:
    """Lines of ``{"role", "content", "timestamp"?, "name"? or "speaker"?}``."""

    name = "conversation"

    def accepts(self, material: "Material") -> bool:
        """Whether at least half of the first records are messages."""
        if material.suffix not in _SUFFIXES:
            return False
        messages = sum(_is_message(record) for record in material.sample)
        return messages > 0 and 2 * messages >= len(material.sample)

    def read(self, material: "Material", _size: "Size") -> Reading:
        """A piece a turn, or several for a long one."""
        turns: list[Turn] = []
        session, unknown = "", 0
        for line, record in material.records():
            if record is None or not _is_message(record):
                unknown += 1
                continue
            session = session or _first_text(record, _SESSION_KEYS)
            when = next((found for key in _TIME_KEYS if (found := moment(record.get(key)))), None)
            turn = Turn(_speaker(record), line, when)
            for text in _texts(record):
                turn.say(text)
            turns.append(turn)
        return Reading(pieces_of(turns), session=session or material.stem, unknown=unknown)


def _is_message(record: "dict[str, Any]") -> bool:
    role = record.get("role", record.get("speaker"))
    said = any(key in record for key in ("content", "text", "tool_calls"))
    return isinstance(role, str) and said


def _speaker(record: "dict[str, Any]") -> str:
    return _first_text(record, ("name", "speaker", "role"))


def _first_text(record: "dict[str, Any]", keys: tuple[str, ...]) -> str:
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())[:200]
    return ""


def _texts(record: "dict[str, Any]") -> list[str]:
    text = text_of(record.get("content", record.get("text")))
    if record.get("role") == "tool":
        return [result(text)]
    texts = [text]
    calls = record.get("tool_calls")
    for one in calls if isinstance(calls, list) else ():
        function = one.get("function") if isinstance(one, dict) else None
        if isinstance(function, dict):
            texts.append(call(str(function.get("name", "")), function.get("arguments")))
    return texts
