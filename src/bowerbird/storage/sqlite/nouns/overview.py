"""Counts over memories, for pages that a person looks at; ranking reads none of them."""

import json
from time import perf_counter

import apsw

from bowerbird.core.history import Event
from bowerbird.core.life import DAY
from bowerbird.core.types import STATES, TRUSTS
from bowerbird.storage.sqlite.nouns.filters import where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.core.query import Filter

# SQLite's instructions between two looks at the clock: less than a millisecond.
_STEPS = 10_000
# How many of the most frequent names are counted.
_MOST_NAMES = 12
_STATE = {name: STATES.index(name) for name in STATES}
_WAITS = f"(m.needs_review = 1 OR f.state = {_STATE['quarantined']})"
_ALIVE = f"f.state IN ({_STATE['active']}, {_STATE['quarantined']})"
_OF_PROJECTS = (
    "f.project IN (SELECT id FROM project WHERE uid IN (SELECT value FROM json_each(:projects)))"
)
_MEMORIES = "memory m CROSS JOIN facet f ON f.id = m.id"
# A memory that a person typed or confirmed.
_SEEN = "(m.verified = 1 OR e.origin = 'user')"

# As `core.life.current_confidence` computes it.
_FADED = (
    "iif(m.pinned = 1 OR coalesce(m.half_life, 0) = 0, m.confidence, m.confidence"
    f" * pow(0.5, max(:now - m.accessed, 0) / {DAY}.0 / m.half_life))"
)
# Few memories were used, so that their uses are counted first.
_USED = (
    f"{_MEMORIES} LEFT JOIN (SELECT e.id AS memory, sum(a.count) AS uses FROM access a"
    " CROSS JOIN entry e ON e.uid = a.memory GROUP BY 1) u ON u.memory = m.id"
)
# The orders of a list: by what, in which direction, of which rows. Those of memories leave out passages.
_SORTS = {
    "newest": ("f.created", "DESC", "facet f"),
    "oldest": ("f.created", "ASC", "facet f"),
    "confidence": ("m.confidence", "ASC", _MEMORIES),
    "fading": (_FADED, "ASC", _MEMORIES),
    "uses": ("coalesce(u.uses, 0)", "DESC", _USED),
}


class Overview:
    """Counts over the memories of some projects, on one connection."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def page(
        self,
        filter: "Filter",
        limit: int,
        offset: int,
        sort: str,
        after: "tuple[float, int] | None",
    ) -> "tuple[list[int], tuple[float, int] | None]":
        """The rows that pass a filter in an order (core.answers.SORTS), and where the next page begins.

        `after` is such a place: what the last row was sorted by, and the row. None: from the start, or
        nothing is left.
        """
        by, direction, source = _SORTS[sort]
        condition, values = where(filter)
        place = ""
        if after is not None:
            place = f"WHERE (by, id) {'>' if direction == 'ASC' else '<'} (?, ?)"
        sql = (
            f"SELECT id, by FROM (SELECT f.id AS id, {by.replace(':now', str(filter.now or 0))} AS by"
            f" FROM {source} WHERE {condition}) listed {place}"
            f" ORDER BY by {direction}, id {direction} LIMIT ? OFFSET ?"
        )
        found = list(self._connection.execute(sql, (*values, *(after or ()), limit + 1, offset)))
        last = (found[limit - 1][1], found[limit - 1][0]) if len(found) > limit else None
        return [row for row, _ in found[:limit]], last

    def count(self, filter: "Filter") -> int:
        """How many entries pass a filter."""
        condition, values = where(filter)
        found = self._connection.execute(f"SELECT count(*) FROM facet f WHERE {condition}", values)
        return int(next(found)[0])

    def facets(
        self, filter: "Filter", seconds: float
    ) -> "tuple[dict[str, dict[str, int]], list[str]]":
        """How many entries pass a filter, by kind, state, trust, module, review; what took too long.

        Each count is by name; `review` has `waits` alone. States are those of all entries that pass but
        for their state.
        """
        condition, values = where(filter)
        in_any, every = where(filter.replace(states=STATES))
        most = f"ORDER BY 2 DESC, 1 LIMIT {_MOST_NAMES}"
        named = f"{_MEMORIES}, json_each(m.modules) j WHERE m.modules <> '[]' AND {condition}"
        waits = f"{_MEMORIES} WHERE m.needs_review = 1 AND {condition}"
        passing = f"facet f WHERE {condition}"
        asked = {
            "kinds": (f"SELECT f.kind, count(*) FROM {passing} GROUP BY 1 {most}", values),
            "review": (f"SELECT 'waits', count(*) FROM {waits}", values),
            "trusts": (f"SELECT f.trust, count(*) FROM {passing} GROUP BY 1", values),
            "states": (f"SELECT f.state, count(*) FROM facet f WHERE {in_any} GROUP BY 1", every),
            "modules": (f"SELECT j.value, count(*) FROM {named} GROUP BY 1 {most}", values),
        }
        names = {"trusts": TRUSTS, "states": STATES}
        until = perf_counter() + seconds
        found: dict[str, dict[str, int]] = {}
        slow = []
        for facet, (sql, given) in asked.items():
            rows = self._until(until, sql, given)
            if rows is None:
                slow.append(facet)
                continue
            known = names.get(facet)
            found[facet] = {known[name] if known else name: count for name, count in rows}
        return found, slow

    def _until(self, until: float, sql: str, values: "Sequence[Any]") -> "list[Any] | None":
        """What a statement returns; None if it lasts longer than to a time of `perf_counter`."""
        self._connection.set_progress_handler(lambda: perf_counter() > until, _STEPS)
        try:
            return list(self._connection.execute(sql, values))
        except apsw.InterruptError:
            return None
        finally:
            self._connection.set_progress_handler(None)

    def events(
        self, projects: "Sequence[str] | None", before: int, limit: int, *, gone: bool = False
    ) -> list[tuple[Event, str, str, str]]:
        """The last changes before one, each with the kind, summary and trust of its memory today.

        Of some projects, and `gone` those of memories that are in none any more; with None of all.
        """
        found = self._connection.execute(
            "SELECT a.seq, a.at, a.operation, a.action, a.entry, a.actor, a.reason, a.before, a.after,"
            " a.undoes, coalesce(f.kind, ''), coalesce(nullif(e.summary, ''), e.text, ''), f.trust"
            " FROM audit a LEFT JOIN entry e ON e.uid = a.entry LEFT JOIN facet f ON f.id = e.id"
            f" WHERE a.seq < :before AND (:projects IS NULL OR {_OF_PROJECTS}"
            " OR (:gone = 1 AND e.id IS NULL))"
            " ORDER BY a.seq DESC LIMIT :limit",
            {"before": before, "projects": _listed(projects), "limit": limit, "gone": int(gone)},
        )
        return [
            (Event(*row[:10]), row[10], row[11], "" if row[12] is None else TRUSTS[row[12]])
            for row in found
        ]

    def begins(self, projects: "Sequence[str] | None") -> int | None:
        """The first moment of which a memory of some projects, or of all, says something."""
        found = self._connection.execute(
            f"SELECT min(min(f.created, coalesce(m.valid_from, f.created))) FROM {_MEMORIES}"
            f" WHERE :projects IS NULL OR {_OF_PROJECTS}",
            {"projects": _listed(projects)},
        ).fetchone()
        return found[0] if found else None

    def fading(self, projects: "Sequence[str]", now: int) -> list[tuple[str, float, int, int]]:
        """Kind, half-life in days (0: none), tenth of current confidence; and how many memories."""
        # A hair above, so that .8 is eight tenths however it is computed.
        tenth = f"min(9, CAST(floor({_FADED} * 10 + 1e-6) AS INTEGER))"
        found = self._connection.execute(
            f"SELECT f.kind, coalesce(m.half_life, 0), {tenth}, count(*) FROM {_MEMORIES}"
            f" WHERE f.state = {_STATE['active']} AND {_OF_PROJECTS} GROUP BY 1, 2, 3",
            {"projects": _listed(projects), "now": now},
        )
        return list(found)

    def soonest(
        self,
        projects: "Sequence[str]",
        half_lives: float,
        quiet: int,
        users_quiet: int,
        limit: int,
    ) -> list[int]:
        """The rows of the active memories that may be pruned first.

        When they expire, after some half-lives without use, or after some quiet days: as many for what a
        person said.
        """
        day = (
            f"min(coalesce(m.expires, {1 << 62}), iif(coalesce(m.half_life, 0) > 0,"
            f" max(m.accessed, m.updated) + :lives * m.half_life * {DAY}, {1 << 62}),"
            f" max(m.accessed, m.updated) + iif({_SEEN}, :said, :quiet) * {DAY})"
        )
        found = self._connection.execute(
            f"SELECT m.id FROM {_MEMORIES} CROSS JOIN entry e ON e.id = m.id"
            f" WHERE f.state = {_STATE['active']} AND m.pinned = 0 AND m.needs_review = 0"
            f" AND {_OF_PROJECTS} ORDER BY {day} LIMIT :limit",
            {
                "projects": _listed(projects),
                "lives": half_lives,
                "quiet": quiet,
                "said": users_quiet,
                "limit": limit,
            },
        )
        return [row for (row,) in found]

    def last_change(self) -> int:
        """The number of the last change of a memory; 0 if there is none."""
        return int(next(self._connection.execute("SELECT coalesce(max(seq), 0) FROM audit"))[0])

    def waiting(self, projects: "Sequence[str]", since: int) -> list[tuple[str, bool, int]]:
        """The memories that wait for review, or were forgotten after `since` while they waited.

        Each with whether it still waits, and since when.
        """
        found = self._connection.execute(
            f"SELECT e.uid, {_ALIVE}, m.updated FROM {_MEMORIES} CROSS JOIN entry e ON e.id = m.id"
            f" WHERE {_WAITS} AND {_OF_PROJECTS}"
            f" AND ({_ALIVE} OR (f.state = {_STATE['deleted']} AND m.updated >= :since))",
            {"projects": _listed(projects), "since": since},
        )
        return [(id, bool(alive), updated) for id, alive, updated in found]

    def forgotten_tied(self, projects: "Sequence[str]", since: int) -> int:
        """How many memories about files were forgotten after a time."""
        found = self._connection.execute(
            f"SELECT count(*) FROM {_MEMORIES} WHERE f.state = {_STATE['deleted']}"
            f" AND m.updated >= :since AND m.id IN (SELECT memory FROM anchor) AND {_OF_PROJECTS}",
            {"projects": _listed(projects), "since": since},
        )
        return int(next(found)[0])

    def used_since(self, projects: "Sequence[str]", since: int) -> int:
        """How many active memories were written or used after a time."""
        found = self._connection.execute(
            f"SELECT count(*) FROM {_MEMORIES} WHERE f.state = {_STATE['active']}"
            f" AND m.accessed >= :since AND {_OF_PROJECTS}",
            {"projects": _listed(projects), "since": since},
        )
        return int(next(found)[0])

    def by_module(self, projects: "Sequence[str]") -> list[tuple[str, str, str, int, int, int]]:
        """Memories by the modules that they name, and those without by their files.

        Module, file (one of the two is empty), kind; how many, of those waiting, and seen by a person.
        """
        found = self._connection.execute(
            "SELECT {module}, {file}, f.kind, count(*), sum(m.needs_review), sum(iif({seen}, 1, 0))"
            " FROM {memories} CROSS JOIN entry e ON e.id = m.id, json_each({names}) j"
            " WHERE {names} <> '[]' AND {only} AND {alive} AND {of_projects} GROUP BY 1, 2, 3"
            " UNION ALL ".format(
                module="j.value", file="''", names="m.modules", only="TRUE", **_SQL
            )
            + "SELECT {module}, {file}, f.kind, count(*), sum(m.needs_review), sum(iif({seen}, 1, 0))"
            " FROM {memories} CROSS JOIN entry e ON e.id = m.id, json_each({names}) j"
            " WHERE {names} <> '[]' AND {only} AND {alive} AND {of_projects} GROUP BY 1, 2, 3".format(
                module="''", file="j.value", names="m.files", only="m.modules = '[]'", **_SQL
            ),
            {"projects": _listed(projects)},
        )
        return list(found)

    def files(self, projects: "Sequence[str]") -> list[tuple[str, str, bool]]:
        """The files of code of some projects, else all files: path, name in the project, any memory."""
        found = self._connection.execute(
            "SELECT d.path, d.name, EXISTS (SELECT 1 FROM anchor a JOIN facet f ON f.id = a.memory"
            " WHERE a.path IN (d.path, d.name) AND f.state = 0), o.document IS NOT NULL FROM document d"
            " JOIN project p ON p.id = d.project LEFT JOIN outline o ON o.document = d.id"
            " WHERE d.session = '' AND p.uid IN (SELECT value FROM json_each(?))",
            (_listed(projects),),
        )
        rows = list(found)
        code = [row for row in rows if row[3]]
        return [(path, name, bool(tied)) for path, name, tied, _ in code or rows]


_SQL = {"seen": _SEEN, "memories": _MEMORIES, "alive": _ALIVE, "of_projects": _OF_PROJECTS}


def _listed(projects: "Sequence[str] | None") -> str | None:
    return None if projects is None else json.dumps(list(projects))
