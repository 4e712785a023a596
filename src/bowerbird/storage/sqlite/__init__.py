"""Stores as SQLite files; here what is done to one by its path alone, the door to all the rest."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.core.clock import Clock
    from bowerbird.core.damage import BackedUp, Recovered, Restored, Verified
    from bowerbird.core.errors import BowerbirdError
    from bowerbird.core.health import Finding
    from bowerbird.core.ports.progress import Progress
    from bowerbird.storage.sqlite.store import Store
    from bowerbird.storage.sqlite.usage import Use


class Sqlite:
    """Stores as files: `core.ports.store.Backend`, each part loaded when it is needed."""

    def open(self, location: str, clock: "Clock", *, write: bool, use: "Use") -> "Store":
        """Open the file; a writer makes and upgrades it, a reader does neither."""
        from bowerbird.storage.sqlite.store import Store

        return Store.open(location, clock, write=write, use=use)

    def ours(self, raised: Exception, location: str) -> "BowerbirdError | None":
        """An error of SQLite's as one of ours; None for those of others."""
        if type(raised).__module__ != "apsw":
            return None
        from bowerbird.storage.sqlite.connection import translate

        return translate(raised, location)

    def note_usage(
        self, location: str, ids: "Sequence[str]", session: str, now: int, drops: str
    ) -> bool:
        """Note which entries were used beside the file; else count that in the file `drops`."""
        from bowerbird.storage.sqlite.usage import SUFFIX, count_drop, note

        noted = note(location + SUFFIX, ids, session, now)
        if not noted:
            count_drop(drops)
        return noted

    def about(self) -> "Iterator[Finding]":
        """The SQLite that is used, and what it may lack."""
        from bowerbird.storage.sqlite.doctor import about

        return about()

    def surroundings(self, location: str) -> "Iterator[Finding]":
        """The disk, its free space, and the permissions of the store's files."""
        from bowerbird.storage.sqlite.doctor import surroundings

        return surroundings(location)

    def cramped(self, location: str) -> bool:
        """Whether so little room is left that nothing could be taken out."""
        from bowerbird.storage.sqlite.reserve import needed

        return needed(location)

    def make_room(self, location: str) -> None:
        """Let go of the file that keeps room."""
        from bowerbird.storage.sqlite.reserve import release

        release(location)

    def keep_room(self, location: str) -> None:
        """Keep room again, as far as there is some."""
        from bowerbird.storage.sqlite.reserve import keep

        keep(location)

    def verify(self, location: str, sample: int | None, progress: "Progress | None") -> "Verified":
        """Look for damage, in everything or in a sample of entries."""
        from bowerbird.storage.sqlite.verify import verify

        return verify(location, sample, progress)

    def back_up(
        self,
        location: str,
        target: str | None,
        now: int,
        keep: int | None,
        progress: "Progress | None",
    ) -> "BackedUp":
        """Copy a store as it is at this moment."""
        from bowerbird.storage.sqlite.backing import back_up

        return back_up(location, target, now, keep, progress)

    def restore(
        self, location: str, source: str, now: int, progress: "Progress | None"
    ) -> "Restored":
        """Go back to a backup."""
        from bowerbird.storage.sqlite.backing import restore

        return restore(location, source, now, progress)

    def recover(
        self, location: str, into: str, clock: "Clock", progress: "Progress | None"
    ) -> "Recovered":
        """Save what can be read into a new store."""
        from bowerbird.storage.sqlite.recover import recover

        return recover(location, into, clock, progress)
