"""Determines who uses the command line: a person, or an agent through its shell."""

import os
import sys

from bowerbird.agents.index import SESSIONS, VARIABLES
from bowerbird.core.who import AGENT, USER, Who, agent
from bowerbird.surfaces.cli.table import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

# Variables that name the agent whose shell this is by their value.
NAMING = ("AI_AGENT", "AGENT")


def who(*, writes: bool = False, from_stdin: bool = False) -> Who:
    """The user if a person types on a terminal, else an agent: the lower trust in any doubt.

    Text from a pipe (`from_stdin`) has an agent's trust, since nobody typed it. Only for verbs with
    `writes` the processes above the terminal are examined too.
    """
    name = _agent()
    person = _watched(sys.stdout) and (from_stdin or _watched(sys.stdin))
    if name is None and person and writes:
        name = load("cli.ancestors").agent_above(
            (*(variable for variable, _ in VARIABLES), *NAMING)
        )
    if name is None and person:
        return Who(USER, AGENT if from_stdin else USER)
    running = session()
    actor = agent(name or "")
    if name is None and (_watched(sys.stdin) or _watched(sys.stderr)):
        # A user's own pipe or redirection: what it shows is theirs to judge.
        return Who(actor, AGENT, session=running)
    return Who(actor, AGENT, session=running, reader=running or actor, roaming=not running)


def session() -> str:
    """The agent's session, if it reports one; else empty."""
    return next((value for name in SESSIONS if (value := os.environ.get(name))), "")


def client() -> str:
    """The parent process, to recognise it in later commands; or empty."""
    found: tuple[str, int, str] | None = load("cli.ancestors").info_of(os.getppid())
    return found[0] if found else ""  # a process number alone is soon reused


def _agent() -> str | None:
    """The name of the agent whose shell this is; None if there is no sign of one."""
    for variable, name in VARIABLES:
        if os.environ.get(variable):
            return name
    return next((value for variable in NAMING if (value := os.environ.get(variable))), None)


def _watched(stream: "TextIO | None") -> bool:
    """Whether a stream is a terminal."""
    return stream is not None and stream.isatty()
