"""Counts over memories, for pages that a person looks at; ranking reads none of them."""

import json
from collections import Counter
from functools import lru_cache
from time import perf_counter

import apsw

from bowerbird.core.history import Event
from bowerbird.core.life import AGEING, DAY
from bowerbird.core.reviewed import worth_of
from bowerbird.core.text import summarise
from bowerbird.core.types import ALIVE, DIGEST, STATES, TRUSTS
from bowerbird.storage.sqlite.nouns.entries import BY_MEMORY
from bowerbird.storage.sqlite.nouns.filters import SINCE, facets_of, tallied, then, waited, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Any

    from bowerbird.core.query import Filter

# SQLite's instructions between two looks at the clock: less than a millisecond.
_STEPS = 10_000
# How many of the most frequent names are counted.
_MOST_NAMES = 12
_STATE = {name: STATES.index(name) for name in STATES}
_ALIVE = f"f.state IN ({_STATE['active']}, {_STATE['quarantined']})"
_OF_PROJECTS = (
    "f.project IN (SELECT id FROM project WHERE uid IN (SELECT value FROM json_each(:projects)))"
)
_MEMORIES = "memory m CROSS JOIN facet f ON f.id = m.id"
# A memory that a person typed or confirmed.
_SEEN = "(m.verified = 1 OR e.origin = 'user')"

# What is deleted, whose last change by a moment did not end it.
_ENDING = (
    "compressed deprecated erased expired forgotten merged pruned removed superseded withdrawn"
)
_GONE = (
    "SELECT count(*) FROM tombstone t WHERE t.uid NOT IN (SELECT uid FROM entry) AND (SELECT a.action"
    " FROM audit a WHERE a.entry = t.uid AND a.at <= ? ORDER BY a.seq DESC LIMIT 1)"
    f" NOT IN ({', '.join(map(repr, _ENDING.split()))})"
)

# Behind every day.
_NEVER = 1 << 62

# As `core.life.current_confidence` computes it.
_FADED = (
    "iif(m.pinned = 1 OR coalesce(m.half_life, 0) = 0, m.confidence, m.confidence"
    f" * pow(0.5, max(:now - m.accessed, 0) / {DAY}.0 / m.half_life))"
)
_USES = "SELECT memory, sum(count) AS uses FROM access GROUP BY memory"
_UNUSED = (
    "facet f NOT INDEXED WHERE f.family = 'memory' AND NOT EXISTS (SELECT 1 FROM entry e"
    " CROSS JOIN access a ON a.memory = e.uid WHERE e.id = f.id)"
)
_FADES = "m.half_life > 0 AND m.pinned = 0"
_WORTH = (
    "m.confidence * iif(m.pinned = 1, 2.0, 1.0) * (1 + coalesce((SELECT sum(a.count) FROM access a"
    " JOIN entry e ON e.uid = a.memory WHERE e.id = m.id), 0))"
)
# The orders of a list: in which direction, and of which parts, each by what and of which rows (None: of
# all that pass; _FADES and _USES: of those that fade or were used, in their order first, so that few are
# looked up). Those of memories leave out passages. What does not fade, and what was never used, are
# parts of their own: they are read in order.
_SORTS: "dict[str, tuple[str, tuple[tuple[str, str | None], ...]]]" = {
    "newest": ("DESC", (("f.created", None),)),
    "oldest": ("ASC", (("f.created", None),)),
    "confidence": ("ASC", (("m.confidence", f"{_MEMORIES} WHERE TRUE"),)),
    "fading": (
        "ASC",
        (
            (_FADED, _FADES),
            ("m.confidence", f"{_MEMORIES} WHERE (coalesce(m.half_life, 0) <= 0 OR m.pinned <> 0)"),
        ),
    ),
    "uses": ("DESC", (("u.uses", _USES), ("0", _UNUSED))),
    # What somebody new should know: sure, pinned, and used by others.
    "best": ("DESC", ((_WORTH, f"{_MEMORIES} WHERE TRUE"),)),
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
        direction, parts = _SORTS[sort]
        falling = direction == "DESC"
        condition, values = where(filter)
        those, theirs = facets_of(filter)
        place = "" if after is None else f"WHERE (by, id) {'<' if falling else '>'} (?, ?)"
        # Of several parts, each may hold all that is left out.
        skipped, left_out = (0, offset) if len(parts) == 1 else (offset, 0)
        found: list[tuple[float, int]] = []
        for measure, source in parts:
            by = measure.replace(":now", str(filter.now or 0))
            most = skipped + limit + 1
            if source == _FADES:
                found += self._fading(by, condition, values, after, most)
                continue
            if source == _USES:
                found += self._used(condition, values, after, most)
                if len(found) == most:
                    break  # what was never used comes last
                continue
            rows, given = (
                (those, theirs) if source is None else (f"{source} AND {condition}", values)
            )
            sql = (
                f"SELECT by, id FROM (SELECT f.id AS id, {by} AS by FROM {rows}) listed {place}"
                f" ORDER BY by {direction}, id {direction} LIMIT ? OFFSET ?"
            )
            found += self._connection.execute(sql, (*given, *(after or ()), most, left_out))
        found.sort(reverse=falling)
        shown = found[skipped : skipped + limit]
        last = shown[-1] if shown and len(found) > skipped + limit else None
        return [row for _, row in shown], last

    def _fading(
        self,
        by: str,
        condition: str,
        values: "Sequence[Any]",
        after: "tuple[float, int] | None",
        most: int,
    ) -> "list[tuple[float, int]]":
        """The memories that fade and pass, the least sure first: of as many as are needed."""
        place = "" if after is None else f" AND ({by}, m.id) > (?, ?)"
        sql = (
            f"WITH first AS MATERIALIZED (SELECT m.id AS id, {by} AS by FROM memory m"
            f" WHERE {_FADES}{place} ORDER BY 2, 1 LIMIT ?) SELECT first.by, first.id FROM first"
            f" CROSS JOIN facet f ON f.id = first.id WHERE {condition} ORDER BY 1, 2 LIMIT ?"
        )
        there, some = self._one("SELECT count(*) FROM memory", ()), most
        while True:
            some *= 8
            found = list(self._connection.execute(sql, (*(after or ()), some, *values, most)))
            if len(found) == most or some >= there:
                return found

    def _used(
        self,
        condition: str,
        values: "Sequence[Any]",
        after: "tuple[float, int] | None",
        most: int,
    ) -> "list[tuple[float, int]]":
        """The memories that were used and pass, the most used first: of as many as are needed."""
        up_to = (_NEVER if after is None else after[0],)
        place, before = ("", ()) if after is None else (" AND (u.uses, f.id) < (?, ?)", after)
        bound = (
            "SELECT coalesce((SELECT sum(count) AS uses FROM access GROUP BY memory"
            " HAVING sum(count) <= ? ORDER BY 1 DESC LIMIT 1 OFFSET ?), 0)"
        )
        sql = (
            f"SELECT u.uses, f.id FROM ({_USES} HAVING sum(count) BETWEEN ? AND ?) u CROSS JOIN entry e"
            " ON e.uid = u.memory CROSS JOIN facet f ON f.id = e.id"
            f" WHERE {condition}{place} ORDER BY 1 DESC, 2 DESC LIMIT ?"
        )
        some = most
        while True:
            some *= 8
            least = self._one(bound, (*up_to, some))
            found = list(self._connection.execute(sql, (least, *up_to, *values, *before, most)))
            if len(found) == most or least <= 0:
                return found

    def worths(self, filter: "Filter", limit: int) -> list[tuple[int, str, int, float]]:
        """Row, id, time and worth (`core.reviewed.worth`) of the newest memories that pass a filter."""
        those, values = facets_of(filter)
        found = self._connection.execute(
            "SELECT m.id, e.uid, w.created, m.metadata, m.confidence FROM (SELECT f.id AS id,"
            f" f.created AS created FROM {those} ORDER BY f.created DESC, f.id DESC LIMIT ?) w"
            " CROSS JOIN memory m ON m.id = w.id CROSS JOIN entry e ON e.id = m.id",
            (*values, limit),
        )
        return [
            (row, id, created, worth_of(json.loads(metadata), sure))
            for row, id, created, metadata, sure in found
        ]

    def count(self, filter: "Filter") -> int:
        """How many entries pass a filter."""
        counted = tallied(filter)
        if counted is not None:
            return self._one(f"SELECT coalesce(sum(entries), 0) FROM {counted[0]}", counted[1])
        those, values = facets_of(filter)
        return self._one(f"SELECT count(*) FROM {those}", values)

    def _one(self, sql: str, values: "Sequence[Any]") -> int:
        return int(next(self._connection.execute(sql, values))[0])

    def facets(
        self, filter: "Filter", seconds: float, only: "Collection[str]" = ()
    ) -> "tuple[dict[str, dict[str, int]], list[str]]":
        """How many entries pass a filter, by kind, state, trust, module, review; what took too long.

        Each count is by name; `review` has `waits` alone. States are those of all entries that pass but
        for their state. `only`: these alone are counted, or all.
        """
        those, values = facets_of(filter)
        waiting_in = ALIVE if filter.states == STATES[:1] else filter.states
        waiting, theirs = facets_of(filter.replace(waiting=True, states=waiting_in))
        in_any, every = facets_of(filter.replace(states=STATES))
        condition, given = where(filter)
        named = f"{_MEMORIES} WHERE m.modules <> '[]' AND {condition}"
        if filter.as_of is not None:
            those, values = then(filter, filter.as_of)
            in_any, every = then(filter.replace(states=STATES), filter.as_of)
            named, given = f"{those} WHERE modules <> '[]'", [*values]
            waiting, theirs = waited(filter.replace(states=waiting_in), filter.as_of)
        counted, its = tallied(filter) or (
            f"(SELECT f.kind, 1 AS entries FROM {those}) one",
            values,
        )
        trusts = ", ".join(f"sum(iif(f.trust = {at}, 1, 0))" for at in range(len(TRUSTS)))
        asked: dict[str, tuple[str, Sequence[Any], Callable[[list[Any]], dict[str, int]]]] = {
            "kinds": (f"SELECT kind, sum(entries) FROM {counted} GROUP BY 1", its, _most),
            "review": (f"SELECT 'waits', count(*) FROM {waiting}", theirs, dict),
            "trusts": (
                f"SELECT {trusts} FROM {those}",
                values,
                lambda rows: {name: int(n) for name, n in zip(TRUSTS, rows[0], strict=True) if n},
            ),
            # By the texts of the lists first: those are few.
            "modules": (
                f"SELECT modules, count(*) FROM {named} GROUP BY 1",
                given,
                lambda rows: _most((name, n) for names, n in rows for name in json.loads(names)),
            ),
            "states": (
                f"SELECT f.state, count(*) FROM {in_any} GROUP BY 1",
                every,
                lambda rows: {STATES[state]: n for state, n in rows},
            ),
        }
        until = perf_counter() + seconds
        rows = {
            facet: self._until(until, sql, its)
            for facet, (sql, its, _) in asked.items()
            if not only or facet in only
        }
        slow = [facet for facet, its in rows.items() if its is None]
        return {facet: asked[facet][2](its) for facet, its in rows.items() if its is not None}, slow

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
        self,
        projects: "Sequence[str] | None",
        before: int,
        limit: int,
        *,
        gone: bool = False,
        by: "Sequence[str]" = (),
    ) -> list[tuple[Event, str, str, str]]:
        """The last changes before one, each with its memory's kind and trust today, and its text then.

        That is the version after the change, or before it where it ended.

        Of some projects, and `gone` those of memories that are in none any more; with None of all. `by`:
        only by these actors.
        """
        found = self._connection.execute(
            "SELECT a.seq, a.at, a.operation, a.action, a.entry, a.actor, a.reason, a.before, a.after,"
            " a.undoes, coalesce(f.kind, ''), coalesce(v.text, nullif(e.summary, ''), e.text, ''),"
            " f.trust FROM audit a LEFT JOIN version v ON v.uid = coalesce(a.after, a.before)"
            " LEFT JOIN entry e ON e.uid = a.entry LEFT JOIN facet f ON f.id = e.id"
            f" WHERE a.seq < :before AND (:projects IS NULL OR {_OF_PROJECTS}"
            " OR (:gone = 1 AND e.id IS NULL))"
            " AND (:by = '[]' OR a.actor IN (SELECT value FROM json_each(:by)))"
            " ORDER BY a.seq DESC LIMIT :limit",
            {
                "before": before,
                "projects": _listed(projects),
                "limit": limit,
                "gone": int(gone),
                "by": json.dumps(list(by)),
            },
        )
        return [
            (
                Event(*row[:10]),
                row[10],
                summarise(row[11]),
                "" if row[12] is None else TRUSTS[row[12]],
            )
            for row in found
        ]

    def changes(
        self, projects: "Sequence[str] | None", limit: int
    ) -> "list[tuple[int, int, str, str, str, str | None, str | None]]":
        """The last changes of what is there, without any text: a fifth of the time of `events`.

        Number, time, operation, action and entry of each, its version before, and what it took back.
        """
        found = self._connection.execute(
            "SELECT a.seq, a.at, a.operation, a.action, a.entry, a.before, a.undoes FROM audit a"
            " CROSS JOIN entry e ON e.uid = a.entry CROSS JOIN facet f ON f.id = e.id"
            f" WHERE (:projects IS NULL OR {_OF_PROJECTS}) ORDER BY a.seq DESC LIMIT :limit",
            {"projects": _listed(projects), "limit": limit},
        )
        return list(found)

    def begins(self, projects: "Sequence[str] | None") -> int | None:
        """The first moment of which a memory of some projects, or of all, says something."""
        found = self._connection.execute(
            f"SELECT min(min(f.created, {SINCE})) FROM {_MEMORIES}"
            f" WHERE :projects IS NULL OR {_OF_PROJECTS}",
            {"projects": _listed(projects)},
        ).fetchone()
        return found[0] if found else None

    def gone(self, moment: int) -> int:
        """How many memories that held at a moment are not in the store any more."""
        return self._one(_GONE, (moment,))

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
        quiet_days: int,
        users_quiet: int,
        threshold: float,
        until: int,
        limit: int,
    ) -> list[tuple[int, int]]:
        """The rows of the active memories that may be pruned first.

        Each with the first day when it may be: when its own day passes, after some half-lives without
        use, or after some quiet days (as many for what a person said) with an effective importance below
        the threshold. What keeps more importance until a time stands behind what may go until then.
        """
        # What is pinned or waits for review goes by a day that was named alone.
        stays = "m.pinned = 1 OR m.needs_review = 1"
        # As `core.life.effective_importance`, at the highest pace.
        faded = (
            f"m.importance < :threshold * (1 + 2 * m.decay_rate * (:until - m.accessed) / {DAY}.0)"
            f" * (1 + {AGEING} * (:until - f.created) / {DAY}.0)"
        )
        quiet = f"max(m.accessed, m.updated) + iif({_SEEN}, :said, :quiet) * {DAY}"
        day = (
            f"min(coalesce(m.expires, {_NEVER}), coalesce(m.valid_to, {_NEVER}),"
            f" iif({stays} OR coalesce(m.half_life, 0) <= 0, {_NEVER},"
            f" max(m.accessed, m.updated) + :lives * m.half_life * {DAY}),"
            f" iif({stays}, {_NEVER}, iif({faded}, {quiet}, max({quiet}, :until + 1))))"
        )
        found = self._connection.execute(
            f"SELECT m.id, {day} AS day FROM {_MEMORIES} CROSS JOIN entry e ON e.id = m.id"
            f" WHERE f.state = {_STATE['active']} AND {_OF_PROJECTS} ORDER BY day LIMIT :limit",
            {
                "projects": _listed(projects),
                "lives": half_lives,
                "quiet": quiet_days,
                "said": users_quiet,
                "threshold": threshold,
                "until": until,
                "limit": limit,
            },
        )
        return [(row, int(day)) for row, day in found]

    def last_change(self) -> int:
        """The number of the last change of a memory; 0 if there is none."""
        return int(next(self._connection.execute("SELECT coalesce(max(seq), 0) FROM audit"))[0])

    def waiting(self, filter: "Filter") -> list[tuple[str, int, bool]]:
        """Of those that pass a filter: id, since when it stands as it does, whether a dispute is open."""
        those, values = facets_of(filter)
        found = self._connection.execute(
            "SELECT e.uid, m.updated, coalesce(v.fields ->> 'disputed', '') <> ''"
            f" FROM (SELECT f.id AS id FROM {those}) w CROSS JOIN memory m ON m.id = w.id"
            " CROSS JOIN entry e ON e.id = m.id LEFT JOIN version v ON v.uid = m.head",
            values,
        )
        return [(id, updated, bool(disputed)) for id, updated, disputed in found]

    def forgotten_waiting(self, projects: "Sequence[str]", since: int) -> list[str]:
        """The ids of what was forgotten after a time while it waited for review."""
        found = self._connection.execute(
            f"SELECT e.uid FROM {_MEMORIES} CROSS JOIN entry e ON e.id = m.id"
            f" WHERE m.needs_review = 1 AND f.state = {_STATE['deleted']} AND m.updated >= :since"
            f" AND {_OF_PROJECTS}",
            {"projects": _listed(projects), "since": since},
        )
        return [id for (id,) in found]

    def left_by_session(self, filter: "Filter", kind: str) -> dict[str, tuple[int, int]]:
        """By session, how many memories pass a filter, without those of a kind, and how many wait."""
        those, values = facets_of(filter)
        found = self._connection.execute(
            f"SELECT m.session, count(*), sum(iif(w.state = {_STATE['quarantined']} OR m.needs_review = 1"
            f" AND w.state = {_STATE['active']}, 1, 0)) FROM (SELECT f.id AS id, f.state AS state"
            f" FROM {those} AND f.kind <> ?) w CROSS JOIN memory m ON m.id = w.id GROUP BY 1",
            (*values, kind),
        )
        return {session: (count, int(waiting)) for session, count, waiting in found}

    def superseded(self, ids: "Sequence[str]") -> list[str]:
        """The ids of those of some memories that another one has replaced."""
        found = self._connection.execute(
            "SELECT e.uid FROM json_each(?) j CROSS JOIN entry e ON e.uid = j.value"
            f" CROSS JOIN facet f ON f.id = e.id WHERE f.state = {_STATE['superseded']}",
            (json.dumps(ids),),
        )
        return [id for (id,) in found]

    def forgotten_tied(self, projects: "Sequence[str]", since: int) -> int:
        """How many memories about files were forgotten after a time."""
        found = self._connection.execute(
            "SELECT count(*) FROM facet f INDEXED BY facet_ended CROSS JOIN memory m ON m.id = f.id"
            f" WHERE f.state <> 0 AND f.state = {_STATE['deleted']}"
            f" AND m.updated >= :since AND m.id IN (SELECT memory FROM anchor) AND {_OF_PROJECTS}",
            {"projects": _listed(projects), "since": since},
        )
        return int(next(found)[0])

    def used_since(self, projects: "Sequence[str]", since: int) -> int:
        """How many active memories, digests apart, were written or used after a time."""
        found = self._connection.execute(
            f"SELECT count(*) FROM {_MEMORIES} WHERE f.state = {_STATE['active']}"
            f" AND f.kind <> '{DIGEST}' AND m.accessed >= :since AND {_OF_PROJECTS}",
            {"projects": _listed(projects), "since": since},
        )
        return int(next(found)[0])

    def by_module(
        self, projects: "Sequence[str]"
    ) -> list[tuple[list[str], list[str], str, int, int, int]]:
        """Memories by the modules that they name, and those without by their files.

        Modules, files (one of the two is empty), kind; how many, of those waiting, and seen by a person.
        """
        found = self._connection.execute(
            "SELECT m.modules, iif(m.modules = '[]', m.files, '[]'), f.kind, count(*),"
            f" sum(m.needs_review), sum(iif({_SEEN}, 1, 0)) FROM {_MEMORIES}"
            " CROSS JOIN entry e ON e.id = m.id WHERE (m.modules <> '[]' OR m.files <> '[]')"
            f" AND {_ALIVE} AND {_OF_PROJECTS} GROUP BY 1, 2, 3",
            {"projects": _listed(projects)},
        )
        # Most lists come once a kind.
        listed = lru_cache(maxsize=None)(json.loads)
        return [
            (listed(modules), listed(files), kind, count, int(waiting), int(seen))
            for modules, files, kind, count, waiting, seen in found
        ]

    def tied(self, projects: "Sequence[str]") -> list[tuple[str, int]]:
        """The files that active memories of some projects are about, each with how many are."""
        found = self._connection.execute(
            f"SELECT a.path, count(DISTINCT a.memory) FROM {BY_MEMORY}"
            f" WHERE f.state = {_STATE['active']} AND {_OF_PROJECTS} GROUP BY a.path",
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


def _most(counts: "Iterable[tuple[str, int]]") -> dict[str, int]:
    """The names that are counted most often, with all their counts."""
    summed: Counter[str] = Counter()
    for name, count in counts:
        summed[name] += int(count)
    return dict(sorted(summed.items(), key=lambda one: (-one[1], one[0]))[:_MOST_NAMES])


def _listed(projects: "Sequence[str] | None") -> str | None:
    return None if projects is None else json.dumps(list(projects))
