"""The DDL of the tables: what the steps make, so that it is written down once and frozen with them."""

import apsw

from bowerbird.storage.sqlite.care.migrations import take_steps

# What SQLite keeps by itself, and FTS5 behind an index: how those are declared depends on the version of
# either.
_OURS = (
    "SELECT name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'"
    " AND name NOT GLOB 'word_index_*' AND name NOT GLOB 'document_index_*'"
)


def differences(connection: apsw.Connection) -> list[str]:
    """How the tables, indexes, views and triggers of a store differ from those of a new one."""
    wanted, found = _as_created(), _ddl(connection)
    missing = (f"{name} of {wanted[name][0]} is missing" for name in wanted.keys() - found.keys())
    others = (f"{name} of {found[name][0]} is not ours" for name in found.keys() - wanted.keys())
    altered = (
        f"{name} of {found[name][0]} is altered"
        for name in wanted.keys() & found.keys()
        if wanted[name] != found[name]
    )
    return sorted((*missing, *others, *altered))


def _as_created() -> dict[str, tuple[str, str]]:
    new = apsw.Connection(":memory:")
    try:
        take_steps(new, ":memory:", 0, 0, "")
        return _ddl(new)
    finally:
        new.close()


def _ddl(connection: apsw.Connection) -> dict[str, tuple[str, str]]:
    """Table and statement by the name of what it makes; line breaks and blanks do not count."""
    rows = connection.execute(_OURS)
    return {name: (table, " ".join(str(sql).split())) for name, table, sql in rows}
