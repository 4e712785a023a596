"""Determines who uses the command line: a person, or an agent through its shell."""

import os
import sys

from bowerbird.core.who import AGENT, USER, Who, agent
from bowerbird.surfaces.cli.table import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

# Variables that coding agents set in their shells, with the agent's name; any of them means that no
# person is typing. If the name is empty, the variable's value is the name.
AGENTS = (
    ("CLAUDECODE", "claude-code"),
    ("CODEX_SANDBOX", "codex"),
    ("CODEX_THREAD_ID", "codex"),
    ("CODEX_CI", "codex"),
    ("CURSOR_AGENT", "cursor"),
    ("GEMINI_CLI", "gemini"),
    ("COPILOT_CLI", "copilot"),
    ("COPILOT_AGENT", "copilot"),
    ("OPENCODE", "opencode"),
    ("AUGMENT_AGENT", "augment"),
    ("QWEN_CODE", "qwen-code"),
    ("CLINE_ACTIVE", "cline"),
    ("GOOSE_TERMINAL", "goose"),
    ("AMP_CURRENT_THREAD_ID", "amp"),
    ("ANTIGRAVITY_AGENT", "antigravity"),
    ("AI_AGENT", ""),
    ("AGENT", ""),
)
# Variables in which an agent names the session that opened the shell.
SESSIONS = ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "AMP_CURRENT_THREAD_ID")


def who(*, writes: bool = False, from_stdin: bool = False) -> Who:
    """The user if a person types on a terminal, else an agent: the lower trust in any doubt.

    Text from a pipe (`from_stdin`) has an agent's trust, since nobody typed it. Only for verbs with
    `writes` the processes above the terminal are examined too.
    """
    name = _agent()
    person = _watched(sys.stdout) and (from_stdin or _watched(sys.stdin))
    if name is None and person and writes:
        name = load("cli.ancestors").agent_above(tuple(variable for variable, _ in AGENTS))
    if name is None and person:
        return Who(USER, AGENT if from_stdin else USER)
    running = session()
    actor = agent(name or "")
    if name is None and (_watched(sys.stdin) or _watched(sys.stderr)):
        # A user's own pipe or redirection: what it shows is theirs to judge.
        return Who(actor, AGENT, session=running)
    return Who(
        actor,
        AGENT,
        session=running,
        reader=running or actor,
        roaming=not running,
    )


def session() -> str:
    """The agent's session, if it reports one; else empty."""
    return next((value for name in SESSIONS if (value := os.environ.get(name))), "")


def client() -> str:
    """The parent process, to recognise it in later commands; or empty."""
    found: tuple[str, int, str] | None = load("cli.ancestors").info_of(os.getppid())
    return found[0] if found else ""  # a process number alone is soon reused


def _agent() -> str | None:
    """The name of the agent whose shell this is; None if there is no sign of one."""
    for variable, name in AGENTS:
        value = os.environ.get(variable)
        if value:
            return name or value
    return None


def _watched(stream: "TextIO | None") -> bool:
    """Whether a stream is a terminal."""
    return stream is not None and stream.isatty()
