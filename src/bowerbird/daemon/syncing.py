"""Synchronises the store by itself in a process that stays, if a folder is set for it."""

from contextlib import contextmanager, suppress
from threading import Event, Thread

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import BowerbirdError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.daemon.birds import Birds


def sync_round(store: str) -> "dict[str, int] | None":
    """Synchronises, unless another process did so just now; returns counts if anything moved."""
    with Bowerbird.open(store) as bird:
        done = bird.admin.sync_if_due()
    if done is None:
        return None
    got = done.received
    moved = {"sent": done.sent, "added": got.added, "changed": got.changed, "gone": got.gone}
    return moved if any(moved.values()) else None


@contextmanager
def synchronising(birds: "Birds") -> "Iterator[None]":
    """Synchronises at once and then at intervals, as long as it is entered. Nothing waits for it.

    What goes wrong is told by `bower doctor`; the next time it may go well.
    """
    if not birds.setting("sync.target"):
        yield
        return
    ended, every = Event(), float(birds.setting("sync.every"))

    def work() -> None:
        while not ended.is_set():
            with suppress(BowerbirdError):
                sync_round(birds.path)
            ended.wait(every)

    Thread(target=work, name="sync", daemon=True).start()
    try:
        yield
    finally:
        ended.set()
