"""A numpy scan: the dot product of every float32 vector with the question's; texts by row number."""

import os

import apsw
import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

VERSION = np.__version__


def load(folder: str, texts: "Sequence[str]", vectors: "Callable[[], NDArray[np.float32]]") -> None:
    """Writes a file of vectors and a table of texts."""
    np.save(os.path.join(folder, "vectors.npy"), vectors())
    connection = apsw.Connection(os.path.join(folder, "texts.db"))
    with connection:
        connection.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT)")
        connection.executemany("INSERT INTO row VALUES (?, ?)", enumerate(texts))
    connection.close()


def opened(folder: str) -> "Callable[[str, Sequence[float], int], list[int]]":
    """Loads all vectors into memory."""
    matrix = np.load(os.path.join(folder, "vectors.npy"))
    connection = apsw.Connection(os.path.join(folder, "texts.db"))

    def ask(_text: str, vector: "Sequence[float]", limit: int) -> list[int]:
        cosines = matrix @ np.array(vector, np.float32)
        best = np.argpartition(-cosines, limit)[:limit]
        rows = [int(row) for row in best[np.argsort(-cosines[best])]]
        for row in rows:
            connection.execute("SELECT text FROM row WHERE id = ?", (row,)).fetchone()
        return rows

    return ask
