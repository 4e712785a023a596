"""The processes above a terminal: an agent can create one, and hide its own variables there.

On Linux the processes above this one are asked, as far as they belong to the same user; elsewhere
nothing is known of them. Whoever runs as the user can cut itself off: docs/security.md says how far.
"""

import os

# Agents by the names of their processes. An editor is none: a person types in its terminals, too.
_PROGRAMS = frozenset(
    (
        *("claude", "codex", "gemini", "cursor-agent", "opencode", "aider", "goose", "amp"),
        *("copilot", "crush", "qwen", "auggie", "droid"),
    )
)
# Processes above a terminal that are checked; each takes 90 µs of CPU (measured).
_MOST = 32
# Programs through which agents run a hook's command.
_SHELLS = frozenset(("sh", "bash", "dash", "zsh", "fish", "ksh", "bower", "env", "timeout"))
_MOST_SHELLS = 3
# Of what `ps` says: who started a process, and the five words of when, before its program.
_PS_FIELDS = 6
# When a process began, among the fields from its state on.
_STARTED = 19
# Of an environment: more than this is nobody's.
_LARGEST = 1 << 20


def agent_above(variables: "tuple[str, ...]") -> str | None:
    """What the nearest process above is called that is an agent's, by its name or these variables."""
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
    """The name of a process and its fields from the state on, as proc(5) counts them; None: not told."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            before, _, after = file.read().rpartition(")")
    except OSError:
        return None
    # A name may hold spaces and brackets.
    return before.partition("(")[2], after.split()


def told_of(process: int) -> "tuple[str, int, str] | None":
    """A process as it is known again, the one that started it, and what it is called; None: not told.

    Numbers are given anew, moments are not. macOS has no /proc: there `ps` is asked, 5 ms of CPU.
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
    """What `ps` says of a process: who started it, when, and its program; empty where it says nothing."""
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
    """The process that started this one, as `speaker.client` names it.

    Where a shell did, the one above it too. Empty where nothing is told of them.
    """
    names: list[str] = []
    process = os.getppid()
    while process > 1 and len(names) < _MOST_SHELLS and (found := told_of(process)) is not None:
        known, process, name = found
        names.append(known)
        if name.lstrip("-") not in _SHELLS:
            break
    return tuple(names)


def _environment(process: int) -> bytes:
    """What a process began with, whatever it took out since; empty for another user's."""
    try:
        with open(f"/proc/{process}/environ", "rb") as file:
            return file.read(_LARGEST) + b"\0"
    except OSError:
        return b""
