"""The input and the output of a command."""

import os

import bowerbird
from bowerbird.core.errors import UsageError
from bowerbird.core.value import Record
from bowerbird.surfaces import run
from bowerbird.surfaces.cli.arguments import given
from bowerbird.surfaces.cli.speaker import who
from bowerbird.surfaces.cli.table import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import SimpleNamespace
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.ports.progress import Progress
    from bowerbird.surfaces import Verb
    from bowerbird.surfaces.cli.page import Page

# What a shell reports for a process ended by Ctrl-C.
INTERRUPTED = 130


class Outcome(Record):
    """The answer of a command: a value, or data.

    `shown` stands for it in text: what the renderer is handed, or the text where there is none. `notes`
    go to stderr then: what degraded, what to try. `timings` go there with --verbose. `after`
    runs when the answer is out: the reader does not wait for it.
    """

    value: "Any"
    shown: "Any" = None
    notes: tuple[str, ...] = ()
    exit_code: int = 0
    timings: tuple[str, ...] = ()
    after: "Callable[[], object] | None" = None

    @property
    def data(self) -> "dict[str, Any]":
        """What stands in the envelope."""
        return self.value if isinstance(self.value, dict) else self.value.as_dict()


class Call:
    """One invocation: its parsed options, and the page on which the answer will be written."""

    __slots__ = ("options", "page", "store")

    def __init__(self, options: "SimpleNamespace", page: "Page") -> None:
        self.options = options
        self.page = page
        # Where the store is that was opened; for --verbose.
        self.store = ""

    def carried_out(self, module: "Any") -> Outcome:
        """Do what a module is for: by a command of its own, or as any verb is done."""
        if hasattr(module, "command"):
            outcome: Outcome = module.command(self)
            return outcome
        verb: Verb = module.VERB
        given = self.given(verb)
        piped = [one.name for one in verb.fields if one.piped and given.get(one.name) == "-"]
        if piped:
            given[piped[0]] = load("cli.given").from_stdin()
        if hasattr(module, "typed"):
            given = module.typed(given)
        if verb.slow:
            given["progress"] = self.progress()
        with self.open(writes=verb.writes, from_stdin=bool(piped)) as bird:
            value = run(module, bird, given)
        if hasattr(module, "notes"):
            notes = tuple(module.notes(value, given))
        else:
            notes = (*getattr(value, "notes", ()), *self.made(getattr(value, "new_project", "")))
        return Outcome(
            value,
            notes=notes,
            exit_code=module.exit_code(value) if hasattr(module, "exit_code") else 0,
            timings=module.timings(value) if hasattr(module, "timings") else (),
            after=(lambda: bird.used(module.used(value))) if hasattr(module, "used") else None,
        )

    def given(self, verb: "Verb") -> "dict[str, Any]":
        """What was typed of a verb's fields."""
        return given(self.options, verb)

    def open(self, *, writes: bool = False, from_stdin: bool = False) -> "Bowerbird":
        """The store that the options name, or the default one, for whoever calls.

        `writes`: to change what is kept; `from_stdin`: by what comes from there.
        """
        if self.options.store == "":
            raise UsageError("--store is empty", "give the path of the store file, or leave it out")
        bird = bowerbird.Bowerbird.open(self.options.store, project=self.options.project)
        self.store = bird.path
        return bird.acting(who(writes=writes, from_stdin=from_stdin))

    def first_steps(self, *, new: bool) -> tuple[str, ...]:
        """A hint for whoever has just made a store, as a note; nothing afterwards."""
        if not new:
            return ()
        home = self.page.home + os.sep
        path = "~" + os.sep + self.store[len(home) :] if self.store.startswith(home) else self.store
        return (f'that made your store, {path}; ask it with: bower query "…"',)

    @staticmethod
    def made(project: str) -> tuple[str, ...]:
        """A note for whoever has just made a project, maybe by a slip of the pen."""
        return (f"that made a new project, {project}",) if project else ()

    def progress(self) -> "Progress | None":
        """A progress bar where somebody watches stderr, else None."""
        if self.page.quiet or not self.page.watched:
            return None
        progress: Progress = load("cli.progress").Bar()
        return progress
