"""How a person connects an agent by hand: the command to run, or the entry for one of its files."""

import json
import shlex

from bowerbird.agents.agent import NAME
from bowerbird.agents.folders import below_home
from bowerbird.agents.index import CONNECTABLE
from bowerbird.agents.registry import agent
from bowerbird.surfaces.installer.own_entries import server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.agents.agent import Agent, File

# For agents that are not known: most accept this.
ANY = "json"
CHOICES = (*sorted((ANY, *CONNECTABLE)),)


def setup(id: str, command: list[str]) -> "dict[str, Any]":
    """How to connect one of CHOICES: `text` is a command to run, or an entry for `file`."""
    if id == ANY:
        return {"agent": id, "file": "", "text": _entry(("mcpServers", NAME), server("", command))}
    one = agent(id, CONNECTABLE)
    if one.setup:
        program, *arguments = command
        parts = {"program": shlex.quote(program), "arguments": shlex.join(arguments)}
        return {"agent": id, "file": "", "text": one.setup.format(**parts)}
    file = next(file for file in one.files if file.server)
    text = _entry(file.server, server(file.shape, command))
    return {"agent": id, "file": _where(one, file), "text": text}


def _entry(path: tuple[str, ...], value: "Any") -> str:
    for name in reversed(path):
        value = {name: value}
    return json.dumps(value, indent=2, ensure_ascii=False)


def _where(one: "Agent", file: "File") -> str:
    """The file as people write its path, with that of a project if there is one."""
    found = f"~/{below_home(file.user[0], one)}"
    if file.project:
        found += f", or a project's {file.project[0].removeprefix('{here}/')}"
    return found
