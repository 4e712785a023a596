"""Candidates by words and by meaning, with every filter applied inside."""

from math import log

from bowerbird.storage.postgres.nouns.index import K1, B, Phrases, best, totals
from bowerbird.storage.sqlite.nouns.entries import Entries
from bowerbird.storage.sqlite.nouns.filters import LEAST, parted
from bowerbird.storage.sqlite.search.candidates import EXACT_LIMIT, CandidateSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from bowerbird.core.query import Filter
    from bowerbird.core.types import Entry, Vector


class PostgresSource(CandidateSource):
    """Rows that may answer a query, with absolute scores of one signal each, in one snapshot."""

    def lexical(
        self, phrases: "Sequence[str]", filter: "Filter", limit: int, beside: "Sequence[str]" = ()
    ) -> list[tuple[int, float]]:
        """The best rows for any of some phrases, with BM25 (higher is better)."""
        wanted = Phrases((*phrases, *beside))
        condition, values = self._condition(filter)
        sql = best(wanted, condition, len(phrases) if beside else 0)
        return list(self._connection.execute(sql, (*wanted.values, *values, limit)))

    def containing(self, word: str, filter: "Filter", limit: int) -> "Sequence[Entry]":
        """The best entries that contain a word in any form."""
        rows = [row for row, _ in self.lexical((word,), filter, limit)]
        found = Entries(self._connection, self.damaged).load(rows)
        return [found[row] for row in rows if row in found]

    def row_counts(self, phrases: "Sequence[str]") -> list[int]:
        """In how many rows each phrase occurs in any form, regardless of the filter."""
        wanted = Phrases(phrases)
        found: dict[Any, Any] = dict(
            self._connection.execute(
                f"SELECT at, count(*) FROM ({wanted.sql}) hit GROUP BY at", wanted.values
            )
        )
        return [int(found.get(at, 0)) for at in range(len(phrases))]

    def _dense(
        self, vector: "Vector", model: int, filter: "Filter", limit: int, entries: int
    ) -> list[tuple[int, float]]:
        dims = len(vector.values)
        if entries <= EXACT_LIMIT:
            return super()._dense(vector, model, filter, limit, entries)
        condition, values = self._condition(filter)
        facets = "" if condition == "TRUE" else "JOIN facet f ON f.id = v.id"
        # The order is that of the index; where the planner expects few rows it compares them all.
        near = f"v.int8::halfvec({dims}) <=> vec_int8(?)::halfvec({dims})"
        found: Any = self._connection.execute(
            f"SELECT v.id, 1 - ({near}) FROM vector v {facets} WHERE v.model = {int(model)}"
            f" AND vector_dims(v.int8) = {dims} AND v.norm > 0 AND {condition}"
            f" ORDER BY {near} LIMIT ?",
            (vector.values, *values, vector.values, limit),
        )
        return sorted(found, key=lambda one: (-one[1], one[0]))

    def wholes(
        self, words: "Sequence[str]", wanted: "Collection[int]"
    ) -> tuple[list[tuple[int, float]], list[int], int]:
        """Scores whole documents: BM25, each word's count, and the number of documents."""
        phrases = Phrases(words, part=1)
        among: Any = list(wanted)
        found: Any = self._connection.execute(
            f"WITH hit AS MATERIALIZED ({phrases.sql})"
            " SELECT 0, at, count(*)::float8, 0 FROM hit GROUP BY at"
            f" UNION ALL SELECT 1, 0, count, words FROM ({totals(1)}) t"
            " UNION ALL SELECT id + 2, at, weight, size FROM hit WHERE id = ANY (?) ORDER BY 1, 2",
            (*phrases.values, among),
        )
        counts = [0] * len(words)
        documents = total = 0
        hits: list[tuple[int, int, float, int]] = []
        for kind, at, value, size in found:
            if kind == 0:
                counts[at] = int(value)
            elif kind == 1:
                documents, total = int(value or 0), int(size or 0)
            else:
                hits.append((kind - 2, at, value, size))
        rare, common = parted([str(at) for at in range(len(words))], counts, documents)
        scores = {document: LEAST for document, at, _, _ in hits if str(at) in common}
        matched: dict[int, float] = {}
        for document, at, weight, size in hits:
            if str(at) in rare:
                odds = (documents - counts[at] + 0.5) / (counts[at] + 0.5)
                idf = log(odds) if odds > 1 else LEAST
                length = K1 * (1 - B + B * size * documents / total)
                matched[document] = matched.get(document, 0.0) + idf * weight * (K1 + 1) / (
                    weight + length
                )
        return list((scores | matched).items()), counts, documents

    def tier(self, entries: int, _model: int | None) -> str:
        """The search method for nearest vectors in a store of that size."""
        return "exact" if entries <= EXACT_LIMIT else "hnsw"
