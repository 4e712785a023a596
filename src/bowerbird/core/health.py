"""The results of checking the store's health."""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.value import Table

LEVELS = ("ok", "warning", "problem")
OK, WARNING, PROBLEM = LEVELS
# What a finding about the hooks of an agent is called; its origin is the agent.
HOOKS = "hooks"


class Finding(Value):
    """One check: `level` is one of LEVELS, `remedy` is empty if there is nothing to do.

    Of a setting, `origin` is the file, variable or flag that its value came from; of hooks, their agent.
    """

    __slots__ = ("check", "found", "level", "origin", "remedy")
    TABLE = (
        *(("check", "text"), ("found", "text"), ("level", "text"), ("origin", "text")),
        ("remedy", "text"),
    )

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
    TABLE: "Table" = (
        *(("hits", "whole"), ("max_entries", "whole"), ("models", "counts")),
        *(("size_bytes", "whole"), ("vectors", "whole")),
    )

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
    """What came of letting the `model` read: entries it read now, and all that there are."""

    __slots__ = ("model", "newly_cached", "total")
    TABLE = (("newly_cached", "whole"), ("total", "whole"))

    def __init__(self, newly_cached: int = 0, total: int = 0, model: str = "") -> None:
        self.model = model
        self.newly_cached = newly_cached
        self.total = total


class Examined(Value):
    """The checks, and whether all passed."""

    __slots__ = ("findings",)
    TABLE = (
        *(("healthy", "flag"), ("warnings", "whole"), ("problems", "whole")),
        ("findings", [Finding]),
    )

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings

    @property
    def healthy(self) -> bool:
        """Whether nothing is broken; a warning breaks nothing."""
        return not self.problems

    @property
    def warnings(self) -> int:
        """How many checks need attention."""
        return sum(one.level == WARNING for one in self.findings)

    @property
    def problems(self) -> int:
        """How many are broken."""
        return sum(one.level == PROBLEM for one in self.findings)


class Emptied(CacheState):
    """What is kept after some of it was taken out."""

    __slots__ = ("removed",)
    TABLE = (*CacheState.TABLE, ("removed", "whole"))

    def __init__(self, state: CacheState, removed: int) -> None:
        super().__init__(**state.raw_dict())
        self.removed = removed


class Reread(Value):
    """What was rebuilt: how many entries were embedded, how many the word indexes hold.

    `unreadable` are damaged texts that no index can hold. None if not requested.
    """

    __slots__ = ("indexed", "model", "read", "unreadable")
    TABLE = (
        *(
            ("indexed", "whole-"),
            ("unreadable", "whole-"),
            ("read", "whole-"),
            ("model_used", "text-", "model"),
        ),
    )

    def __init__(
        self,
        read: int | None = None,
        model: str = "",
        indexed: int | None = None,
        unreadable: int | None = None,
    ) -> None:
        self.read = read
        self.model = model
        self.indexed = indexed
        self.unreadable = unreadable


class Failure(Value):
    """What went wrong, and what to do about it. `error_type` is one of core.errors."""

    __slots__ = ("error", "error_type", "remedy", "status")
    TABLE = (("error", "text"), ("status", "text"), ("remedy", "text"), ("error_type", "text"))

    def __init__(self, error: str, remedy: str, error_type: str) -> None:
        self.error = error
        self.status = "error"
        self.remedy = remedy
        self.error_type = error_type
