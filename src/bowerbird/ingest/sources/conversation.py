"""Plain conversations: JSON Lines with a role and a content."""

from bowerbird.ingest.dates import moment
from bowerbird.ingest.fields import table_at, tables_at, text_at
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.turns import Turns, call, one_line, result, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_SUFFIXES = {".jsonl", ".ndjson"}
_SESSION_KEYS = ("session_id", "sessionId", "session", "conversation_id")
_SPEAKER_KEYS = ("name", "speaker", "role")
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
        """One piece for each turn, several for a long one."""
        turns = Turns()
        session, unknown = "", 0
        for line, record in material.records():
            if record is None or not _is_message(record):
                unknown += 1
                continue
            session = session or one_line(text_at(record, *_SESSION_KEYS))
            when = next((found for key in _TIME_KEYS if (found := moment(record.get(key)))), None)
            turn = turns.new(one_line(text_at(record, *_SPEAKER_KEYS)), line, when)
            for text in _texts(record):
                turn.say(text)
        return Reading(
            turns.pieces(), session=session or material.stem, unknown=unknown, cut=turns.cut
        )


def _is_message(record: "dict[str, Any]") -> bool:
    said = any(key in record for key in ("content", "text", "tool_calls"))
    return said and bool(text_at(record, "role", "speaker"))


def _texts(record: "dict[str, Any]") -> list[str]:
    text = text_of(record.get("content", record.get("text")))
    if record.get("role") == "tool":
        return [result(text)]
    texts = [text]
    functions = [table_at(one, "function") for one in tables_at(record, "tool_calls")]
    return texts + [call(text_at(one, "name"), one.get("arguments")) for one in functions if one]
