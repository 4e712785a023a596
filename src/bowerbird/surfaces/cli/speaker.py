"""Who is at the other end of the command line: a person, or an agent through its shell."""

import os
import sys

from bowerbird.core.text import clean

# Set by coding agents in the shells they open, with what each is called; any of them means that no
# person is typing. Where the name is empty, the variable's value is one.
AGENTS = (
    ("CLAUDECODE", "claude-code"),
    ("CODEX_SANDBOX", "codex"),
    ("CODEX_THREAD_ID", "codex"),
    ("CURSOR_AGENT", "cursor"),
    ("GEMINI_CLI", "gemini"),
    ("OPENCODE", "opencode"),
    ("AUGMENT_AGENT", "augment"),
    ("AI_AGENT", ""),
    ("AGENT", ""),
)
# Where an agent says which of its sessions opened the shell.
SESSIONS = ("CODEX_THREAD_ID",)
_LONGEST = 60


def origin(*, from_stdin: bool) -> str:
    """`user` where a person types on a terminal, else `agent`: the lower trust in any doubt."""
    if any(os.environ.get(name) for name, _ in AGENTS):
        return "agent"
    person = sys.stdout.isatty() and (from_stdin or (sys.stdin is not None and sys.stdin.isatty()))
    return "user" if person else "agent"


def agent() -> str:
    """The name of the agent whose shell this is; empty for anybody else. Never the user's."""
    for variable, name in AGENTS:
        value = os.environ.get(variable)
        if value:
            told = name or " ".join(clean(value).split())[:_LONGEST]
            return "agent" if told in ("", "user") else told
    return ""


def actor() -> str:
    """Who changes what is kept: empty for a person on a terminal, else an agent by its name."""
    return "" if origin(from_stdin=False) == "user" else agent() or "agent"


def session() -> str:
    """The agent's session, where it tells it; else empty."""
    return next((value for name in SESSIONS if (value := os.environ.get(name))), "")
