"""Importers by name, each loaded when it is asked for; packages add others (`core.plugins`)."""

import os
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# Where a path is given alone, the first whose `accepts` takes it. Each module has `accepts(path)`,
# `places(home, here, environment)`, which yields where its tool keeps data for a user or in a folder, and
# `read(path, most)`, which makes notes (`core.migrated`) of that.
IMPORTERS = {
    "from-brv": "brv",
    "claude-mem": "claude_mem",
    "mem0": "mem0",
    "mcp-memory": "mcp_memory",
    "letta": "letta",
    "hermes": "hermes",
    "chats": "chats",
    "obsidian": "obsidian",
    "rules": "rules",
}
# Names that people type.
ALIASES = {
    "brv": "from-brv",
    "byterover": "from-brv",
    "basic-memory": "obsidian",
    "chatgpt": "chats",
    "claude": "chats",
    "claude-md": "rules",
    "agents-md": "rules",
    "cursor": "rules",
    "windsurf": "rules",
}


def importer(name: str) -> "Any":
    """The module of an importer; None if there is none of that name."""
    module = IMPORTERS.get(ALIASES.get(name, name))
    return module and import_module(f"bowerbird.ingest.importers.{module}")


def called(name: str) -> str:
    """The name of an importer, for any that people type."""
    return ALIASES.get(name, name)


def recognised(path: str) -> str:
    """The name of the importer that takes what is at a path; empty if none does."""
    return next((name for name in IMPORTERS if importer(name).accepts(path)), "")


def places(home: str, here: str, environment: "Mapping[str, str]") -> "list[tuple[str, str]]":
    """What is on this machine: importers with the paths that exist."""
    return [
        (name, path)
        for name in IMPORTERS
        for path in importer(name).places(home, here, environment)
        if os.path.exists(path) and importer(name).accepts(path)
    ]
