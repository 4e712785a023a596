"""The metrics, as pure functions over ranked documents and returned texts.

A ranked list contains each document once, at its first occurrence: a repeated document takes no rank. A
hit that spans n documents takes n ranks.
"""

from math import log2

import numpy as np

from bowerbird.core.text import BYTES_PER_TOKEN, clean, count_tokens
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# Length of the substrings that locate a text inside another that differs slightly.
_PROBE = 32
RESAMPLES = 2_000
SEED = 20_240_315
_AT_ONCE = 200


class Shown(Record):
    """A hit: its text, and the documents that it covers."""

    text: str
    documents: tuple[int, ...]


def ranked(hits: "Iterable[Shown]") -> list[int]:
    """The documents of the hits in order, each at its first occurrence."""
    return list(dict.fromkeys(document for hit in hits for document in hit.documents))


def recall(ranking: "Sequence[int]", grades: "Mapping[int, float]", depth: int) -> float:
    """Recall: the share of the evidence among the first `depth` documents."""
    return len(grades.keys() & set(ranking[:depth])) / len(grades)


def ndcg(ranking: "Sequence[int]", grades: "Mapping[int, float]", depth: int) -> float:
    """Normalised discounted cumulative gain; the gain of a document is its grade."""
    gained = sum(grades.get(doc, 0.0) / log2(i + 2) for i, doc in enumerate(ranking[:depth]))
    best = sorted(grades.values(), reverse=True)[:depth]
    return gained / sum(grade / log2(i + 2) for i, grade in enumerate(best))


def evidence_shown(hits: "Iterable[Shown]", evidence: "Mapping[int, str]", budget: int) -> float:
    """The mean share of each evidence document's characters in the first `budget` tokens.

    Hits are counted whole, in order; the one that exceeds the budget is cut there. White space does not
    count, and repeated text counts once.
    """
    solid = {document: _solid(text) for document, text in evidence.items()}
    covered: dict[int, list[tuple[int, int]]] = {document: [] for document in evidence}
    left = budget
    for hit in hits:
        if left <= 0:
            break
        shown = hit.text
        cost = count_tokens(shown)
        if cost > left:
            shown = shown.encode("utf-8", "replace")[: left * BYTES_PER_TOKEN].decode(
                "utf-8", "ignore"
            )
        left -= cost
        whole, length = _solid(hit.text), len(_solid(shown))
        for document in hit.documents:
            if document in solid:
                span = overlap(whole, length, solid[document])
                covered[document].append(span)
    shares = [
        _covered(covered[document]) / len(text) if text else 1.0 for document, text in solid.items()
    ]
    return sum(shares) / len(shares)


def _solid(text: str) -> str:
    return "".join(clean(text).split())


def overlap(hit: str, length: int, document: str) -> tuple[int, int]:
    """The range of a document that the first `length` characters of a hit cover."""
    start = _offset(hit, document)
    if start is None:
        return (0, 0)
    return (max(0, -start), max(0, min(len(document), length - start)))


def _offset(hit: str, document: str) -> int | None:
    """The offset of the document in the hit: negative if the hit begins inside the document.

    If neither contains the other whole, substrings of the hit are located and the majority decides.
    """
    if (found := hit.find(document)) >= 0:
        return found
    if (found := document.find(hit)) >= 0:
        return -found
    votes: dict[int, int] = {}
    for at in range(0, max(1, len(hit) - _PROBE), _PROBE // 2):
        found = document.find(hit[at : at + _PROBE])
        if found >= 0:
            votes[at - found] = votes.get(at - found, 0) + 1
    return max(votes, key=lambda row: votes[row]) if votes else None


def _covered(spans: "Iterable[tuple[int, int]]") -> int:
    total, reached = 0, 0
    for start, end in sorted(spans):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


def mean(values: "Sequence[float]") -> float:
    """The arithmetic mean; 0 of no values."""
    return sum(values) / len(values) if values else 0.0


def paired_interval(
    ours: "Sequence[float]", theirs: "Sequence[float]"
) -> tuple[float, float, float]:
    """The mean difference per question, and its bootstrap 95 % interval over questions."""
    difference = np.asarray(ours, dtype=float) - np.asarray(theirs, dtype=float)
    generator = np.random.default_rng(SEED)
    means = np.empty(RESAMPLES)
    # Some at a time: all of them would be gigabytes for a large set.
    for first in range(0, RESAMPLES, _AT_ONCE):
        some = means[first : first + _AT_ONCE]
        drawn = generator.integers(0, len(difference), (len(some), len(difference)))
        some[:] = difference[drawn].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(difference.mean()), float(low), float(high)
