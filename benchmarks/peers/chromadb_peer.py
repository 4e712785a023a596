"""Chroma: a persistent collection with its own HNSW index, given vectors, cosine."""

import chromadb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

VERSION = chromadb.__version__
_BATCH = 5_000


def _client(folder: str) -> "chromadb.ClientAPI":
    settings = chromadb.config.Settings(anonymized_telemetry=False)
    return chromadb.PersistentClient(folder, settings=settings)


def load(folder: str, texts: "Sequence[str]", vectors: "Callable[[], NDArray[np.float32]]") -> None:
    """Rows in batches of the maximum size that Chroma accepts."""
    rows = _client(folder).create_collection(
        "rows", metadata={"hnsw:space": "cosine"}, embedding_function=None
    )
    matrix = vectors()
    for start in range(0, len(texts), _BATCH):
        end = min(start + _BATCH, len(texts))
        rows.add(
            ids=[str(number) for number in range(start, end)],
            embeddings=matrix[start:end],
            documents=list(texts[start:end]),
        )


def opened(folder: str) -> "Callable[[str, Sequence[float], int], list[int]]":
    """Nearest vectors with their documents."""
    rows = _client(folder).get_collection("rows", embedding_function=None)

    def ask(_text: str, vector: "Sequence[float]", limit: int) -> list[int]:
        found = rows.query(
            query_embeddings=[list(vector)], n_results=limit, include=["documents", "distances"]
        )
        return [int(id) for id in found["ids"][0]]

    return ask
