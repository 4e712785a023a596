"""The baselines: full-text search alone, embeddings alone, and their plain fusion.

Each ranks the rows of a scope as they are, one row per document.
"""

import re

import apsw
import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.bird import Bowerbird

# Length of each ranking, and the constant of reciprocal-rank fusion (Cormack et al., 2009).
DEPTH = 100
RRF = 60
_WORD = re.compile(r"\w+")
STOP_WORDS = frozenset(
    "a about after all also am an and any are as at be because been before being between both"
    " but by can could did do does doing down during each few for from further had has have"
    " having he her here hers him his how i if in into is it its itself just me more most my"
    " no nor not now of off on once only or other our out over own same she should so some"
    " such than that the their them then there these they this those through to too under"
    " until up very was we were what when where which while who whom why will with would you"
    " your".split()
)


class LexicalBaseline:
    """FTS5 alone: porter stems, stop-words removed, OR of the rest, BM25."""

    def __init__(self, texts: "Sequence[str]") -> None:
        self._connection = apsw.Connection(":memory:")
        self._connection.execute(
            "CREATE VIRTUAL TABLE row USING fts5("
            "text, tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        self._connection.executemany(
            "INSERT INTO row (rowid, text) VALUES (?, ?)", list(enumerate(texts, 1))
        )

    def rank(self, question: str) -> list[int]:
        """The indices of the rows, best first."""
        asked = list(dict.fromkeys(_WORD.findall(question.lower())))
        kept = [word for word in asked if word not in STOP_WORDS] or asked
        if not kept:
            return []
        match = " OR ".join(f'"{word}"' for word in kept)
        found = self._connection.execute(
            "SELECT rowid FROM row WHERE row MATCH ? ORDER BY rank LIMIT ?", (match, DEPTH)
        )
        return [rowid - 1 for (rowid,) in found]


class DenseBaseline:
    """The built-in model alone: exact cosine over every row."""

    def __init__(self, bird: "Bowerbird", texts: "Sequence[str]") -> None:
        self._bird = bird
        vectors = [
            np.frombuffer(vector.values, dtype=np.int8) for vector in bird.admin.embed(texts)
        ]
        self._matrix = _unit(np.asarray(vectors, dtype=np.float32))

    def rank(self, question: str) -> list[int]:
        """The indices of the rows, best first."""
        values = self._bird.admin.embed_query(question).values
        asked = _unit(np.frombuffer(values, dtype=np.int8).astype(np.float32)[None, :])[0]
        cosines = self._matrix @ asked
        order = np.argsort(-cosines, kind="stable")[:DEPTH]
        return [int(at) for at in order]


def _unit(matrix: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.maximum(lengths, 1e-9))


def fused(rankings: "Sequence[Sequence[int]]") -> list[int]:
    """Reciprocal-rank fusion of several rankings."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, row in enumerate(ranking, 1):
            scores[row] = scores.get(row, 0.0) + 1.0 / (RRF + rank)
    return sorted(scores, key=lambda row: -scores[row])[:DEPTH]
