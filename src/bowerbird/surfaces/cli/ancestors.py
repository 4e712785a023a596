"""Which programs stand behind a terminal: an agent can make one, and hide its own variables there.

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
# Processes above a terminal that are looked at; each takes 90 µs of CPU (measured).
_MOST = 32
# What agents run a hook's command through; it stands between them and us.
_SHELLS = frozenset(("sh", "bash", "dash", "zsh", "fish", "ksh", "bower", "env", "timeout"))
_MOST_SHELLS = 3
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
        held = b"\0" + _environment(process)
        if any(mark in held and held[held.index(mark) + len(mark)] for mark in marks):
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


def known_above() -> "tuple[str, ...]":
    """The process that started this one, as `speaker.client` names it.

    Where a shell did, the one above it too. Empty where nothing is told of them.
    """
    names: list[str] = []
    process = os.getppid()
    while process > 1 and (found := stat_of(process)) is not None:
        names.append(client_name(process, found[1]))
        if found[0] not in _SHELLS:
            break
        process = int(found[1][1])
    return tuple(names[:_MOST_SHELLS])


def client_name(process: int, fields: "list[str]") -> str:
    """A process so that it is known again: numbers are given anew, moments are not."""
    return f"process {process} {fields[_STARTED]}"


def _environment(process: int) -> bytes:
    """What a process began with, whatever it took out since; empty for another user's."""
    try:
        with open(f"/proc/{process}/environ", "rb") as file:
            return file.read(_LARGEST) + b"\0"
    except OSError:
        return b""
