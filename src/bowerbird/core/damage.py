"""The results of verification, backup, restore and recovery."""

from bowerbird.core.value import Record

# The kinds of damage, with their meaning.
HURTS = {
    "structure": "the file itself: pages of SQLite that do not fit together",
    "text": "what an entry says, its context, its speaker, its lines",
    "facets": "by what it is narrowed and ranked: trust, state, kind, project, time, sketch",
    "vector": "what the model made of it",
    "fields": "what only memories have, their tags, versions, relations, uses and history",
    "file": "what is known of an indexed file: its path, its content's hash",
    "graph": "what code defines, and what calls, imports or links to it",
    "words": "by what words it is found, and how rare they are",
}


class Damage(Record):
    """One damaged item: `hurt` is one of HURTS, `entry` the id or path it belongs to, if any.

    `told` describes the damage.
    """

    hurt: str
    entry: str
    told: str
    remedy: str


class Verified(Record):
    """The result of a check: how many rows match their seals, of how many entries, and the damage.

    `sampled`: only some entries were checked, without their word indexes.
    """

    entries: int = 0
    rows: int = 0
    damages: tuple[Damage, ...] = ()
    sampled: bool = False
    took_ms: float = 0.0
    TABLE = (
        ("sound", "flag"),
        ("damages", [Damage]),
        ("entries", "whole"),
        ("rows", "whole"),
        ("sampled", "flag"),
        ("took_ms", "ms"),
    )

    @property
    def sound(self) -> bool:
        """Whether nothing is damaged."""
        return not self.damages


class BackedUp(Record):
    """A verified backup: its path, size in bytes, entries, and the old backups that were removed."""

    path: str
    size_bytes: int
    entries: int
    removed: tuple[str, ...] = ()


class Restored(Record):
    """A restored store: the backup, its entries, and where the replaced store was moved.

    `erased`: memories of the backup that had been erased from the replaced store: they stay erased, or
    are back, if that was asked for (`with_erased`). None: the replaced store could not tell.
    """

    path: str
    source: str
    entries: int
    aside: str
    erased: "tuple[str, ...] | None" = ()
    with_erased: bool = False


class Recovered(Record):
    """A recovered store: rows by table, those lost, and those that are doubtful.

    Doubtful rows are readable but fail their checksum.
    """

    path: str
    entries: int
    indexed: int
    saved: "dict[str, int]"
    lost: "dict[str, int]"
    doubtful: "dict[str, int]"
