"""Translates the statements of the nouns, which are written for SQLite, into those of one tenant.

Each table is replaced by its rows of the tenant, so that the tenant is in every statement, and in front
of every key. A table that were overlooked would not be found: its name alone leads nowhere. What SQLite
has as a function and PostgreSQL lacks is a function of the schema (`file.schema`).
"""

import re

from bowerbird.core.value import Record
from bowerbird.storage.postgres.nouns.index import REMOVALS, matching
from bowerbird.storage.sqlite.nouns.stamps import BEGUN, END

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

SCHEMA = "bowerbird"
# In the search path, unlike the tables.
FUNCTIONS = "bowerbird_functions"
# How a parameter is passed on: as it is, as an array out of JSON, as a vector, as a pattern, and as
# whether it is none.
PLAIN, NUMBERS, TEXTS, VECTOR, GLOB, NONE = "plain", "bigint[]", "text[]", "halfvec", "glob", "none"
# Tables of SQLite that are another one's rows here, or are computed.
_SEEN_AS = {
    "word_index_docsize": "SELECT id FROM {schema}.word_index WHERE tenant = {tenant}",
    "tally": "SELECT project, family, kind, state, count(*) AS entries FROM {schema}.facet"
    " WHERE tenant = {tenant} GROUP BY 1, 2, 3, 4",
}
# Columns of text that values out of JSON are compared with.
_OF_TEXT = frozenset(("uid", "term", "name", "tail", "path", "hash", "actor"))
# Tables whose `memory` is the id of one, rather than its row.
_BY_ID = re.compile(r"\bFROM (?:version|access|unjudged|session_access)\b")
# What is said in another way, word for word.
_SPECIAL = {
    BEGUN: "SELECT made(),"
    " (SELECT value FROM meta WHERE key = 'clock'), (SELECT value FROM meta WHERE key = 'replica'),"
    " (SELECT value FROM meta WHERE key = 'noted')",
    END: "INSERT INTO meta (key, value) SELECT * FROM"
    " (VALUES ('generation', '1'), ('clock', ?1::text),"
    " ('last_row', nullif(?2::bigint, 0)::text), ('entries', nullif(?3::bigint, 0)::text),"
    " ('words', nullif(?4::bigint, 0)::text)) AS given (key, value) WHERE value IS NOT NULL"
    " ON CONFLICT (key) DO UPDATE SET value = CASE excluded.key WHEN 'clock' THEN excluded.value"
    " WHEN 'last_row' THEN greatest(meta.value::bigint, excluded.value::bigint)::text"
    " ELSE (meta.value::bigint + excluded.value::bigint)::text END",
}
_SPECIAL |= REMOVALS
# What other documents said of its parts leads nowhere from then on.
_SPECIAL["DELETE FROM document WHERE id = ?"] = (
    "WITH cut AS (UPDATE @edge SET target = NULL WHERE tenant = @tenant AND target IN"
    " (SELECT id FROM @node WHERE tenant = @tenant AND document = ?1))"
    " DELETE FROM @document WHERE tenant = @tenant AND id = ?1"
)
# Computed here.
_SPECIAL["DELETE FROM tally WHERE project = (SELECT id FROM project WHERE uid = ?)"] = (
    "SELECT 1 WHERE ?1::text IS NULL AND FALSE"
)


def _members(column: str, paths: str) -> str:
    """Some members of a JSON object, as SQL."""
    names = re.findall(r"\w+", paths)
    return ", ".join(f"({column})::jsonb -> '{name}'" for name in names)


# Of JSON texts, which are whole here: no bit of a row changes unseen.
_OF_JSON = (
    (re.compile(r"->> '\$\.(\w+)'"), r"->> '\1'"),
    (re.compile(r"iif\(json_valid\([\w.]+\), (.*?), NULL\)"), r"(\1)"),
    (re.compile(r"([\w.]+) ->> '"), r"(\1)::jsonb ->> '"),
    (
        re.compile(r"json_extract\((\w+)((?:, '\$\.\w+')+)\)"),
        lambda at: f"jsonb_build_array({_members(at[1], at[2])})::text",
    ),
)
# Stands for the tenant until one is known.
_TENANT = "\x02"
_LITERAL = re.compile(r"'(?:[^']|'')*'")
_HIDDEN = re.compile("\x01(\\d+)\x01")
_PARAMETER = re.compile(r"\?(\d*)|(?<![:\w]):([a-z]\w*)")
_GIVEN = re.compile(r"«(\w+)(?::([^»]+))?»")
_VECTORS = re.compile(r"vec_distance_cosine\(vec_int8\(([^()]+)\), vec_int8\(([^()]+)\)\)")
_MATCHING = re.compile(r"SELECT rowid FROM word_index WHERE word_index MATCH «(\w+)»")
_KEYWORDS = (
    "WHERE|JOIN|LEFT|CROSS|INNER|ON|ORDER|GROUP|LIMIT|UNION|SET|USING|RETURNING|HAVING|EXCEPT"
    "|INTERSECT"
)
_ALIAS = rf"(?: (?:AS )?(?!(?:{_KEYWORDS})\b)(\w+))?"
_JSON_OF_ONE = re.compile(rf"json_each\(([a-z]\w*\.\w+)\){_ALIAS}")
_NAMED = re.compile(
    r"(?:WITH|RECURSIVE|\),) \w+ \((\w+(?:, \w+)*)\) AS (?:MATERIALIZED )?\( ?SELECT "
)
_CALLED = re.compile(r" AS \w+$")
_JSON_GIVEN = re.compile(rf"json_each\(«(\w+)»\){_ALIAS}")
_VERB = re.compile(r"\b(INSERT|UPDATE|DELETE)( OR (?:REPLACE|IGNORE))? ?(?:INTO|FROM)? (\w+)")
# Simple replacements, in this order.
_REPLACED = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r" (?:NOT INDEXED|INDEXED BY \w+)", ""),
        (r"«(\w+)» IS NULL", r"«\1:none»"),
        (r"«(\w+)» IS NOT NULL", r"NOT «\1:none»"),
        (r"\bIS NOT («)", r"IS DISTINCT FROM \1"),
        (r"\bIS («)", r"IS NOT DISTINCT FROM \1"),
        (r"(?<!IS) NOT NULL\b", " IS NOT NULL"),
        (r"CROSS JOIN ((?:json_each\([^)]*\)|\w+)(?: (?!ON)\w+)?) ON ", r"JOIN \1 ON "),
        (r"group_concat\(t\.name, ", "string_agg(t.name ORDER BY t.name; "),
        (
            r"string_agg\(t\.name ORDER BY t\.name; ([^)]*)\)",
            r"string_agg(t.name, \1 ORDER BY t.name)",
        ),
        (
            r"json_group_array\(json_array\((.*?)\)\)",
            r"coalesce(json_agg(json_build_array(\1))::text, '[]')",
        ),
        (r"json_group_array\((.*?)\)", r"json_agg(\1)::text"),
        (r"\bsubstr\(", "part_of("),
        (r"\bchar\(", "chr("),
        (r"\bunhex\(([\w«»]+)\)", r"decode(\1, 'hex')"),
        (r"\bhex\(([\w.]+)\)", r"upper(encode(\1, 'hex'))"),
        (r"CAST\((\S+) AS BLOB\)", r"convert_to(\1, 'UTF8')"),
        (r"GROUP BY \+", "GROUP BY "),
        (r"\bIN ([a-z]\w*)\b(?! ?\()", r"IN (TABLE \1)"),
        (r" GLOB «(\w+)»", r" ~ «\1:glob»"),
        (r" LIMIT («\w+»)", r" LIMIT nullif(\1::bigint, -1)"),
        (r"value = value \+ ", "value = meta.value::bigint + "),
        (
            r"\(SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each\(«(\w+)»\)\)",
            (
                r"(SELECT (value ->> 0)::bigint, (value ->> 1)::float8, (value ->> 2)::boolean"
                r" FROM jsonb_array_elements(«\1:jsonb»::jsonb) AS value)"
            ),
        ),
        # Of each group SQLite gives the row that holds the maximum.
        (
            r"SELECT max\((f\.strength .*? END)\), (e\.\w+), e\.id FROM",
            r"SELECT max(\1), \2, (array_agg(e.id ORDER BY \1 DESC, e.id))[1] FROM",
        ),
    )
)
_TWO_OF = {"max": "greatest", "min": "least"}


class Shape(Record):
    """A table: its columns without the tenant, its key, and the key that SQLite numbers, if it does."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    numbered: str = ""


class Statement(Record):
    """A translated statement, of any tenant.

    `sql` has parameters from $1 on; `given` names each by its key in what the caller binds, with the way
    it is passed on. `numbers`: it returns the id of the row that it inserts.
    """

    sql: str
    given: "tuple[tuple[int | str, str], ...]"
    numbers: bool

    def of(self, tenant: str) -> str:
        """It as SQL for a tenant, whose name has only letters, digits and a few marks (`location`)."""
        return self.sql.replace(_TENANT, f"'{tenant}'")


class Dialect:
    """The translation; `shapes` are the tables by name."""

    def __init__(self, shapes: "Mapping[str, Shape]") -> None:
        self._shapes = shapes
        names = sorted({*shapes, *_SEEN_AS}, key=len, reverse=True)
        tables = "|".join(names)
        self._reference = re.compile(rf"\b(FROM|JOIN) ({tables})\b{_ALIAS}")
        self._second = re.compile(rf"(\) \w+, )({tables}) (\w+)\b")

    def rows(self, table: str) -> str:
        """The rows of a table that are this tenant's, as a subquery."""
        seen = _SEEN_AS.get(table, "SELECT * FROM {schema}.{table} WHERE tenant = {tenant}")
        return f"({seen.format(schema=SCHEMA, table=table, tenant=_TENANT)})"

    def statement(self, sql: str, asked: "Sequence[Any]" = ()) -> Statement:
        """The translation of one statement; `asked` is what is bound, for a query with operators."""
        literals: list[str] = []

        def hide(found: "re.Match[str]") -> str:
            literals.append(found[0])
            return f"\x01{len(literals) - 1}\x01"

        sql = of_json(_SPECIAL.get(sql, sql))
        sql = " ".join(_LITERAL.sub(hide, sql).split())
        sql = _PARAMETER.sub(_numbering(), sql)
        if asked:
            sql = _MATCHING.sub(lambda at: _LITERAL.sub(hide, matching(asked[int(at[1]) - 1])), sql)
        sql = re.sub(
            "GLOB \x01(\\d+)\x01", lambda at: f"~ '{regex(literals[int(at[1])][1:-1])}'", sql
        )
        for pattern, by in _REPLACED:
            sql = pattern.sub(by, sql)
        sql = _VECTORS.sub(_distance, sql)
        sql = re.sub(r"vec_int8\(«(\w+)»\)", r"«\1:halfvec»::halfvec", sql)
        sql = _JSON_OF_ONE.sub(r"jsonb_array_elements_text((\1)::jsonb) AS \2(value)", sql)
        sql = _JSON_GIVEN.sub(self._listed(sql), sql)
        sql = _named_inside(sql)
        sql = re.sub(r"json_each\((\S+), («\w+»)\) j", r"values_at(\1, \2) AS j(value)", sql)
        sql = _of_several(sql)
        sql = re.sub(r"\( ?", "(", sql)
        numbers = False
        if "@" in sql:
            # It names its tables and its tenant itself.
            sql = sql.replace("@tenant", _TENANT).replace("@", f"{SCHEMA}.")
        elif (
            (verb := _VERB.search(sql)) is not None
            and not sql.startswith("SELECT")
            and verb[3] in self._shapes
        ):
            sql, numbers = self._written(sql, verb, self._shapes[verb[3]])
        sql = self._reference.sub(self._own, sql)
        while self._second.search(sql):
            sql = self._second.sub(lambda at: f"{at[1]}{self.rows(at[2])} {at[3]}", sql)
        keys: dict[tuple[str, str], int] = {}

        def number(found: "re.Match[str]") -> str:
            key = (found[1], found[2] or PLAIN)
            return f"${keys.setdefault(key, len(keys) + 1)}"

        sql = _GIVEN.sub(number, sql)
        sql = _HIDDEN.sub(lambda at: literals[int(at[1])], sql)
        given = tuple((int(key) - 1 if key.isdigit() else key, how) for key, how in keys)
        return Statement(sql, given, numbers=numbers)

    def _own(self, found: "re.Match[str]") -> str:
        """A table by its rows of the tenant, under the same name."""
        return f"{found[1]} {self.rows(found[2])} {found[3] or found[2]}"

    def _listed(self, sql: str) -> "Callable[[re.Match[str]], str]":
        """The values of a JSON array: numbers, unless a column of text is compared with them."""

        def listed(found: "re.Match[str]") -> str:
            before = re.search(
                r"(\w+) (?:NOT )?IN \(SELECT (?:\w+\()?value[^()]*\)? FROM $", sql[: found.start()]
            )
            named = found[2] or "value"
            after = re.search(rf"(\w+) (?:=|>=) {named}\.value", sql[found.end() :])
            first = re.search(
                r"\((\w+)\) AS (?:MATERIALIZED )?\( ?SELECT value FROM $", sql[: found.start()]
            )
            column = next((one[1] for one in (before, first, found[2] and after) if one), "")
            of_text = column in _OF_TEXT or (column == "memory" and _BY_ID.search(sql))
            how = TEXTS if of_text else NUMBERS
            alias = f"{found[2]}(value)" if found[2] else "value"
            order = ' COLLATE "C"' if of_text else ""
            return f"unnest(«{found[1]}:{how}»::{how}{order}) AS {alias}"

        return listed

    def _written(self, sql: str, verb: "re.Match[str]", shape: "Shape") -> tuple[str, bool]:
        """A statement that writes: its tenant, its keys, and what SQLite would number."""
        head, rest = sql[: verb.start()], sql[verb.end() :]
        table = f"{SCHEMA}.{shape.name}"
        if verb[1] == "INSERT":
            written, numbers = self._inserted(rest, verb[2] or "", shape)
            return f"{head}INSERT INTO {table} AS {shape.name} {written}", numbers
        alias = re.match(r" AS (\w+)", rest)
        name = alias[1] if alias else shape.name
        rest = rest[alias.end() :] if alias else rest
        at, end = _top_level(rest, " WHERE "), _top_level(rest, " RETURNING ")
        end = len(rest) if end < 0 else end
        asked = f" AND ({rest[at + 7 : end]})" if at >= 0 else ""
        start = rest[: at if at >= 0 else end]
        into = "DELETE FROM" if verb[1] == "DELETE" else "UPDATE"
        own = f"{start} WHERE {name}.tenant = {_TENANT}{asked}{rest[end:]}"
        return f"{head}{into} {table} AS {name}{own}", False

    def _inserted(self, rest: str, otherwise: str, shape: "Shape") -> tuple[str, bool]:
        listed = re.match(r" \(([^)]*)\) ", rest)
        columns = listed[1].split(",") if listed else shape.columns
        columns = [one.strip(' "') for one in columns]
        rest = rest[listed.end() :] if listed else rest[1:]
        conflict = rest.find("ON CONFLICT ")
        source, after = (rest, "") if conflict < 0 else (rest[:conflict], " " + rest[conflict:])
        source, returning, told = source.partition("RETURNING ")
        source = source.strip()
        new, first = [_TENANT], ["tenant"]
        counted = bool(shape.numbered) and shape.numbered not in columns
        if counted:
            last = f"SELECT coalesce(max({shape.numbered}), 0) + 1 FROM {SCHEMA}.{shape.name}"
            new.append(f"({last} WHERE tenant = {_TENANT})")
            first.append(shape.numbered)
        opening = "VALUES (" if source.startswith("VALUES (") else "SELECT "
        values = source[len(opening) :]
        for at, column in enumerate(columns):
            if column == "int8":
                values = _as_vector(values, at)
        if opening == "SELECT ":
            each = own_rows(f"{', '.join(('own.tenant', *new[1:]))}, given.*", f"{opening}{values}")
        elif counted or "(SELECT " in values:
            each = own_rows(f"{', '.join(('own.tenant', *new[1:]))}, {values.removesuffix(')')}")
        else:
            each = f"{opening}{', '.join(new)}, {values}"
        if after:
            after = _on_conflict(after, shape)
        elif otherwise == " OR IGNORE":
            after = " ON CONFLICT DO NOTHING"
        elif otherwise:
            key = ", ".join(("tenant", *shape.key))
            put = [f'"{one}" = excluded."{one}"' for one in columns if one not in shape.key]
            after = f" ON CONFLICT ({key}) DO UPDATE SET {', '.join(put)}"
        numbers = counted and "RETURNING" not in rest
        told = (
            f" RETURNING {told}" if returning else f" RETURNING {shape.numbered}" if numbers else ""
        )
        named = ", ".join(f'"{one}"' for one in (*first, *columns))
        return f"({named}) {each}{after}{told}", numbers


def own_rows(values: str, given: str = "") -> str:
    """What is inserted as rows of this tenant: `values` for each of the rows that are `given`.

    The name of the tenant comes out of a row of its own, so that a cluster sees that what is read and
    what is written lie on one node, and has that node do both.
    """
    beside = f" CROSS JOIN ({given}) AS given" if given else ""
    own = f"{SCHEMA}.meta AS own{beside} WHERE own.tenant = {_TENANT} AND own.key = 'replica'"
    return f"SELECT {values} FROM {own}"


def of_json(sql: str) -> str:
    """An expression over the values of JSON texts."""
    for pattern, by in _OF_JSON:
        sql = pattern.sub(by, sql)
    return sql


def _numbering() -> "Callable[[re.Match[str]], str]":
    """Names each parameter by its number from 1 on, or by its name."""
    count = 0

    def numbered(found: "re.Match[str]") -> str:
        nonlocal count
        if found[2]:
            return f"«{found[2]}»"
        number = int(found[1]) if found[1] else count + 1
        count = max(count, number)
        return f"«{number}»"

    return numbered


def _distance(found: "re.Match[str]") -> str:
    one, other = (re.sub(r"^«(\w+)»$", r"«\1:halfvec»::halfvec", part) for part in found.groups())
    return f"({one} <=> {other})"


def _as_vector(values: str, at: int) -> str:
    """A list of values of which one is stored as a vector."""
    parts = _parts(values)
    parts[at] = re.sub(r"^ ?«(\w+)»(\)?)", r" «\1:halfvec»::halfvec\2", parts[at])
    return ",".join(parts)


def _on_conflict(clause: str, shape: "Shape") -> str:
    """The clause with the tenant in its key, and with each column said to be of the row that is there."""
    clause = re.sub(r"ON CONFLICT \(", "ON CONFLICT (tenant, ", clause)
    head, does, rest = clause.partition("DO UPDATE SET ")
    if not does:
        return clause
    if not re.search(r"\(tenant, ", head):
        head = f" ON CONFLICT ({', '.join(('tenant', *shape.key))}) "
    at, end = _top_level(rest, " WHERE "), _top_level(rest, " RETURNING ")
    end = len(rest) if end < 0 else end
    sets = rest[: at if at >= 0 else end]
    told = rest[end:]
    names = "|".join(shape.columns)
    column = re.compile(rf"(?<![.\w\"«:\x01])({names})\b(?!\()")
    own = rf"{shape.name}.\1"
    put = []
    for one in _parts(sets):
        name, _, value = one.strip().partition(" = ")
        put.append(f"{name} = {column.sub(own, value)}")
    where = column.sub(own, rest[at:end]) if at >= 0 else ""
    return f"{head}{does}{', '.join(put)}{where}{told}"


def _named_inside(sql: str) -> str:
    """The columns of a part named inside of it: a cluster loses the names that stand before a union."""
    at = 0
    while found := _NAMED.search(sql, at):
        at = found.end()
        end = _top_level(sql[at:], " FROM ")
        values, names = _parts(sql[at : at + end]), found[1].split(", ")
        if end >= 0 and len(values) == len(names):
            both = zip(values, names, strict=True)
            named = ",".join(f"{_CALLED.sub('', one)} AS {name}" for one, name in both)
            sql = sql[:at] + named + sql[at + end :]
    return sql


def _of_several(sql: str) -> str:
    """`max` and `min` of several values are other functions here."""
    for name, other in _TWO_OF.items():
        at = 0
        while (at := sql.find(f"{name}(", at)) >= 0:
            start = at + len(name) + 1
            if not sql[at - 1].isalnum() and len(_parts(sql[start : _closing(sql, start)])) > 1:
                sql = sql[:at] + other + sql[at + len(name) :]
            at = start
    return sql


def _closing(sql: str, start: int) -> int:
    """Where the parenthesis closes that was opened before `start`."""
    depth = 1
    for at in range(start, len(sql)):
        depth += (sql[at] == "(") - (sql[at] == ")")
        if not depth:
            return at
    return len(sql)


def _parts(sql: str) -> list[str]:
    """What commas separate, outside of parentheses."""
    parts, depth, begun = [], 0, 0
    for at, sign in enumerate(sql):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            parts.append(sql[begun:at])
            begun = at + 1
    return [*parts, sql[begun:]]


def _top_level(sql: str, word: str) -> int:
    """Where a word stands outside of parentheses, -1 if nowhere."""
    at = -1
    while (at := sql.find(word, at + 1)) >= 0:
        if sql.count("(", 0, at) == sql.count(")", 0, at):
            return at
    return -1


def regex(pattern: str) -> str:
    """A pattern of GLOB as a regular expression."""
    out, at = "", 0
    while at < len(pattern):
        sign = pattern[at]
        end = pattern.find("]", at + 2 + pattern.startswith("^", at + 1)) if sign == "[" else -1
        if sign == "*":
            out += ".*"
        elif sign == "?":
            out += "."
        elif end > 0:
            out += "[" + pattern[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[") + "]"
            at = end
        elif sign == "[":
            return "(?!)"  # as GLOB has it, what is never closed matches nothing
        else:
            out += re.escape(sign)
        at += 1
    return f"^(?:{out})$"
