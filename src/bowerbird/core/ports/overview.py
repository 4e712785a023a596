"""The port to counts over memories."""

from collections.abc import Collection, Sequence
from typing import Protocol

from bowerbird.core.history import Event
from bowerbird.core.query import Filter


class Overview(Protocol):
    """Counts and sorts memories for pages. Knows nothing of scores, nor of who looks."""

    def page(
        self, filter: Filter, limit: int, offset: int, sort: str, after: tuple[float, int] | None
    ) -> tuple[list[int], tuple[float, int] | None]:
        """The rows that pass a filter in an order of `core.answers.SORTS`, and where the next begin."""
        ...

    def worths(self, filter: Filter, limit: int) -> list[tuple[int, str, int, float]]:
        """Row, id, time and worth (`core.reviewed.worth`) of the newest memories that pass a filter."""
        ...

    def count(self, filter: Filter) -> int:
        """How many entries pass a filter."""
        ...

    def facets(
        self, filter: Filter, seconds: float, only: Collection[str] = ()
    ) -> tuple[dict[str, dict[str, int]], list[str]]:
        """How many entries pass a filter, by kind, state, trust, module, review; what took too long.

        `only`: these alone are counted, or all.
        """
        ...

    def events(
        self,
        projects: Sequence[str] | None,
        before: int,
        limit: int,
        *,
        gone: bool = False,
        by: Sequence[str] = (),
    ) -> list[tuple[Event, str, str, str]]:
        """The last changes before one, each with the kind, summary and trust of its memory today.

        Of some projects, and `gone` those of memories that are in none any more; with None of all. `by`:
        only by these actors.
        """
        ...

    def changes(
        self, projects: Sequence[str] | None, limit: int
    ) -> list[tuple[int, int, str, str, str, str | None, str | None]]:
        """The last changes of what is there: number, time, operation, action, entry, before, undoes."""
        ...

    def begins(self, projects: Sequence[str] | None) -> int | None:
        """The first moment of which a memory of some projects, or of all, says something."""
        ...

    def gone(self, moment: int) -> int:
        """How many memories that held at a moment are not in the store any more."""
        ...

    def fading(self, projects: Sequence[str], now: int) -> list[tuple[str, float, int, int]]:
        """Kind, half-life in days (0: none), tenth of current confidence; and how many memories."""
        ...

    def soonest(
        self,
        projects: Sequence[str],
        half_lives: float,
        quiet_days: int,
        users_quiet: int,
        threshold: float,
        until: int,
        limit: int,
    ) -> list[tuple[int, int]]:
        """The rows of the active memories that may be pruned first.

        Each with when it may be at the earliest, by its day, half-lives, or quiet days with too little
        importance until a time; the first first.
        """
        ...

    def last_change(self) -> int:
        """The number of the last change of a memory; 0 if there is none."""
        ...

    def waiting(self, filter: Filter) -> list[tuple[str, int, bool]]:
        """Of those that pass a filter: id, since when it stands as it does, whether a dispute is open."""
        ...

    def forgotten_waiting(self, projects: Sequence[str], since: int) -> list[str]:
        """The ids of what was forgotten after a time while it waited for review."""
        ...

    def left_by_session(self, filter: Filter, kind: str) -> dict[str, tuple[int, int]]:
        """By session, how many memories pass a filter, without those of a kind, and how many wait."""
        ...

    def superseded(self, ids: Sequence[str]) -> list[str]:
        """The ids of those of some memories that another one has replaced."""
        ...

    def forgotten_tied(self, projects: Sequence[str], since: int) -> int:
        """How many memories about files were forgotten after a time."""
        ...

    def used_since(self, projects: Sequence[str], since: int) -> int:
        """How many active memories, digests apart, were written or used after a time."""
        ...

    def by_module(
        self, projects: Sequence[str]
    ) -> list[tuple[list[str], list[str], str, int, int, int]]:
        """Modules or else files, kind; how many memories, waiting ones, and ones a person has seen."""
        ...

    def tied(self, projects: Sequence[str]) -> list[tuple[str, int]]:
        """The files that active memories of some projects are about, each with how many are."""
        ...

    def files(self, projects: Sequence[str]) -> list[tuple[str, str, bool]]:
        """The files of projects: path, name within, and whether a memory is about it."""
        ...
