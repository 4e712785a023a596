"""Finds which memories of several copies of a store may contradict each other, once these are one.

Each copy judged its own memories when they were kept. Compared are those that no copy knew together.
Which ones, and with which, follows from what each alone knew, whichever was taken into which.
"""

from bowerbird.core.errors import ModelError
from bowerbird.core.types import RECORDS
from bowerbird.lifecycle.keywords import terms
from bowerbird.lifecycle.retrieve_candidates import MOST_TERMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.store import Store

# Memories that are compared, and with how many others each. 500 with 30,000 take 3.5 s of processor time,
# 2 of them to find the nearest (benchmarks/time.md).
MOST = 500
NEAREST = 6
# Of these so many are compared at a time, with so many rows: what fits into a processor's cache.
_AT_ONCE, _BLOCK = 50, 512


def near(
    store: "Store", embedder: "Embedder", sides: "Mapping[str, str]"
) -> "tuple[set[tuple[str, str]], int]":
    """The pairs that are near each other of memories of different sides, each pair ordered.

    `sides` says which copy alone knew each memory; what none of them knew as it is now is a side of its
    own, named by its id. What is in no side all of them knew: it is compared with such ones only. The
    largest side is not compared itself: each of the others is with the NEAREST, at most MOST of them.
    Returns how many memories were left out, too.
    """
    known = {*sides.values()}
    if len(known) < 2 and known.isdisjoint(sides):  # noqa: PLR2004 two sides
        return set(), 0
    stated = sorted(store.alike.stated(_model(store, embedder), sorted(RECORDS), store.clock()))
    members: dict[str, list[str]] = {}
    for id, _, _ in stated:
        if id in sides:
            members.setdefault(sides[id], []).append(id)
    largest = min(members, key=lambda side: (-len(members[side]), members[side][0]), default="")
    few = [id for id, _, _ in stated if id in sides and (sides[id] != largest or sides[id] == id)]
    asked = {*few[:MOST]}
    found: set[tuple[str, str]] = set()
    for project in sorted({its for id, its, _ in stated if id in asked}):
        within = {id: vector for id, its, vector in stated if its == project}
        for pair in _of(store, within, [id for id in within if id in asked], sides):
            found.add((min(pair), max(pair)))
    return found, max(0, len(few) - MOST)


def _model(store: "Store", embedder: "Embedder") -> int | None:
    try:
        return store.model_row(embedder.identity)
    except ModelError:
        return None  # the words find the nearest


def _of(
    store: "Store",
    within: "Mapping[str, bytes | None]",
    asked: "Sequence[str]",
    sides: "Mapping[str, str]",
) -> "Iterator[tuple[str, str]]":
    """Some memories of a project, each with the nearest of other sides, of equals the eldest."""
    import numpy as np  # start-up: most commands compare nothing

    ids, wanted = [*within], {*asked}
    places = [at for at, id in enumerate(ids) if id in wanted]
    numbers = {side: at for at, side in enumerate(dict.fromkeys(sides[id] for id in asked))}
    side = np.array([numbers.get(sides[id], len(numbers)) if id in sides else -1 for id in ids])
    read, vectors = _vectors([*within.values()])
    cosines = _cosines(vectors, places)
    worded = None if read.all() else _Worded(store, ids)
    for at, values in zip(places, cosines, strict=True):
        id = ids[at]
        others = (side != side[at]) & ((side >= 0) | (sides[id] == id))
        yield from ((id, ids[one]) for one in _highest(values, others & read & read[at]))
        if worded is not None:
            unread = others & ~(read & read[at])
            yield from ((id, ids[one]) for one in _highest(worded.shared(at), unread))


def _vectors(known: "Sequence[bytes | None]") -> "tuple[NDArray[np.bool_], NDArray[np.int8]]":
    """Which memories a model has read, and the vectors of all; one of another length is damaged."""
    import numpy as np  # start-up: as above

    dims = max((len(vector) for vector in known if vector), default=0)
    read = np.array([vector is not None and 0 < len(vector) == dims for vector in known])
    vectors = np.zeros((len(known), dims), np.int8)
    if dims:
        joined = b"".join(vector for vector, its in zip(known, read, strict=True) if vector and its)
        vectors[read] = np.frombuffer(joined, np.int8).reshape(-1, dims)
    return read, vectors


def _cosines(
    vectors: "NDArray[np.int8]", places: "Sequence[int]"
) -> "Iterator[NDArray[np.float32]]":
    """The cosines of those at some places with all.

    Products of bytes are whole numbers, which are exact in whatever order they are added.
    """
    import numpy as np  # start-up: as above

    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float32, casting="safe"))
    lengths[lengths == 0] = np.inf
    for start in range(0, len(places), _AT_ONCE):
        some = places[start : start + _AT_ONCE]
        asked = vectors[some].astype(np.float32).T
        products = np.empty((len(vectors), len(some)), np.float32)
        for first in range(0, len(vectors), _BLOCK):
            block = vectors[first : first + _BLOCK].astype(np.float32)
            np.dot(block, asked, out=products[first : first + _BLOCK])
        yield from (products / lengths[:, None] / lengths[some]).T


def _highest(values: "NDArray[np.floating]", among: "NDArray[np.bool_]") -> "list[int]":
    """The places of the highest values above zero, the first of equal ones first."""
    import numpy as np  # start-up: as above

    places = np.flatnonzero(among & (values > 0))
    chosen = values[places]
    if len(chosen) > NEAREST:
        places = places[chosen >= np.partition(chosen, -NEAREST)[-NEAREST]]
    order = np.argsort(-values[places], kind="stable")[:NEAREST]
    return [int(place) for place in places[order]]


class _Worded:
    """The words of memories, by which those are compared that no model has read."""

    def __init__(self, store: "Store", ids: "Sequence[str]") -> None:
        import numpy as np  # start-up: as above

        texts = {one.id: terms(one.text) for one in store.entries.named(ids, None)}
        self._terms = [texts.get(id, ()) for id in ids]
        having: dict[str, list[int]] = {}
        for at, words in enumerate(self._terms):
            for word in words:
                having.setdefault(word, []).append(at)
        self._having = {word: np.array(places) for word, places in having.items()}

    def shared(self, at: int) -> "NDArray[np.float64]":
        """How many of the rarest words of one each of all has, a word weighing more the rarer it is."""
        import numpy as np  # start-up: as above

        values = np.zeros(len(self._terms))
        rarest = sorted(self._terms[at], key=lambda word: (len(self._having[word]), word))
        for word in rarest[:MOST_TERMS]:
            values[self._having[word]] += 1 / len(self._having[word])
        return values
