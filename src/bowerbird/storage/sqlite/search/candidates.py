"""Candidates by words and by meaning, with every filter applied inside, and their neighbours.

CROSS JOIN prevents SQLite from reordering a join: the list of rows always comes first, the table is
looked up.
"""

import apsw

from bowerbird.core import plainjson
from bowerbird.core.life import Life
from bowerbird.core.neighbourhood import WIDTH, closeness, windows
from bowerbird.core.query import BY_NAME, Filter
from bowerbird.core.types import Facts
from bowerbird.storage.sqlite.nouns.damaged_rows import UNREADABLE, sparing
from bowerbird.storage.sqlite.nouns.entries import ENDS, Entries, joined
from bowerbird.storage.sqlite.nouns.filters import (
    ALL,
    WHOLES,
    any_of,
    best_by_words,
    condition_of,
    where,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from bowerbird.core.types import Entry, Vector
    from bowerbird.storage.sqlite.nouns.filters import Condition

# Up to this number of entries every vector is compared exactly (4 ms at 10,000); above, sketches select.
EXACT_LIMIT = 15_000
# Sketches rescored exactly. Asked with 50 stored vectors and 100 questions they keep of the exact
# hundred .986 and .982 at 100,000 passages recombined from real text, .977 and .979 at a million, and
# where that is filled up with sums of two of its vectors .977 and .977 at two millions, .972 and .974
# at three; of the exact ten .99 or more. At a million 3,200 keep .992 and .990 of the hundred.
RESCORED = 1_600
# The speaker of a turn, its characters, and whether it ends with a question. Of a memory, which has no
# lines, the speaker is its author, by whom nothing is ranked. What nobody said is not measured: its text
# would have to be read.
_TURN = "e.start_line IS NOT NULL AND e.speaker <> ''"
SAID = (
    f"iif({_TURN}, e.speaker, ''), iif({_TURN}, length(e.text), 0),"
    f" {_TURN} AND substr(e.text, -1) IN ('?', '？', '؟')"
)
# The document and the ordinal in it as one number; adjacent passages have adjacent ones. A prime that is
# near no power of two mixes the low bits, by which dictionaries place numbers: with 2^32 - 1, most
# look-ups collided.
_POSITIONS = 2_654_435_761
_POSITION = f"f.document * {_POSITIONS} + f.ordinal"
# Each row with each neighbour and the characters between them.
_NEIGHBOURS = """
WITH near (id, beside, apart) AS MATERIALIZED (
    SELECT f.id, n.id, abs(n.place - f.place) FROM json_each(?1) j CROSS JOIN facet f ON f.id = j.value
    CROSS JOIN facet n ON n.document = f.document
        AND n.ordinal BETWEEN f.ordinal - ?2 AND f.ordinal + ?2 AND n.id <> f.id
)
SELECT id, beside, apart, NULL, NULL FROM near
"""
_THEIR_VECTORS = """
UNION ALL SELECT v.id, NULL, 1 - vec_distance_cosine(vec_int8(v.int8), vec_int8(?3)), v.norm, v.window
FROM (SELECT value AS id FROM json_each(?1) UNION SELECT beside FROM near) n
CROSS JOIN vector v ON v.model = ?4 AND v.id = n.id WHERE v.norm > 0
"""
_HISTORIES = """
WITH related (id, other, strength) AS MATERIALIZED ({related})
SELECT id, NULL, CAST(other AS TEXT), strength, NULL, NULL, NULL, NULL, NULL FROM related
UNION ALL SELECT m.id, f.kind, iif(m.verified, 'user_taught', m.source), m.importance, m.confidence,
    iif(m.pinned, NULL, m.half_life), m.accessed,
    (SELECT coalesce(sum(a.count), 0) FROM access a WHERE a.memory = e.uid),
    coalesce((SELECT c.days FROM file_changes c WHERE c.memory = m.id), 0)
FROM (SELECT value AS id FROM json_each(?) UNION SELECT other FROM related) j
CROSS JOIN memory m ON m.id = j.id CROSS JOIN facet f ON f.id = m.id CROSS JOIN entry e ON e.id = m.id
"""


class CandidateSource:
    """Rows that may answer a query, with absolute scores of one signal each, in one snapshot."""

    def __init__(
        self,
        connection: "apsw.Connection",
        damaged: "set[int] | None" = None,
        conditions: "dict[Filter, Condition] | None" = None,
    ) -> None:
        """`damaged` collects the rows that are left out because they cannot be read.

        `conditions` are those that are known in this snapshot, to be filled.
        """
        self._connection = connection
        self.damaged = set() if damaged is None else damaged
        self._conditions = {} if conditions is None else conditions

    def lexical(
        self, phrases: "Sequence[str]", filter: Filter, limit: int, beside: "Sequence[str]" = ()
    ) -> list[tuple[int, float]]:
        """The best rows for any of some phrases, with BM25 (higher is better).

        A phrase is words separated by single spaces: quoted here, so that any of them is safe. Its last
        word may be a prefix, marked by ``*``. With `beside`, a row must also contain any of those
        phrases.
        """
        wanted = f"({any_of(phrases)}) AND ({any_of(beside)})" if beside else any_of(phrases)
        condition, values = self._condition(filter)
        return list(self._connection.execute(best_by_words(condition), (wanted, *values, limit)))

    def containing(self, word: str, filter: Filter, limit: int) -> "Sequence[Entry]":
        """The best entries that contain a word in any form."""
        condition, values = self._condition(filter)
        try:
            asked = (any_of((word,)), *values, limit)
            found = joined(self._connection, best_by_words(condition), "id", 2, asked)
        except UNREADABLE:
            rows = [row for row, _ in self.lexical((word,), filter, limit)]
            return list(Entries(self._connection, self.damaged).load(rows).values())
        return [entry for _, entry in found]

    def row_counts(self, phrases: "Sequence[str]") -> list[int]:
        """In how many rows each phrase occurs in any form, regardless of the filter."""
        each = "(SELECT count(*) FROM word_index WHERE word_index MATCH ?)"
        asked = f"SELECT {', '.join([each] * len(phrases))}"
        found = self._connection.execute(asked, [any_of([one]) for one in phrases])
        return list(next(found)) if phrases else []

    def dense(
        self, vector: "Vector", model: int, filter: Filter, limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """The rows whose vectors of `model` lie nearest, with their cosines.

        `entries` is the size of the store: it decides between the exact scan and the sketches.
        """
        try:
            return self._dense(vector, model, filter, limit, entries)
        except (apsw.SQLError, ValueError):
            # A damaged vector or sketch has another length than the others; then each is compared
            # separately.
            condition, values = where(filter)
            found = self._connection.execute(f"SELECT f.id FROM facet f WHERE {condition}", values)
            cosines = self.cosines(vector, model, [row for (row,) in found])
            return sorted(cosines.items(), key=lambda item: -item[1])[:limit]

    def _dense(
        self, vector: "Vector", model: int, filter: Filter, limit: int, entries: int
    ) -> list[tuple[int, float]]:
        if entries <= EXACT_LIMIT:
            return scan(self._connection, self._condition(filter), vector, model, limit)
        from bowerbird.storage.sqlite.nouns.sketch import sketch  # start-up: for large stores

        condition, values = self._condition(filter)
        nominated = self._connection.execute(
            f"SELECT f.id FROM facet f WHERE f.sketch IS NOT NULL AND {condition}"
            " ORDER BY vec_distance_hamming(vec_bit(f.sketch), vec_bit(?)) LIMIT ?",
            (*values, sketch(vector.values), RESCORED),
        )
        cosines = self.cosines(vector, model, [row[0] for row in nominated])
        return sorted(cosines.items(), key=lambda item: -item[1])[:limit]

    def wholes(
        self, words: "Sequence[str]", wanted: "Collection[int]"
    ) -> tuple[list[tuple[int, float]], list[int], int]:
        """Scores whole documents: BM25, each word's count, and the number of documents.

        Only documents of several passages are indexed as a whole; those without any of the words are left
        out. A word that most of them contain has a weight of a millionth.
        """
        among = plainjson.escaped(list(wanted))
        counts: list[int] = []
        total, scores = 0, {}
        asked = plainjson.escaped([any_of([word]) for word in words])
        for kind, row, value in self._connection.execute(WHOLES, (asked, among, among)):
            if kind == "document":
                scores[row] = value
            elif kind == "word":
                counts.append(value)
            else:
                total = value
        return list(scores.items()), counts, total

    def tier(self, entries: int, _model: int | None) -> str:
        """The search method for nearest vectors in a store of that size."""
        return "exact" if entries <= EXACT_LIMIT else "sketch"

    @sparing(2)
    def cosines(self, vector: "Vector", model: int, rows: "Sequence[int]") -> dict[int, float]:
        """The cosines of some rows; rows without a vector of `model` are left out."""
        return dict(
            self._connection.execute(
                "SELECT v.id, 1 - vec_distance_cosine(vec_int8(v.int8), vec_int8(?))"
                " FROM json_each(?) j CROSS JOIN vector v ON v.model = ? AND v.id = j.value"
                " WHERE v.norm > 0",
                (vector.values, plainjson.escaped(list(rows)), model),
            )
        )

    def around(
        self,
        rows: "Sequence[int]",
        cosines: "Mapping[int, float]",
        vector: "Vector | None",
        model: int,
    ) -> tuple[list[tuple[int, int, float]], dict[int, float], dict[int, float]]:
        """Neighbours of some rows, with their closeness; and a vector's similarity to each neighbourhood.

        That is its cosine with the row's neighbourhood and, separately, the sum of its cosines, weighted
        by closeness, with those neighbours that `cosines` leaves out.
        """
        try:
            pairs, vectors = self._neighbourhoods(rows, vector, model)
        except UNREADABLE:
            if vector is None:
                raise
            pairs, _ = self._neighbourhoods(rows, None, model)
            vectors = self._vectors_of(list({*rows, *(pair[1] for pair in pairs)}), vector, model)
        here = set(rows)
        among = [pair for pair in pairs if pair[1] in here]
        if vector is None:
            return among, {}, {}
        return among, *windows(rows, vectors, pairs, cosines)

    def _neighbourhoods(
        self, rows: "Sequence[int]", vector: "Vector | None", model: int
    ) -> tuple[list[tuple[int, int, float]], dict[int, tuple[float, float, float]]]:
        """Neighbours of some rows, with closeness; and what `_vectors_of` gives, of both."""
        values: list[Any]
        sql, values = _NEIGHBOURS, [plainjson.escaped(list(rows)), WIDTH]
        if vector is not None:
            sql, values = sql + _THEIR_VECTORS, [*values, vector.values, model]
        pairs = []
        vectors = {}
        for row, beside, value, norm, window in self._connection.execute(sql, values):
            if beside is None:
                vectors[row] = (value, norm, window)
            else:
                pairs.append((row, beside, closeness(value)))
        return pairs, vectors

    @sparing(0)
    def _vectors_of(
        self, rows: "Sequence[int]", vector: "Vector", model: int
    ) -> dict[int, tuple[float, float, float]]:
        """The cosine of each row's vector, its length, and that of its sum with its neighbours'."""
        found = self._connection.execute(
            "SELECT v.id, 1 - vec_distance_cosine(vec_int8(v.int8), vec_int8(?1)), v.norm, v.window"
            " FROM json_each(?2) j CROSS JOIN vector v ON v.model = ?3 AND v.id = j.value"
            " WHERE v.norm > 0",
            (vector.values, plainjson.escaped(rows), model),
        )
        return {row: (cosine, norm, window) for row, cosine, norm, window in found}

    def adjacent(self, rows: "Sequence[int]") -> tuple[list[tuple[int, int, int]], set[int]]:
        """Pairs of some rows that are near in one document, and those that are program code.

        Read for all candidates, whereas `facts` are read for the ranked quarter only: those are in wide
        rows.
        """
        found = self._positions(rows)
        at = {position: row for row, position, _ in found}
        pairs = [
            (row, at[position + step], step)
            for step in range(1, WIDTH + 1)
            for position, row in at.items()
            if position + step in at
        ]
        return pairs, {row for row, _, code in found if code}

    @sparing(0)
    def _positions(self, rows: "Sequence[int]") -> list[tuple[int, int, bool]]:
        found = self._connection.execute(
            f"SELECT f.id, {_POSITION}, d.source = 'code' FROM json_each(?) j"
            " CROSS JOIN facet f ON f.id = j.value CROSS JOIN document d ON d.id = f.document",
            (plainjson.escaped(list(rows)),),
        )
        return list(found)

    def facts(self, rows: "Sequence[int]") -> Facts:
        """The facts about some rows that ranking reads."""
        found = self._facts(rows)
        said = [
            (row, speaker, length, asks) for row, _, _, speaker, length, asks in found if speaker
        ]
        return Facts(
            {row: document for row, document, _, _, _, _ in found},
            {row: speaker for row, speaker, _, _ in said},
            {row: length for row, _, length, _ in said},
            {row: created for row, _, created, _, _, _ in found},
            {row for row, _, _, asks in said if asks},
        )

    @sparing(0)
    def _facts(self, rows: "Sequence[int]") -> "list[tuple[Any, ...]]":
        found = self._connection.execute(
            f"SELECT f.id, f.document, f.created, {SAID} FROM json_each(?) j"
            " CROSS JOIN facet f ON f.id = j.value CROSS JOIN entry e ON e.id = f.id",
            (plainjson.escaped(list(rows)),),
        )
        return list(found)

    @sparing(0)
    def histories(
        self, memories: "Sequence[int]", starts: "Collection[int]", filter: Filter
    ) -> "tuple[list[tuple[int, int, float]], dict[int, Life]]":
        """Relations and lives of memories, in one statement.

        The relations are of those memories that are in `starts`: the memory, that at the other end, and
        the strength. Age and use are of all, and of those at the other ends; a pinned one does not fade.
        """
        condition, values = where(filter)
        of_related = " UNION ALL ".join(
            "SELECT e.id, f.id, r.strength * r.confidence FROM json_each(?) j"
            " CROSS JOIN entry e ON e.id = j.value"
            f" CROSS JOIN relation r ON r.{near} = e.uid AND r.present = 1"
            f" CROSS JOIN entry o ON o.uid = r.{far}"
            f" CROSS JOIN facet f ON f.id = o.id WHERE {condition}"
            for near, far in ENDS
        )
        related = [row for row in memories if row in starts]
        found = self._connection.execute(
            _HISTORIES.format(related=of_related),
            (*(plainjson.escaped(related), *values) * len(ENDS), plainjson.escaped(list(memories))),
        )
        relations = []
        lives = {}
        for row, kind, other, strength, *facts in found:
            if kind is None:
                relations.append((row, int(other), strength))
            else:
                lives[row] = Life(kind, other, strength, *facts)
        return relations, lives

    def speaking_of(
        self, names: "Sequence[str]", filter: Filter, limit: int
    ) -> list[tuple[int, float]]:
        """The passages whose code refers to one of some names, with the confidence of the edge.

        An unresolved name counts as the weakest edge.
        """
        condition, values = where(filter)
        found = self._connection.execute(
            "WITH said (document, line, sure) AS ("
            " SELECT g.document, g.line, g.confidence FROM json_each(?1) j"
            " CROSS JOIN node n ON n.name = j.value AND n.kind <> 'file'"
            " CROSS JOIN edge g ON g.target = n.id AND g.kind NOT IN ('documents', 'overrides')"
            " UNION ALL SELECT g.document, g.line, ?2 FROM json_each(?1) j"
            " CROSS JOIN edge g ON g.tail = j.value AND g.target IS NULL AND g.kind <> 'documents')"
            " SELECT f.id, max(s.sure) FROM said s CROSS JOIN facet f ON f.document = s.document"
            " CROSS JOIN entry e ON e.id = f.id AND s.line BETWEEN e.start_line AND e.end_line"
            f" WHERE {condition} GROUP BY f.id ORDER BY 2 DESC, 1 LIMIT ?",
            (plainjson.escaped(list(names)), BY_NAME, *values, limit),
        )
        return list(found)

    def about(self, files: "Sequence[str]", filter: Filter, limit: int) -> list[int]:
        """The memories that are anchored to a file, the most important first, by row.

        `files` are paths or the ends of paths, in lower case.
        """
        condition, values = where(filter)
        # The end of a path ends with a mark, which paths do not hold.
        named = " OR ".join("instr('/' || lower(a.path) || '|', ?) > 0" for _ in files)
        found = self._connection.execute(
            "SELECT f.id FROM anchor a CROSS JOIN facet f ON f.id = a.memory"
            f" CROSS JOIN memory m ON m.id = f.id WHERE ({named}) AND {condition} GROUP BY f.id"
            " ORDER BY max(m.pinned) DESC, max(m.importance) DESC, f.id DESC LIMIT ?",
            (*(f"/{path}|" for path in files), *values, limit),
        )
        return [row for (row,) in found]

    def passes_all(self, filter: Filter) -> bool:
        """Whether every entry passes the filter."""
        return self._condition(filter)[0] == ALL[0]

    def _condition(self, filter: Filter) -> "Condition":
        """The filter as SQL over `f`; an empty one if every entry passes."""
        known = self._conditions.get(filter)
        if known is None:
            known = self._conditions[filter] = condition_of(self._connection, filter)
        return known


def scan(
    connection: "apsw.Connection", condition: "Condition", vector: "Vector", model: int, limit: int
) -> list[tuple[int, float]]:
    """The nearest rows by an exact scan of every vector: the reference for the other methods."""
    passes, values = condition
    facets = "" if passes == ALL[0] else "JOIN facet f ON f.id = v.id"
    found = connection.execute(
        "SELECT v.id, 1 - vec_distance_cosine(vec_int8(v.int8), vec_int8(?))"
        f" FROM vector v {facets} WHERE v.model = ? AND v.norm > 0 AND {passes}"
        " ORDER BY 2 DESC, 1 LIMIT ?",
        (vector.values, model, *values, limit),
    )
    return list(found)
