"""The entry point of the ``bower`` command.

Agents' hooks are handled separately, since one runs at every step of the agent's work and loading the
command line costs half a bare interpreter; `app` handles everything else.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from typing import Any

# Options that may follow a hook's event, or precede the verb.
_OPTIONS = {"--store": "store", "--db-path": "store", "--project": "project"}
# As in `cli.call`, which is not loaded yet.
_INTERRUPTED = 130
# How this module was loaded: its classes, which `importlib.machinery` would have to be imported for.
_LOADED: "Any" = __spec__


class OwnModules:
    """Finds the modules of this package as files beside each other, which they all are.

    Python asks each finder of the environment, and then for a file of each suffix that an extension may
    have: 44 of 100 instructions to load an empty module, and 20 of 235 million in a cold query. Packages,
    and all modules of others, are left to it.
    """

    @staticmethod
    def find_spec(
        name: str,
        path: "Sequence[str] | None" = None,
        target: object = None,  # noqa: ARG004 Python passes it
    ) -> "ModuleSpec | None":
        """Return where a module is loaded from, and None if Python has to look for it."""
        if not path or not name.startswith("bowerbird."):
            return None
        file = f"{path[0]}{os.sep}{name[name.rindex('.') + 1 :]}.py"
        try:
            os.stat(file)
        except OSError:
            return None
        spec: ModuleSpec = type(_LOADED)(name, type(_LOADED.loader)(name, file), origin=file)
        spec.has_location = True
        return spec


def command() -> int:
    """Runs the command line as a process of its own, and exits.

    If no thread was started, the interpreter exits without finalisation: that took 7 of the 305 million
    instructions of a cold query, and 24 of 697 with numpy. All output is flushed by then; if that fails,
    the interpreter reports it.
    """
    if type(_LOADED.loader).__name__ == "SourceFileLoader":  # not out of an archive
        sys.meta_path.insert(0, OwnModules)
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
