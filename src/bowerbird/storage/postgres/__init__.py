"""The PostgreSQL backend: a store is one tenant of a server."""

from bowerbird.storage.sqlite import Sqlite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bowerbird.core.clock import Clock
    from bowerbird.core.damage import BackedUp, Recovered, Restored, Verified
    from bowerbird.core.errors import BowerbirdError
    from bowerbird.core.health import Finding
    from bowerbird.core.ports.progress import Progress
    from bowerbird.storage.postgres.store import PostgresStore
    from bowerbird.storage.sqlite.nouns.usage import Use


class Postgres(Sqlite):
    """A store on a server. Its uses and its exports are noted on this machine, as those of a file."""

    def open(self, location: str, clock: "Clock", *, write: bool, use: "Use") -> "PostgresStore":
        """Connects; a writer makes tables and tenant, a reader does neither. Raises MissingExtra."""
        try:
            import psycopg  # noqa: F401
        except ImportError as error:
            from bowerbird.core.errors import MissingExtra
            from bowerbird.host.installed import adding

            raise MissingExtra("a store on a server needs psycopg", adding("postgres")) from error
        from bowerbird.storage.postgres.store import PostgresStore

        return PostgresStore.open(location, clock, write=write, use=use)

    def exists(self, location: str) -> bool:
        """Whether the server has this tenant."""
        from bowerbird.core.clock import system_clock
        from bowerbird.core.errors import StoreMissing, StoreOutdated

        try:
            self.open(location, system_clock, write=False, use=lambda *both: both).close()
        except StoreMissing:
            return False
        except StoreOutdated:
            pass
        return True

    def ours(self, raised: Exception, location: str) -> "BowerbirdError | None":
        """Translates an error of the server; None for other exceptions."""
        if type(raised).__module__.partition(".")[0] not in ("psycopg", "apsw"):
            return None
        from bowerbird.storage.postgres.file.connection import translate

        return translate(raised, location)

    def about(self) -> "Iterator[Finding]":
        """The client library in use."""
        from bowerbird.storage.postgres.care.doctor import about

        return about()

    def surroundings(self, location: str) -> "Iterator[Finding]":
        """The server and what it lacks."""
        from bowerbird.storage.postgres.care.doctor import surroundings

        return surroundings(location)

    def cramped(self, location: str) -> bool:
        """The disk is the server's, which reports a full one itself."""
        return False

    def make_room(self, location: str) -> None:
        """Nothing is reserved."""

    def keep_room(self, location: str) -> None:
        """Nothing is reserved."""

    def verify(self, location: str, sample: int | None, progress: "Progress | None") -> "Verified":
        """Compares texts with their hashes, and the word index with the texts."""
        from bowerbird.core.clock import system_clock
        from bowerbird.storage.postgres.care.verify import verify

        store = self.open(location, system_clock, write=False, use=lambda *both: both)
        try:
            return verify(store, sample, progress)
        finally:
            store.close()

    def remove(self, location: str) -> "Sequence[str]":
        """Deletes a tenant's rows, and what stands for them on this machine."""
        from bowerbird.storage.postgres.care.removal import remove

        return remove(location)

    def back_up(
        self,
        location: str,
        target: str | None,
        now: int,
        keep: int | None,
        progress: "Progress | None",
    ) -> "BackedUp":
        """Raises BadInput with the command of the server that makes a backup."""
        from bowerbird.storage.postgres.care.backup import by_the_server

        raise by_the_server(location, "backed up", target)

    def restore(
        self,
        location: str,
        source: str,
        now: int,
        progress: "Progress | None",
        agreed: "Callable[[], None] | None",
        prepare: "Callable[[str], None] | None",
    ) -> "Restored":
        """Raises BadInput with the command of the server that restores one."""
        from bowerbird.storage.postgres.care.backup import by_the_server

        raise by_the_server(location, "restored", source)

    def recover(
        self, location: str, into: str, clock: "Clock", progress: "Progress | None"
    ) -> "Recovered":
        """Raises BadInput with what takes its place."""
        from bowerbird.storage.postgres.care.backup import by_the_server

        raise by_the_server(location, "recovered", None)
