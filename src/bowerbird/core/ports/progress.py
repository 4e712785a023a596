"""Who is told how far a work has come."""

from typing import Protocol


class Progress(Protocol):
    """Is told how far a long work has come. Knows nothing of terminals."""

    def start(self, what: str, total: int) -> None:
        """A work of `total` units begins."""
        ...

    def advance(self, units: int, label: str = "") -> None:
        """`units` more are done; `label` names the newest."""
        ...

    def finish(self) -> None:
        """The work is over, well or not."""
        ...
