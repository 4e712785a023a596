"""Candidates by words and by meaning, with every filter applied inside, and their neighbours.

CROSS JOIN prevents SQLite from reordering a join: the list of rows always comes first, the table is
looked up.
"""

import json

import apsw

from bowerbird.core.life import Life
from bowerbird.core.neighbourhood import WIDTH, closeness, windows
from bowerbird.core.query import BY_NAME, FIELD_WEIGHTS, Filter
from bowerbird.core.types import SAME_SUBJECT, Facts, Link
from bowerbird.storage.sqlite.damaged_rows import sparing
from bowerbird.storage.sqlite.filters import ALL, any_of, needless, parted, where
from bowerbird.storage.sqlite.sketch import sketch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from bowerbird.core.types import Vector
    from bowerbird.storage.sqlite.filters import Condition

# Up to this number of entries every vector is compared exactly (4 ms at 10,000); above, sketches select.
EXACT_LIMIT = 15_000
# Sketches rescored exactly. Asked with 50 stored vectors and 100 questions they keep of the exact
# hundred .986 and .982 at 100,000 passages recombined from real text, .977 and .979 at a million, and
# where that is filled up with sums of two of its vectors .977 and .977 at two millions, .972 and .974
# at three; of the exact ten .99 or more. At a million 3,200 keep .992 and .990 of the hundred.
RESCORED = 1_600
# The weight that FTS5's BM25 gives to a word that more than half of all rows contain.
LEAST = 1e-6
# The speaker of an entry, its characters, and whether it ends with a question. What nobody said is not
# measured: its text would have to be read.
SAID = (
    "e.speaker, iif(e.speaker = '', 0, length(e.text)),"
    " e.speaker <> '' AND substr(e.text, -1) IN ('?', '？', '؟')"
)
_ABOUT_THE_SAME = ", ".join(f"'{kind}'" for kind in SAME_SUBJECT)
# When a memory got its current text, by an edit or when it was written.
_SAID = (
    "(SELECT max(min(v.created), {of}f.created) FROM version v, facet {of}f"
    " WHERE v.memory = {of}.uid AND v.text = {of}.text AND {of}f.id = {of}.id)"
)
# The cosine of two vectors; NULL if one is missing, which the function would report as damaged.
_COSINE = (
    "CASE WHEN {one}.int8 NOT NULL AND {other}.int8 NOT NULL"
    " THEN 1 - vec_distance_cosine(vec_int8({one}.int8), vec_int8({other}.int8)) END"
)
# The document and the ordinal in it as one number; adjacent passages have adjacent ones. A prime that is
# near no power of two mixes the low bits, by which dictionaries place numbers: with 2^32 - 1, most
# look-ups collided.
_POSITIONS = 2_654_435_761
_POSITION = f"f.document * {_POSITIONS} + f.ordinal"
# The number of documents in the whole-document index; counting the index itself would read every row's
# size.
_DOCUMENTS = "(SELECT count(*) FROM document_index_docsize)"
# The BM25 expression of each full-text table.
BM25 = {
    "word_index": f"bm25(word_index, {', '.join(map(str, FIELD_WEIGHTS))})",
    "document_index": "bm25(document_index)",
}


class CandidateSource:
    """Rows that may answer a query, with absolute scores of one signal each, in one snapshot."""

    def __init__(self, connection: "apsw.Connection", damaged: "set[int] | None" = None) -> None:
        """`damaged` collects the rows that are left out because they cannot be read."""
        self._connection = connection
        self.damaged = set() if damaged is None else damaged
        self._conditions: dict[Filter, Condition] = {}

    def lexical(
        self,
        phrases: "Sequence[str]",
        filter: Filter,
        limit: int,
        beside: "Sequence[str]" = (),
    ) -> list[tuple[int, float]]:
        """The best rows for any of some phrases, with BM25 (higher is better).

        A phrase is words separated by single spaces: quoted here, so that any of them is safe. Its last
        word may be a prefix, marked by ``*``. With `beside`, a row must also contain any of those
        phrases.
        """
        wanted = f"({any_of(phrases)}) AND ({any_of(beside)})" if beside else any_of(phrases)
        condition, values = self._condition(filter)
        joined = "" if condition == ALL[0] else "JOIN facet f ON f.id = word_index.rowid"
        # Not ORDER BY rank: FTS5 would sort every row found, while SQLite keeps only the best. Of 18,000
        # rows of 100,000 that takes 11 ms instead of 19, of 184,000 of a million 108 to 171, not 400.
        found = self._connection.execute(
            f"SELECT word_index.rowid, -{BM25['word_index']} FROM word_index {joined}"
            f" WHERE word_index MATCH ? AND {condition} ORDER BY 2 DESC LIMIT ?",
            (wanted, *values, limit),
        )
        return list(found)

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
        each = "(SELECT count(*) FROM document_index WHERE document_index MATCH ?)"
        total, *counts = next(
            self._connection.execute(
                f"SELECT {', '.join([_DOCUMENTS, *[each] * len(words)])}",
                [any_of([word]) for word in words],
            )
        )
        if not total:
            return [], counts, total
        rare, common = parted(words, counts, total)
        # Only the wanted ones are scored. The plus keeps FTS5 from repeating the query for each of them.
        matching = "document_index MATCH ? AND +rowid IN (SELECT value FROM json_each(?))"
        among = json.dumps(list(wanted))
        scores = {}
        if common:
            found = self._connection.execute(
                f"SELECT rowid FROM document_index WHERE {matching}", (any_of(common), among)
            )
            scores = {row: LEAST for (row,) in found}
        scores |= self._connection.execute(
            f"SELECT rowid, -{BM25['document_index']} FROM document_index WHERE {matching}",
            (any_of(rare), among),
        )
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
                (vector.values, json.dumps(list(rows)), model),
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
        found = self._connection.execute(
            "SELECT f.id, n.id, abs(n.place - f.place) FROM json_each(?1) j"
            " CROSS JOIN facet f ON f.id = j.value"
            " CROSS JOIN facet n ON n.document = f.document"
            " AND n.ordinal BETWEEN f.ordinal - ?2 AND f.ordinal + ?2 AND n.id <> f.id",
            (json.dumps(list(rows)), WIDTH),
        )
        pairs = [(row, beside, closeness(characters)) for row, beside, characters in found]
        here = set(rows)
        among = [pair for pair in pairs if pair[1] in here]
        if vector is None:
            return among, {}, {}
        beside = here.union(neighbour for _, neighbour, _ in pairs)
        vectors = self._vectors_of(list(beside), vector, model)
        return among, *windows(rows, vectors, pairs, cosines)

    @sparing(0)
    def _vectors_of(
        self, rows: "Sequence[int]", vector: "Vector", model: int
    ) -> dict[int, tuple[float, float, float]]:
        """The cosine of each row's vector, its length, and that of its sum with its neighbours'."""
        found = self._connection.execute(
            "SELECT v.id, 1 - vec_distance_cosine(vec_int8(v.int8), vec_int8(?1)), v.norm, v.window"
            " FROM json_each(?2) j CROSS JOIN vector v ON v.model = ?3 AND v.id = j.value"
            " WHERE v.norm > 0",
            (vector.values, json.dumps(rows), model),
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
            (json.dumps(list(rows)),),
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
            (json.dumps(list(rows)),),
        )
        return list(found)

    @sparing(0)
    def related(self, rows: "Sequence[int]", filter: Filter) -> list[tuple[int, int, float]]:
        """The memories at the other end of each row's relations, with their strength."""
        condition, values = where(filter)
        ends = (("source", "target"), ("target", "source"))
        found = self._connection.execute(
            " UNION ALL ".join(
                "SELECT e.id, f.id, r.strength * r.confidence FROM json_each(?) j"
                " CROSS JOIN entry e ON e.id = j.value"
                f" CROSS JOIN relation r ON r.{near} = e.uid AND r.present = 1"
                f" CROSS JOIN entry o ON o.uid = r.{far}"
                f" CROSS JOIN facet f ON f.id = o.id WHERE {condition}"
                for near, far in ends
            ),
            (json.dumps(list(rows)), *values) * len(ends),
        )
        return list(found)

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
            (json.dumps(list(names)), BY_NAME, *values, limit),
        )
        return list(found)

    @sparing(0)
    def linked(self, rows: "Sequence[int]", filter: Filter) -> "list[Link]":
        """Other memories on the same subject as some rows that pass the filter, with their relation."""
        condition, values = where(filter)
        ends = (("source", "target", 1), ("target", "source", 0))
        found = self._connection.execute(
            " UNION ALL ".join(
                f"SELECT e.id, o.id, r.kind, {outward}, r.automatic,"
                f" {_COSINE.format(one='v', other='w')}, {_COSINE.format(one='c', other='d')},"
                f" {_SAID.format(of='e')}, {_SAID.format(of='o')} FROM json_each(?) j"
                " CROSS JOIN entry e ON e.id = j.value"
                f" CROSS JOIN relation r ON r.{near} = e.uid AND r.present = 1"
                f" AND r.kind IN ({_ABOUT_THE_SAME}) CROSS JOIN entry o ON o.uid = r.{far}"
                " CROSS JOIN facet f ON f.id = o.id LEFT JOIN vector v ON v.id = e.id"
                " LEFT JOIN vector w ON w.id = o.id AND w.model = v.model"
                " LEFT JOIN contextual c ON c.id = e.id"
                f" LEFT JOIN contextual d ON d.id = o.id WHERE {condition}"
                for near, far, outward in ends
            ),
            (json.dumps(list(rows)), *values) * len(ends),
        )
        return [Link(*columns) for columns in found]

    @sparing(0)
    def lives(self, rows: "Sequence[int]") -> "dict[int, Life]":
        """Age and use of those rows that are memories; a pinned one does not fade."""
        found = self._connection.execute(
            "SELECT m.id, f.kind, m.source, m.importance, m.confidence,"
            " iif(m.pinned, NULL, m.half_life), m.accessed,"
            " (SELECT coalesce(sum(a.count), 0) FROM access a WHERE a.memory = e.uid)"
            " FROM json_each(?) j CROSS JOIN memory m ON m.id = j.value"
            " CROSS JOIN facet f ON f.id = m.id CROSS JOIN entry e ON e.id = m.id",
            (json.dumps(list(rows)),),
        )
        return {row: Life(*facts) for row, *facts in found}

    def _passes_all(self, filter: Filter) -> bool:
        """Whether every entry passes the filter."""
        return self._condition(filter)[0] == ALL[0]

    def _condition(self, filter: Filter) -> "Condition":
        """The filter as SQL over `f`; an empty one if every entry passes."""
        known = self._conditions.get(filter)
        if known is None:
            known = self._conditions[filter] = condition_of(self._connection, filter)
        return known


def condition_of(connection: "apsw.Connection", filter: Filter) -> "Condition":
    """A filter as SQL over `f`, a facet; an empty one if every entry passes."""
    return ALL if needless(connection, filter) else where(filter)


def scan(
    connection: "apsw.Connection",
    condition: "Condition",
    vector: "Vector",
    model: int,
    limit: int,
) -> list[tuple[int, float]]:
    """The nearest rows by an exact scan of every vector: the reference for the other methods."""
    passes, values = condition
    joined = "" if passes == ALL[0] else "JOIN facet f ON f.id = v.id"
    found = connection.execute(
        "SELECT v.id, 1 - vec_distance_cosine(vec_int8(v.int8), vec_int8(?))"
        f" FROM vector v {joined} WHERE v.model = ? AND v.norm > 0 AND {passes}"
        " ORDER BY 2 DESC LIMIT ?",
        (vector.values, model, *values, limit),
    )
    return list(found)
