"""In how many entries each word stands: weights of query words, common words, later typos."""

import json
from collections import Counter

from bowerbird.core.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw


class Words:
    """Counts of folded words over all entries, kept in the transaction that writes the entries."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def totals(self) -> tuple[int, int]:
        """How many entries there are, and the sum of all words' counts."""
        rows = dict(
            self._connection.execute(
                "SELECT key, value FROM meta WHERE key IN ('entries', 'words')"
            )
        )
        return int(rows["entries"]), int(rows["words"])

    def healthy(self) -> bool:
        """Whether the word index holds as many rows as there are entries."""
        # Of the index' own table: asked for the index, SQLite reads every row's size.
        indexed = next(self._connection.execute("SELECT count(*) FROM word_index_docsize"))[0]
        return bool(indexed == self.totals()[0])

    def forms_held(self, terms: "Iterable[str]") -> set[str]:
        """Those words that any entry holds in any of the forms that share their stem."""
        found = self._connection.execute(
            "SELECT j.value FROM json_each(?) j WHERE EXISTS"
            " (SELECT 1 FROM word_index WHERE word_index MATCH '\"' || j.value || '\"')",
            (json.dumps(list(terms)),),
        )
        return {term for (term,) in found}

    def indexed(self, row: int) -> bool:
        """Whether an entry is found by its words, and so is counted."""
        found = self._connection.execute("SELECT 1 FROM word_index_docsize WHERE id = ?", (row,))
        return found.fetchone() is not None

    def counts(self, terms: "Iterable[str]") -> dict[str, int]:
        """In how many entries each of these folded words stands; absent words are left out."""
        return dict(
            self._connection.execute(
                "SELECT w.term, w.entries FROM json_each(?) j CROSS JOIN word w ON w.term = j.value",
                (json.dumps(list(terms)),),
            )
        )

    def counted(self, terms: "Iterable[str]") -> tuple[dict[str, int], int, int]:
        """The counts of some words, how many entries there are, and the sum of all words' counts."""
        found = self._connection.execute(
            "SELECT w.term, w.entries, 1 FROM json_each(?) j CROSS JOIN word w ON w.term = j.value"
            " UNION ALL SELECT key, value, 0 FROM meta WHERE key IN ('entries', 'words')",
            (json.dumps(list(terms)),),
        )
        counts: dict[str, int] = {}
        totals: dict[str, int] = {}
        for name, count, is_term in found:
            (counts if is_term else totals)[name] = int(count)
        return counts, totals["entries"], totals["words"]

    def beginning_with(self, letter: str, shortest: int, longest: int) -> dict[str, int]:
        """Words with a first letter and a length in letters, with their counts."""
        return dict(
            self._connection.execute(
                "SELECT term, entries FROM word WHERE term >= ?1 AND term < ?2"
                " AND length(term) BETWEEN ?3 AND ?4",
                (letter, chr(ord(letter) + 1), shortest, longest),
            )
        )

    def starting(self, beginnings: "Sequence[str]") -> dict[str, int]:
        """How often words stand in entries that begin so; a beginning of none is left out."""
        if not beginnings:
            return {}
        return dict(
            self._connection.execute(
                "SELECT j.value, sum(w.entries) FROM json_each(?) j"
                " CROSS JOIN word w ON w.term >= j.value AND w.term < j.value || char(1114111)"
                " GROUP BY 1",
                (json.dumps(list(beginnings)),),
            )
        )

    def add(self, texts: "Iterable[str]") -> None:
        """Count the words of entries that are being written. Inside a transaction."""
        self._move(texts, 1)

    def add_apart(self, said: "Iterable[str]") -> None:
        """Count an entry's different words, where the totals count it already. Inside a transaction."""
        self._count((term, 1) for term in sorted(said))

    def remove(self, texts: "Iterable[str]") -> None:
        """Uncount the words of entries that are being deleted. Inside a transaction."""
        self._move(texts, -1)

    def _count(self, counts: "Iterable[tuple[str, int]]") -> None:
        self._connection.executemany(
            "INSERT INTO word (term, entries) VALUES (?1, ?2)"
            " ON CONFLICT (term) DO UPDATE SET entries = entries + ?2",
            counts,
        )

    def _move(self, texts: "Iterable[str]", sign: int) -> None:
        counts: Counter[str] = Counter()
        entries = 0
        for text in texts:
            counts.update(set(words(text)))
            entries += 1
        if not entries:
            return
        self._count(sorted((term, sign * count) for term, count in counts.items()))
        if sign < 0:
            self._connection.executemany(
                "DELETE FROM word WHERE term = ? AND entries <= 0", [(term,) for term in counts]
            )
        self._connection.execute(
            "UPDATE meta SET value = value + iif(key = 'words', ?, ?)"
            " WHERE key IN ('entries', 'words')",
            (sign * counts.total(), sign * entries),
        )
