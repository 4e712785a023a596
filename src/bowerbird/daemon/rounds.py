"""What a process that stays for its client does beside its requests: it synchronises, and prunes."""

from contextlib import contextmanager, suppress
from functools import partial
from threading import Event, Thread

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import BowerbirdError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bowerbird.daemon.birds import Birds

# Seconds between two prunings by whatever process, between two looks whether one is due, and until the
# first: the first requests of a client do not wait for it.
DAILY_S = 86_400.0
LOOK_S = 3_600.0
FIRST_S = 60.0


@contextmanager
def rounds(birds: "Birds") -> "Iterator[None]":
    """Synchronises at once, if a folder is set for it, and prunes, each at intervals, while entered.

    Nothing waits for it. What goes wrong is told by `bower doctor`; the next time it may go well.
    """
    ended = Event()
    if birds.setting("sync.target"):
        every = float(birds.setting("sync.every"))
        _begin("sync", partial(sync_round, birds.path), 0.0, every, ended)
    _begin("prune", partial(_prune, birds.path), FIRST_S, LOOK_S, ended)
    try:
        yield
    finally:
        ended.set()


def _prune(store: str) -> None:
    with Bowerbird.open(store) as bird:
        bird.admin.prune_if_due(DAILY_S)


def _begin(
    name: str, work: "Callable[[], object]", first: float, every: float, ended: Event
) -> None:
    def run() -> None:
        ended.wait(first)
        while not ended.is_set():
            with suppress(BowerbirdError):
                work()
            ended.wait(every)

    Thread(target=run, name=name, daemon=True).start()


def sync_round(store: str) -> "dict[str, int] | None":
    """Synchronises, unless another process did so just now; returns counts if anything moved."""
    with Bowerbird.open(store) as bird:
        done = bird.admin.sync_if_due()
    if done is None:
        return None
    got = done.received
    moved = {"sent": done.sent, "added": got.added, "changed": got.changed, "gone": got.gone}
    return moved if any(moved.values()) else None
