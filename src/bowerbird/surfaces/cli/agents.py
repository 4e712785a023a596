"""How each agent is connected to the server: the command to run, or the entry in one of its files."""

import json
import shlex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The name of the server in an agent's configuration.
NAME = "bowerbird"
# Commands to run; the server's command is appended, or its parts are inserted.
_LINES = {
    "claude-code": f"claude mcp add --scope user {NAME} -- {{program}} {{arguments}}",
    "codex": f"codex mcp add {NAME} -- {{program}} {{arguments}}",
    "gemini": f"gemini mcp add --scope user {NAME} {{program}} -- {{arguments}}",
}
# Files to write into, and the key there; most other agents accept `json`.
_FILES = {
    "cursor": ("~/.cursor/mcp.json, or a project's .cursor/mcp.json", "mcpServers"),
    "json": ("", "mcpServers"),
    "opencode": ("opencode.json", "mcp"),
    "vscode": (".vscode/mcp.json", "servers"),
}
AGENTS = (*sorted({*_LINES, *_FILES}),)


def setup(agent: str, command: list[str]) -> "dict[str, Any]":
    """How to connect one of AGENTS: `text` is a command to run, or an entry for `file`."""
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
