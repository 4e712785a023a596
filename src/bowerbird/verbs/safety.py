"""Wires the verbs on the store's file: verification, backup, restore, recovery."""

import os
from contextlib import suppress

from bowerbird.core.errors import BadInput, StoreError
from bowerbird.host.places import NOTED, USED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.damage import BackedUp, Recovered, Restored, Verified
    from bowerbird.core.ports.progress import Progress
    from bowerbird.wiring.opened import Opened


def back_up(
    opened: "Opened", target: str | None, keep: int | None, progress: "Progress | None"
) -> "BackedUp":
    """Backs up a store as of now, with what was recorded beside it."""
    take_in(opened)
    return opened.backend.back_up(opened.path, target, opened.clock(), keep, progress)


def take_in(opened: "Opened") -> None:
    """Takes what was recorded beside a store into it; one that cannot be written stays as it is."""
    path = opened.path
    if os.path.exists(path) and any(os.path.exists(path + suffix) for suffix in (NOTED, USED)):
        with suppress(StoreError):
            opened.writer().take_notes()


class Safety:
    """Operations on a store's file as a whole."""

    def __init__(
        self, opened: "Opened", found: "Callable[[str, frozenset[str], bool], list[str]]"
    ) -> None:
        """`found` returns which of some memories a copy of the store has, and may erase them there."""
        self._found = found
        self._opened = opened
        self._path = opened.path

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
        return back_up(self._opened, target, keep, progress)

    def restore(
        self,
        source: str,
        progress: "Progress | None",
        agreed: "Callable[[], None] | None",
        *,
        with_erased: bool,
    ) -> "Restored":
        """Restores a backup, without what has been erased from the store since, or with it.

        What has been erased leaves the copy before that takes the place of the store.
        """
        known = self._erased()
        self._opened.close()
        found: list[str] = []

        def without(copy: str) -> None:
            found.extend(self._found(copy, known or frozenset(), not with_erased))

        prepare = without if known else None
        now, backend = self._opened.clock(), self._opened.backend
        done = backend.restore(self._path, source, now, progress, agreed, prepare)
        return done.replace(
            entries=done.entries - (0 if with_erased else len(found)),
            erased=None if known is None else tuple(found),
            with_erased=with_erased,
        )

    def _erased(self) -> "frozenset[str] | None":
        """The memories that were erased from the store; None if it cannot tell."""
        if not os.path.exists(self._path):
            return frozenset()
        try:
            with self._opened.reading() as store:
                # What was pruned has a reason.
                stones = store.exchange.rows("tombstone")
                return frozenset(str(id) for id, _, reason, _ in stones if not reason)
        except StoreError:
            return None

    def recover(self, into: str | None, progress: "Progress | None") -> "Recovered":
        """Copies everything readable into a new store."""
        if not os.path.exists(self._path):
            raise BadInput(f"there is no store at {self._path}", "name it: --store PATH")
        self._opened.close()
        goal = into or f"{os.path.splitext(self._path)[0]}-recovered.db"
        return self._opened.backend.recover(self._path, goal, self._opened.clock, progress)
