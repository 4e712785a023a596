"""ChatGPT's export: ``conversations.json``, each conversation as a tree of its messages."""

from bowerbird.ingest.dates import moment
from bowerbird.ingest.fields import table_at, text_at
from bowerbird.ingest.sources.exported import closed, conversations, first_has, line_of
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.turns import Turns, one_line, result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_IDS = ("conversation_id", "id")
_ROLES = frozenset(("user", "assistant", "tool"))
# Content types that were not shown: reasoning, custom instructions, recalled memories.
_SILENT = frozenset(
    "thoughts reasoning_recap user_editable_context model_editable_context system_error".split()
)


class ChatGpt:
    """An export of ChatGPT; of each conversation the branch that was open last."""

    name = "chatgpt"

    def accepts(self, material: "Material") -> bool:
        """Whether the file is a list of conversations with a tree of messages."""
        return first_has(material, "mapping", "message")

    def read(self, material: "Material", _size: "Size") -> Reading:
        """One document for each conversation; one piece for each turn, several for a long one."""
        return conversations(material, _IDS, _conversation)


def _conversation(record: "dict[str, Any]", material: "Material") -> Reading | None:
    if not isinstance(record.get("mapping"), dict):
        return None
    turns = Turns()
    unknown, line = 0, line_of(record.get("title"))
    mapping = table_at(record, "mapping")
    branch = _branch(mapping, text_at(record, "current_node"))
    for node in branch:
        message = table_at(node, "message")
        if not message or table_at(message, "metadata").get("is_visually_hidden_from_conversation"):
            continue
        author, content = table_at(message, "author"), table_at(message, "content")
        role, kind = text_at(author, "role"), text_at(content, "content_type")
        if role == "system" or kind in _SILENT:
            continue
        if role not in _ROLES:
            unknown += 1
            continue
        text = material.safe(_text(content))
        line = line_of(*_parts_of(content), message.get("id"), before=line)
        if role == "tool":
            text = result(text)
        turns.new(role, line, moment(message.get("create_time"))).say(text)
    others = sum(map(_speaks, mapping.values())) - sum(map(_speaks, branch))
    title = one_line(text_at(record, "title"))
    return Reading(turns.pieces(), title, unknown=unknown, cut=turns.cut, rest=closed(others))


def _speaks(node: "Any") -> bool:
    """Whether a node holds a visible message, on whatever branch."""
    message = table_at(node, "message") if isinstance(node, dict) else {}
    hidden = table_at(message, "metadata").get("is_visually_hidden_from_conversation")
    kind = text_at(table_at(message, "content"), "content_type")
    return (
        text_at(table_at(message, "author"), "role") in _ROLES
        and not hidden
        and kind not in _SILENT
    )


def _branch(mapping: "dict[str, Any]", last: str) -> "list[dict[str, Any]]":
    """The messages from the first to `last`; if that is unknown, to the newest answer."""
    found: list[dict[str, Any]] = []
    if last not in mapping:
        leaves = [
            (_time(node), id)
            for id, node in mapping.items()
            if isinstance(node, dict) and not node.get("children")
        ]
        last = max(leaves, default=(0.0, ""))[1]
    seen: set[str] = set()
    while last and last not in seen:
        seen.add(last)
        node = table_at(mapping, last)
        found.append(node)
        last = text_at(node, "parent")
    return found[::-1]


def _time(node: "dict[str, Any]") -> float:
    time = table_at(node, "message").get("create_time")
    return time if isinstance(time, float) else 0.0


def _parts_of(content: "dict[str, Any]") -> "list[Any]":
    parts = content.get("parts")
    return [*parts, content.get("text")] if isinstance(parts, list) else [content.get("text")]


def _text(content: "dict[str, Any]") -> str:
    """The text of a message: its text parts, spoken or written, its code, its quotation."""
    texts = [
        part if isinstance(part, str) else text_at(part, "text") if isinstance(part, dict) else ""
        for part in _parts_of(content)
    ]
    texts.append(text_at(content, "result"))
    return "\n".join(text for text in texts if text)
