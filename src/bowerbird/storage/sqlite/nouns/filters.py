"""Filters and full-text queries as SQL. Filters apply while candidates are generated, never after."""

from bowerbird.core.life import DAY
from bowerbird.core.query import FIELD_WEIGHTS, Filter
from bowerbird.core.text import plain_tag
from bowerbird.core.types import ALIVE, HELD, MEMORY, STATES, TRUSTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, Self

    import apsw

    from bowerbird.core.operators import Node

    Condition = tuple[str, Sequence[Any]]

_PAST = "SELECT id FROM memory WHERE expires <= ?"
_AHEAD = "SELECT id FROM memory WHERE valid_from > ?"
_MODULE = "f.id IN (SELECT m.id FROM memory m, json_each(m.modules) j WHERE j.value = ?)"
# A folder as a module: what names it, or its last part alone, and what names none and is about its files.
_FOLDER = (
    "f.id IN (SELECT m.id FROM memory m, json_each(m.modules) j WHERE j.value IN (?, ?) UNION ALL"
    " SELECT m.id FROM memory m, json_each(m.files) j WHERE m.modules = '[]'"
    " AND substr(j.value, 1, ?) = ?)"
)
# Fields of memories that have a column; the others are read from the current version.
_COLUMNS = frozenset(("scope", "audience"))
_FIELD = (
    "f.id IN (SELECT m.id FROM memory m JOIN version v ON v.uid = m.head"
    " WHERE EXISTS (SELECT 1 FROM json_each(v.fields, ?) j WHERE j.value IN ({})))"
)
# As the index of the versions' keys has it; a caller's key ends with a star for all that begin so.
_KEY = "iif(json_valid(v.fields), v.fields ->> '$.key', NULL)"
_KEYED = (
    f"f.id IN (SELECT m.id FROM version v CROSS JOIN entry e ON e.uid = v.memory CROSS JOIN memory m"
    f" ON m.id = e.id AND m.head = v.uid WHERE {_KEY} > '' AND ({{}}))"
)
# Those that wait, but the older one of two that contradict each other and both wait. The pairs are found
# once: looked for at each of 800 that wait they took 6 ms of 7.
_QUARANTINED = STATES.index("quarantined")
_OLDER = """
    SELECT iif(r.source < r.target, a.id, b.id) FROM memory w CROSS JOIN facet h ON h.id = w.id
    CROSS JOIN entry a ON a.id = h.id
    CROSS JOIN relation r ON r.source = a.uid AND r.kind = 'contradicts' AND r.present = 1
    CROSS JOIN entry b ON b.uid = r.target CROSS JOIN memory x ON x.id = b.id
    CROSS JOIN facet g ON g.id = iif(r.source < r.target, b.id, a.id) CROSS JOIN memory m ON m.id = g.id
    WHERE w.needs_review = 1 AND x.needs_review = 1 AND h.state = 0 AND g.state = 0"""
_WAITS = (
    "f.id IN (SELECT id FROM memory WHERE needs_review = 1"
    f" UNION SELECT id FROM facet WHERE state = {_QUARANTINED} AND state <> 0)"
    f" AND (f.state <> 0 OR f.id NOT IN ({_OLDER}{{0}}))"
)
_NOW = " AND coalesce(m.expires > ?, TRUE) AND coalesce(m.valid_from <= ?, TRUE)"
_WITHIN = " AND g.project IN (SELECT id FROM project WHERE uid IN ({}))"
_NOT_BEGINNING = "f.id NOT IN (SELECT id FROM entry WHERE uid >= ? AND uid < ?)"
_SESSION = (
    "f.id IN (SELECT id FROM facet WHERE document IN (SELECT id FROM document WHERE session IN ({}))"
    " UNION ALL SELECT id FROM memory WHERE session <> '' AND session IN ({}))"
)
_MATCHING = "f.id IN (SELECT rowid FROM word_index WHERE word_index MATCH ?)"
# Files by their path, or by the end of it: documents, and files that memories are about.
_DOCUMENTS = "SELECT id FROM document WHERE "
# Memories about a folder (`src/`) that a file is in, or about its type (`*.sql`).
_PLACES = (
    "substr(path, -1) = '/' AND substr(?, 1, length(path)) = path",
    "substr(name, -1) = '/' AND substr(?, 1, length(name)) = name",
    "substr(name, 1, 2) = '*.' AND substr(?, 1 - length(name)) = substr(name, 2)",
)
# The files of a memory `m`, by path and by name.
_FILES = """
    SELECT m.id, CASE WHEN j.value GLOB '/*' THEN j.value ELSE coalesce(p.root, '') || '/' || j.value
        END AS path, CASE WHEN substr(j.value, 1, length(p.root) + 1) = p.root || '/'
        THEN substr(j.value, length(p.root) + 2) ELSE j.value END AS name
    FROM {0} j CROSS JOIN facet g ON g.id = m.id
    JOIN project p ON p.id = g.project
"""
# The order is forced because most memories are about no file.
_ABOUT = f"SELECT id FROM ({_FILES.format('memory m CROSS JOIN json_each(m.files)')}) about WHERE "
# The characters of the project's own folder, with the trailing separator.
_ABOVE = "(length(path) - length(name))"
# The special characters of a pattern.
_SPECIAL = frozenset("*?[")
# The weight that FTS5's BM25 gives to a word that more than half of all rows contain.
LEAST = 1e-6
# The BM25 expression of each full-text table.
BM25 = {
    "word_index": f"bm25(word_index, {', '.join(map(str, FIELD_WEIGHTS))})",
    "document_index": "bm25(document_index)",
}
# How many documents are indexed as wholes and contain each word, then the scores of the wanted ones:
# those with words that most documents contain, and those with one of the others (see `parted`), whose
# scores count. Their number is that of another table: through the index, SQLite reads every row's size.
# The plus keeps FTS5 from repeating the query for each wanted document.
WHOLES = f"""
WITH size (documents) AS MATERIALIZED (SELECT count(*) FROM document_index_docsize),
word (at, phrase, documents) AS MATERIALIZED (
    SELECT j.key, j.value, (SELECT count(*) FROM document_index WHERE document_index MATCH j.value)
    FROM json_each(?) j
), parted (common, phrases) AS MATERIALIZED (
    SELECT 2 * w.documents > s.documents AS common, group_concat(w.phrase, ' OR ' ORDER BY w.at)
    FROM word w, size s GROUP BY common
)
SELECT 'size', NULL, documents FROM size
UNION ALL SELECT * FROM (SELECT 'word', at, documents FROM word ORDER BY at)
UNION ALL SELECT 'document', rowid, {LEAST} FROM document_index
WHERE document_index MATCH coalesce((SELECT phrases FROM parted WHERE common), '""')
    AND (SELECT count(*) FROM parted) = 2 AND +rowid IN (SELECT value FROM json_each(?))
UNION ALL SELECT 'document', rowid, -{BM25["document_index"]} FROM document_index
WHERE document_index MATCH coalesce((SELECT phrases FROM parted ORDER BY common LIMIT 1), '""')
    AND +rowid IN (SELECT value FROM json_each(?))
"""
# How long before it ended (ms) a memory held of which nobody said since when, and that was stored when
# it had ended already: it was so, but not for ever.
BEFORE_SAID = 365 * DAY
# Since when a memory `m`, whose facet is `f`, holds by what is known today.
SINCE = (
    f"coalesce(m.valid_from, iif(m.valid_to <= f.created, m.valid_to - {BEFORE_SAID}, f.created))"
)
# The version of a memory `m`, whose entry is `e`, at a moment, which comes twice: the last one by then,
# else its first one, of what is known by now to have held before it was stored. Those that say another
# day since which it holds come last: who corrected the day corrected what held since then.
AT = (
    " FROM version v WHERE v.memory = e.uid ORDER BY m.valid_from IS NOT NULL AND"
    " coalesce(CAST(v.fields ->> 'valid_from' AS TEXT), '') <> CAST(m.valid_from AS TEXT), v.created > ?,"
    " iif(v.created > ?, v.hlc, NULL), v.hlc DESC LIMIT 1"
)
# The state at a moment before a memory ended: its day may have been put right after it had ended.
STATE_THEN = (
    f"iif(m.valid_to IS NOT NULL AND v.fields ->> 'state' IN ({', '.join(map(repr, HELD))}),"
    " 'active', v.fields ->> 'state')"
)
_UID = "(SELECT e.uid FROM entry e WHERE e.id = m.id)"
# What held at a moment: memories in the state of then, from the day since which they hold by what is
# known today until they ended, and of those that had ended when they were stored a year before, and
# passages of files as they are. What was forgotten never held before it was stored, and what awaits
# review by now is left out. Versions are read of what changed since only.
# Asked of each candidate: a list of all that held, for each kind of candidates, took half of a question's
# time (100,000).
_HELD = (
    "(f.family <> 'memory' AND f.created <= ? OR EXISTS (SELECT 1 FROM memory m"
    f" WHERE m.id = f.id AND {SINCE} <= ?"
    " AND (m.valid_to IS NULL OR m.valid_to > ?)"
    " AND (m.expires IS NULL OR m.expires >= ?) AND CASE f.state WHEN {quarantined} THEN {asked}"
    f" WHEN {{deleted}} THEN EXISTS (SELECT 1 FROM version v WHERE v.memory = {_UID} AND v.created <= ?)"
    " ELSE TRUE END AND iif(m.updated <= ?, f.state IN ({positions}),"
    f" (SELECT {STATE_THEN}{AT.replace('e.uid', _UID)}) IN ({{names}}))))"
)
# The memories that have changed since a moment, which comes thrice, with their versions `v` of then.
_THEN = (
    f"memory m CROSS JOIN entry e ON e.id = m.id CROSS JOIN version v ON v.uid = (SELECT v.uid{AT})"
    " WHERE m.updated > ?"
)
_VALUE_THEN = "EXISTS (SELECT 1 FROM json_each(v.fields, ?) j WHERE j.value IN ({}))"
_FOLDER_THEN = (
    f"({_VALUE_THEN.format('?, ?')} OR v.fields ->> 'modules' = '[]' AND EXISTS"
    " (SELECT 1 FROM json_each(v.fields, ?) j WHERE substr(j.value, 1, ?) = ?))"
)
_ABOUT_THEN = (
    f"EXISTS (SELECT 1 FROM ({_FILES.format('json_each(v.fields, ?)')}) about WHERE {{}} OR {{}})"
)
_CONFIDENCE_THEN = "CAST(v.fields ->> 'confidence' AS DOUBLE PRECISION) >= ?"
_NEEDS_REVIEW_THEN = "CAST(v.fields ->> 'needs_review' AS TEXT) {} ('1', 'true')"
# The condition that is always true.
ALL: "tuple[str, list[Any]]" = ("TRUE", [])


def needless(connection: "apsw.Connection", filter: Filter) -> bool:
    """Whether every entry of the store passes the filter, as usual.

    Then no join is needed: that saves a quarter of a query's time at 100,000 entries.
    """
    asked = opposed(filter)
    return asked is not None and not next(connection.execute(f"SELECT {asked[0]}", asked[1]))[0]


def opposed(filter: Filter) -> "Condition | None":
    """Whether some entry may not pass the filter, as SQL; None if that is certain without asking."""
    usual = Filter(projects=filter.projects, now=filter.now, coming=filter.coming)
    if filter != usual:
        return None
    against = ["EXISTS (SELECT 1 FROM facet WHERE state <> 0)"]
    values: list[Any] = []
    if filter.now is not None:
        out, moments = _out(filter)
        against.append(f"EXISTS ({out})")
        values += moments
    if filter.projects is not None:
        marks = _marks(filter.projects)
        against.append(f"EXISTS (SELECT 1 FROM project WHERE uid NOT IN ({marks}))")
        values += filter.projects
    return " OR ".join(against), values


def where(filter: Filter) -> "tuple[str, list[Any]]":
    """The condition over the alias `f` of `facet`, and its parameters. Never empty."""
    stands = _state(filter) if filter.as_of is None else _held(filter.as_of, filter.states)
    named, edited = [*_of_names(filter)], [*_of_edited(filter)]
    if filter.as_of is not None and (named or edited):
        named, edited = [], [_as_of(filter, [*named, *edited])]
    # In this order: SQLite begins with the first one of several that name rows, and a module names many.
    conditions = [stands, *_of_any_entry(filter), *named, *_of_words(filter)]
    conditions += [*_of_memories(filter), *edited, *_of_review(filter)]
    sql, values = _all(conditions)
    return sql, [_bindable(value) for value in values]


def then(filter: Filter, moment: int) -> "Condition":
    """What passes a filter as of its moment, with its kind, state, trust and modules of then.

    As what follows FROM, with the alias `f`; the modules are JSON.
    """
    those, values = facets_of(filter)
    names = " ".join(f"WHEN '{name}' THEN {at}" for at, name in enumerate(STATES))
    sql = (
        "(SELECT f.id, f.trust, coalesce(t.kind, f.kind) AS kind, coalesce(CASE t.state"
        f" {names} END, f.state) AS state,"
        " CASE WHEN t.id IS NULL THEN coalesce(m.needs_review, 0) WHEN t.review IN ('1', 'true')"
        " THEN 1 ELSE 0 END AS needs_review,"
        f" coalesce(t.modules, m.modules, '[]') AS modules FROM (SELECT f.* FROM {those}) f"
        " LEFT JOIN memory m ON m.id = f.id LEFT JOIN (SELECT m.id AS id, v.fields ->> 'kind' AS kind,"
        f" {STATE_THEN} AS state, v.fields ->> 'modules' AS modules,"
        f" CAST(v.fields ->> 'needs_review' AS TEXT) AS review FROM {_THEN}) t ON t.id = f.id) f"
    )
    return sql, (*values, *(moment,) * 3)


def waited(filter: Filter, moment: int) -> "Condition":
    """What of it awaited a review then, of two that contradict each other and both wait the newer."""
    those, values = then(filter, moment)
    newer = " OR ".join(
        f"EXISTS (SELECT 1 FROM entry e CROSS JOIN relation r ON r.{here} = e.uid AND r.{there} > e.uid"
        f" AND r.kind = 'contradicts' AND r.present = 1 CROSS JOIN entry o ON o.uid = r.{there}"
        " CROSS JOIN waits n ON n.id = o.id WHERE e.id = w.id AND w.state = 0 AND n.state = 0)"
        for here, there in (("source", "target"), ("target", "source"))
    )
    quarantined = STATES.index("quarantined")
    sql = (
        f"(WITH waits AS MATERIALIZED (SELECT f.id, f.state FROM {those}"
        f" WHERE f.needs_review = 1 OR f.state = {quarantined})"
        f" SELECT w.id FROM waits w WHERE NOT ({newer})) f"
    )
    return sql, values


def facets_of(filter: Filter) -> "Condition":
    """The facets that pass a filter: what follows FROM, with the alias `f`, and its parameters.

    SQLite, which keeps no statistics here, would always read all entries of a state: where a filter names
    few, as words do, they are looked up, and memories are read in the order of their time.
    """
    condition, values = where(filter)
    if filter.needs_review or filter.waiting or filter.sessions or filter.matching is not None:
        return f"facet f NOT INDEXED WHERE {condition}", values
    # What has expired may still stand as active.
    if filter.as_of is None and not {STATES[0], "expired"}.intersection(filter.states):
        return f"facet f INDEXED BY facet_ended WHERE f.state <> 0 AND {condition}", values
    if filter.as_of is None and filter.families == (MEMORY,):
        listed = "facet f INDEXED BY facet_listed WHERE f.family = 'memory'"
        return f"{listed} AND {condition}", values
    return f"facet f WHERE {condition}", values


def tallied(filter: Filter) -> "Condition | None":
    """Kinds with numbers whose sum is how many entries pass a filter, if the tally tells those apart.

    As what follows FROM, with the columns `kind` and `entries`: what the tally counts, less what of it
    does not hold at `now`.
    """
    now, told = filter.now, _told(filter)
    if now is None or told is None:
        return None
    condition, values = where(told)
    ahead = "" if filter.coming else f" UNION ALL {_AHEAD} AND coalesce(expires > ?, TRUE)"
    sql = (
        f"(SELECT f.kind AS kind, f.entries AS entries FROM tally f WHERE {condition} UNION ALL"
        f" SELECT f.kind, -1 FROM ({_PAST}{ahead}) d"
        f" CROSS JOIN facet f ON f.id = d.id WHERE {condition}) counted"
    )
    return sql, (*values, now, *((now, now) if ahead else ()), *values)


def outside(connection: "apsw.Connection", filter: Filter) -> "Condition | None":
    """The rows that do not pass a filter, as a statement; None unless the tally tells that most pass."""
    told = _told(filter)
    if told is None:
        return None
    condition, values = where(told)
    counts = f"SELECT sum(iif({condition}, -f.entries, f.entries)) FROM tally f"
    if (next(connection.execute(counts, values))[0] or 0) >= 0:
        return None
    out, moments = _out(filter) if filter.now is not None else ("SELECT NULL WHERE FALSE", ())
    sql = (
        "SELECT g.id AS id FROM tally f CROSS JOIN facet g INDEXED BY facet_count ON g.family = f.family"
        " AND g.state = f.state AND g.project = f.project AND g.kind = f.kind"
        f" WHERE f.entries > 0 AND NOT ({condition}) UNION ALL {out}"
    )
    return sql, (*values, *moments)


def _told(filter: Filter) -> "Filter | None":
    """What the tally tells apart of a filter that asks for no more than that, and when it holds."""
    told = Filter(filter.projects, filter.families, filter.kinds, states=filter.states)
    alive = all(state in ALIVE for state in filter.states)
    return told if alive and filter == told.replace(now=filter.now, coming=filter.coming) else None


def _out(filter: Filter) -> "Condition":
    """The memories that have ended by `now`, and unless what is `coming` counts, do not hold yet."""
    if filter.coming:
        return _PAST, (filter.now,)
    return f"{_PAST} UNION ALL {_AHEAD}", (filter.now, filter.now)


def condition_of(connection: "apsw.Connection", filter: Filter) -> "Condition":
    """A filter as SQL over `f`, a facet; an empty one if every entry passes."""
    return ALL if needless(connection, filter) else where(filter)


def expired_between(connection: "apsw.Connection", then: int, now: int) -> bool:
    """Whether any memory expired, or began to hold, after `then` and not after `now`."""
    found = connection.execute(
        "SELECT 1 FROM memory WHERE expires > ?1 AND expires <= ?2"
        " UNION ALL SELECT 1 FROM memory WHERE valid_from > ?1 AND valid_from <= ?2 LIMIT 1",
        (then, now),
    )
    return found.fetchone() is not None


def _of_any_entry(filter: Filter) -> "Iterator[Condition]":
    if filter.projects is not None:
        marks = _marks(filter.projects)
        today = f"f.project IN (SELECT id FROM project WHERE uid IN ({marks}))", filter.projects
        yield _but(today, filter.then.elsewhere, filter.then.here)
    if filter.families:
        yield f"f.family IN ({_marks(filter.families)})", filter.families
    if filter.min_trust != TRUSTS[0]:
        yield "f.trust >= ?", (TRUSTS.index(filter.min_trust),)
    if filter.since is not None:
        yield "f.created >= ?", (filter.since,)
    if filter.until is not None:
        yield "f.created <= ?", (filter.until,)
    for start in filter.exclude:
        yield _NOT_BEGINNING, (start, start + "\U0010ffff")


class Asked(str):
    """A query with operators, as FTS5 takes it; its `tree` is for other indexes."""

    __slots__ = ("tree",)

    tree: "Node"

    def __new__(cls, tree: "Node") -> "Self":
        """The text of a tree."""
        asked = super().__new__(cls, tree.said(Fts5()))
        asked.tree = tree
        return asked


class Fts5:
    """Renders queries for FTS5: every word is quoted, so that no character is special."""

    def phrase(self, forms: tuple[str, ...], *, begins: bool) -> str:
        """Adjacent words, in one of several forms."""
        quoted = [f'"{form}"{"*" if begins else ""}' for form in forms]
        return quoted[0] if len(quoted) == 1 else self.either(quoted)

    def either(self, parts: list[str]) -> str:
        """At least one of some parts."""
        return f"({' OR '.join(parts)})"

    def together(self, wanted: list[str], others: list[str]) -> str:
        """All of some parts, and none of others."""
        all_of_them = f"({' AND '.join(wanted)})"
        return f"({all_of_them} NOT {self.either(others)})" if others else all_of_them


def _of_words(filter: Filter) -> "Iterator[Condition]":
    if filter.matching is not None:
        today = _MATCHING, (Asked(filter.matching.tree),)
        yield _but(today, filter.then.reworded, filter.then.matched)


def _but(today: "Condition", other: "Sequence[int]", passing: "Sequence[int]") -> "Condition":
    """A condition as it is today, but for some other rows, of which some pass."""
    if not other:
        return today
    rows = "(SELECT value FROM json_each(?))"
    sql = f"({today[0]} AND f.id NOT IN {rows} OR f.id IN {rows})"
    return sql, (*today[1], str([*other]), str([*passing]))


def _of_memories(filter: Filter) -> "Iterator[Condition]":
    for column, wanted in (("source", filter.sources), ("agent", filter.agents)):
        if wanted:
            yield _column(column, wanted)
    for name, wanted in filter.fields:
        if name == "key":
            yield _of_keys(wanted)
    if filter.sessions:
        marks = _marks(filter.sessions)
        yield _SESSION.format(marks, marks), filter.sessions * 2


def _column(column: str, wanted: "Sequence[str]") -> "Condition":
    return f"f.id IN (SELECT id FROM memory WHERE {column} IN ({_marks(wanted)}))", wanted


def _of_names(filter: Filter) -> "Iterator[Condition]":
    """What an edit may change of any entry, as it is today; `_of_versions` has each as it was."""
    if filter.kinds:
        yield f"f.kind IN ({_marks(filter.kinds)})", filter.kinds
    if filter.path is not None:
        yield _of_files(filter.path)
    for names in map(_names, filter.tags):
        marks = _marks(names)
        yield f"f.id IN (SELECT entry FROM tag WHERE name IN ({marks}) AND present = 1)", names


def _of_edited(filter: Filter) -> "Iterator[Condition]":
    """What an edit may change of a memory alone, likewise."""
    for name, wanted in filter.fields:
        if name in _COLUMNS:
            yield _column(name, wanted)
        elif name != "key":
            yield _FIELD.format(_marks(wanted)), (f"$.{name}", *wanted)
    for module in filter.modules:
        yield (_FOLDER, _folder(module)) if "/" in module else (_MODULE, (module,))
    if filter.min_confidence > 0.0:
        yield "f.id IN (SELECT id FROM memory WHERE confidence >= ?)", (filter.min_confidence,)
    if filter.needs_review is not None:
        # In so many words: an index holds those that wait.
        yield f"f.id IN (SELECT id FROM memory WHERE needs_review = {filter.needs_review:d})", ()


def _of_versions(filter: Filter) -> "Iterator[Condition]":
    if filter.kinds:
        yield f"v.fields ->> 'kind' IN ({_marks(filter.kinds)})", filter.kinds
    if filter.path is not None:
        found, values = _any(_named(filter.path))
        places = " OR ".join(_PLACES)
        yield (
            _ABOUT_THEN.format(found, places),
            ("$.files", *values, *(filter.path for _ in _PLACES)),
        )
    for names in map(_names, filter.tags):
        yield _VALUE_THEN.format(_marks(names)), ("$.tags", *names)
    for name, wanted in filter.fields:
        if name != "key":
            yield _VALUE_THEN.format(_marks(wanted)), (f"$.{name}", *wanted)
    for module in filter.modules:
        if "/" in module:
            own, last, *within = _folder(module)
            yield _FOLDER_THEN, ("$.modules", own, last, "$.files", *within)
        else:
            yield _VALUE_THEN.format("?"), ("$.modules", module)
    if filter.min_confidence > 0.0:
        yield _CONFIDENCE_THEN, (filter.min_confidence,)
    if filter.needs_review is not None:
        yield _NEEDS_REVIEW_THEN.format("IN" if filter.needs_review else "NOT IN"), ()


def _as_of(filter: Filter, edited: "Sequence[Condition]") -> "Condition":
    """By the fields of then of what has changed since; all else is as it is."""
    now, today = _all(edited)
    was, past = _all([*_of_versions(filter)])
    sql = (
        f"(f.id NOT IN (SELECT id FROM memory WHERE updated > ?) AND {now}"
        f" OR f.id IN (SELECT m.id FROM {_THEN} AND {was}))"
    )
    moment = filter.as_of
    return sql, (moment, *today, moment, moment, moment, *past)


def _all(conditions: "Sequence[Condition]") -> "tuple[str, list[Any]]":
    values = [value for _, given in conditions for value in given]
    return " AND ".join(condition for condition, _ in conditions), values


def _any(conditions: "Sequence[Condition]") -> "tuple[str, list[Any]]":
    values = [value for _, given in conditions for value in given]
    return " OR ".join(condition for condition, _ in conditions), values


def _names(tag: str) -> tuple[str, ...]:
    return (*dict.fromkeys((tag, plain_tag(tag))),)


def _folder(module: str) -> "tuple[Any, ...]":
    within = f"{module}/"
    return module, module.rpartition("/")[2], len(within), within


def _of_review(filter: Filter) -> "Iterator[Condition]":
    if not filter.waiting:
        return
    newer: str = ""
    values: tuple[Any, ...] = ()
    if filter.projects is not None:
        newer, values = _WITHIN.format(_marks(filter.projects)), filter.projects
    if filter.now is not None:
        newer, values = newer + _NOW, (*values, filter.now, filter.now)
    yield _WAITS.format(newer), values


def _of_keys(wanted: "Sequence[str]") -> "Condition":
    conditions, values = [], []
    for key in wanted:
        if key.endswith("*"):
            conditions.append(f"{_KEY} >= ? AND {_KEY} < ?")
            values += [key[:-1], key[:-1] + "\U0010ffff"]
        else:
            conditions.append(f"{_KEY} = ?")
            values.append(key)
    return _KEYED.format(" OR ".join(conditions)), values


def _state(filter: Filter) -> "Condition":
    """The states, and time: a memory past its expiry counts as expired in either state.

    One that does not hold yet is in none, unless what is coming counts.
    """
    states = tuple(STATES.index(state) for state in filter.states)
    stands = f"f.state IN ({_marks(states)})"
    if filter.now is None:
        return stands, states
    out, moments = _out(filter)
    if all(state in ALIVE for state in filter.states):
        return f"{stands} AND f.id NOT IN ({out})", (*states, *moments)
    # A memory that ended in another way keeps that state, whatever its date.
    dated = tuple(STATES.index(state) for state in ALIVE)
    if "expired" not in filter.states:
        held = f"f.id NOT IN ({out})"
        alive = f"{stands} AND (f.state NOT IN ({_marks(dated)}) OR {held})"
        return alive, (*states, *dated, *moments)
    passed = f"({stands} OR (f.state IN ({_marks(dated)}) AND f.id IN ({_PAST})))"
    return passed, (*states, *dated, filter.now)


def _held(moment: int, states: "Sequence[str]") -> "Condition":
    """What held at a moment, in one of some states."""
    positions = tuple(STATES.index(state) for state in states)
    sql = _HELD.format(
        quarantined=STATES.index("quarantined"),
        asked="TRUE" if "quarantined" in states else "FALSE",
        deleted=STATES.index("deleted"),
        positions=_marks(positions),
        names=_marks(states),
    )
    return sql, (*(moment,) * 6, *positions, moment, moment, *states)


def _bindable(value: "Any") -> "Any":
    """A value as SQLite takes it: no entry contains a lone surrogate, so it is escaped."""
    return value.encode("utf-8", "backslashreplace").decode() if type(value) is str else value


def _marks(values: "Sequence[Any]") -> str:
    return ", ".join("?" * len(values))


def _of_files(text: str) -> "Condition":
    """Passages in a file that a text names, and memories about one, its folders, or its type.

    The text matches anywhere below the project, whose own folder counts by its whole name; an absolute
    path is a file, or a folder with all its content. The folders above, common to all files of a project,
    are not searched, being no words of a file (`ingest.file_project`). ``*``, ``?`` and ``[`` make it a
    pattern as well, as GLOB knows them.
    """
    condition, values = _any(_named(text))
    places = " OR ".join(_PLACES)
    return (
        f"(f.document IN ({_DOCUMENTS}{condition}) OR f.id IN ({_ABOUT}{condition} OR {places}))",
        (*values, *values, *(text for _ in _PLACES)),
    )


def _named(text: str) -> "list[Condition]":
    text = _bindable(text)
    return [*_plain(text), *_pattern(text)]


def _plain(text: str) -> "Iterator[Condition]":
    yield "instr('/' || name, ?) > 0", (text,)
    whole = text if text.startswith("/") else f"/{text}"
    # Not before the position from which it would reach the end of the project's own folder.
    yield f"instr(substr(path, max({_ABOVE} - ?, 1)), ?) > 0", (len(whole), whole)
    if text.startswith("/"):
        folder = text.rstrip("/")
        yield "path = ?", (folder,)
        yield "substr(path, 1, ?) = ?", (len(folder) + 1, f"{folder}/")


def _pattern(text: str) -> "Iterator[Condition]":
    if _SPECIAL.isdisjoint(text):
        return
    own, slash, _ = text.partition("/")
    # Brackets are also taken literally: folders may be called ``[slug]``.
    for pattern in dict.fromkeys((text, text.replace("[", "[[]"))):
        yield "'/' || name GLOB ?", (pattern if text.startswith(("*", "/")) else f"*{pattern}",)
        if text.startswith("/"):
            yield "path GLOB ?", (pattern,)
        elif slash and _SPECIAL.isdisjoint(own):
            yield f"substr(path, max({_ABOVE} - ?, 1)) GLOB ?", (len(own) + 1, f"/{pattern}")


def best_by_words(condition: str) -> str:
    """The best rows of the word index that pass a condition, as SQL.

    Not ORDER BY rank: FTS5 would sort every row found, while SQLite keeps only the best. Of 18,000 rows
    of 100,000 that takes 11 ms instead of 19, of 184,000 of a million 108 to 171, not 400.
    """
    facets = "" if condition == ALL[0] else "JOIN facet f ON f.id = word_index.rowid"
    return (
        f"SELECT word_index.rowid AS id, -{BM25['word_index']} FROM word_index {facets}"
        f" WHERE word_index MATCH ? AND {condition} ORDER BY 2 DESC LIMIT ?"
    )


def parted(
    words: "Sequence[str]", counts: "Sequence[int]", total: int
) -> tuple[list[str], list[str]]:
    """The words that distinguish documents, and those that more than half of them contain.

    If all are of the second kind, they count as distinguishing.
    """
    both = list(zip(words, counts, strict=True))
    rare = [word for word, count in both if 2 * count <= total]
    if not rare:
        return list(words), []
    return rare, [word for word, count in both if 2 * count > total]


def any_of(phrases: "Iterable[str]") -> str:
    """Some phrases as a full-text expression, quoted and OR-ed."""
    return " OR ".join(map(quoted, phrases))


def quoted(phrase: str) -> str:
    """A phrase as a full-text expression."""
    return f'"{phrase[:-1]}"*' if phrase.endswith("*") else f'"{phrase}"'
