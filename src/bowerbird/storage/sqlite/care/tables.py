"""The tables of a store row by row, as a move to another backend reads and writes them.

What follows from other rows is left out: word indexes and counts, tallies and seals are made anew there.
"""

from bowerbird.storage.sqlite.file.schema import FORMER
from bowerbird.storage.sqlite.nouns.registry import TABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import apsw

    from bowerbird.core.exchange import Row

_MADE_ANEW = frozenset(
    ("word_index", "document_index", "word", "tally", "migration", "seal", "meta")
)
# Facts about one file or tenant alone.
_OWN_FACTS = (
    "'replica', 'generation', 'altered', 'logged', 'changed', 'reread', 'entries', 'words', 'rewording',"
    " 'seals_anew', 'moving'"
)
_FACTS = f"key NOT IN ({_OWN_FACTS}) AND NOT key GLOB 'indexed_*' AND NOT key GLOB '{FORMER}*'"
# Set as long as a store is half moved, to the name of the copy that it is moved from.
_MOVING = "moving"


class Tables:
    """All rows, by table, in the order of their keys. Writes inside a transaction."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection
        self._known: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The tables, those first that rows of others point to."""
        return (*(one.name for one in TABLES if one.name not in _MADE_ANEW), "meta")

    def _shape(self, table: str) -> "tuple[tuple[str, ...], tuple[str, ...]]":
        """The columns of a table, and those of its key."""
        if table not in self._known:
            found = list(
                self._connection.execute("SELECT name, pk FROM pragma_table_info(?)", (table,))
            )
            keys = sorted((at, name) for name, at in found if at)
            self._known[table] = tuple(name for name, _ in found), tuple(one for _, one in keys)
        return self._known[table]

    def rows(
        self, table: str, after: "Row | None" = None, last: "Row | None" = None, most: int = -1
    ) -> "dict[Row, Row]":
        """Up to `most` rows behind a key, up to another one, by their keys."""
        columns, key = self._shape(table)
        named = ", ".join(f'"{one}"' for one in key)
        places = ", ".join("?" * len(key))
        bounds = [_FACTS if table == "meta" else "TRUE"]
        bounds += [f"({named}) > ({places})"] if after is not None else []
        bounds += [f"({named}) <= ({places})"] if last is not None else []
        selected = ", ".join(f'"{one}"' for one in columns)
        found = self._connection.execute(
            f"SELECT {selected} FROM {table} WHERE {' AND '.join(bounds)} ORDER BY {named} LIMIT ?",
            (*(after or ()), *(last or ()), most),
        )
        at = [columns.index(one) for one in key]
        return {tuple(row[each] for each in at): self._told(table, row) for row in found}

    def _told(self, table: str, row: "Row") -> "Row":
        """A row as every backend gives it: facts are texts, and no text holds a NUL."""
        if table == "meta":
            return (row[0], str(row[1]))
        return tuple(
            one.replace("\0", "\ufffd") if type(one) is str and "\0" in one else one for one in row
        )

    def put(self, table: str, rows: "Sequence[Row]") -> None:
        """Write rows in place of those with their keys."""
        columns, key = self._shape(table)
        named = ", ".join(f'"{one}"' for one in columns)
        sets = ", ".join(f'"{one}" = excluded."{one}"' for one in columns if one not in key)
        does = f"UPDATE SET {sets}" if sets else "NOTHING"
        self._connection.executemany(
            f"INSERT INTO {table} ({named}) VALUES ({', '.join('?' * len(columns))})"
            f" ON CONFLICT ({', '.join(key)}) DO {does}",
            [self._taken(table, row) for row in rows],
        )

    def _taken(self, table: str, row: "Row") -> "Row":
        """A row as this backend keeps it."""
        if table == "meta" and row[1].isdecimal():
            return (row[0], int(row[1]))
        return row

    def drop(self, table: str, keys: "Sequence[Row]") -> None:
        """Delete the rows with these keys."""
        _, key = self._shape(table)
        bounds = " AND ".join(f'"{one}" = ?' for one in key)
        self._connection.executemany(f"DELETE FROM {table} WHERE {bounds}", keys)

    def words(self) -> "list[Row]":
        """In how many entries each word occurs, as counted when the index was made."""
        return list(self._connection.execute("SELECT term, entries FROM word ORDER BY term"))

    def is_empty(self) -> bool:
        """Whether nothing was ever kept here."""
        some = " UNION ALL ".join(f"SELECT 1 FROM {one}" for one in ("facet", "document", "audit"))
        return self._connection.execute(f"{some} LIMIT 1").fetchone() is None

    def moving(self) -> str:
        """The copy of the store that this one is half moved from, or empty."""
        found = self._connection.execute("SELECT value FROM meta WHERE key = ?", (_MOVING,))
        row: tuple[Any, ...] | None = found.fetchone()
        return str(row[0]) if row else ""

    def set_moving(self, replica: str) -> None:
        """Note that it is half moved from a copy of the store, or with an empty name that it is whole."""
        if replica:
            self._connection.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (_MOVING, replica)
            )
        else:
            self._connection.execute("DELETE FROM meta WHERE key = ?", (_MOVING,))

    def set_former(self, names: "dict[str, str]") -> None:
        """Note the names that this copy had, each with the last stamp under it."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
            [(FORMER + name, stamp) for name, stamp in names.items() if stamp],
        )
