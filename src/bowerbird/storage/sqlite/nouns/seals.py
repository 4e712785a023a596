"""A checksum for every row that answers depend on, so that a changed bit is detected.

SQLite's own checks cover the structure of a file: of single changed bits in one that is mostly texts and
vectors they detect a twentieth. A seal is the CRC-32 of all values of a row, which detects every change
of a single bit, and of up to 32 bits in a row. Triggers maintain it for every statement; they
belong to the writer's connection, so that readers load nothing.
"""

from zlib import crc32

from bowerbird.storage.sqlite.nouns.registry import TABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw
    from apsw import SQLiteValue

_SEALED = sorted((one for one in TABLES if one.seal is not None), key=lambda one: one.seal or 0)
# The tables whose rows are sealed, by their numbers, with what a row is known by there.
SEALED = {table.name: table.key for table in _SEALED}
PARTS = tuple(SEALED)
# The rows of an entry, by the alias `t` and the entry's number.
OF_ENTRY = {table.name: table.of_entry for table in _SEALED if table.of_entry}
# The value that replaces the seal of a row that was changed after it stopped matching its seal: no
# checksum is so large, so that damage stays damage whatever is written to the row afterwards.
BROKEN = 1 << 40


def sealed(*values: "SQLiteValue") -> int:
    """The checksum of a row's values; texts come as bytes, for a damaged one is no text any more."""
    crc = 0
    shape: list[SQLiteValue] = []
    for value in values:
        if type(value) is bytes:
            crc = crc32(value, crc)
            shape.append(len(value))
        else:
            shape.append(value)
    crc = crc32(repr(shape).encode(), crc)
    # As SQLite stores it in four bytes.
    return crc - (1 << 32) if crc >> 31 else crc


def register(connection: "apsw.Connection") -> None:
    """Let a connection compute seals; while a statement runs no function can be put a second time."""
    known = "SELECT 1 FROM pragma_function_list WHERE name = 'sealed'"
    if connection.execute(known).fetchone() is None:
        _put(connection)


def _put(connection: "apsw.Connection") -> None:
    connection.create_scalar_function("sealed", sealed, deterministic=True)


def key_of(table: str, row: str) -> str:
    """By what the seal of a row is found: SQL over the alias `row`."""
    columns = SEALED[table]
    if table == "vector":
        return f"({row}.model << 48) + {row}.id"
    return " || ' ' || ".join(f"{row}.{column}" for column in columns)


def seal_of(connection: "apsw.Connection", table: str, row: str) -> str:
    """The seal of a row's current values: SQL over the alias `row`."""
    columns = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,))
    return _seal(columns, row)


def _seal(columns: "Iterable[tuple[SQLiteValue, ...]]", row: str) -> str:
    return f"sealed({', '.join(_plain(f'{row}.{name}', str(type)) for name, type in columns)})"


def _plain(column: str, type: str) -> str:
    """A column whose value can be hashed in any damaged form: bytes, or a number."""
    return f"CAST({column} AS {type if type in ('INTEGER', 'REAL') else 'BLOB'})"


def keep_seals(connection: "apsw.Connection") -> None:
    """Seals everything that this connection writes from now on. None of its statements may be running."""
    _put(connection)
    # All columns at once, and all triggers: asked one by one they took a quarter of opening a store.
    columns: dict[str, list[tuple[SQLiteValue, ...]]] = {table: [] for table in PARTS}
    for table, *column in connection.execute(
        "SELECT s.name, c.name, c.type FROM sqlite_schema s, pragma_table_info(s.name) c"
        " WHERE s.type = 'table' ORDER BY s.name, c.cid"
    ):
        if table in columns:
            columns[str(table)].append(tuple(column))
    connection.execute(
        "".join(_triggers(part, table, columns[table]) for part, table in enumerate(PARTS))
    )


def _triggers(part: int, table: str, columns: "Sequence[tuple[SQLiteValue, ...]]") -> str:
    new, old = _seal(columns, "new"), _seal(columns, "old")
    its, was = key_of(table, "new"), key_of(table, "old")
    return (
        f"CREATE TEMP TRIGGER {table}_sealed AFTER INSERT ON {table} BEGIN"
        f" INSERT OR REPLACE INTO seal VALUES ({part}, {its}, {new}); END;"
        f"CREATE TEMP TRIGGER {table}_unsealed AFTER DELETE ON {table} BEGIN"
        f" DELETE FROM seal WHERE part = {part} AND key = {was}; END;"
        f"CREATE TEMP TRIGGER {table}_resealed AFTER UPDATE ON {table} BEGIN"
        f" UPDATE seal SET key = {its}, crc = iif(crc = {old}, {new}, {BROKEN})"
        f" WHERE part = {part} AND key = {was}; END;"
    )


def agrees(connection: "apsw.Connection", table: str, entry: int) -> bool:
    """Whether the rows that an entry has in a table are what was written."""
    wrong = (
        f"SELECT 1 FROM {table} t LEFT JOIN seal s ON s.part = {PARTS.index(table)}"
        f" AND s.key = {key_of(table, 't')} WHERE {OF_ENTRY[table]}"
        f" AND s.crc IS NOT {seal_of(connection, table, 't')}"
    )
    return connection.execute(wrong, (entry,)).fetchone() is None


def reseal(connection: "apsw.Connection", tables: str) -> None:
    """Seal all rows of some tables with their current values. Inside a transaction."""
    register(connection)
    for table in tables.split():
        part = PARTS.index(table)
        connection.execute("DELETE FROM seal WHERE part = ?", (part,))
        connection.execute(
            f"INSERT INTO seal SELECT {part}, {key_of(table, 't')},"
            f" {seal_of(connection, table, 't')} FROM {table} t"
        )
