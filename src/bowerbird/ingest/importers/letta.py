"""Reads Letta's agent files: the blocks of an agent's memory. Its messages are no memories."""

import os

from bowerbird.ingest.dates import moment
from bowerbird.ingest.importers.gathering import Gathering, loaded
from bowerbird.ingest.importers.items import items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from bowerbird.core.migrated import Found

_LARGEST = 1 << 30
# Blocks that say what the agent is, not what it knows.
_ITSELF = frozenset({"persona", "system"})


def accepts(path: str) -> bool:
    """Whether a file is an agent file."""
    if not (os.path.isfile(path) and path.endswith((".af", ".json"))):
        return False
    return bool(_blocks(_loaded(Gathering("letta", path, _LARGEST).text(path))))


def places(_home: str, here: str, _environment: "Mapping[str, str]") -> "Iterator[str]":
    """Agent files are exported to wherever their owner likes."""
    yield from (os.path.join(here, one) for one in sorted(os.listdir(here)) if one.endswith(".af"))


def read(path: str, most: int) -> "Found":
    """Each statement of each block; what describes the agent itself is left out."""
    gathering = Gathering("letta", path, most)
    data = _loaded(gathering.text(path))
    for block in _blocks(data):
        label, value = str(block.get("label") or ""), str(block.get("value") or "")
        if label.lower() in _ITSELF:
            continue
        kept = {"block": str(block.get("id") or ""), "label": label}
        for number, (section, said) in enumerate(items(value), 1):
            gathering.add(
                f"{label} {number}",
                f"{section}: {said}" if section else said,
                kept,
                tags=(label,) if any(map(str.isalnum, label)) else (),
                occurred=moment(data.get("created_at")),
            )
    return gathering.found()


def _loaded(text: str) -> "Any":
    """An agent file; some that Letta published hold the JSON of the agent as one JSON text."""
    data = loaded(text)
    return loaded(data) if isinstance(data, str) else data


def _blocks(data: "Any") -> "list[dict[str, Any]]":
    """The blocks of an agent file, of today's form or of the first one."""
    if not isinstance(data, dict):
        return []
    found = data.get("blocks") if "agents" in data else data.get("core_memory")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
