"""The tables, as the steps of SQLite make them, with the tenant in front of every key.

Their DDL stands nowhere else than in those steps. Beside them there are two tables of words, which take
the place of FTS5, and what SQLite has as a function and PostgreSQL lacks.
"""

import re
from functools import cache

import apsw

from bowerbird.core.errors import StoreNewer
from bowerbird.core.query import FIELD_WEIGHTS
from bowerbird.storage.postgres.file.cluster import spread
from bowerbird.storage.postgres.file.dialect import FUNCTIONS, SCHEMA, Shape, of_json
from bowerbird.storage.sqlite.care.migrations import take_steps
from bowerbird.storage.sqlite.file.connection import configure
from bowerbird.storage.sqlite.file.schema import VERSION
from bowerbird.storage.sqlite.nouns.registry import BY_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psycopg import Connection

# Of SQLite alone: its word indexes, what counts rows by triggers, and its checksums.
_NOT_HERE = re.compile("word_index|document_index|tally|seal|migration|sqlite_")
_TYPES = {
    "INTEGER": "bigint",
    "REAL": "double precision",
    "TEXT": 'text COLLATE "C"',
    "ANY": 'text COLLATE "C"',
    "BLOB": "bytea",
}
# Vectors of small whole numbers, which half precision holds exactly.
_VECTOR = "int8"
# `tsv` holds the places of an entry's words by the letter of their column; `size` is how many there are.
# `part` is 0 for the words of an entry, 1 for those of a whole document; `weight` is how often a word
# stands there, each time with the weight of its column.
WORDS = f"""
CREATE TABLE IF NOT EXISTS {SCHEMA}.word_index (
    tenant text COLLATE "C" NOT NULL, id bigint NOT NULL, size integer NOT NULL, tsv tsvector NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE TABLE IF NOT EXISTS {SCHEMA}.document_index (
    tenant text COLLATE "C" NOT NULL, id bigint NOT NULL, size integer NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE TABLE IF NOT EXISTS {SCHEMA}.posting (
    tenant text COLLATE "C" NOT NULL, part smallint NOT NULL, term text COLLATE "C" NOT NULL,
    id bigint NOT NULL, weight double precision NOT NULL, size integer NOT NULL,
    PRIMARY KEY (tenant, part, term, id) INCLUDE (weight, size)
);
"""
_FUNCTIONS = rf"""
CREATE OR REPLACE FUNCTION {FUNCTIONS}.iif(boolean, anycompatible, anycompatible) RETURNS anycompatible
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT CASE WHEN $1 THEN $2 ELSE $3 END';
CREATE OR REPLACE FUNCTION {FUNCTIONS}.iif(bigint, anycompatible, anycompatible) RETURNS anycompatible
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT CASE WHEN $1 <> 0 THEN $2 ELSE $3 END';
CREATE OR REPLACE FUNCTION {FUNCTIONS}.ifnull(text, text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT coalesce($1, $2)';
CREATE OR REPLACE FUNCTION {FUNCTIONS}.instr(text, text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT strpos($1, $2)::bigint';
CREATE OR REPLACE FUNCTION {FUNCTIONS}.part_of(text, bigint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
    'SELECT CASE WHEN $2 < 0 THEN right($1, (-$2)::int) ELSE substr($1, $2::int) END';
CREATE OR REPLACE FUNCTION {FUNCTIONS}.part_of(text, bigint, bigint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT substr($1, $2::int, greatest($3, 0)::int)';
-- The values at a path of the form $.name: those of an array, else the one.
CREATE OR REPLACE FUNCTION {FUNCTIONS}.values_at(text, text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE jsonb_typeof(v) WHEN 'boolean' THEN (v::boolean)::int::text ELSE v #>> '{{}}' END
    FROM jsonb_path_query($1::jsonb, ($2 || '[*]')::jsonpath) v $$;
-- How often a phrase stands in a text, each time with the weight of its column; of its last word only
-- the beginning, if `begins`.
CREATE OR REPLACE FUNCTION {FUNCTIONS}.weight_of(tsv tsvector, phrase text[], begins boolean)
    RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(sum((ARRAY[{", ".join(map(str, FIELD_WEIGHTS))}])[ascii(w) - 64]), 0)::float8
    FROM unnest(tsv) a, unnest(a.positions, a.weights) AS t (p, w)
    WHERE CASE WHEN begins AND cardinality(phrase) = 1 THEN starts_with(a.lexeme, phrase[1])
        ELSE a.lexeme = phrase[1] END
    AND NOT EXISTS (SELECT FROM generate_series(2, cardinality(phrase)) k WHERE NOT EXISTS (
        SELECT FROM unnest(tsv) b WHERE (p + k - 1)::smallint = ANY (b.positions)
        AND CASE WHEN begins AND k = cardinality(phrase) THEN starts_with(b.lexeme, phrase[k])
            ELSE b.lexeme = phrase[k] END)) $$;
"""
# What the schema says of itself: by which steps of SQLite and which revision of this module it was made.
_REVISION = 2
_MADE = f"schema {VERSION} revision {_REVISION}"
_SPREAD = " spread"
# The same, on every node of a cluster.
_VERSION = f"""
CREATE OR REPLACE FUNCTION {FUNCTIONS}.made() RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT {VERSION}::bigint';
"""

# The tables of words, as above.
_OF_WORDS = (
    Shape("word_index", ("id", "size", "tsv"), ("id",)),
    Shape("document_index", ("id", "size"), ("id",)),
    Shape("posting", ("part", "term", "id", "weight", "size"), ("part", "term", "id")),
)


def shapes() -> "dict[str, Shape]":
    """The tables by name."""
    return _made()[0]


@cache
def _made() -> "tuple[dict[str, Shape], list[str]]":
    """What the steps make, in memory: the tables, and their DDL."""
    new = apsw.Connection(":memory:")
    known: dict[str, Shape] = {}
    ddl: list[str] = []
    try:
        configure(new, ":memory:", write=False)
        take_steps(new, ":memory:", 0, 0, "")
        found = new.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        names = [str(name) for (name,) in found if not _NOT_HERE.match(str(name))]
        order = {name: at for at, name in enumerate(BY_NAME)}
        for name in sorted(names, key=order.__getitem__):
            known[name] = _table(new, name, ddl)
    finally:
        new.close()
    return known | {shape.name: shape for shape in _OF_WORDS}, ddl


def _table(new: apsw.Connection, name: str, ddl: "list[str]") -> Shape:
    """One table, and what makes it and its indexes."""
    columns: list[str] = []
    kinds: dict[str, str] = {}
    keys: dict[int, str] = {}
    unkept: list[str] = []
    lines = ['tenant text COLLATE "C" NOT NULL']
    for _, column, kind, needed, default, key in new.execute(
        "SELECT * FROM pragma_table_info(?)", (name,)
    ):
        columns.append(column)
        kinds[column] = kind
        keys |= {key: column} if key else {}
        its = "halfvec" if column == _VECTOR else _TYPES[kind]
        lines.append(
            f'"{column}" {its}{" NOT NULL" if needed or key else ""}'
            + (f" DEFAULT {default}" if default is not None else "")
        )
    key = tuple(keys[at] for at in sorted(keys))
    lines.append(f"PRIMARY KEY (tenant, {_quoted(key)})")
    for _, _, other, column, their, _, deleted, _ in new.execute(
        "SELECT * FROM pragma_foreign_key_list(?)", (name,)
    ):
        if deleted == "SET NULL":
            # A cluster has no such key: the statement that deletes does it.
            unkept.append(f"DROP CONSTRAINT IF EXISTS {name}_tenant_{column}_fkey")
            continue
        lines.append(
            f"FOREIGN KEY (tenant, {column}) REFERENCES {SCHEMA}.{other} (tenant, {their})"
            + ("" if deleted == "NO ACTION" else f" ON DELETE {deleted}")
        )
    ddl.append(f"CREATE TABLE IF NOT EXISTS {SCHEMA}.{name} ({', '.join(lines)})")
    # Of a table that an earlier version made.
    added = (f"ADD COLUMN IF NOT EXISTS {line}" for line in lines[1 : len(columns) + 1])
    ddl.append(f"ALTER TABLE {SCHEMA}.{name} {', '.join((*added, *unkept))}")
    for _, index, unique, origin, _ in new.execute("SELECT * FROM pragma_index_list(?)", (name,)):
        if origin == "pk":
            continue
        of = [
            column for _, _, column in new.execute("SELECT * FROM pragma_index_info(?)", (index,))
        ]
        sql = next(new.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (index,)))[0]
        before, _, where = of_json(" ".join(str(sql or "").split())).partition(" WHERE ")
        listed = _quoted(of) if None not in of else f"({before.partition('(')[2].rstrip(')')}))"
        called = index if sql else f"{name}_{'_'.join(of)}"
        ddl.append(
            f"CREATE {'UNIQUE ' if unique else ''}INDEX IF NOT EXISTS {called} ON {SCHEMA}.{name}"
            f" (tenant, {listed}){f' WHERE {where}' if where else ''}"
        )
    return Shape(
        name, tuple(columns), key, key[0] if kinds[key[0]] == "INTEGER" and not key[1:] else ""
    )


def _quoted(columns: "list[str] | tuple[str, ...]") -> str:
    return ", ".join(f'"{column}"' for column in columns)


def upgrade(connection: "Connection[tuple[object, ...]]", *, cluster: bool) -> None:
    """Make the tables that are not there yet. Inside a transaction, with the lock of the schema."""
    connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    for schema in (SCHEMA, FUNCTIONS):
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
    known, ddl = _made()
    for sql in (*ddl, WORDS, _FUNCTIONS, _VERSION):
        connection.execute(sql)
    if cluster:
        spread(connection, known)
    # Of a cluster the owner is exempt: as such it copies rows that move to another node.
    force = "NO FORCE" if cluster else "FORCE"
    for name in known:
        table = f"{SCHEMA}.{name}"
        # Besides the tenant in every statement: the server refuses the rows of others too.
        for sql in (
            f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
            f"ALTER TABLE {table} {force} ROW LEVEL SECURITY",
            f"DROP POLICY IF EXISTS tenant ON {table}",
            f"CREATE POLICY tenant ON {table} USING (tenant = current_setting('bowerbird.tenant', true))",
        ):
            connection.execute(sql)
    connection.execute(f"COMMENT ON SCHEMA {SCHEMA} IS '{_MADE}{_SPREAD if cluster else ''}'")


def is_current(made: str, where: str, *, cluster: bool) -> bool:
    """Whether tables that say so of themselves are those of this version, and spread over a cluster.

    Raises StoreNewer.
    """
    parts = made.split()
    if parts and (int(parts[1]), int(parts[3])) > (VERSION, _REVISION):
        raise StoreNewer(
            f"{where} was written by a newer Bowerbird (schema {parts[1]}, this one reads {VERSION})",
            "upgrade with: pip install --upgrade bowerbird",
        )
    return made == (f"{_MADE}{_SPREAD}" if cluster else _MADE)
