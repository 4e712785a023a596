"""The results of verification, backup, restore and recovery."""

from bowerbird.core.value import Value

# The kinds of damage, with their meaning.
HURTS = {
    "structure": "the file itself: pages of SQLite that do not fit together",
    "text": "what an entry says, its context, its speaker, its lines",
    "facets": "by what it is narrowed and ranked: trust, state, kind, project, time, sketch",
    "vector": "what the model made of it",
    "fields": "what only memories have, their tags, versions, relations, uses and history",
    "file": "what is known of an indexed file: its path, its content's hash",
    "words": "by what words it is found, and how rare they are",
}


class Damage(Value):
    """One damaged item: `hurt` is one of HURTS, `entry` the id or path it belongs to, if any.

    `told` describes the damage.
    """

    __slots__ = ("entry", "hurt", "remedy", "told")

    def __init__(self, hurt: str, entry: str, told: str, remedy: str) -> None:
        self.hurt = hurt
        self.entry = entry
        self.told = told
        self.remedy = remedy


class Verified(Value):
    """The result of a check: how many rows match their seals, of how many entries, and the damage.

    `sampled`: only some entries were checked, without their word indexes.
    """

    __slots__ = ("damages", "entries", "rows", "sampled", "took_ms")
    TABLE = (
        *(("sound", "flag"), ("damages", [Damage]), ("entries", "whole"), ("rows", "whole")),
        *(("sampled", "flag"), ("took_ms", "ms")),
    )

    def __init__(
        self,
        entries: int = 0,
        rows: int = 0,
        damages: tuple[Damage, ...] = (),
        sampled: bool = False,
        took_ms: float = 0.0,
    ) -> None:
        self.entries = entries
        self.rows = rows
        self.damages = damages
        self.sampled = sampled
        self.took_ms = took_ms

    @property
    def sound(self) -> bool:
        """Whether nothing is damaged."""
        return not self.damages


class BackedUp(Value):
    """A verified backup: its path, size in bytes, entries, and the old backups that were removed."""

    __slots__ = ("entries", "path", "removed", "size_bytes")

    def __init__(
        self, path: str, size_bytes: int, entries: int, removed: tuple[str, ...] = ()
    ) -> None:
        self.path = path
        self.size_bytes = size_bytes
        self.entries = entries
        self.removed = removed


class Restored(Value):
    """A restored store: the backup, its entries, and where the replaced store was moved."""

    __slots__ = ("aside", "entries", "path", "source")

    def __init__(self, path: str, source: str, entries: int, aside: str) -> None:
        self.path = path
        self.source = source
        self.entries = entries
        self.aside = aside


class Recovered(Value):
    """A recovered store: rows by table, those lost, and those that are doubtful.

    Doubtful rows are readable but fail their checksum.
    """

    __slots__ = ("doubtful", "entries", "indexed", "lost", "path", "saved")

    def __init__(
        self,
        path: str,
        entries: int,
        indexed: int,
        saved: "dict[str, int]",
        lost: "dict[str, int]",
        doubtful: "dict[str, int]",
    ) -> None:
        self.path = path
        self.entries = entries
        self.indexed = indexed
        self.saved = saved
        self.lost = lost
        self.doubtful = doubtful
