"""memsearch: its own store, Milvus Lite with vectors and BM25, both searched and fused by rank.

Rows and vectors are passed to the store as memsearch's indexing passes them; the step before, which
cuts Markdown and asks a model on the network for vectors, is left out, to its advantage.
"""

import os
from importlib.metadata import version

from memsearch.store import MilvusStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

VERSION = version("memsearch")
MOST = 11_000
WHY = "an answer takes 70 ms of CPU at 5,000 rows, and grows with them"
# Rows per call: more than its indexing passes at a time, which would be slower.
_BATCH = 1_000
_FILE = "milvus.db"


def load(folder: str, texts: "Sequence[str]", vectors: "Callable[[], NDArray[np.float32]]") -> None:
    """Each row is a chunk with its own id."""
    matrix = vectors()
    with MilvusStore(
        os.path.join(folder, _FILE), dimension=matrix.shape[1], _create_if_missing=True
    ) as store:
        for start in range(0, len(texts), _BATCH):
            end = min(start + _BATCH, len(texts))
            store.upsert(
                [
                    {
                        "chunk_hash": str(number),
                        "embedding": matrix[number].tolist(),
                        "content": texts[number],
                        "source": f"rows/{number}.md",
                        "heading": "",
                        "heading_level": 0,
                        "start_line": 1,
                        "end_line": 1,
                    }
                    for number in range(start, end)
                ]
            )


def opened(folder: str) -> "Callable[[str, Sequence[float], int], list[int]]":
    """Its hybrid search, with the texts."""
    store = MilvusStore(os.path.join(folder, _FILE), dimension=None)

    def ask(text: str, vector: "Sequence[float]", limit: int) -> list[int]:
        found = store.search(list(vector), query_text=text, top_k=limit)
        return [int(hit["chunk_hash"]) for hit in found]

    return ask
