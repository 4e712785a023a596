"""The processes above a terminal: an agent can create one, and hide its own variables there.

On Linux the parent processes of the same user are examined; elsewhere nothing is known of them. A program
of the same user can evade this: docs/security.md says how far.
"""

import os

from bowerbird.agents.index import PROCESSES

_PROGRAMS = frozenset(PROCESSES)
# Processes above a terminal that are checked; each takes 90 µs of CPU (measured).
_MOST = 32
# Programs through which agents run a hook's command.
_SHELLS = frozenset(("sh", "bash", "dash", "zsh", "fish", "ksh", "bower", "env", "timeout"))
_MOST_SHELLS = 3
# Fields of `ps` output before the program: the parent, and five words of the start time.
_PS_FIELDS = 6
# The index of the start time among the fields of a process from its state on.
_STARTED = 19
# Maximum bytes of an environment.
_LARGEST = 1 << 20


def agent_above(variables: "tuple[str, ...]") -> str | None:
    """The name of the nearest parent process that is an agent, by its name or by these variables."""
    marks = [b"\0" + name.encode() + b"=" for name in variables]
    process = os.getppid()
    for _ in range(_MOST):
        if process <= 1:
            break
        found = stat_of(process)
        if found is None:
            break
        name, fields = found
        if name in _PROGRAMS:
            return name
        environment = b"\0" + _environment(process)
        if any(
            mark in environment and environment[environment.index(mark) + len(mark)]
            for mark in marks
        ):
            return ""
        process = int(fields[1])
    return None


def stat_of(process: int) -> "tuple[str, list[str]] | None":
    """The name of a process and its fields from the state on, as in proc(5); None if unavailable."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            before, _, after = file.read().rpartition(")")
    except OSError:
        return None
    # A name may contain spaces and brackets.
    return before.partition("(")[2], after.split()


def info_of(process: int) -> "tuple[str, int, str] | None":
    """The identity of a process, its parent, and its name; None if unavailable.

    Numbers are reused, start times are not. macOS has no /proc: there `ps` is run, 5 ms of CPU.
    """
    if os.path.exists("/proc/self/stat"):
        found = stat_of(process)
        if found is None:
            return None
        name, fields = found
        return f"process {process} {fields[_STARTED]}", int(fields[1]), name
    said = asked_of_ps(process).split(None, _PS_FIELDS)
    if len(said) <= _PS_FIELDS or not said[0].isdecimal():
        return None
    parent, *moment, command = said
    return f"process {process} {' '.join(moment)}", int(parent), os.path.basename(command.strip())


def asked_of_ps(process: int) -> str:
    """The output of `ps` for a process: parent, start time and program; empty if it has none."""
    out, into = os.pipe()
    try:
        child = os.posix_spawn(
            "/bin/ps",
            ["ps", "-o", "ppid=,lstart=,comm=", "-p", str(process)],
            {"LC_ALL": "C"},
            file_actions=[(os.POSIX_SPAWN_DUP2, into, 1)],
        )
    except OSError:
        os.close(out)
        return ""
    finally:
        os.close(into)
    with open(out, encoding="utf-8", errors="replace") as file:
        said = file.read()
    os.waitpid(child, 0)
    return said


def known_above() -> "tuple[str, ...]":
    """The parent process, in the form of `caller.client`.

    If that is a shell, its parent too. Empty if unavailable.
    """
    names: list[str] = []
    process = os.getppid()
    while process > 1 and len(names) < _MOST_SHELLS and (found := info_of(process)) is not None:
        known, process, name = found
        names.append(known)
        if name.lstrip("-") not in _SHELLS:
            break
    return tuple(names)


def _environment(process: int) -> bytes:
    """The initial environment of a process; empty for another user's process."""
    try:
        with open(f"/proc/{process}/environ", "rb") as file:
            return file.read(_LARGEST) + b"\0"
    except OSError:
        return b""
