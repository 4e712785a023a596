"""Reads Letta's memory: the blocks of an agent file, or an agent's folder of notes. Messages are none."""

import os

from bowerbird.code.git_objects import History
from bowerbird.ingest.dates import moment
from bowerbird.ingest.frontmatter import block
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
# A folder of memory: the index at its root, or in the older layout the folder of what is always loaded.
_INDEX, _LOADED = "MEMORY.md", "system"
_PERSONA = "persona.md"
# What is in a folder of memory beside memory.
_SKILLS = "skills"
# The first commit of a folder holds what Letta writes into each.
_FIRST = "chore: initialize local memory"


def accepts(path: str) -> bool:
    """Whether a path is an agent file, or an agent's folder of memory."""
    if os.path.isdir(path):
        return _is_memory(path)
    if not path.endswith((".af", ".json")):
        return False
    return bool(_blocks(_loaded(Gathering("letta", path, _LARGEST).text(path))))


def places(home: str, here: str, environment: "Mapping[str, str]") -> "Iterator[str]":
    """The folders of its agents; agent files are exported to wherever their owner likes."""
    yield from (os.path.join(here, one) for one in sorted(os.listdir(here)) if one.endswith(".af"))
    letta = os.path.join(home, ".letta")
    local = environment.get("LETTA_LOCAL_BACKEND_DIR") or os.path.join(letta, "lc-local-backend")
    for agents in (os.path.join(letta, "agents"), os.path.join(local, "memfs")):
        if os.path.isdir(agents):
            yield from (os.path.join(agents, one, "memory") for one in sorted(os.listdir(agents)))


def read(path: str, most: int) -> "Found":
    """Each statement of each block or note; what describes the agent itself is left out."""
    gathering = Gathering("letta", path, most)
    if os.path.isdir(path):
        _read_folder(path, gathering)
        return gathering.found(or_nothing=True)  # of an agent that was never talked to
    data = _loaded(gathering.text(path))
    for one in _blocks(data):
        label, kept = str(one.get("label") or ""), {"block": str(one.get("id") or "")}
        _add(gathering, label, str(one.get("value") or ""), kept, moment(data.get("created_at")))
    return gathering.found()


def _read_folder(path: str, gathering: Gathering) -> None:
    history = History(path)
    first = history.called(_FIRST, 0)
    for here, below, names in os.walk(path):
        below[:] = sorted(one for one in below if one[0] != "." and one != _SKILLS)
        for name in sorted(names):
            file = os.path.join(here, name)
            if not name.endswith(".md") or name == _INDEX:
                continue
            text = gathering.text(file)
            if first and history.at(first, os.path.realpath(file)) == text.encode():
                continue
            lines = text.split("\n")
            place = os.path.relpath(file, path).replace(os.sep, "/")
            label = place.removesuffix(".md").removeprefix(f"{_LOADED}/")
            said = "\n".join(lines[block(lines)[1] :])
            _add(gathering, label, said, {"file": place}, os.stat(file).st_mtime_ns // 1_000_000)


def _add(
    gathering: Gathering, label: str, value: str, kept: dict[str, str], occurred: int | None
) -> None:
    if label.lower() in _ITSELF:
        return
    for number, (section, said) in enumerate(items(value), 1):
        gathering.add(
            f"{label} {number}",
            f"{section}: {said}" if section else said,
            kept | {"label": label},
            tags=(label,) if any(map(str.isalnum, label)) else (),
            occurred=occurred,
        )


def _is_memory(path: str) -> bool:
    loaded_at_once = os.path.join(path, _LOADED)
    if os.path.isdir(loaded_at_once):
        return any(
            one.endswith(".md") and "description" in _fields(os.path.join(loaded_at_once, one))
            for one in os.listdir(loaded_at_once)
        )
    persona = os.path.join(path, _PERSONA)
    return os.path.isfile(os.path.join(path, _INDEX)) and "description" in _fields(persona)


def _fields(path: str) -> "dict[str, list[str]]":
    return block(Gathering("letta", path, _LARGEST).text(path).split("\n"))[0]


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
