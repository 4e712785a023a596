"""Pairs of memories that lie close to each other, among all of a store, without comparing all with all.

Sketches nominate: two whose bits agree in one of many runs, and of all bits in most, are compared by
their vectors. A run of 18 of 512 bits agrees for .95 of the pairs with a cosine of .9 in one of 55
places, and of unrelated pairs for one in 4,000. Texts in languages that the package's models do not read
(to the built-in one, all Japanese texts with the same number are one) are compared by their words.
"""

from collections import Counter
from itertools import chain
from math import ceil, sqrt

import numpy as np

from bowerbird.core import plainjson
from bowerbird.core.consolidated import Alike
from bowerbird.core.language import READ_IN_CONTEXT, language
from bowerbird.core.text import words
from bowerbird.core.types import TRUSTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    import apsw
    from numpy.typing import NDArray

# The bits of a run, how far apart runs begin, and how many bits a sketch has.
_RUN = 18
_STEP = 9
_BITS = 512
# In a run that more memories share each is paired with this many of the next: they are near others too.
_NEXT = 12
# The most bits in which two differ that are compared by their vectors. Of 251,682 pairs with a cosine
# from .9 on, among 100,000 memories, none differs in more than 106; of the nominated ones four fifths do.
_APART = 120
# Pairs whose sketches, and whose vectors, are compared at a time: what fits into a processor's cache is
# compared in a third of the time of 100 MB.
_AT_ONCE = 16_000
_VECTORS_AT_ONCE = 4_000
# Pairs that are gathered before those of them that repeat each other are joined.
_PAIRS_AT_ONCE = 1_000_000
# The share of words, as a cosine, that two texts have in common which no model reads. The 30 pairs of ten
# triples in seven languages that differ in a number or a name have .83 to .95.
_SHARED = 0.8
# The share that they have at least where a model of other languages finds them near each other.
_AKIN = 0.5
# The length of what a model makes of a text of which it reads less than five words or so.
_LITTLE = 2.0
# What may be summed up: what no person settled, no program reads and no day ends, of one kind and trust,
# for one audience. What is personal is of one author: nobody else reads it.
_MEMORIES = (
    "SELECT f.id, iif(v.norm > 0, f.sketch, NULL), v.norm, f.project, f.kind, f.trust, m.scope,"
    " m.audience,"
    " CASE WHEN m.audience = 'personal' THEN (SELECT e.speaker FROM entry e WHERE e.id = f.id)"
    " ELSE '' END FROM facet f NOT INDEXED CROSS JOIN memory m ON m.id = f.id"
    " CROSS JOIN vector v ON v.model = ? AND v.id = f.id"
    " WHERE f.family = 'memory' AND f.state = 0 AND m.pinned = 0"
    " AND m.verified = 0 AND m.needs_review = 0 AND m.payload IS NULL AND m.expires IS NULL"
)
# What is so, now and for no limited time.
_STATED = (
    "SELECT e.uid, f.project, v.int8 FROM facet f CROSS JOIN memory m ON m.id = f.id"
    " CROSS JOIN entry e ON e.id = f.id"
    " LEFT JOIN vector v ON v.model = ? AND v.id = f.id AND v.norm > 0"
    " WHERE f.family = 'memory' AND f.state = 0 AND m.valid_to IS NULL"
    " AND coalesce(m.expires > ?, TRUE) AND coalesce(m.valid_from <= ?, TRUE)"
)
# What a revert took out of a pattern, or what outlived it, as long as nobody changed it.
_NOT_TAKEN_OUT = (
    " AND m.head NOT IN (SELECT u.after FROM audit u JOIN audit c"
    " ON c.operation = u.undoes AND c.entry = u.entry"
    " WHERE u.undoes IS NOT NULL AND u.after IS NOT NULL AND c.action = 'compressed'"
    " UNION SELECT after FROM audit WHERE action = 'released' AND after IS NOT NULL)"
)


class AlikeMemories:
    """Memories of one file, compared with each other."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def pairs(
        self,
        model: int,
        projects: "Sequence[str] | None",
        kinds: "Sequence[str]",
        least: float,
        *,
        again: bool,
    ) -> "Iterator[tuple[int, int, float]]":
        """Pairs of rows of one project, kind, trust, scope and audience with at least a cosine, and that.

        Of some projects (None: all), without some kinds, and without `again` none that a revert took out
        of a pattern and nobody changed since.
        """
        sql, values = _MEMORIES + ("" if again else _NOT_TAKEN_OUT), [model, *kinds]
        sql += f" AND f.kind NOT IN ({', '.join('?' * len(kinds))})"
        if projects is not None:
            named = ", ".join("?" * len(projects))
            sql += f" AND f.project IN (SELECT id FROM project WHERE uid IN ({named}))"
            values += projects
        found: Sequence[Any] = self._connection.execute(sql, values).fetchall()
        groups: dict[object, int] = {}
        grouped = {row: groups.setdefault(tuple(facts), len(groups)) for row, _, _, *facts in found}
        worded = self._worded([row for row, _, norm, *_ in found if norm < _LITTLE])
        yield from _by_words({row: (grouped[row], said) for row, said in worded.items()})
        for left, right, cosine in self._by_vectors(model, found, grouped, least):
            ours, theirs = worded.get(left), worded.get(right)
            if ours is None or theirs is None or _cosine(ours, theirs) >= _AKIN:
                yield left, right, cosine

    def _worded(self, rows: "Sequence[int]") -> "dict[int, frozenset[str]]":
        """The words of those of some memories whose language the package's models do not read."""
        found: dict[int, frozenset[str]] = {}
        for row, text in self._connection.execute(
            "SELECT e.id, e.text FROM json_each(?) j CROSS JOIN entry e ON e.id = j.value",
            (plainjson.escaped(rows),),
        ):
            if not text.isascii():
                said = tuple(words(text))
                if language(text, said) not in READ_IN_CONTEXT:
                    found[row] = frozenset(said)
        return found

    def _by_vectors(
        self, model: int, found: "Sequence[Any]", grouped: "dict[int, int]", least: float
    ) -> "Iterator[tuple[int, int, float]]":
        known = [(row, sketch) for row, sketch, *_ in found if sketch is not None]
        if len(known) < 2:  # noqa: PLR2004 a pair
            return
        rows, sketches = zip(*known, strict=True)
        group = np.array([grouped[row] for row in rows])
        sketched = np.frombuffer(b"".join(sketches), np.uint8).reshape(len(rows), -1)
        left, right = _nominated(sketched, group)
        left, right = _resembling(sketched.view(np.uint64), left, right)
        if not len(left):
            return
        # Of most memories no other one is near: their vectors are not read.
        any_other = np.zeros(len(rows), np.bool_)
        any_other[left] = any_other[right] = True
        near_any = np.flatnonzero(any_other)
        vectors = self._vectors(model, [rows[at] for at in near_any.tolist()])
        lengths = np.sqrt(_products(vectors, vectors))
        place = np.zeros(len(rows), np.int64)
        place[near_any] = np.arange(len(near_any))
        for start in range(0, len(left), _VECTORS_AT_ONCE):
            a, b = (some[start : start + _VECTORS_AT_ONCE] for some in (left, right))
            ours, theirs = place[a], place[b]
            products = _products(vectors[ours], vectors[theirs])
            cosines = products / (lengths[ours] * lengths[theirs])
            near = np.flatnonzero(cosines >= least)
            yield from zip(
                [rows[at] for at in a[near].tolist()],
                [rows[at] for at in b[near].tolist()],
                cosines[near].tolist(),
                strict=True,
            )

    def _vectors(self, model: int, rows: "Sequence[int]") -> "NDArray[np.float32]":
        """What a model made of some memories, in the order of their rows."""
        found = self._connection.execute(
            "SELECT v.int8 FROM json_each(?) j CROSS JOIN vector v ON v.model = ? AND v.id = j.value",
            (plainjson.escaped(rows), model),
        )
        joined = np.frombuffer(b"".join(one for (one,) in found), np.int8)
        return joined.reshape(len(rows), -1).astype(np.float32)

    def stated(
        self, model: int | None, kinds: "Sequence[str]", now: int
    ) -> "list[tuple[str, int, bytes | None]]":
        """The id and project of active memories, without some kinds, and what a model made of each."""
        sql = _STATED + f" AND f.kind NOT IN ({', '.join('?' * len(kinds))})"
        found: list[Any] = self._connection.execute(sql, (model, now, now, *kinds)).fetchall()
        return found

    def said(self, rows: "Sequence[int]") -> "dict[int, Alike]":
        """What is compared of some memories, by row; deleted ones are left out."""
        found = self._connection.execute(
            "SELECT f.id, e.uid, p.uid, f.trust, e.text FROM json_each(?) j"
            " CROSS JOIN facet f ON f.id = j.value CROSS JOIN entry e ON e.id = f.id"
            " CROSS JOIN project p ON p.id = f.project",
            (plainjson.escaped(rows),),
        )
        return {row: Alike(id, its, TRUSTS[trust], text) for row, id, its, trust, text in found}


def _by_words(
    said: "Mapping[int, tuple[int, frozenset[str]]]",
) -> "Iterator[tuple[int, int, float]]":
    """The pairs of one group with most of their words in common, and the cosine of these.

    Two of n words each that share so many have one in common among the few rarest of both. Of more that
    have it, each is compared with the next ones.
    """
    often = Counter(chain.from_iterable(its for _, its in said.values()))
    having: dict[tuple[int, str], list[int]] = {}
    for row, (group, its) in said.items():
        most = len(its) - ceil(_SHARED * _SHARED * len(its)) + 1
        for word in sorted(its, key=lambda word: (often[word], word))[:most]:
            having.setdefault((group, word), []).append(row)
    nominated = {
        (left, right)
        for rows in having.values()
        for at, left in enumerate(rows)
        for right in rows[at + 1 : at + 1 + _NEXT]
    }
    for left, right in sorted(nominated):
        cosine = _cosine(said[left][1], said[right][1])
        if cosine >= _SHARED:
            yield left, right, cosine


def _cosine(ours: frozenset[str], theirs: frozenset[str]) -> float:
    return float(len(ours & theirs) / sqrt(len(ours) * len(theirs))) if ours and theirs else 0.0


def _resembling(
    words: "NDArray[np.uint64]", left: "NDArray[np.int64]", right: "NDArray[np.int64]"
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Those of some pairs whose sketches differ in few bits."""
    kept = []
    for start in range(0, len(left), _AT_ONCE):
        a, b = left[start : start + _AT_ONCE], right[start : start + _AT_ONCE]
        apart = np.bitwise_count(words[a] ^ words[b]).sum(axis=1, dtype=np.uint16)
        kept.append(start + np.flatnonzero(apart <= _APART))
    near = np.concatenate(kept) if kept else np.empty(0, np.int64)
    return left[near], right[near]


def _products(ours: "NDArray[np.float32]", theirs: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """The product of each vector with that beside it in the other list: of bytes, so that it is exact."""
    found: NDArray[np.float32] = np.einsum("ij,ij->i", ours, theirs)
    return found


def _run(sketched: "NDArray[np.uint8]", start: int) -> "NDArray[np.int64]":
    """The bits of each sketch from a position on, as numbers."""
    first, skipped = divmod(start, 8)
    last = -(-(start + _RUN) // 8)
    found = np.zeros(len(sketched), np.int64)
    for byte in range(first, last):
        found = (found << 8) | sketched[:, byte]
    run: NDArray[np.int64] = (found >> (8 * (last - first) - skipped - _RUN)) & ((1 << _RUN) - 1)
    return run


def _nominated(
    sketched: "NDArray[np.uint8]", group: "NDArray[np.int64]"
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """The pairs of one group that share a run of bits, each once."""
    count = len(sketched)
    # Runs with the positions below them: sorted as numbers, positions need not be sorted by runs.
    width = count.bit_length()
    known = (group << (_RUN + width)) | np.arange(count)
    found = [np.empty(0, np.int64)]
    for start in range(0, _BITS - _RUN + 1, _STEP):
        both = np.sort(known | (_run(sketched, start) << width))
        order, ordered = both & ((1 << width) - 1), both >> width
        for step in range(1, _NEXT + 1):
            same = np.flatnonzero(ordered[:-step] == ordered[step:])
            if not len(same):
                break
            a, b = order[same], order[same + step]
            found.append(np.minimum(a, b) * count + np.maximum(a, b))
        # Runs repeat each other's pairs: the lists are joined before they outgrow the vectors.
        if sum(map(len, found[1:])) > max(len(found[0]), _PAIRS_AT_ONCE):
            found = [_distinct(found)]
    pairs = _distinct(found)
    return pairs // count, pairs % count


def _distinct(lists: "Sequence[NDArray[np.int64]]") -> "NDArray[np.int64]":
    """The numbers of some lists, each once, in order: by sorting, as a hash table of them is slower."""
    joined = np.sort(np.concatenate(lists))
    first = np.ones(len(joined), np.bool_)
    first[1:] = joined[1:] != joined[:-1]
    distinct: NDArray[np.int64] = joined[first]
    return distinct
