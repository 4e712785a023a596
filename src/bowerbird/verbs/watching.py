"""Watches folders and indexes changes as the operating system reports them; one process per store."""

import os
from contextlib import contextmanager
from time import monotonic

from bowerbird.core.errors import BadInput, BowerbirdError, MissingExtra
from bowerbird.host.installed import adding
from bowerbird.host.locks import lock, opened_to_lock
from bowerbird.host.places import make_folder
from bowerbird.ingest.watch import Pending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Any

    from bowerbird.core.report import Report

    Index = Callable[[Sequence[str]], Report]
    Notify = Callable[[str, Report | BowerbirdError], object]
    Began = Callable[[], object]

_LOCK = ".watch"
# Milliseconds between checks for due work when nothing changes; idle, this takes 2 ms of CPU a second.
_LOOK_MS = 250
_STEP_MS = 50


class Watch:
    """A set of folders, watched until stopped."""

    def __init__(
        self, store: str, folders: "Sequence[str]", sorts: "Collection[str]", every: float | None
    ) -> None:
        """`every`: seconds between full index runs in addition. Raises BadInput."""
        self._store = store
        self._folders = [os.path.realpath(one) for one in folders]
        gone = [one for one in self._folders if not os.path.isdir(one)]
        if gone:
            raise BadInput(f"there is no folder {gone[0]}", "name existing folders")
        self._pending = Pending(sorts)
        self._every = every

    def run(
        self, index: "Index", notify: "Notify", stop: "Any" = None, began: "Began" = tuple
    ) -> None:
        """Indexes changes; calls `began`, and then `notify` with each folder and the report or the error.

        Starts with what changed since the last run. Stops on the event `stop` or on KeyboardInterrupt.
        Raises MissingExtra, and BadInput if another process is watching.
        """
        try:
            import watchfiles  # start-up: an extra, which takes 60 ms to load
        except ImportError as error:
            raise MissingExtra("watching needs watchfiles", adding("watch")) from error
        with self._alone():
            began()
            new, there = self._folders, self._existing()
            while stop is None or not stop.is_set():
                changes = watchfiles.watch(
                    # Parent folders are watched too, since an unmounted folder comes back below its
                    # parent.
                    *(there or {os.path.dirname(one) for one in self._folders}),
                    debounce=_LOOK_MS,
                    step=_STEP_MS,
                    rust_timeout=_LOOK_MS,
                    yield_on_timeout=True,
                    stop_event=stop,
                    ignore_permission_denied=True,
                )
                self._follow(changes, new, there, index, notify)
                before, there = there, self._existing()
                new = [one for one in there if there[one] != before.get(one)]

    def _follow(
        self,
        changes: "Iterator[set[tuple[Any, str]]]",
        new: "Sequence[str]",
        there: "dict[str, Any]",
        index: "Index",
        notify: "Notify",
    ) -> None:
        """Indexes new folders, then changes, until a folder disappears or comes back."""
        taken = monotonic()
        for changed in changes:
            # Only after the watcher runs, so that no change in between is missed.
            self._take_in([one for one in new if one in there], index, notify)
            new, now = (), monotonic()
            for _, path in changed:
                for folder in there:
                    if path.startswith(folder + os.sep) and not self._own(path):
                        self._pending.note(folder, path, now)
            due = self._pending.due(now)
            if self._every is not None and now - taken >= self._every:
                due, taken = tuple(there), now
            self._take_in([one for one in due if _identity(one)], index, notify)
            if self._existing() != there:
                return

    def _existing(self) -> "dict[str, tuple[int, int]]":
        """The existing folders, each with its device and inode."""
        found = {one: _identity(one) for one in self._folders}
        return {one: identity for one, identity in found.items() if identity is not None}

    def _own(self, path: str) -> bool:
        """Whether a path is the store or one of its side files."""
        return path.startswith(os.path.realpath(self._store))

    @staticmethod
    def _take_in(folders: "Sequence[str]", index: "Index", notify: "Notify") -> None:
        for folder in folders:
            try:
                notify(folder, index([folder]))
            except (
                BowerbirdError
            ) as error:  # a busy store or a full disk: the next change tries again
                notify(folder, error)

    @contextmanager
    def _alone(self) -> "Iterator[None]":
        """Holds the lock that makes this the only watcher of the store. Raises BadInput."""
        path = self._store + _LOCK
        make_folder(os.path.dirname(path))
        handle = opened_to_lock(path)
        try:
            if not lock(handle, wait=False):
                raise BadInput(
                    "another process watches for this store already",
                    "stop that one first, and name all folders at once: one process watches any number",
                )
            yield
        finally:
            os.close(handle)


def _identity(folder: str) -> tuple[int, int] | None:
    """The device and inode of a folder, or None. Below an unmounted drive it is another folder."""
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return found.st_dev, found.st_ino
