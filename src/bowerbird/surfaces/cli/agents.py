"""How each agent is connected to the server: the command to run, or the entry in one of its files."""

import json
import shlex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What the server is called in an agent's list.
NAME = "bowerbird"
# Lines to run; the command comes at the end, or its parts where they stand.
_LINES = {
    "claude-code": f"claude mcp add --scope user {NAME} -- {{program}} {{arguments}}",
    "codex": f"codex mcp add {NAME} -- {{program}} {{arguments}}",
    "gemini": f"gemini mcp add --scope user {NAME} {{program}} -- {{arguments}}",
}
# Files to write into, and under which key; `json` is what most other agents take.
_FILES = {
    "cursor": ("~/.cursor/mcp.json, or a project's .cursor/mcp.json", "mcpServers"),
    "json": ("", "mcpServers"),
    "opencode": ("opencode.json", "mcp"),
    "vscode": (".vscode/mcp.json", "servers"),
}
AGENTS = (*sorted({*_LINES, *_FILES}),)


def setup(agent: str, command: list[str]) -> "dict[str, Any]":
    """How one of AGENTS is connected by a command: `text` is to be run, or to stand in `file`."""
    program, *arguments = command
    if agent in _LINES:
        parts = {"program": shlex.quote(program), "arguments": shlex.join(arguments)}
        return {"agent": agent, "file": "", "text": _LINES[agent].format(**parts)}
    file, key = _FILES[agent]
    server: dict[str, Any] = {"command": program, "args": arguments}
    if agent == "opencode":
        server = {"type": "local", "command": command}
    text = json.dumps({key: {NAME: server}}, indent=2, ensure_ascii=False)
    return {"agent": agent, "file": file, "text": text}
