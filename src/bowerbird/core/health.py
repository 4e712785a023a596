"""The results of `doctor` and of computing vectors."""

from bowerbird.core.value import Record, Value, fresh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    from bowerbird.core.value import Table

LEVELS = ("ok", "warning", "problem")
OK, WARNING, PROBLEM = LEVELS
# The name of findings about an agent's hooks; their origin is the agent.
HOOKS = "hooks"


class Finding(Record):
    """One check: `level` is one of LEVELS, `remedy` is empty if there is nothing to do.

    `origin` of a setting is the file, variable or flag of its value; of hooks, their agent.
    """

    check: str
    found: str
    level: str = OK
    remedy: str = ""
    origin: str = ""
    TABLE = ("check", "found", "level", "origin", "remedy")


class CacheState(Record):
    """The vector cache: vectors, how often they were used, their size in bytes.

    `models` counts the vectors of each model; `max_entries` is the limit.
    """

    vectors: int = 0
    hits: int = 0
    size_bytes: int = 0
    max_entries: int = 0
    models: "dict[str, int]" = fresh(dict)
    TABLE: "Table" = (
        ("hits", "whole"),
        ("max_entries", "whole"),
        ("models", "counts"),
        ("size_bytes", "whole"),
        ("vectors", "whole"),
    )


class Warmed(Record):
    """The result of computing vectors with `model`: entries computed now, and all entries."""

    newly_cached: int = 0
    total: int = 0
    model: str = ""
    TABLE = (("newly_cached", "whole"), ("total", "whole"))


class Findings(tuple["Finding", ...]):
    """The results of several checks."""

    __slots__ = ()

    def as_dict(self) -> "dict[str, Any]":
        """The checks as every interface serialises them."""
        return Examined(self).as_dict()


class Examined(Record):
    """The checks, and whether all passed."""

    findings: tuple[Finding, ...]
    TABLE = (("healthy", "flag"), ("warnings", "whole"), ("problems", "whole"), "*")

    @property
    def healthy(self) -> bool:
        """Whether there is no problem; warnings are allowed."""
        return not self.problems

    @property
    def warnings(self) -> int:
        """The number of warnings."""
        return sum(one.level == WARNING for one in self.findings)

    @property
    def problems(self) -> int:
        """The number of problems."""
        return sum(one.level == PROBLEM for one in self.findings)


class Emptied(CacheState):
    """The vector cache after some vectors were removed."""

    removed: int = 0
    TABLE = (*CacheState.TABLE, ("removed", "whole"))

    @classmethod
    def of(cls, state: CacheState, removed: int) -> "Self":
        """The state after so many were removed."""
        return cls(**state.raw_dict(), removed=removed)


class Reread(Record):
    """What was rebuilt: the number of embedded entries, and of entries in the word indexes.

    `unreadable` counts damaged texts that cannot be indexed. None if not requested.
    """

    read: int | None = None
    model: str = ""
    indexed: int | None = None
    unreadable: int | None = None
    TABLE = (
        ("indexed", "whole-"),
        ("unreadable", "whole-"),
        ("read", "whole-"),
        ("model_used", "text-", "model"),
    )


class Failure(Value):
    """An error and its remedy. `error_type` is one of core.errors."""

    __slots__ = ("error", "error_type", "remedy", "status")
    TABLE = (("error", "text"), ("status", "text"), ("remedy", "text"), ("error_type", "text"))

    def __init__(self, error: str, remedy: str, error_type: str) -> None:
        self.error = error
        self.status = "error"
        self.remedy = remedy
        self.error_type = error_type
