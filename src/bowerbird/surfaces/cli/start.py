"""The entry point of the ``bower`` command.

Agents' hooks are handled separately, since one runs at every step of the agent's work and loading the
command line costs half a bare interpreter; `app` handles everything else.
"""

import marshal
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType
    from typing import Any

# Options that may follow a hook's event, or precede the verb.
_OPTIONS = {"--store": "store", "--db-path": "store", "--project": "project"}
# As in `cli.call`, which is not loaded yet.
_INTERRUPTED = 130
# How this module was loaded. Its compiled file tells how those of the others are called.
_LOADED: "Any" = __spec__
_COMPILED = str(_LOADED.cached).rpartition(os.sep + "start.")
# Without a file object: 6 of 100 instructions of an empty module. The largest compiled file has 90 kB.
_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_LARGEST = 1_000_000


class OwnLoader(SourceFileLoader):
    """Loads a module of this package from its compiled file, if that was made of the source as it is.

    Python's own loader composes the name of that file twice, asks twice for the source's time, and raises
    an error inside for each attribute that the module lacks yet.
    """

    def __init__(self, name: str, path: str, compiled: str, made_of: "os.stat_result") -> None:
        self.name, self.path = name, path
        self._compiled, self._made_of = compiled, made_of

    def create_module(self, spec: "ModuleSpec") -> "ModuleType":
        """Return a module that knows its files."""
        module = type(sys)(spec.name)
        module.__dict__.update(__file__=self.path, __cached__=self._compiled)
        return module

    def get_code(self, fullname: str) -> "CodeType | None":
        """Return the module's code; whatever is unusual about the compiled file is left to Python."""
        time, size = int(self._made_of.st_mtime) & 0xFFFFFFFF, self._made_of.st_size & 0xFFFFFFFF
        try:
            file = os.open(self._compiled, _READING)
            try:
                compiled = os.read(file, _LARGEST)
            finally:
                os.close(file)
        except OSError:
            return super().get_code(fullname)
        head = MAGIC_NUMBER + (size << 64 | time << 32).to_bytes(12, "little")
        if compiled[:16] != head or len(compiled) == _LARGEST:
            return super().get_code(fullname)
        found: CodeType = marshal.loads(memoryview(compiled)[16:])  # noqa: S302 as Python does it
        return found if found.co_filename == self.path else super().get_code(fullname)


class OwnModules:
    """Finds the modules of this package as files beside each other, which they all are.

    Python asks each finder of the environment, and then for a file of each suffix that an extension may
    have. So an empty module takes 275,000 instructions; with this and the loader above 123,000.
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
        place, last = path[0] + os.sep, name[name.rindex(".") + 1 :]
        package = False
        try:
            made_of = os.stat(f"{place}{last}.py")
        except OSError:
            place, last, package = f"{place}{last}{os.sep}", "__init__", True
            try:
                made_of = os.stat(f"{place}{last}.py")
            except OSError:
                return None
        file = f"{place}{last}.py"
        compiled = f"{place}__pycache__{os.sep}{last}.{_COMPILED[2]}"
        spec = ModuleSpec(name, OwnLoader(name, file, compiled, made_of), origin=file)
        if package:
            spec.submodule_search_locations = [place[:-1]]
        spec.has_location, spec.cached = True, compiled
        return spec


def command() -> int:
    """Runs the command line as a process of its own, and exits.

    If no thread was started, the interpreter exits without finalisation: that took 7 of the 305 million
    instructions of a cold query, and 24 of 697 with numpy. All output is flushed by then; if that fails,
    the interpreter reports it.
    """
    # Not out of an archive, nor with its compiled files elsewhere.
    if os.path.dirname(__file__) + os.sep + "__pycache__" == _COMPILED[0]:
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
