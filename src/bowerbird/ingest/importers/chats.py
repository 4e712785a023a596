"""Reads what ChatGPT and Claude remember of a person, from the exports that they give out.

Their conversations are documents: `bower index` takes those in.
"""

import os

from bowerbird.ingest.dates import moment
from bowerbird.ingest.importers.gathering import Gathering, loaded
from bowerbird.ingest.importers.items import items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from bowerbird.core.migrated import Found

_CONVERSATIONS, _MEMORIES = "conversations.json", "memories.json"
# Where ChatGPT sends what it is to remember.
_TOOL = "bio"
_LARGEST = 1 << 30


def accepts(path: str) -> bool:
    """Whether a path is such an export, or its folder."""
    for file in _files(path):
        data = loaded(Gathering("chats", file, _LARGEST).text(file))
        if any(True for _ in _remembered(data)) or any(True for _ in _known(data)):
            return True
    return False


def places(_home: str, here: str, _environment: "Mapping[str, str]") -> "Iterator[str]":
    """They are downloaded to wherever their owner likes."""
    yield here


def read(path: str, most: int) -> "Found":
    """Each thing that was remembered."""
    gathering = Gathering("chats", path, most)
    for file in _files(path):
        data = loaded(gathering.text(file))
        for id, said, at in _remembered(data):
            gathering.add(f"chatgpt {id}", said, {"tool": "chatgpt", "message": id}, occurred=at)
        for place, section, said in _known(data):
            text = f"{section}: {said}" if section else said
            gathering.add(place, text, {"tool": "claude"})
    return gathering.found()


def _files(path: str) -> "Iterator[str]":
    if os.path.isdir(path):
        names = (os.path.join(path, name) for name in (_CONVERSATIONS, _MEMORIES))
        yield from (one for one in names if os.path.isfile(one))
    elif os.path.isfile(path) and path.endswith(".json"):
        yield path


def _remembered(data: "Any") -> "Iterator[tuple[str, str, int | None]]":
    """What ChatGPT noted in its conversations: id, text, when."""
    for conversation in _tables(data):
        mapping = conversation.get("mapping")
        for node in mapping.values() if isinstance(mapping, dict) else ():
            message = node.get("message") if isinstance(node, dict) else None
            if not isinstance(message, dict) or message.get("recipient") != _TOOL:
                continue
            content = message.get("content")
            content = content if isinstance(content, dict) else {}
            parts = [one for one in content.get("parts") or () if isinstance(one, str)]
            said = "\n".join(parts) or str(content.get("text") or "")
            yield str(message.get("id", "")), said, moment(message.get("create_time"))


def _known(data: "Any") -> "Iterator[tuple[str, str, str]]":
    """What Claude knows: place, heading, statement."""
    for account in _tables(data):
        texts = {"general": account.get("conversations_memory")}
        projects = account.get("project_memories")
        texts |= projects if isinstance(projects, dict) else {}
        for name, text in texts.items():
            if isinstance(text, str):
                for number, (section, said) in enumerate(items(text), 1):
                    yield f"claude {name} {number}", section, said


def _tables(data: "Any") -> "list[dict[str, Any]]":
    return [one for one in data if isinstance(one, dict)] if isinstance(data, list) else []
