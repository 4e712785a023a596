"""Reports the progress of long work."""

from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bowerbird.core.ports.progress import Progress


@contextmanager
def reporting(progress: "Progress | None", total: int) -> "Iterator[Callable[[int, str], None]]":
    """Starts and finishes a progress, if there is one, also after an error; in bytes."""
    if progress is None:
        yield lambda _units, _label: None
        return
    progress.start("index", total)
    try:
        yield progress.advance
    finally:
        progress.finish()
