"""The SQLite backend: operations on a store by its path."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bowerbird.core.clock import Clock
    from bowerbird.core.damage import BackedUp, Recovered, Restored, Verified
    from bowerbird.core.erased import Traces
    from bowerbird.core.errors import BowerbirdError
    from bowerbird.core.health import Finding
    from bowerbird.core.ports.progress import Progress
    from bowerbird.storage.sqlite.nouns.usage import Use
    from bowerbird.storage.sqlite.store import Store


class Sqlite:
    """Implements `core.ports.store.Backend`; each part is loaded on first use."""

    def open(self, location: str, clock: "Clock", *, write: bool, use: "Use") -> "Store":
        """Opens the file; a writer creates and upgrades it, a reader does neither."""
        from bowerbird.storage.sqlite.store import Store

        return Store.open(location, clock, write=write, use=use)

    def exists(self, location: str) -> bool:
        """Whether there is a file."""
        import os

        return os.path.exists(location)

    def ours(self, raised: Exception, location: str) -> "BowerbirdError | None":
        """Translates an SQLite error; None for other exceptions."""
        if type(raised).__module__ != "apsw":
            return None
        from bowerbird.storage.sqlite.file.connection import translate

        return translate(raised, location)

    def note_usage(
        self, location: str, ids: "Sequence[str]", session: str, now: int, drops: str
    ) -> bool:
        """Records usage beside the file; if that fails, counts it in the file `drops`."""
        from bowerbird.storage.sqlite.nouns.usage import SUFFIX, count_drop, note

        noted = note(location + SUFFIX, ids, session, now)
        if not noted:
            count_drop(drops)
        return noted

    def about(self) -> "Iterator[Finding]":
        """The SQLite version in use, and what it lacks."""
        from bowerbird.storage.sqlite.care.doctor import about

        return about()

    def surroundings(self, location: str) -> "Iterator[Finding]":
        """The disk, its free space, and the permissions of the store's files."""
        from bowerbird.storage.sqlite.care.doctor import surroundings

        return surroundings(location)

    def cramped(self, location: str) -> bool:
        """Whether too little space is left to delete anything."""
        from bowerbird.storage.sqlite.file.reserve import needed

        return needed(location)

    def make_room(self, location: str) -> None:
        """Deletes the file that reserves space."""
        from bowerbird.storage.sqlite.file.reserve import release

        release(location)

    def keep_room(self, location: str) -> None:
        """Reserves space again, as far as available."""
        from bowerbird.storage.sqlite.file.reserve import keep

        keep(location)

    def verify(self, location: str, sample: int | None, progress: "Progress | None") -> "Verified":
        """Checks everything, or a sample of entries, for damage."""
        from bowerbird.storage.sqlite.care.verify import verify

        return verify(location, sample, progress)

    def copies(self, location: str) -> "Sequence[str]":
        """The backups of a store, and former files that were moved aside."""
        from bowerbird.storage.sqlite.care.copies import copies

        return copies(location)

    def note_copy(self, location: str, goal: str) -> None:
        """Notes beside a store that what it holds was written to a path."""
        from bowerbird.storage.sqlite.care.copies import note_copy

        note_copy(location, goal)

    def copy_holds(self, copy: str, traces: "Traces") -> bool:
        """Whether a copy holds what is erased; True where that cannot be told."""
        from bowerbird.storage.sqlite.care.copies import copy_holds

        return copy_holds(copy, traces)

    def remove_copy(self, copy: str) -> bool:
        """Deletes a copy; False for a file that is no store."""
        from bowerbird.storage.sqlite.care.copies import remove_copy

        return remove_copy(copy)

    def remove(self, location: str) -> "Sequence[str]":
        """Deletes a store with the files beside it."""
        from bowerbird.storage.sqlite.care.backup import remove

        return remove(location)

    def back_up(
        self,
        location: str,
        target: str | None,
        now: int,
        keep: int | None,
        progress: "Progress | None",
    ) -> "BackedUp":
        """Copies a snapshot of a store."""
        from bowerbird.storage.sqlite.care.backup import back_up

        return back_up(location, target, now, keep, progress)

    def restore(
        self,
        location: str,
        source: str,
        now: int,
        progress: "Progress | None",
        agreed: "Callable[[], None] | None",
        prepare: "Callable[[str], None] | None",
    ) -> "Restored":
        """Restores a backup."""
        from bowerbird.storage.sqlite.care.backup import restore

        return restore(location, source, now, progress, agreed, prepare)

    def recover(
        self, location: str, into: str, clock: "Clock", progress: "Progress | None"
    ) -> "Recovered":
        """Copies everything readable into a new store."""
        from bowerbird.storage.sqlite.recover import recover

        return recover(location, into, clock, progress)
