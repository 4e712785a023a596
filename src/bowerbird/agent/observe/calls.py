"""What a tool call touches: files, a command, and whether it reads external text. Pure."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from bowerbird.core.events import Event

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
_MOST_TODO = 10
# Patterns stay texts until they are used: compiling all of them takes a hook 3 ms.
_PATCHED = r"(?m)^\*\*\* (?:Add|Update|Delete) File: (.+)$"
# Where a command begins: at the start, after a separator, in a quoted script, after a program that runs
# another one.
_BEGINS = (
    r"(?:^|[;&|(){}`\n\"']|\$\(|\b(?:sudo|env|xargs|time|timeout|exec|command|nohup|nice|then|do|else)\s)"
    r"\s*(?:\w+=\S*\s+|-\S+\s+|\d+\s+)*(?:[\w./~-]*/)?"
)
# Programs whose output is external: pages, issues, mail.
_NAMES = (
    "curl wget aria2c httpie http https xh lynx w3m links elinks ftp lftp telnet nc ncat"
    " gh glab hub tea jira mail mailx mutt neomutt himalaya notmuch fetchmail yt-dlp youtube-dl"
    " rdrview trafilatura newsboat"
).split()
_NAMED = frozenset(_NAMES)
# Characters that may adjoin a program's name in a call.
_BETWEEN = str.maketrans(dict.fromkeys(";&|(){}`\"'/$", " "))
_FETCHES = f"(?m){_BEGINS}(?:{'|'.join(_NAMES)})(?=\\s|$)"
# Commands on the user's own settings, which read nothing external.
_HARMLESS = r"\bgh\s+(?:auth|config|version|alias|completion|extension\s+list)\b"
# An interpreter with an address in its arguments most likely fetches it.
_RUNS = (
    "(?m)"
    + _BEGINS
    + r"(?:python[\d.]*|node|deno|bun|ruby|perl|php|uv|npx|pwsh|powershell)(?=\s|$)"
)
_ADDRESS = r"(?i)\b(?:https?|ftp)://(?!localhost\b|127\.|0\.0\.0\.0|\[::1\])"


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


def undone(given: "Mapping[str, Any]") -> list[str] | None:
    """Return the open items of a to-do list; None if the call is no such list."""
    listed = given.get("todos", given.get("plan"))
    if not isinstance(listed, list):
        return None
    found = []
    for one in listed:
        if isinstance(one, dict) and one.get("status") not in ("completed", "cancelled"):
            text = one.get("content", one.get("step"))
            if isinstance(text, str) and text:
                found.append(text)
    return found[:_MOST_TODO]


def external(event: "Event") -> str:
    """Return why a call reads external text; empty if it does not."""
    does = kind_of(event.tool)
    if does == "web":
        return "web"
    if does == "mcp":
        return "mcp"
    if does in ("shell", "") and (typed := command(event.given)):
        return "shell" if fetches(typed) else ""
    return ""


def fetches(command: str) -> bool:
    """Return whether a shell command fetches what others wrote."""
    named = not _NAMED.isdisjoint(command.translate(_BETWEEN).split())
    if not named and "://" not in command:
        return False
    import re  # start-up: patterns cost a hook half a bare interpreter, and most commands stay here

    if named and re.search(_FETCHES, re.sub(_HARMLESS, "", command)):
        return True
    return bool(re.search(_ADDRESS, command) and re.search(_RUNS, command))
