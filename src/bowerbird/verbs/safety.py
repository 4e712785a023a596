"""Wires the verbs on the store's file: verification, backup, restore, recovery."""

import os
from contextlib import suppress

from bowerbird.core.errors import BadInput, StoreError
from bowerbird.host.places import NOTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.damage import BackedUp, Recovered, Restored, Verified
    from bowerbird.core.ports.progress import Progress
    from bowerbird.wiring.opened import Opened


class Safety:
    """Operations on a store's file as a whole."""

    def __init__(self, opened: "Opened", now: "Callable[[], int]") -> None:
        self._opened = opened
        self._path = opened.path
        self._now = now

    def verify(self, sample: int | None, progress: "Progress | None") -> "Verified":
        """Checks the store for damage."""
        return self._opened.backend.verify(self._path, sample, progress)

    def reword(self, progress: "Progress | None") -> tuple[int, int]:
        """Rebuilds the word indexes. Returns the number of entries indexed, and of those left out."""
        self._opened.require()
        return self._opened.writer().upkeep.reword(progress)

    def back_up(
        self, target: str | None, keep: int | None, progress: "Progress | None"
    ) -> "BackedUp":
        """Backs up the store as of now, with what was recorded beside it."""
        if os.path.exists(self._path) and os.path.exists(self._path + NOTED):
            # A writing transaction takes it in; a store that cannot be written is copied as it is.
            with suppress(StoreError), self._opened.writer().transaction():
                pass
        return self._opened.backend.back_up(self._path, target, self._now(), keep, progress)

    def restore(
        self, source: str, progress: "Progress | None", agreed: "Callable[[], None] | None"
    ) -> "Restored":
        """Restores a backup."""
        self._opened.close()
        return self._opened.backend.restore(self._path, source, self._now(), progress, agreed)

    def recover(self, into: str | None, progress: "Progress | None") -> "Recovered":
        """Copies everything readable into a new store."""
        if not os.path.exists(self._path):
            raise BadInput(f"there is no store at {self._path}", "name it: --store PATH")
        self._opened.close()
        goal = into or f"{os.path.splitext(self._path)[0]}-recovered.db"
        return self._opened.backend.recover(self._path, goal, self._opened.clock, progress)
