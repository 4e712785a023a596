"""The word indexes as tables: the words of FTS5's own tokenizer, and BM25 as FTS5 computes it.

So an entry has the same words and the same score as in a file. The words are found through `posting`;
where they stand, for phrases, is in `word_index`.
"""

from collections import Counter
from functools import lru_cache
from hashlib import blake2b

import apsw

from bowerbird.core.query import FIELD_WEIGHTS
from bowerbird.storage.sqlite.nouns.filters import LEAST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from bowerbird.storage.sqlite.nouns.filters import Asked

# What FTS5 is told in the steps of the schema.
_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2"])
# Bytes of a word that a key can hold; of a longer one the beginning and a hash are kept.
_LONGEST = 500
# Between the columns of an entry, so that no phrase reaches from one into the next.
_GAP = 2
# A position of PostgreSQL's text search is at most that.
_LAST = 16_383
# Of what is given, whose columns are named in front, rows of the tenant.
_OWN = " FROM @meta AS own CROSS JOIN {given} WHERE own.tenant = @tenant AND own.key = 'replica'"
_ADD = tuple(
    f"INSERT INTO {table}"
    + _OWN.format(given="unnest(?1::bigint[], ?2::bigint[], ?3::text[]) AS given (id, size, tsv)")
    for table in (
        "@word_index SELECT own.tenant, id, size, tsv::tsvector",
        "@document_index SELECT own.tenant, id, size",
    )
)
_POST = "INSERT INTO @posting SELECT own.tenant, ?8, given.*" + _OWN.format(
    given="unnest(?4::text[], ?5::bigint[], ?6::float8[], ?7::bigint[]) AS given"
)
# Adds what was indexed to the totals.
_COUNT = (
    "INSERT INTO @meta AS meta SELECT own.tenant, given.*"
    + _OWN.format(given="(VALUES (?9, ?10::text), (?11, ?12::text)) AS given (k, v)")
    + " ON CONFLICT (tenant, key) DO UPDATE SET value = meta.value::bigint + excluded.value::bigint"
)
# Takes out of the index what its condition names, and off the totals; then `{then}`.
_REMOVE = """
WITH gone AS (DELETE FROM @word_index WHERE tenant = @tenant AND {which} RETURNING id, size, tsv),
posted AS (DELETE FROM @posting p USING gone g, unnest(tsvector_to_array(g.tsv)) AS t (term)
    WHERE p.tenant = @tenant AND p.part = 0 AND p.term = t.term AND p.id = g.id)
{wholes}, less AS (UPDATE @meta AS meta SET value = meta.value::bigint - n.value
    FROM (SELECT count(*) AS rows, coalesce(sum(size), 0) AS words FROM gone) o
    CROSS JOIN LATERAL (VALUES ('indexed_rows_0', o.rows), ('indexed_words_0', o.words)) AS n (key, value)
    WHERE meta.tenant = @tenant AND meta.key = n.key AND o.rows > 0)
{then}
"""
# A whole document is said in the words of its passages.
_WHOLES = """
, whole AS (DELETE FROM @document_index WHERE tenant = @tenant AND id = ?1 RETURNING size),
spread AS (DELETE FROM @posting p USING whole, (SELECT DISTINCT t.term FROM gone g
    CROSS JOIN LATERAL unnest(tsvector_to_array(g.tsv)) AS t (term)) s
    WHERE p.tenant = @tenant AND p.part = 1 AND p.term = s.term AND p.id = ?1),
fewer AS (UPDATE @meta AS meta SET value = meta.value::bigint - n.value FROM whole w
    CROSS JOIN LATERAL (VALUES ('indexed_rows_1', 1), ('indexed_words_1', w.size)) AS n (key, value)
    WHERE meta.tenant = @tenant AND meta.key = n.key)
"""
_FACETS = "DELETE FROM @facet WHERE tenant = @tenant AND "
_OF_DOCUMENT = "id IN (SELECT id FROM @facet WHERE tenant = @tenant AND document = ?1)"
# What triggers and FTS5 do in a file, by the statement that they do it at.
REMOVALS = {
    "DELETE FROM word_index WHERE rowid = ?": _REMOVE.format(
        which="id = ?1", wholes="", then="SELECT 1 WHERE FALSE"
    ),
    "DELETE FROM facet WHERE id = ?": _REMOVE.format(
        which="id = ?1", wholes="", then=f"{_FACETS}id = ?1"
    ),
    "DELETE FROM facet WHERE document = ?": _REMOVE.format(
        which=_OF_DOCUMENT, wholes=_WHOLES, then=f"{_FACETS}document = ?1"
    ),
}
# BM25's constants, as FTS5 has them.
K1, B = 1.2, 0.75


@lru_cache(1)
def _tokenizer() -> apsw.FTS5Tokenizer:
    return apsw.Connection(":memory:").fts5_tokenizer(*_TOKENIZER)


def tokens(text: str, reason: int = apsw.FTS5_TOKENIZE_DOCUMENT) -> list[str]:
    """The words of a text, as FTS5 finds them."""
    found = _tokenizer()(
        text.encode("utf-8", "replace"),
        reason,
        None,
        include_offsets=False,
        include_colocated=False,
    )
    return [_key(str(one)) for one in found]


def _key(word: str) -> str:
    data = word.encode()
    if len(data) <= _LONGEST:
        return word
    start = data[: _LONGEST // 2].decode(errors="ignore")
    return start + blake2b(data, digest_size=16).hexdigest()


def add(connection: "apsw.Connection", rows: "Sequence[tuple[int, str, str, str, str]]") -> None:
    """Index the words of entries: their number, and their text by column. Inside a transaction."""
    indexed: list[tuple[int, int, str]] = []
    said: list[tuple[str, int, float, int]] = []
    for row, *texts in rows:
        weights: dict[str, float] = {}
        at: dict[str, list[str]] = {}
        size, place = 0, 1
        for letter, weight, text in zip("ABCD", FIELD_WEIGHTS, texts, strict=True):
            words = tokens(text)
            for word in words:
                weights[word] = weights.get(word, 0.0) + weight
                at.setdefault(word, []).append(f"{min(place, _LAST)}{letter}")
                place += 1
            size += len(words)
            place += _GAP
        places = (f"{_lexeme(word)}:{','.join(where)}" for word, where in at.items())
        indexed.append((row, size, " ".join(places)))
        said += [(word, row, weight, size) for word, weight in weights.items()]
    _add(connection, 0, indexed, said)


def add_wholes(connection: "apsw.Connection", wholes: "Sequence[tuple[int, str]]") -> None:
    """Index the words of whole documents. Inside a transaction."""
    indexed: list[tuple[int, int, str]] = []
    said: list[tuple[str, int, float, int]] = []
    for document, text in wholes:
        words = tokens(text)
        size = len(words)
        indexed.append((document, size, ""))
        said += [(word, document, float(count), size) for word, count in Counter(words).items()]
    _add(connection, 1, indexed, said)


def _add(
    connection: "apsw.Connection",
    part: int,
    indexed: "Sequence[tuple[int, int, str]]",
    said: "Sequence[tuple[str, int, float, int]]",
) -> None:
    if indexed:
        ids, sizes, places = (list(each) for each in zip(*indexed, strict=True))
        columns: list[Any] = [ids, sizes, places]
        columns += [[row[at] for row in said] for at in range(4)]
        counted = f"indexed_rows_{part}", len(ids), f"indexed_words_{part}", sum(sizes)
        server: Any = connection
        server.execute_together((_ADD[part], _POST, _COUNT), (*columns, part, *counted))


def _lexeme(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"


class Phrases:
    """Some phrases as SQL: where each stands, with what BM25 needs to know of it.

    A phrase is words separated by single spaces; its last word is a prefix if it ends with ``*``.
    """

    def __init__(self, phrases: "Iterable[str]", part: int = 0) -> None:
        self.values: list[Any] = []
        sources = [self._source(at, phrase, part) for at, phrase in enumerate(phrases)]
        # Rows of each phrase, by its position among them.
        self.sql = " UNION ALL ".join(one for one in sources if one) or _NOTHING

    def _source(self, at: int, phrase: str, part: int) -> str:
        begins = phrase.endswith("*")
        reason = apsw.FTS5_TOKENIZE_QUERY | (apsw.FTS5_TOKENIZE_PREFIX if begins else 0)
        words = tokens(phrase.removesuffix("*"), reason)
        if not words:
            return ""
        if len(words) == 1:
            told = f"SELECT {at} AS at, id, weight, size FROM posting WHERE part = {part} AND "
            if not begins:
                self.values.append(words[0])
                return told + "term = ?"
            self.values += [words[0], words[0] + "\U0010ffff"]
            return (
                f"SELECT {at} AS at, id, sum(weight) AS weight, size FROM posting"
                f" WHERE part = {part} AND term >= ? AND term < ? GROUP BY id, size"
            )
        return self._adjacent(at, words, part, begins=begins)

    def _adjacent(self, at: int, words: list[str], part: int, *, begins: bool) -> str:
        """Several words: the entries that have all, then those that have them side by side."""
        tsv, own = "w.tsv", "w.id"
        if part:
            tsv = "ts_filter(w.tsv, '{a}')"
        self.values += [words, int(begins)]
        inside = f"SELECT w.id, w.size, weight_of({tsv}, ?, ? = 1) AS weight FROM word_index w WHERE TRUE"
        for last, word in reversed([*enumerate(reversed(words))]):
            if begins and not last:
                continue  # whatever begins so: the phrase itself tells
            self.values.append(word)
            inside += f" AND {own} IN (SELECT id FROM posting WHERE part = 0 AND term = ?)"
        if not part:
            return f"SELECT {at} AS at, id, weight, size FROM ({inside}) n WHERE weight > 0"
        return (
            f"SELECT {at} AS at, d.id, sum(n.weight) AS weight, d.size FROM ({inside}) n"
            " JOIN facet f ON f.id = n.id JOIN document_index d ON d.id = f.document"
            " WHERE n.weight > 0 GROUP BY d.id, d.size"
        )


_NOTHING = "SELECT 0 AS at, id, weight, size FROM posting WHERE part < 0"


def totals(part: int) -> str:
    """How many rows an index has, and how many words a row on average, as SQL."""
    return (
        f"SELECT max(CASE key WHEN 'indexed_rows_{part}' THEN value::float8 END) AS count,"
        f" max(CASE key WHEN 'indexed_words_{part}' THEN value::float8 END) AS words FROM meta"
        f" WHERE key IN ('indexed_rows_{part}', 'indexed_words_{part}')"
    )


def best(phrases: "Phrases", condition: str, among: int) -> str:
    """The best rows for some phrases, as SQL, with BM25.

    With `among`, each has one of the first so many, and one of the others. Takes the values of the
    phrases, then those of the condition over `f`, and the limit.
    """
    facets = "" if condition == "TRUE" else " JOIN facet f ON f.id = h.id"
    return (
        f"WITH hit AS MATERIALIZED ({phrases.sql}), total AS MATERIALIZED ({totals(0)}),"
        " rare AS MATERIALIZED (SELECT at, (t.count - n + 0.5) / (n + 0.5) AS odds"
        " FROM (SELECT at, count(*) AS n FROM hit GROUP BY at) c CROSS JOIN total t)"
        " SELECT h.id AS id, sum((CASE WHEN r.odds > 1 THEN ln(r.odds) ELSE"
        f" {LEAST}::float8 END) * h.weight * {K1 + 1} / (h.weight + {K1} * ({1 - B} + {B} * h.size"
        " / (t.words / t.count)))) AS score FROM hit h JOIN rare r ON r.at = h.at CROSS JOIN total t"
        f"{facets} WHERE {condition} GROUP BY h.id"
        + (f" HAVING bool_or(h.at < {among}) AND bool_or(h.at >= {among})" if among else "")
        + " ORDER BY 2 DESC, 1 LIMIT ?"
    )


class _Sets:
    """Renders a query with operators as sets of rows."""

    def phrase(self, forms: tuple[str, ...], *, begins: bool) -> str:
        """Adjacent words, in one of several forms."""
        phrases = Phrases([f"{form}*" if begins else form for form in forms])
        values = iter(phrases.values)
        sql = "".join(_said(next(values)) if one == "?" else one for one in phrases.sql)
        return f"SELECT id FROM ({sql}) said"

    def either(self, parts: list[str]) -> str:
        """At least one of some parts."""
        return f"({' UNION '.join(parts)})"

    def together(self, wanted: list[str], others: list[str]) -> str:
        """All of some parts, and none of others."""
        every = f"({' INTERSECT '.join(f'({one})' for one in wanted)})"
        return f"({every} EXCEPT {self.either(others)})" if others else every


def matching(asked: "Asked") -> str:
    """The rows that match a query with operators, as SQL without parameters."""
    return asked.tree.said(_Sets())


def _said(value: object) -> str:
    if isinstance(value, list):
        return f"ARRAY[{', '.join(map(_said, value))}]"
    return str(value) if isinstance(value, int) else "'" + str(value).replace("'", "''") + "'"
