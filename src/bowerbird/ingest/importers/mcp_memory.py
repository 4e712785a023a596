"""Reads the file of MCP's memory server: entities with observations, and relations, as JSON lines."""

import os
from glob import glob

from bowerbird.ingest.importers.gathering import Gathering, loaded, texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from bowerbird.core.migrated import Found

_BELOW = "node_modules/@modelcontextprotocol/server-memory/dist/memory.json*"
_LARGEST = 1 << 30


def accepts(path: str) -> bool:
    """Whether the first line of a file is an entity or a relation."""
    if not (os.path.isfile(path) and path.endswith((".json", ".jsonl"))):
        return False
    text = Gathering("mcp-memory", path, _LARGEST).text(path)
    return any(True for _ in _records(text.split("\n", 1)[0]))


def places(home: str, here: str, environment: "Mapping[str, str]") -> "Iterator[str]":
    """Where it keeps the file: beside itself, unless its variable names another place."""
    named = environment.get("MEMORY_FILE_PATH")
    if named and os.path.isabs(named):
        yield named
    for base in (here, os.path.join(home, ".npm", "_npx", "*")):
        yield from sorted(glob(os.path.join(base, _BELOW)))


def read(path: str, most: int) -> "Found":
    """Each observation and each relation; what is said of one entity is linked by its relations."""
    gathering = Gathering("mcp-memory", path, most)
    known: dict[str, list[str]] = {}
    relations = []
    for record in _records(gathering.text(path)):
        if record["type"] == "relation":
            relations.append(record)
            continue
        name, sort = str(record.get("name", "")), str(record.get("entityType", ""))
        for number, said in enumerate(texts(record.get("observations"))):
            place = f"{name} {number + 1}"
            known.setdefault(name, []).append(place)
            about = f"{name} ({sort})" if sort else name
            gathering.add(place, f"{about}: {said}", {"entity": name, "type": sort})
    for one in relations:
        source, kind, target = (str(one.get(name, "")) for name in ("from", "relationType", "to"))
        place = f"{source} {kind} {target}"
        gathering.add(place, f"{source} {kind.replace('_', ' ')} {target}", {"relation": kind})
        for end in (source, target):
            for about in known.get(end, ())[:1]:
                gathering.link(place, about)
    return gathering.found()


def _records(text: str) -> "Iterator[dict[str, Any]]":
    for line in text.split("\n"):
        found = loaded(line) if line.strip() else None
        if isinstance(found, dict) and found.get("type") in ("entity", "relation"):
            yield found
