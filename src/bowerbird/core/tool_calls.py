"""Tool calls of agents: the kind of a tool, and the files and the command that a call names. Pure."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# Tools of the agents by what they do, in lower case without `_` (Claude Code, Codex, Gemini, Cursor,
# OpenCode as of 2026).
_NAMES_BY_KIND = {
    "read": "read readfile readmanyfiles view notebookread viewfile",
    "edit": (
        "edit multiedit write notebookedit writefile replace applypatch patch editfile"
        " searchreplace createfile strreplacebasededittool"
    ),
    "shell": (
        "bash shell runshellcommand execcommand localshell localshellcall runterminalcmd terminal"
        " bashoutput writestdin"
    ),
    "web": (
        "webfetch websearch googlewebsearch fetch browser browse webbrowser openurl urlfetch"
        " codesearch"
    ),
}
_KINDS = {name: kind for kind, names in _NAMES_BY_KIND.items() for name in names.split()}
# The names of our own server in the agents' settings; its output is labelled already.
_OWN_SERVERS = ("bowerbird", "plugin_bowerbird_bowerbird")
_MCP = ("mcp__", "mcp_")
_PATHS = ("file_path", "absolute_path", "filePath", "notebook_path", "path", "target_file", "paths")
# Per call; a patch or a search may name hundreds.
_MOST_PATHS = 20
# The pattern stays a text until it is used: compiling it would cost each hook time.
_PATCHED = r"(?m)^\*\*\* (?:Add|Update|Delete) File: (.+)$"


def kind_of(tool: str) -> str:
    """Return the kind of a tool: read, edit, shell, web, mcp, own (this memory's), or empty."""
    low = tool.lower()
    if low in _KINDS or not low:
        return _KINDS.get(low, "")
    if low.startswith("mcp"):
        for prefix in _MCP:
            if low.startswith(prefix):
                rest = low[len(prefix) :]
                own = any(rest.startswith((f"{one}__", f"{one}_memory_")) for one in _OWN_SERVERS)
                return "own" if own else "mcp"
    plain = low.replace("_", "").replace("-", "")
    if plain.startswith("mcp:"):
        return "mcp"
    return _KINDS.get(plain, "")


def paths(given: "Mapping[str, Any]") -> list[str]:
    """Return the files that a call names, in order."""
    found: list[str] = []
    for name in _PATHS:
        value = given.get(name)
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str) and one and one not in found:
                found.append(one)
    for name in ("input", "patch", "patchText"):
        text = given.get(name)
        if isinstance(text, str) and "*** " in text:
            import re  # start-up: few edits are patches

            found += [one.strip() for one in re.findall(_PATCHED, text) if one.strip() not in found]
    return found[:_MOST_PATHS]


def command(given: "Mapping[str, Any]") -> str:
    """Return the command of a shell call; empty for other calls."""
    value = given.get("command", given.get("cmd"))
    if isinstance(value, list):
        return " ".join(one for one in value if isinstance(one, str))
    return value if isinstance(value, str) else ""
