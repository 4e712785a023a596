"""Reporting the progress of a long piece of work to whoever listens."""

from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bowerbird.core.ports.progress import Progress


@contextmanager
def reporting(progress: "Progress | None", total: int) -> "Iterator[Callable[[int, str], None]]":
    """Report to a progress, if there is one, from the start to a good or bad end; in bytes."""
    if progress is None:
        yield lambda _units, _label: None
        return
    progress.start("index", total)
    try:
        yield progress.advance
    finally:
        progress.finish()
