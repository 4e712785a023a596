"""Moves a whole store to another backend: every row as it stands, compared until none differs.

First all rows are copied while others go on reading and writing. Then nobody writes, what changed
meanwhile is copied, the words are indexed, and the rows of both are compared one by one. A move that was
killed goes on where it was: of what is there already nothing is written twice.
"""

from contextlib import closing
from hashlib import blake2b

from bowerbird.core.errors import BadInput, StoreError
from bowerbird.core.life import used
from bowerbird.core.migrated import Migrated, MovedTable
from bowerbird.core.value import Advice, Do
from bowerbird.wiring.acting import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.exchange import Row
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store
    from bowerbird.core.ports.tables import Tables

# Where a store is moved to, by the name on the command line.
TO_SERVER, TO_FILE = "to-postgres", "to-file"
TARGETS = (TO_SERVER, TO_FILE)
_SCHEMES = ("postgresql://", "postgres://")
# Rows that are compared, and written in one transaction.
_BATCH = 1_000
_DIGEST_BYTES = 16


class Moving(Verbs):
    """Moves this store to another backend."""

    def run(self, what: str, target: str, progress: "Progress | None") -> Migrated:
        """Copies, compares and verifies. Raises BadInput, StoreError, MissingExtra."""
        self._acting.who.require_owner("migrate")
        if target in ("", ".") or target.startswith(_SCHEMES) is not (what == TO_SERVER):
            wanted = "postgresql://HOST/NAME" if what == TO_SERVER else "PATH"
            raise BadInput(f"{what} needs {wanted}", Do("migrate", what, wanted).command())
        backend, path = self._opened.other(target)
        if path == self._opened.path:
            raise BadInput(f"{target} is this store itself", "name another one")
        self._opened.require()
        source = self._acting.writer()
        with closing(backend.open(path, self._opened.clock, write=True, use=used)) as goal:
            return Migrated(target, tables=_Move(source, goal, target, progress).run())


class _Move:
    """One store on its way into another one."""

    def __init__(
        self, source: "Store", goal: "Store", where: str, progress: "Progress | None"
    ) -> None:
        self._source = source
        self._goal = goal
        self._where = where
        self._progress = progress

    def run(self) -> "tuple[MovedTable, ...]":
        """The tables that were moved, with how many rows each has and the digest that both share."""
        mine, theirs = self._source.tables, self._goal.tables
        replica = self._source.exchange.replica()
        if not theirs.is_empty() and theirs.moving() != replica:
            raise BadInput(
                f"{self._where} holds a store already",
                Advice("name an empty place, or merge the memories: ", Do("import", self._where)),
            )
        with self._goal.transaction():
            theirs.set_moving(replica)
        self._settle("moving")
        # Nobody writes from here on, and nothing is written there.
        with self._source.rehearsal():
            self._settle("comparing")
            names = self._source.exchange.names()
            self._goal.upkeep.reword(self._progress)
            moved = tuple(map(self._same, mine.names))
            if mine.words() != theirs.words():
                raise self._differs("the counts of words")
        with self._goal.transaction():
            # It has a name of its own, as this store may go on: what is older is of the same copy.
            theirs.set_former(names)
            theirs.set_moving("")
        return moved

    def _settle(self, what: str) -> None:
        """Makes the rows there those of here, a batch in one transaction."""
        mine, theirs = self._source.tables, self._goal.tables
        for name in reversed(mine.names):
            for found, here in _batches(name, theirs, mine):
                gone = [key for key in found if key not in here]
                if gone:
                    with self._goal.transaction():
                        theirs.drop(name, gone)
        if self._progress is not None:
            self._progress.start(what, len(mine.names))
        for name in mine.names:
            for rows, there in _batches(name, mine, theirs):
                other = [row for key, row in rows.items() if there.get(key) != row]
                if other:
                    with self._goal.transaction():
                        theirs.put(name, other)
            if self._progress is not None:
                self._progress.advance(1, name)
        if self._progress is not None:
            self._progress.finish()

    def _same(self, name: str) -> MovedTable:
        """A table whose rows are the same in both. Raises StoreError if they are not."""
        here, there = (_digest(name, one.tables) for one in (self._source, self._goal))
        if here != there:
            raise self._differs(name)
        return MovedTable(name, *here)

    def _differs(self, what: str) -> StoreError:
        return StoreError(
            f"{self._where} differs from this store in {what}",
            "run the command again; if it stays, report it. This store is as it was",
        )


def _batches(
    name: str, led: "Tables", other: "Tables"
) -> "Iterator[tuple[dict[Row, Row], dict[Row, Row]]]":
    """The rows of a table in one store, some at a time, with those of the other one between them."""
    after = None
    while rows := led.rows(name, after, None, _BATCH):
        last = next(reversed(rows))
        yield rows, other.rows(name, after, last)
        after = last


def _digest(name: str, tables: "Tables") -> "tuple[int, str]":
    """How many rows a table has, and a hash of all their values."""
    found, count, after = blake2b(digest_size=_DIGEST_BYTES), 0, None
    while rows := tables.rows(name, after, None, _BATCH):
        for row in rows.values():
            found.update(repr(row).encode())
        count += len(rows)
        after = next(reversed(rows))
    return count, found.hexdigest()
