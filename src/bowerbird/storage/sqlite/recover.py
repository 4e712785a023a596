"""Copies what can be read of a damaged store into a new one.

Each table is read in sequence; if that fails, row by row, by the keys that the seals, the indexes and the
other tables contain. Word indexes are not read but rebuilt from the texts. Rows that differ from their
seal are copied, and stay marked as damaged.
"""

import os
from contextlib import suppress

import apsw

from bowerbird.core.damage import Recovered
from bowerbird.core.errors import BadInput, StoreDamaged, StoreFull
from bowerbird.host.places import make_folder
from bowerbird.storage.sqlite.care.copies import note_copy
from bowerbird.storage.sqlite.file.connection import translate
from bowerbird.storage.sqlite.file.reserve import needed
from bowerbird.storage.sqlite.file.writer_queue import file_lock
from bowerbird.storage.sqlite.nouns.erasing import NOTED_SESSIONS, NOTED_TURNS
from bowerbird.storage.sqlite.nouns.outcomes import write_outcomes
from bowerbird.storage.sqlite.nouns.projects import PRUNED
from bowerbird.storage.sqlite.nouns.registry import TABLES
from bowerbird.storage.sqlite.nouns.seals import BROKEN, PARTS, SEALED, key_of, register, seal_of
from bowerbird.storage.sqlite.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.core.clock import Clock
    from bowerbird.core.ports.progress import Progress

# By what a row of each table that is taken over is looked up.
_TABLES = {table.name: table.key for table in TABLES if table.copied}
# What is said of a file goes along where the new one has to go on from there.
_META = ("replica", "last_row", PRUNED, "generation", NOTED_TURNS, NOTED_SESSIONS)


def recover(path: str, into: str, clock: "Clock", progress: "Progress | None") -> Recovered:
    """Make a new store at `into` of all that can be read of the one at `path`, which stays as it is.

    Raises BadInput if `into` exists, and StoreDamaged if nothing can be read.
    """
    if os.path.lexists(into):
        raise BadInput(f"{into} is there already", "name a file that is not: --into NEW")
    make_folder(os.path.dirname(os.path.abspath(into)))
    with suppress(OSError):  # a store may be readable only
        note_copy(path, into)
    with file_lock(path):
        old = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            old.pragma("query_only", True)
            register(old)
            new = Store.open(into, clock, write=True)
            try:
                return _Recovering(old, new, path, progress).run()
            finally:
                new.close()
        except apsw.Error as error:
            told = translate(error, path)
            if isinstance(told, StoreFull) or needed(path) or needed(into):
                raise StoreFull(
                    f"the disk that holds {path} or {into} is full",
                    "free some space and run the command again; nothing says that the store is damaged",
                ) from error
            raise StoreDamaged(
                f"{path} cannot be opened at all: {error}",
                "restore a backup; the content of its pages is printed by: sqlite3 FILE .recover",
            ) from error
        finally:
            old.close()


class _Recovering:
    """One run of it."""

    def __init__(
        self, old: apsw.Connection, new: Store, path: str, progress: "Progress | None"
    ) -> None:
        self._old, self._new, self._path = old, new, path
        self._progress = progress
        self._lost: dict[str, int] = {}
        self._saved: dict[str, int] = {}
        self._doubtful: dict[str, int] = {}

    def run(self) -> Recovered:
        """Table after table, then the words."""
        into = self._new.connection
        into.pragma("foreign_keys", False)
        if self._progress is not None:
            self._progress.start("recovered", len(_TABLES))
        with self._new.transaction():
            into.execute("DELETE FROM project")
            for table in _TABLES:
                self._table(table)
                if self._progress is not None:
                    self._progress.advance(1, table)
            self._meta()
            self._loosen()
        if self._progress is not None:
            self._progress.finish()
        into.pragma("foreign_keys", True)
        indexed, _ = self._new.upkeep.reword(self._progress)
        self._new.outside.write_copy()
        write_outcomes(into, self._new.path)
        entries = next(into.execute("SELECT count(*) FROM facet"))[0]
        return Recovered(
            self._new.path, int(str(entries)), indexed, self._saved, self._lost, self._doubtful
        )

    def _table(self, table: str) -> None:
        """Copy what can be read of a table, and count the rest as lost."""
        into = self._new.connection
        columns = [
            str(name) for (name,) in into.execute("SELECT name FROM pragma_table_info(?)", (table,))
        ]
        listed = ", ".join(f'"{name}"' for name in columns)
        marks = ", ".join("?" * len(columns))
        put = f"INSERT OR REPLACE INTO {table} ({listed}) VALUES ({marks})"
        positions = [columns.index(name) for name in _TABLES[table]]
        seen: set[tuple[Any, ...]] = set()
        whole = True
        for row in self._rows(f"SELECT {listed} FROM {table}", ()):
            if row is None:
                whole = False
                break
            seen.add(tuple(row[column] for column in positions))
            self._put(into, put, row, table)
        if whole:
            self._saved[table] = len(seen)
            self._mark(table)
            return
        lost = 0
        where = " AND ".join(f'"{name}" = ?' for name in _TABLES[table])
        for key in self._keys(table) - seen:
            found = list(self._rows(f"SELECT {listed} FROM {table} WHERE {where}", key))
            if len(found) == 1 and found[0] is not None and self._put(into, put, found[0], table):
                seen.add(key)
            else:
                lost += 1
        self._saved[table] = len(seen)
        if lost:
            self._lost[table] = self._lost.get(table, 0) + lost
        self._mark(table)

    def _put(self, into: apsw.Connection, put: str, row: "Any", table: str) -> bool:
        try:
            into.execute(put, row)
        except (apsw.ConstraintError, apsw.MismatchError):
            self._lost[table] = self._lost.get(table, 0) + 1
            return False
        return True

    def _rows(self, sql: str, values: "tuple[Any, ...]") -> "Iterator[Any]":
        """The rows of a statement, and None where it cannot go on."""
        try:
            yield from self._old.execute(sql, values)
        except (apsw.Error, UnicodeDecodeError):
            yield None

    def _keys(self, table: str) -> "set[tuple[Any, ...]]":
        """The keys by which rows of a table may be found: from seals, indexes and other tables."""
        columns = _TABLES[table]
        listed = ", ".join(f'"{name}"' for name in columns)
        asked = [f"SELECT {listed} FROM {table} ORDER BY {order}" for order in columns]
        if columns == ("id",) and table in SEALED:
            asked += [f"SELECT key FROM seal WHERE part = {PARTS.index(table)}"]
        if table in ("facet", "entry", "memory"):
            family = " WHERE family = 'memory'" if table == "memory" else ""
            asked += [f"SELECT id FROM facet{family}"]
        if table == "version":
            part = PARTS.index(table)
            asked += [f"SELECT key FROM seal WHERE part = {part}", "SELECT head FROM memory"]
        if table == "vector":
            part = PARTS.index(table)
            asked += [f"SELECT key & {(1 << 48) - 1}, key >> 48 FROM seal WHERE part = {part}"]
        known: set[tuple[Any, ...]] = set()
        for sql in asked:
            known |= {tuple(row) for row in self._rows(sql, ()) if row is not None}
        return known

    def _mark(self, table: str) -> None:
        """Rows that do not agree with their seals go on not agreeing."""
        if table not in SEALED:
            return
        part = PARTS.index(table)
        sql = (
            f"SELECT s.key FROM {table} t JOIN seal s ON s.part = {part}"
            f" AND s.key = {key_of(table, 't')} WHERE s.crc <> {seal_of(self._old, table, 't')}"
        )
        for row in self._rows(sql, ()):
            if row is not None:
                self._new.connection.execute(
                    "UPDATE seal SET crc = ? WHERE part = ? AND key = ?", (BROKEN, part, row[0])
                )
                if self._new.connection.changes():
                    self._doubtful[table] = self._doubtful.get(table, 0) + 1

    def _meta(self) -> None:
        for key in _META:
            for row in self._rows("SELECT value FROM meta WHERE key = ?", (key,)):
                if row is not None:
                    self._new.connection.execute(
                        "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, row[0])
                    )

    def _loosen(self) -> None:
        """Take out what points to something that was lost."""
        into = self._new.connection
        into.execute(
            "INSERT OR IGNORE INTO project (id, uid, name, root) VALUES (0, '', 'global', NULL)"
        )
        again = True
        while again:
            again = False
            for table in (one for one in TABLES if one.copied):
                for orphaned in table.orphans.values():
                    into.execute(f"DELETE FROM {table.name} AS t WHERE {orphaned}")
                    if gone := into.changes():
                        again = True
                        self._lost[table.name] = self._lost.get(table.name, 0) + gone
