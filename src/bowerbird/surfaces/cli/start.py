"""The entry point of the ``bower`` command.

Agents' hooks are handled separately, since one runs at every step of the agent's work and loading the
command line costs half a bare interpreter; `app` handles everything else.
"""

import os
import sys

# Options that may follow a hook's event, or precede the verb.
_OPTIONS = {"--store": "store", "--db-path": "store", "--project": "project"}
# As in `cli.call`, which is not loaded yet.
_INTERRUPTED = 130


def command() -> int:
    """Runs the command line as a process of its own, and exits.

    If no thread was started, the interpreter exits without finalisation: that took 7 of the 305 million
    instructions of a cold query, and 24 of 697 with numpy. All output is flushed by then; if that fails,
    the interpreter reports it.
    """
    code = main()
    if "threading" not in sys.modules and "logging" not in sys.modules:
        try:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
        except (OSError, ValueError):
            return code
        os._exit(code)
    return code


def main(argv: "list[str] | None" = None) -> int:
    """Run the command line; returns the exit code: 0 success, 1 failure, 2 usage."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        asked = hook(arguments)
        if asked is not None:
            from bowerbird.surfaces.hooks.command import main as answer

            answer(*asked, _above)
        from bowerbird.surfaces.cli.app import main as carried_out

        return carried_out(arguments)
    except KeyboardInterrupt:  # Ctrl-C while modules were loading
        return _INTERRUPTED


def _above() -> "tuple[str, ...]":
    """The parent processes, which few events of an agent ask for."""
    from bowerbird.surfaces.cli.ancestors import known_above

    return known_above()


def hook(arguments: "list[str]") -> "tuple[str, str, dict[str, str]] | None":
    """The agent, event and settings of a hook as agents call it; None for anything else."""
    flags: dict[str, str] = {}
    words: list[str] = []
    rest = iter(arguments)
    for word in rest:
        if word in _OPTIONS:
            flags[_OPTIONS[word]] = next(rest, "")
        elif word.startswith("-"):
            return None
        else:
            words.append(word)
    if words[:1] != ["hook"] or len(words) != len(("hook", "agent", "event")):
        return None
    return words[1], words[2], flags
