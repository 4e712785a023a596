"""Claude's export: ``conversations.json``, each conversation with its messages in order."""

from bowerbird.ingest.dates import moment
from bowerbird.ingest.fields import tables_at, text_at
from bowerbird.ingest.sources.exported import closed, conversations, first_has, line_of
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.turns import Turns, call, one_line, result, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_IDS = ("uuid",)
_SPEAKERS = {"human": "user", "assistant": "assistant"}
_SILENT = frozenset(("thinking", "redacted_thinking", "token_budget", "voice_note", "flag"))


class ClaudeAi:
    """An export of the Claude app: every conversation, with the text of attachments."""

    name = "claude"

    def accepts(self, material: "Material") -> bool:
        """Whether the file is a list of conversations with messages of the app."""
        return first_has(material, "chat_messages", "uuid")

    def read(self, material: "Material", _size: "Size") -> Reading:
        """One document for each conversation; one piece for each turn, several for a long one."""
        return conversations(material, _IDS, _conversation)


def _conversation(record: "dict[str, Any]", material: "Material") -> Reading | None:
    if not isinstance(record.get("chat_messages"), list):
        return None
    turns = Turns()
    unknown, line = 0, line_of(record.get("name"), record.get("uuid"))
    branch = _branch(record)
    for message in branch:
        speaker = _SPEAKERS.get(text_at(message, "sender"))
        if speaker is None:
            unknown += 1
            continue
        line = line_of(message.get("text") or message.get("uuid"), before=line)
        turn = turns.new(speaker, line, moment(message.get("created_at")))
        blocks = tables_at(message, "content")
        said = [text for block in blocks if (text := _said(block, material))]
        unknown += sum(_is_unknown(block) for block in blocks)
        for text in said or [material.safe(text_at(message, "text"))]:
            turn.say(text)
        for attachment in tables_at(message, "attachments"):
            name = one_line(text_at(attachment, "file_name"))
            text = material.safe(text_at(attachment, "extracted_content"))
            turn.say(f"[attached {name}]\n{text}" if text else f"[attached {name}]")
        for file in tables_at(message, "files"):
            turn.say(f"[attached {one_line(text_at(file, 'file_name'))}]")
    others = len(tables_at(record, "chat_messages")) - len(branch)
    title = one_line(text_at(record, "name"))
    return Reading(turns.pieces(), title, unknown=unknown, cut=turns.cut, rest=closed(others))


def _branch(record: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The messages of the branch that was open last; all of them if there are no branches."""
    messages = tables_at(record, "chat_messages")
    last = text_at(record, "current_leaf_message_uuid")
    by_id = {text_at(message, "uuid"): message for message in messages}
    if last not in by_id:
        return messages
    found: list[dict[str, Any]] = []
    while last in by_id:
        # Removed from the table, so that a message that is its own parent does not loop forever.
        message = by_id.pop(last)
        found.append(message)
        last = text_at(message, "parent_message_uuid")
    return found[::-1]


def _said(block: "dict[str, Any]", material: "Material") -> str:
    kind = text_at(block, "type")
    if kind == "text":
        return material.safe(text_at(block, "text"))
    if kind == "tool_use":
        return call(one_line(text_at(block, "name")), block.get("input"))
    if kind == "tool_result":
        text = material.safe(text_of(block.get("content")))
        return result(text, failed=block.get("is_error") is True)
    return ""


def _is_unknown(block: "dict[str, Any]") -> bool:
    return text_at(block, "type") not in {"text", "tool_use", "tool_result", *_SILENT}
