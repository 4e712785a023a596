"""Document frequency of each word, from which words get their weights.

Whoever writes entries counts their words in the same transaction, by the functions of this module.
"""

from collections import Counter

from bowerbird.core import plainjson
from bowerbird.core.text import words
from bowerbird.core.types import DIGEST, MEMORY
from bowerbird.storage.sqlite.nouns.filters import ALL, opposed, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    import apsw

    from bowerbird.core.query import Filter
    from bowerbird.storage.sqlite.nouns.filters import Condition

_COUNTS = "SELECT w.term, w.entries FROM json_each(?) j CROSS JOIN word w ON w.term = j.value"
# What else a query needs to know of the whole store, by name. `{opposed}` is whether some entry may not
# pass its filter.
_OF_THE_STORE = """
UNION ALL SELECT key, value, 0 FROM meta WHERE key IN ('entries', 'words', 'generation', 'contextual',
    'rewording')
UNION ALL SELECT 'memories', coalesce(sum(entries), 0), 0 FROM tally WHERE family = ?
UNION ALL SELECT 'digests', coalesce(sum(entries), 0), 0 FROM tally WHERE kind = ?
UNION ALL SELECT provider || '/' || name || '@' || revision || ' (' || dims || ' dims)', id, 2 FROM model
UNION ALL SELECT 'opposed', {opposed}, 0
"""
NOT_MOVED = -1
# The key of `meta` that is set while a rebuild of the word indexes runs, or after one was killed.
REWORDING = "rewording"
# Suffix of the file that a rebuilding process locks; a killed one leaves it.
BEING_REBUILT = ".words"


class Snapshot:
    """What is known of the whole store in the snapshot that is being read: nothing is read twice.

    `facts` are some keys of `meta` and the number of memories, `models` the local numbers of models,
    `conditions` filters as SQL; `models` is None until they are read. `moved_to` is the generation of the
    snapshot that followed, if this one was left in between: None until it is read.
    """

    __slots__ = ("conditions", "facts", "models", "moved_to", "reads")

    def __init__(self) -> None:
        self.begin(reads=False)

    def begin(self, *, reads: bool) -> None:
        """Forgets everything; `reads` is whether a snapshot is read from now on."""
        self.reads = reads
        self.facts: dict[str, Any] = {}
        self.models: dict[str, int] | None = None
        self.conditions: dict[Filter, Condition] = {}
        self.moved_to: int | None = NOT_MOVED


class Words:
    """Counts of folded words over all entries, as they are read."""

    def __init__(self, connection: "apsw.Connection", snapshot: Snapshot | None = None) -> None:
        """`snapshot` learns what is read of the whole store."""
        self._connection = connection
        self._snapshot = snapshot or Snapshot()
        # Whether the indexes hold every entry, as of the last call of `counted`.
        self.whole = True

    def totals(self) -> tuple[int, int]:
        """How many entries there are, and the sum of all words' counts."""
        rows = dict(
            self._connection.execute(
                "SELECT key, value FROM meta WHERE key IN ('entries', 'words')"
            )
        )
        return int(rows["entries"]), int(rows["words"])

    def known_forms(
        self, terms: "Iterable[str]", others: "Iterable[str]" = ()
    ) -> tuple[set[str], dict[str, int]]:
        """Those words that any entry holds in any of the forms that share their stem.

        And in how many entries other words occur, as `counts` gives it.
        """
        found = self._connection.execute(
            "SELECT j.value, 0 FROM json_each(?) j WHERE EXISTS"
            " (SELECT 1 FROM word_index WHERE word_index MATCH '\"' || j.value || '\"')"
            f" UNION ALL {_COUNTS}",
            (plainjson.escaped(list(terms)), plainjson.escaped(list(others))),
        )
        known: set[str] = set()
        counts: dict[str, int] = {}
        for term, count in found:
            if count:
                counts[term] = count
            else:
                known.add(term)
        return known, counts

    def counts(self, terms: "Iterable[str]") -> dict[str, int]:
        """In how many entries each of these folded words occurs; absent words are left out."""
        return dict(self._connection.execute(_COUNTS, (plainjson.escaped(list(terms)),)))

    def counted(self, terms: "Iterable[str]", filter: "Filter") -> tuple[dict[str, int], int, int]:
        """The counts of some words, how many entries there are, and the sum of all words' counts.

        Reads what a query needs to know of the whole store in the same statement.
        """
        against = opposed(filter)
        opposes, values = against or ALL
        found = self._connection.execute(
            "SELECT w.term, w.entries, 1 FROM json_each(?) j CROSS JOIN word w ON w.term = j.value"
            + _OF_THE_STORE.format(opposed=opposes),
            (plainjson.escaped(list(terms)), MEMORY, DIGEST, *values),
        )
        kinds: tuple[dict[str, Any], ...] = ({}, {}, {})
        for name, value, kind in found:
            kinds[kind][name] = value
        facts, counts, models = kinds
        self.whole = REWORDING not in facts
        if self._snapshot.reads:
            self._snapshot.facts |= facts
            self._snapshot.models = models
            self._snapshot.conditions[filter] = where(filter) if facts["opposed"] else ALL
        return counts, int(facts["entries"]), int(facts["words"])

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
        """How often words with each prefix occur in entries; a prefix of none is left out."""
        if not beginnings:
            return {}
        return dict(
            self._connection.execute(
                "SELECT j.value, sum(w.entries) FROM json_each(?) j"
                " CROSS JOIN word w ON w.term >= j.value AND w.term < j.value || char(1114111)"
                " GROUP BY 1",
                (plainjson.escaped(list(beginnings)),),
            )
        )


def index_is_whole(connection: "apsw.Connection") -> bool:
    """Whether the word index holds as many rows as there are entries."""
    # From the index' own table: through the index, SQLite reads every row's size.
    indexed = next(connection.execute("SELECT count(*) FROM word_index_docsize"))[0]
    return bool(indexed == Words(connection).totals()[0])


def lack_entries(connection: "apsw.Connection") -> bool:
    """Whether the word indexes lack entries, because a rebuild runs or was killed."""
    return (
        connection.execute("SELECT 1 FROM meta WHERE key = ?", (REWORDING,)).fetchone() is not None
    )


def is_indexed(connection: "apsw.Connection", row: int) -> bool:
    """Whether an entry is found by its words, and so is counted."""
    found = connection.execute("SELECT 1 FROM word_index_docsize WHERE id = ?", (row,))
    return found.fetchone() is not None


def count(connection: "apsw.Connection", texts: "Iterable[str]") -> None:
    """Count the words of entries that are being written. Inside a transaction."""
    _move(connection, texts, 1)


def count_terms(connection: "apsw.Connection", terms: "Iterable[str]") -> None:
    """Count an entry's different words, where the totals count it already. Inside a transaction."""
    _add(connection, ((term, 1) for term in sorted(terms)))


def uncount(connection: "apsw.Connection", texts: "Iterable[str]") -> None:
    """Uncount the words of entries that are being deleted. Inside a transaction."""
    _move(connection, texts, -1)


def _add(connection: "apsw.Connection", counts: "Iterable[tuple[str, int]]") -> None:
    connection.executemany(
        "INSERT INTO word (term, entries) VALUES (?1, ?2)"
        " ON CONFLICT (term) DO UPDATE SET entries = entries + ?2",
        counts,
    )


def _move(connection: "apsw.Connection", texts: "Iterable[str]", sign: int) -> None:
    counts: Counter[str] = Counter()
    entries = 0
    for text in texts:
        counts.update(set(words(text)))
        entries += 1
    if not entries:
        return
    _add(connection, sorted((term, sign * count) for term, count in counts.items()))
    if sign < 0:
        connection.executemany(
            "DELETE FROM word WHERE term = ? AND entries <= 0", [(term,) for term in counts]
        )
    connection.execute(
        "UPDATE meta SET value = value + iif(key = 'words', ?, ?)"
        " WHERE key IN ('entries', 'words')",
        (sign * counts.total(), sign * entries),
    )


def delete_entries(connection: "apsw.Connection", rows: "Sequence[int]") -> None:
    """Deletes the entries of memories with their words, vectors and tags. Inside a transaction."""
    # Forgotten entries are not in the counts.
    found = connection.execute(
        "SELECT e.text FROM json_each(?) j CROSS JOIN word_index_docsize d ON d.id = j.value"
        " CROSS JOIN entry e ON e.id = j.value",
        (plainjson.escaped(list(rows)),),
    )
    uncount(connection, [str(text) for (text,) in found.fetchall()])
    # The foreign keys delete entry, vector, tags and memory; a trigger updates the word index.
    connection.executemany("DELETE FROM facet WHERE id = ?", [(row,) for row in rows])
