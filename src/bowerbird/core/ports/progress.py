"""The port for progress reports."""

from typing import Protocol


class Progress(Protocol):
    """Receives the progress of a long operation. Knows nothing of terminals."""

    def start(self, what: str, total: int) -> None:
        """A task of `total` units begins; of 0: something is waited for."""
        ...

    def advance(self, units: int, label: str = "") -> None:
        """`units` more are done; `label` names the newest."""
        ...

    def finish(self) -> None:
        """The task has ended, successfully or not."""
        ...
