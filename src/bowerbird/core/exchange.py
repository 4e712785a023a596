"""What one store gives another: its memories whole, and the rows that belong to none of them.

Times are UTC milliseconds. A stamp is one of the hybrid logical clock (`core.hlc`); stamps order changes
across all copies of a store.
"""

from bowerbird.core.history import Gone
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from bowerbird.core.history import Version

    # The values of a row, in the order of its sort's columns.
    Row = tuple[Any, ...]


# What an export can be: everything as lines, a folder of notes, a kept block, a copy of the store.
FORMS = ("jsonl", "markdown", "rules", "archive")


class Held(Record):
    """A memory as one copy of a store holds it, with all its versions, the oldest first.

    `said` is when it was said, `accessed` its last use; `head` names its current version. `tags` are
    names with whether they are present and the stamp of that; `uses` counts by replica. `half_life`
    (days; None: it does not fade) differs from that of its fields only in old versions without one.
    """

    id: str
    project: str
    trust: str
    said: int
    origin: str
    source: str
    agent: str
    session: str
    tainted: bool
    importance: float
    decay_rate: float
    half_life: "float | None"
    accessed: int
    head: str
    tags: "tuple[tuple[str, bool, str], ...]"
    uses: "Mapping[str, int]"
    versions: "tuple[Version, ...]"

    @property
    def current(self) -> "Version":
        """The version at its head."""
        return next(one for one in self.versions if one.id == self.head)


class Sort(Record):
    """A sort of rows: its columns with their shapes (core.value), and those that identify a row."""

    name: str
    columns: "tuple[tuple[str, str], ...]"
    key: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns."""
        return tuple(name for name, _ in self.columns)

    def keyed(self, row: "Row") -> "Row":
        """What identifies a row."""
        named = dict(zip(self.names, row, strict=True))
        return tuple(named[name] for name in self.key)


def _sort(name: str, columns: str, key: str) -> Sort:
    """A sort by its columns, each `name` (a text) or `name:shape`."""
    parted = (one.partition(":") for one in columns.split())
    found = tuple((column, shape or "text") for column, _, shape in parted)
    return Sort(name, found, tuple(key.split()))


# In the order in which they are taken: what others refer to first. Memories come behind aliases.
SORTS = {
    one.name: one
    for one in (
        _sort("project", "uid name root:text?", "uid"),
        _sort("alias", "uid project head", "uid project"),
        _sort("tombstone", "uid at:whole reason stamp", "uid"),
        _sort(
            "relation",
            "source target kind strength:number confidence:number automatic:flag present:flag"
            " created:whole stamp",
            "source target kind",
        ),
        _sort("verdict", "token at:whole project line", "token"),
        _sort("digest", "session line", "session"),
        _sort(
            "foreign_file",
            "project path session at:whole why settled:whole? settled_by",
            "project path session",
        ),
        _sort("foreign_name", "project name at:whole", "project name"),
        _sort(
            "event",
            "at:whole operation action entry actor reason before:text? after:text? undoes:text?",
            "operation",
        ),
    )
}
BEFORE_MEMORIES = ("project", "alias")


class Contents(Record):
    """All that one store gives: its memories, and its other rows by sort."""

    memories: "Sequence[Held]"
    rows: "Mapping[str, Sequence[Row]]"

    def named(self, sort: str) -> "Iterable[dict[str, Any]]":
        """The rows of a sort, by the names of their columns."""
        names = SORTS[sort].names
        return (dict(zip(names, row, strict=True)) for row in self.rows.get(sort, ()))

    def within(self, projects: "Sequence[str]") -> "Contents":
        """What belongs to some projects, by their uids; what belongs to none is left out."""
        memories = [one for one in self.memories if one.project in projects]
        ids = {one.id for one in memories}

        def rows(sort: str, column: str, wanted: "Iterable[str]") -> "list[Row]":
            at, among = SORTS[sort].names.index(column), set(wanted)
            return [row for row in self.rows.get(sort, ()) if row[at] in among]

        return Contents(
            memories,
            {
                "project": rows("project", "uid", projects),
                "alias": rows("alias", "project", projects),
                "relation": rows("relation", "source", ids),
                "verdict": rows("verdict", "project", projects),
                "foreign_file": rows("foreign_file", "project", projects),
                "foreign_name": rows("foreign_name", "project", projects),
                "event": rows("event", "entry", ids),
            },
        )


class Exported(Record):
    """What was written: how many memories, in which form, and where (empty: standard output).

    `kept_back` counts those of the person that a file of a repository does not get unasked.
    """

    path: str
    form: str
    memories: int
    versions: int = 0
    removed: int = 0
    size_bytes: int = 0
    took_ms: float = 0.0
    kept_back: int = 0
    TABLE = ("*", ("took_ms", "ms"))


class Refused(Record):
    """A part of what was given that could not be taken, and why."""

    place: str
    error: str
    TABLE = ("*",)


class Received(Record):
    """What became of the contents of another store: of its memories, each counted once.

    `added` are new here, `changed` were merged with the one known by their id, `same` changed nothing,
    `known` say what another memory says already and were merged into it or it into them; `gone` were
    erased or pruned on either side, `removed` those of them that this store had. `waiting` are the
    memories whose texts differ on both sides, or that one side ended and the other one did not: they
    wait for a person. `lowered` are those of this store
    that are trusted less than before, or no longer pinned or active, by what was changed in the other
    one. `opposed` are memories of both stores that contradict each other, `uncompared` how many were too
    many to be compared for that. `rows` counts the new rows of each other sort.
    """

    added: int = 0
    changed: int = 0
    same: int = 0
    known: int = 0
    gone: int = 0
    removed: "tuple[Gone, ...]" = ()
    waiting: tuple[str, ...] = ()
    lowered: tuple[str, ...] = ()
    opposed: tuple[str, ...] = ()
    uncompared: int = 0
    rows: "Mapping[str, int]" = {}  # noqa: RUF012 never changed
    refused: tuple[Refused, ...] = ()
    TABLE = ("*", ("removed", [Gone]))
