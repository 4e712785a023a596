"""A progress bar on stderr; loaded only where somebody watches, because rich costs 40 ms."""

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)


class Bar:
    """Draws a work's progress, and clears itself when the work is over."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def start(self, what: str, total: int) -> None:
        """A work of `total` units begins; a work still open ends."""
        self.finish()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("[dim]{task.fields[label]}", markup=True),
            console=Console(file=sys.stderr),
            transient=True,
        )
        self._task = self._progress.add_task(what, total=total, label="")
        self._progress.start()

    def advance(self, units: int, label: str = "") -> None:
        """So many more units are done; `label` names the newest."""
        if self._progress is not None and self._task is not None:
            shown = label[-40:].replace("[", r"\[")
            self._progress.update(self._task, advance=units, label=shown)

    def finish(self) -> None:
        """The work is over, well or not."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None
