"""Finds which memories of several copies of a store may contradict each other, once these are one.

Each copy judged its own memories when they were kept. Compared are those that no copy knew together.
Which ones, and with which, follows from what each alone knew, whichever was taken into which.
"""

import numpy as np

from bowerbird.core.errors import ModelError
from bowerbird.core.types import RECORDS
from bowerbird.lifecycle.keywords import terms
from bowerbird.lifecycle.retrieve_candidates import MOST_TERMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.store import Store

# Memories that are compared, and with how many others each: judging a pair takes a millisecond.
MOST = 500
NEAREST = 6


def near(
    store: "Store", embedder: "Embedder", sides: "Mapping[str, str]"
) -> "tuple[set[tuple[str, str]], int]":
    """The pairs that are near each other of memories of different sides, each pair ordered.

    `sides` says which copy alone knew each memory; what none of them knew as it is now is a side of its
    own, named by its id. What is in no side all of them knew: it is compared with such ones only. The
    largest side is not compared itself: each of the others is with the NEAREST, at most MOST of them.
    Returns how many memories were left out, too.
    """
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
    ids = [*within]
    wanted = {*asked}
    numbers = {side: at for at, side in enumerate(dict.fromkeys(sides.get(id, "") for id in asked))}
    side = np.array([numbers.get(sides[id], len(numbers)) if id in sides else -1 for id in ids])
    dims = max((len(vector) for vector in within.values() if vector), default=0)
    # One of another length is damaged.
    read = np.array([bool(vector) and len(vector or b"") == dims for vector in within.values()])
    joined = b"".join(vector for vector in within.values() if vector and len(vector) == dims)
    vectors = np.zeros((len(ids), dims), np.float32)
    if dims:
        vectors[read] = np.frombuffer(joined, np.int8).reshape(-1, dims)
    # Products of bytes are whole numbers, and exact in whichever order they are added.
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    worded = None if read.all() else _Worded(store, ids)
    for at, id in enumerate(ids):
        if id not in wanted:
            continue
        others = side != side[at]
        if sides[id] == id:
            others[at] = False
        else:
            others &= side >= 0
        if read[at]:
            with np.errstate(divide="ignore", invalid="ignore"):
                cosines = (vectors @ vectors[at]) / (lengths * lengths[at])
            yield from ((id, ids[one]) for one in _highest(cosines, others & read))
            others &= ~read
        if worded is not None:
            yield from ((id, ids[one]) for one in _highest(worded.shared(at), others))


def _highest(values: "NDArray[np.floating]", among: "NDArray[np.bool_]") -> "list[int]":
    """The places of the highest values above zero, the first of equal ones first."""
    places = np.flatnonzero(among & (values > 0))
    chosen = values[places]
    if len(chosen) > NEAREST:
        places = places[chosen >= np.partition(chosen, -NEAREST)[-NEAREST]]
    order = np.argsort(-values[places], kind="stable")[:NEAREST]
    return [int(place) for place in places[order]]


class _Worded:
    """The words of memories, by which those are compared that no model has read."""

    def __init__(self, store: "Store", ids: "Sequence[str]") -> None:
        texts = {one.id: terms(one.text) for one in store.entries.named(ids, None)}
        self._terms = [texts.get(id, ()) for id in ids]
        having: dict[str, list[int]] = {}
        for at, words in enumerate(self._terms):
            for word in words:
                having.setdefault(word, []).append(at)
        self._having = {word: np.array(places) for word, places in having.items()}

    def shared(self, at: int) -> "NDArray[np.float64]":
        """How many of the rarest words of one each of all has, a word weighing more the rarer it is."""
        values = np.zeros(len(self._terms))
        rarest = sorted(self._terms[at], key=lambda word: (len(self._having[word]), word))
        for word in rarest[:MOST_TERMS]:
            values[self._having[word]] += 1 / len(self._having[word])
        return values
