"""What a look at the store's health found."""

from bowerbird.core.value import Value

LEVELS = ("ok", "warning", "problem")
OK, WARNING, PROBLEM = LEVELS


class Finding(Value):
    """One thing looked at: `level` is one of LEVELS, `remedy` empty where nothing is to be done.

    Of a setting, `origin` is the file, variable or flag that its value came from.
    """

    __slots__ = ("check", "found", "level", "origin", "remedy")

    def __init__(
        self, check: str, found: str, level: str = OK, remedy: str = "", origin: str = ""
    ) -> None:
        self.check = check
        self.found = found
        self.level = level
        self.remedy = remedy
        self.origin = origin


class CacheState(Value):
    """What is kept of what models read: vectors, how often they were used, their size in bytes.

    `models` counts the vectors of each; `max_entries` is how many may be kept.
    """

    __slots__ = ("hits", "max_entries", "models", "size_bytes", "vectors")

    def __init__(
        self,
        vectors: int = 0,
        hits: int = 0,
        size_bytes: int = 0,
        max_entries: int = 0,
        models: "dict[str, int] | None" = None,
    ) -> None:
        self.vectors = vectors
        self.hits = hits
        self.size_bytes = size_bytes
        self.max_entries = max_entries
        self.models = models or {}


class Warmed(Value):
    """What came of letting the model read: entries it read now, and all that there are."""

    __slots__ = ("newly_cached", "total")

    def __init__(self, newly_cached: int = 0, total: int = 0) -> None:
        self.newly_cached = newly_cached
        self.total = total
