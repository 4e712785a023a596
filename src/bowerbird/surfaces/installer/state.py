"""Which agents are installed and connected, and whether the programs in their entries still exist."""

import os
import shlex

from bowerbird.agents.index import CONNECTABLE
from bowerbird.agents.registry import agents
from bowerbird.core.errors import BadInput
from bowerbird.core.health import WARNING, Finding
from bowerbird.core.value import Value
from bowerbird.host import own_files
from bowerbird.surfaces.installer.changes import Installer
from bowerbird.surfaces.installer.jsonc import Unparseable
from bowerbird.surfaces.installer.own_entries import document, own_entries, plugged
from bowerbird.surfaces.installer.plugin import is_ours
from bowerbird.surfaces.installer.settings import USER, is_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from bowerbird.agents.agent import Agent, File


class State(Value):
    """An agent's state in one scope; `possible` means that it has settings in it."""

    __slots__ = ("connected", "found", "hooks", "id", "name", "possible", "problem")
    TABLE = (
        ("id", "text"),
        ("name", "text"),
        ("found", "flag"),
        ("connected", "flag"),
        ("hooks", "flag"),
        ("problem", "text"),
    )

    def __init__(self, agent: "Agent", found: bool) -> None:
        self.id = agent.id
        self.name = agent.name
        self.found = found
        self.possible = True
        self.connected = False
        self.hooks = False
        self.problem = ""


def findings(heard: "Collection[str]") -> "list[Finding]":
    """Findings of doctor on the installed agents; `heard` are those whose hooks ran at least once."""
    listed = []
    for one in states(Installer(os.environ, ()), USER):
        if not (one.found or one.connected):
            continue
        again = f"bower install {one.id}"
        if one.problem:
            listed.append(Finding("agent", f"{one.name}: {one.problem}", WARNING, again))
            continue
        how = "found, not connected"
        if one.connected:
            how = "connected" + (", with hooks" if one.hooks else ", without hooks")
        if one.hooks and one.id not in heard:
            how += "; none of them has fired yet"
        listed.append(Finding("agent", f"{one.name}: {how}"))
    return listed


def states(installer: "Installer", scope: str) -> list[State]:
    """The state of every agent, in the order of the table."""
    return [_state(installer, one, scope) for one in agents(CONNECTABLE)]


def _state(installer: "Installer", agent: "Agent", scope: str) -> State:
    state = State(agent, is_here(agent, installer.environment))
    try:
        for file, _, real in installer.files_of(agent.id, scope):
            _look(state, file, real)
    except (BadInput, Unparseable) as error:
        state.problem = str(error)
        state.possible = False
    return state


def _look(state: State, file: "File", real: str) -> None:
    data = own_files.content(real)
    if data is None:
        return
    text = own_files.text_of(real, data)
    if file.source:
        state.hooks |= is_ours(text)
        state.connected |= bool(file.program) and is_ours(text)
        return
    opened = document(text, file.format)
    if plugged(opened, file):
        state.connected = state.hooks = True
    for path, value in own_entries(opened, file).items():
        program = _program(value)
        if path == file.server:
            state.connected = True
        else:
            state.hooks = True
        if program and not os.path.exists(program):
            state.problem = f"starts {program}, which is not there"


def _program(value: "Any") -> str:
    """The absolute path of the program that an entry starts; empty if it has none."""
    command = value.get("command") if isinstance(value, dict) else None
    if isinstance(command, list):
        command = command[0] if command else ""
    elif isinstance(command, str) and "args" not in value:
        try:
            command = shlex.split(command)[0]
        except (ValueError, IndexError):
            return ""
    return command if isinstance(command, str) and os.path.isabs(command) else ""
