"""The output of ``opencode export``: one session as one JSON object."""

from bowerbird.agents.opencode import unquoted
from bowerbird.ingest.dates import moment
from bowerbird.ingest.fields import table_at, tables_at, text_at
from bowerbird.ingest.sources.reading import LineFinder, Reading
from bowerbird.ingest.sources.talk import ASSISTANT, PUT_IN, Talk
from bowerbird.ingest.sources.turns import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_ROLES = frozenset(("user", "assistant"))
_SILENT = frozenset(
    "reasoning file patch step-start step-finish snapshot agent subtask retry compaction".split()
)


class OpenCode:
    """One exported session."""

    name = "opencode"

    def accepts(self, material: "Material") -> bool:
        """Whether the file is an object with a session and messages in parts."""
        if material.suffix != ".json":
            return False
        messages = tables_at(material.whole, "messages")
        return isinstance(material.whole.get("info"), dict) and any(
            "info" in message and "parts" in message for message in messages
        )

    def read(self, material: "Material", _size: "Size") -> Reading:
        """One piece for each turn, several for a long one."""
        session = table_at(material.whole, "info")
        talk = material.talk()
        unknown = 0
        finder = LineFinder(material.text)
        for message in tables_at(material.whole, "messages"):
            info = table_at(message, "info")
            role = text_at(info, "role")
            if role not in _ROLES:
                unknown += 1
                continue
            line = finder.next(text_at(info, "id"))
            when = moment(table_at(info, "time").get("created"))
            note = "compact summary" if info.get("summary") is True else ""
            unknown += _parts(talk, message, role, line, when, note)
        return Reading(
            talk.pieces(),
            title=one_line(text_at(session, "title")),
            session=one_line(text_at(session, "id")) or material.stem,
            unknown=unknown,
            cut=talk.cut,
        )


def _parts(
    talk: Talk, message: "dict[str, Any]", role: str, line: int, when: int | None, note: str
) -> int:
    """Adds the parts of a message to the talk; returns the number of unknown parts."""
    unknown = 0
    first = True
    for part in tables_at(message, "parts"):
        kind = text_at(part, "type")
        if kind == "text":
            # Synthetic text comes from the program: attached files, reminders.
            if part.get("synthetic") is not True:
                put_in = PUT_IN if role != ASSISTANT and not first else ""
                text = text_at(part, "text")
                text = unquoted(text) if role != ASSISTANT and first else text
                talk.say(role, text, line, when, note or put_in)
                first = False
        elif kind == "tool":
            state = table_at(part, "state")
            id = text_at(part, "callID")
            talk.call(id, text_at(part, "tool"), state.get("input"), line, when)
            failed = text_at(state, "status") == "error"
            text = text_at(state, "error" if failed else "output")
            talk.result(id, text, line, when, failed=failed)
        elif kind not in _SILENT:
            unknown += 1
    return unknown
