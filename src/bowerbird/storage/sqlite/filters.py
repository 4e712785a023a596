"""A filter as SQL over `facet`, applied while candidates are generated, never after."""

from bowerbird.core.query import Filter
from bowerbird.core.types import STATES, TRUSTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import apsw

    Condition = tuple[str, Sequence[Any]]

# The states that a memory's day ends.
_DATED = frozenset({"active", "quarantined"})
_PAST = "SELECT id FROM memory WHERE expires <= ?"
# A memory is found by the files it is about as a passage is by the file it stands in.
_PATHS = (
    "(f.document IN (SELECT id FROM document WHERE path GLOB ? OR path GLOB ?) OR f.id IN"
    " (SELECT m.id FROM memory m, json_each(m.files) j WHERE j.value GLOB ? OR j.value GLOB ?))"
)
_MODULE = "f.id IN (SELECT m.id FROM memory m, json_each(m.modules) j WHERE j.value = ?)"
_NOT_BEGINNING = "f.id NOT IN (SELECT id FROM entry WHERE uid >= ? AND uid < ?)"
_MATCHING = "f.id IN (SELECT rowid FROM word_index WHERE word_index MATCH ?)"
# The condition that everything passes.
ALL: "tuple[str, list[Any]]" = ("1", [])
_PATTERN_CHARACTERS = frozenset("*?[")


def needless(connection: "apsw.Connection", filter: Filter) -> bool:
    """Whether every entry of the store passes the filter, as in most stores with the usual one.

    Then nothing need be joined to ask: a quarter of the time of a question at 100,000 entries.
    """
    usual = Filter(projects=filter.projects, now=filter.now)
    if filter != usual:
        return False
    if connection.execute("SELECT 1 FROM facet WHERE state <> 0 LIMIT 1").fetchone():
        return False
    if filter.now is not None and connection.execute(f"{_PAST} LIMIT 1", (filter.now,)).fetchone():
        return False
    if filter.projects is None:
        return True
    others = f"SELECT 1 FROM project WHERE uid NOT IN ({_marks(filter.projects)}) LIMIT 1"
    return not connection.execute(others, filter.projects).fetchone()


def where(filter: Filter) -> "tuple[str, list[Any]]":
    """The condition over the alias `f` of `facet`, and its parameters. Never empty."""
    conditions = [_state(filter), *_of_any_entry(filter), *_of_words(filter), *_of_memories(filter)]
    values = [_bindable(value) for _, given in conditions for value in given]
    return " AND ".join(condition for condition, _ in conditions), values


def expired_between(connection: "apsw.Connection", then: int, now: int) -> bool:
    """Whether any memory's day came after `then` and not after `now`."""
    found = connection.execute(
        "SELECT 1 FROM memory WHERE expires > ? AND expires <= ? LIMIT 1", (then, now)
    )
    return found.fetchone() is not None


def _of_any_entry(filter: Filter) -> "Iterator[Condition]":
    if filter.projects is not None:
        marks = _marks(filter.projects)
        yield f"f.project IN (SELECT id FROM project WHERE uid IN ({marks}))", filter.projects
    if filter.families:
        yield f"f.family IN ({_marks(filter.families)})", filter.families
    if filter.kinds:
        yield f"f.kind IN ({_marks(filter.kinds)})", filter.kinds
    if filter.min_trust != TRUSTS[0]:
        yield "f.trust >= ?", (TRUSTS.index(filter.min_trust),)
    if filter.since is not None:
        yield "f.created >= ?", (filter.since,)
    if filter.until is not None:
        yield "f.created <= ?", (filter.until,)
    if filter.path is not None:
        yield _PATHS, path_patterns(filter.path) * 2
    for tag in filter.tags:
        yield "f.id IN (SELECT entry FROM tag WHERE name = ? AND present = 1)", (tag,)
    for start in filter.exclude:
        yield _NOT_BEGINNING, (start, start + "\U0010ffff")


def _of_words(filter: Filter) -> "Iterator[Condition]":
    if filter.matching is not None:
        yield _MATCHING, (filter.matching.expression,)


def _of_memories(filter: Filter) -> "Iterator[Condition]":
    for column, wanted in (
        ("scope", filter.scopes),
        ("audience", filter.audiences),
        ("source", filter.sources),
        ("agent", filter.agents),
        ("session", filter.sessions),
    ):
        if wanted:
            yield f"f.id IN (SELECT id FROM memory WHERE {column} IN ({_marks(wanted)}))", wanted
    for module in filter.modules:
        yield _MODULE, (module,)
    if filter.min_confidence > 0.0:
        yield "f.id IN (SELECT id FROM memory WHERE confidence >= ?)", (filter.min_confidence,)
    if filter.needs_review is not None:
        wanted_review = (int(filter.needs_review),)
        yield "f.id IN (SELECT id FROM memory WHERE needs_review = ?)", wanted_review


def _state(filter: Filter) -> "Condition":
    """The states, and the day: what has passed it is expired, whether it was moved there or not."""
    states = tuple(STATES.index(state) for state in filter.states)
    stands = f"f.state IN ({_marks(states)})"
    if filter.now is None:
        return stands, states
    if _DATED.issuperset(filter.states):
        return f"{stands} AND f.id NOT IN ({_PAST})", (*states, filter.now)
    # What ended otherwise is told as that, whatever its day.
    dated = tuple(STATES.index(state) for state in _DATED)
    if "expired" not in filter.states:
        alive = f"{stands} AND (f.state NOT IN ({_marks(dated)}) OR f.id NOT IN ({_PAST}))"
        return alive, (*states, *dated, filter.now)
    passed = f"({stands} OR (f.state IN ({_marks(dated)}) AND f.id IN ({_PAST})))"
    return passed, (*states, *dated, filter.now)


def _bindable(value: "Any") -> "Any":
    """A value as SQLite takes it: half a character stands in no entry, and is spelt out."""
    return value.encode("utf-8", "backslashreplace").decode() if type(value) is str else value


def _marks(values: "Sequence[Any]") -> str:
    return ", ".join("?" * len(values))


def path_patterns(path: str) -> tuple[str, str]:
    """A file, folder or pattern as GLOB: a plain text stands anywhere in the path.

    The second is the same with brackets meant as such: folders are called ``[slug]``, too.
    """
    plain = path.replace("[", "[[]")
    return _pattern(path, _PATTERN_CHARACTERS), _pattern(plain, _PATTERN_CHARACTERS - {"["})


def _pattern(path: str, characters: "frozenset[str]") -> str:
    if characters.isdisjoint(path):
        return f"*{path}*"
    return path if path.startswith(("*", "/")) else f"*{path}"
