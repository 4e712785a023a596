"""The input and the output of a command."""

import bowerbird
from bowerbird.core.errors import NotFound
from bowerbird.core.value import Record
from bowerbird.surfaces.cli.arguments import given
from bowerbird.surfaces.cli.caller import who
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.fields import TYPED, run, worded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import SimpleNamespace
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.errors import UsageError
    from bowerbird.core.ports.progress import Progress
    from bowerbird.surfaces.cli.page import Page
    from bowerbird.surfaces.fields import Verb

# The exit code that shells use for a process ended by Ctrl-C.
INTERRUPTED = 130
# The option that a folder without a project implies for its owner.
_WIDE = "all_projects"


class Outcome(Record):
    """The result of a command: a value, or data.

    `shown` replaces it in text output: the argument of the renderer, or the text itself if there is none.
    `notes` then go to stderr: what degraded, what to try. `timings` go there with --verbose. `after` runs
    when the answer is written: the reader does not wait for it.
    """

    value: "Any"
    shown: "Any" = None
    notes: tuple[str, ...] = ()
    exit_code: int = 0
    timings: tuple[str, ...] = ()
    after: "Callable[[], object] | None" = None

    @property
    def data(self) -> "dict[str, Any]":
        """The data of the envelope."""
        return self.value if isinstance(self.value, dict) else self.value.as_dict()


class Call:
    """One invocation: its parsed options, and the page on which the answer will be written."""

    __slots__ = ("options", "page", "store")

    def __init__(self, options: "SimpleNamespace", page: "Page") -> None:
        self.options = options
        self.page = page
        # The path of the opened store, for --verbose.
        self.store = ""

    def carried_out(self, module: "Any") -> Outcome:
        """Runs a module: its own command, or its verb."""
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
            # `status` says where a store would be.
            asks = verb.reach and not verb.writes and verb.name != "status"
            if self.options.store and asks and not bird.exists:
                raise _none_at(bird.path)
            if bird.outside and any(one.name == _WIDE for one in verb.at(TYPED)):
                given = given | {_WIDE: True}
            given = self.identified(bird, module, given)
            value = run(module, bird, given)
            if hasattr(module, "beyond") and bird.owned:
                value = module.beyond(bird, value, given)
            said = self.of_project(bird) if asks else ()
        if hasattr(module, "notes"):
            notes = tuple(module.notes(value, given))
        else:
            notes = (*getattr(value, "notes", ()), *self.note(getattr(value, "new_project", "")))
        notes += tuple(one for one in said if not any(one in other for other in notes))
        return Outcome(
            value,
            notes=notes,
            exit_code=module.exit_code(value) if hasattr(module, "exit_code") else 0,
            timings=module.timings(value) if hasattr(module, "timings") else (),
            after=(lambda: bird.used(module.used(value))) if hasattr(module, "used") else None,
        )

    def of_project(self, bird: "Bowerbird") -> tuple[str, ...]:
        """That a project was named which the store does not know, as a note; it may be mistyped."""
        return tuple(map(str, bird.project_notes())) if self.options.project else ()

    def identified(
        self, bird: "Bowerbird", module: "Any", given: "dict[str, Any]"
    ) -> "dict[str, Any]":
        """The given values with ids in place of the words that a person gave for memories."""
        name = worded(module, given)
        if not name:
            return given
        chosen: dict[str, Any] = load("cli.choice").resolved(bird, self, given, name)
        return chosen

    def given(self, verb: "Verb") -> "dict[str, Any]":
        """The given values of a verb's fields."""
        return given(self.options, verb)

    def open(
        self,
        *,
        writes: bool = False,
        from_stdin: bool = False,
        faults: "list[UsageError] | None" = None,
    ) -> "Bowerbird":
        """Opens the store that the options name, or the default one, in the name of the caller.

        `writes`: to change stored data; `from_stdin`: the data comes from there; `faults` collects
        settings that are wrong, which are then left out.
        """
        options = self.options
        bird = bowerbird.Bowerbird.open(options.store, project=options.project, faults=faults)
        self.store = bird.path
        return bird.acting(who(writes=writes, from_stdin=from_stdin))

    def first_steps(self, *, new: bool) -> tuple[str, ...]:
        """A hint as a note if the store was just created."""
        if not new:
            return ()
        return (
            f'created your store, {self.page.absolute(self.store)}; ask it with: bower query "…"',
        )

    @staticmethod
    def note(project: str) -> tuple[str, ...]:
        """A note if a project was just created, since its name may be mistyped."""
        return (f"created a new project, {project}",) if project else ()

    def progress(self) -> "Progress | None":
        """A progress bar if stderr is a terminal, else None."""
        if self.page.quiet or not self.page.watched:
            return None
        progress: Progress = load("cli.progress").Bar()
        return progress


def _none_at(path: str) -> NotFound:
    """Why nothing is read from a path that a person named: an empty memory would be another answer."""
    with bowerbird.Bowerbird.open() as default:
        return NotFound(
            f"there is no store at {path}",
            f"without --store it is {default.path}; or mend the path",
        )
