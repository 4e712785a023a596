"""mem0 without inference: `add(infer=False)` and `search`, over Chroma on disk, given vectors.

The vectors come through its LangChain embedder, which takes any object: the question's is the
given one, so none is computed.
"""

import os
import tempfile
from importlib.metadata import version

# Read when the package is loaded: nothing phones home, and no settings are written to the home folder.
os.environ["MEM0_TELEMETRY"] = os.environ["ANONYMIZED_TELEMETRY"] = "False"
os.environ["MEM0_DIR"] = os.path.join(tempfile.gettempdir(), "bower-bench-mem0")

from langchain_core.embeddings import Embeddings
from mem0 import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

VERSION = version("mem0ai")
MOST = 2_000
WHY = "taking in, one after the other, takes 40 ms of CPU a row"
_USER = "bench"


class _Ready(Embeddings):  # type: ignore[misc]  # only installed with mem0
    """Returns the vector that was set."""

    vector: "Sequence[float]" = ()

    def embed_query(self, _text: str) -> list[float]:
        return list(self.vector)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [list(self.vector) for _ in texts]


def _memory(folder: str, ready: _Ready) -> Memory:
    return Memory.from_config(
        {
            "vector_store": {
                "provider": "chroma",
                "config": {"collection_name": "rows", "path": os.path.join(folder, "chroma")},
            },
            "embedder": {"provider": "langchain", "config": {"model": ready}},
            # Never asked: nothing is inferred.
            "llm": {"provider": "openai", "config": {"api_key": "none"}},
            "history_db_path": os.path.join(folder, "history.db"),
        }
    )


def load(folder: str, texts: "Sequence[str]", vectors: "Callable[[], NDArray[np.float32]]") -> None:
    """One row after the other, as its interface requires."""
    ready = _Ready()
    memory = _memory(folder, ready)
    for number, vector in enumerate(vectors()):
        ready.vector = vector.tolist()
        said = [{"role": "user", "content": texts[number]}]
        memory.add(said, user_id=_USER, metadata={"row": number}, infer=False)


def opened(folder: str) -> "Callable[[str, Sequence[float], int], list[int]]":
    """Its search among one user's memories."""
    ready = _Ready()
    memory = _memory(folder, ready)

    def ask(text: str, vector: "Sequence[float]", limit: int) -> list[int]:
        ready.vector = vector
        found = memory.search(text, filters={"user_id": _USER}, top_k=limit)
        return [int(hit["metadata"]["row"]) for hit in found["results"]]

    return ask
