"""Watching folders: what the system says has changed is taken in, by one process a store."""

import fcntl
import os
from contextlib import contextmanager
from time import monotonic

from bowerbird.core.errors import BadInput, BowerbirdError, MissingExtra
from bowerbird.core.installed import adding
from bowerbird.core.places import make_folder
from bowerbird.ingest.watch import Pending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Any

    from bowerbird.core.report import Report

    Index = Callable[[Sequence[str]], Report]
    Tell = Callable[[str, Report | BowerbirdError], object]

_LOCK = ".watch"
# Milliseconds after which it is looked what is due, whether anything has changed or not; idle, that takes
# 2 ms of CPU a second.
_LOOK_MS = 250
_STEP_MS = 50


class Watch:
    """Some folders, watched until somebody stops it."""

    def __init__(
        self, store: str, folders: "Sequence[str]", sorts: "Collection[str]", every: float | None
    ) -> None:
        """`every`: seconds after which all of them are indexed as well. Raises BadInput."""
        self._store = store
        self._folders = [os.path.realpath(one) for one in folders]
        gone = [one for one in self._folders if not os.path.isdir(one)]
        if gone:
            raise BadInput(f"there is no folder {gone[0]}", "name folders that are there")
        self._pending = Pending(sorts)
        self._every = every

    def run(self, index: "Index", tell: "Tell", stop: "Any" = None) -> None:
        """Index what changes; calls `tell` with the folder and the report or the error.

        It begins with what has changed since the last run. `stop` is an event that ends it, as
        KeyboardInterrupt does. Raises MissingExtra, and BadInput where another process watches already.
        """
        try:
            import watchfiles  # start-up: an extra, which takes 60 ms to load
        except ImportError as error:
            raise MissingExtra("watching needs watchfiles", adding("watch")) from error
        with self._alone():
            new, there = self._folders, self._standing()
            while stop is None or not stop.is_set():
                changes = watchfiles.watch(
                    # A folder above is always there: what is unmounted comes back below it.
                    *(there or {os.path.dirname(one) for one in self._folders}),
                    debounce=_LOOK_MS,
                    step=_STEP_MS,
                    rust_timeout=_LOOK_MS,
                    yield_on_timeout=True,
                    stop_event=stop,
                    ignore_permission_denied=True,
                )
                self._follow(changes, new, there, index, tell)
                before, there = there, self._standing()
                new = [one for one in there if there[one] != before.get(one)]

    def _follow(
        self,
        changes: "Iterator[set[tuple[Any, str]]]",
        new: "Sequence[str]",
        there: "dict[str, Any]",
        index: "Index",
        tell: "Tell",
    ) -> None:
        """Take in what is new, and then what changes, until a folder goes or comes back."""
        taken = monotonic()
        for changed in changes:
            # Not before the system watches: what changes meanwhile would be seen by nobody.
            self._take_in([one for one in new if one in there], index, tell)
            new, now = (), monotonic()
            for _, path in changed:
                for folder in there:
                    if path.startswith(folder + os.sep) and not self._own(path):
                        self._pending.note(folder, path, now)
            due = self._pending.due(now)
            if self._every is not None and now - taken >= self._every:
                due, taken = tuple(there), now
            self._take_in([one for one in due if _identity(one)], index, tell)
            if self._standing() != there:
                return

    def _standing(self) -> "dict[str, tuple[int, int]]":
        """The folders that are there, each with which one it is."""
        found = {one: _identity(one) for one in self._folders}
        return {one: identity for one, identity in found.items() if identity is not None}

    def _own(self, path: str) -> bool:
        """Whether it is the store itself or one of its side files."""
        return path.startswith(os.path.realpath(self._store))

    @staticmethod
    def _take_in(folders: "Sequence[str]", index: "Index", tell: "Tell") -> None:
        for folder in folders:
            try:
                tell(folder, index([folder]))
            except (
                BowerbirdError
            ) as error:  # a busy store or a full disk: the next change tries again
                tell(folder, error)

    @contextmanager
    def _alone(self) -> "Iterator[None]":
        """Nobody else watches for this store meanwhile. Raises BadInput."""
        path = self._store + _LOCK
        make_folder(os.path.dirname(path))
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError as error:
            raise BadInput(
                "another process watches for this store already", "end that one first, or leave it"
            ) from error
        finally:
            os.close(handle)


def _identity(folder: str) -> tuple[int, int] | None:
    """The identity of the folder there, or None. An unmounted drive leaves another folder."""
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return found.st_dev, found.st_ino
