"""What a command is given and what it hands back."""

from bowerbird.bird import Bowerbird
from bowerbird.core.value import Value
from bowerbird.surfaces.cli.table import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from bowerbird.core.ports import Progress
    from bowerbird.surfaces.cli.page import Page


class Outcome(Value):
    """The answer of a command: `data` for the envelope, `value` for the renderer.

    `notes` are told on stderr in text mode: what degraded, what to try.
    """

    __slots__ = ("data", "exit_code", "notes", "value")

    def __init__(
        self,
        data: "dict[str, Any]",
        value: "Any" = None,
        notes: tuple[str, ...] = (),
        exit_code: int = 0,
    ) -> None:
        self.data = data
        self.value = value
        self.notes = notes
        self.exit_code = exit_code


class Call:
    """One invocation: its parsed options, and the page on which the answer will be written."""

    __slots__ = ("options", "page")

    def __init__(self, options: "Namespace", page: "Page") -> None:
        self.options = options
        self.page = page

    def open(self) -> Bowerbird:
        """The store that the options name, or the default one."""
        return Bowerbird.open(self.options.store, project=self.options.project)

    def progress(self) -> "Progress | None":
        """A progress bar where somebody watches stderr, else None."""
        if self.page.quiet or not self.page.watched:
            return None
        progress: Progress = load("cli.progress").Bar()
        return progress
