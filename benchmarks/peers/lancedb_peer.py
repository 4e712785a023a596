"""LanceDB: hybrid search, its own full-text index and given vectors, fused by rank.

No vector index is built: its own advice is to scan below some 100,000 rows.
"""

import lancedb
import pyarrow as pa
from lancedb.rerankers import RRFReranker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

VERSION = lancedb.__version__


def load(folder: str, texts: "Sequence[str]", vectors: "Callable[[], NDArray[np.float32]]") -> None:
    """One table, and its index over the words."""
    matrix = vectors()
    columns = {
        "id": pa.array(range(len(texts)), pa.int64()),
        "text": pa.array(texts),
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(matrix.reshape(-1)), matrix.shape[1]),
    }
    table = lancedb.connect(folder).create_table("rows", data=pa.table(columns))
    table.create_fts_index("text")


def opened(folder: str) -> "Callable[[str, Sequence[float], int], list[int]]":
    """Both searches and their fusion, by LanceDB itself."""
    table = lancedb.connect(folder).open_table("rows")
    fusion = RRFReranker()

    def ask(text: str, vector: "Sequence[float]", limit: int) -> list[int]:
        query = table.search(query_type="hybrid").vector(list(vector)).text(text)
        found = query.distance_type("cosine").rerank(fusion).limit(limit).to_list()
        return [int(row["id"]) for row in found]

    return ask
