"""basic-memory: its SQLite search, full text and vectors, fused by score; vectors given.

Rows go into its tables and index as its own indexing puts them there, one note each; the Markdown
files that it reads them from are left out, and so is its model, which it would download. It needs a
Python whose own SQLite loads extensions.
"""

import asyncio
import os
import tempfile
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

# Read when the package is loaded: no settings are written to the home folder.
os.environ["BASIC_MEMORY_CONFIG_DIR"] = os.path.join(tempfile.gettempdir(), "bower-bench-basic")

from basic_memory import db
from basic_memory.config import BasicMemoryConfig
from basic_memory.models import Entity, Project
from basic_memory.models.base import Base
from basic_memory.repository.search_index_row import SearchIndexRow
from basic_memory.repository.sqlite_search_repository import SQLiteSearchRepository
from basic_memory.schemas.search import SearchRetrievalMode
from loguru import logger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

VERSION = version("basic-memory")
MOST = 11_000
WHY = "taking in takes 10 ms of CPU a row"
_BATCH = 500
# From a row to its note, and back: ids count from 1.
_TITLE = "row-"
logger.disable("basic_memory")


class _Ready:
    """Returns given vectors: that of a row by the title with which its first piece begins."""

    model_name = "ready"

    def __init__(self, rows: "NDArray[np.float32] | None", dimensions: int) -> None:
        self.rows = rows
        self.dimensions = dimensions
        self.question: list[float] = []
        self._row = 0

    async def embed_query(self, _text: str) -> list[float]:
        return self.question

    async def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self._of(text) for text in texts]

    def _of(self, text: str) -> list[float]:
        if text.startswith(_TITLE):
            self._row = int(text.split(maxsplit=1)[0].removeprefix(_TITLE))
        # A later piece of the same row, which follows its first one.
        return [] if self.rows is None else self.rows[self._row].tolist()

    def runtime_log_attrs(self) -> "dict[str, Any]":
        return {}


async def _index(folder: str, ready: _Ready) -> SQLiteSearchRepository:
    # No threshold, so that it returns ten rows like the others.
    config = BasicMemoryConfig(
        env="test",
        projects={"rows": {"path": folder}},
        semantic_search_enabled=True,
        semantic_min_similarity=0.0,
    )
    path = Path(folder) / "memory.db"
    _, sessions = await db.get_or_create_db(path, ensure_migrations=False, config=config)
    return SQLiteSearchRepository(sessions, 1, config, ready)


async def _load(folder: str, texts: "Sequence[str]", matrix: "NDArray[np.float32]") -> None:
    index = await _index(folder, _Ready(matrix, matrix.shape[1]))
    async with db.scoped_session(index.session_maker) as session:
        connection = await session.connection()
        await connection.run_sync(Base.metadata.create_all)
        session.add(Project(id=1, name="rows", permalink="rows", path=folder))
    await index.init_search_index()
    now = datetime.now(UTC)
    for start in range(0, len(texts), _BATCH):
        rows = range(start, min(start + _BATCH, len(texts)))
        async with db.scoped_session(index.session_maker) as session:
            session.add_all(
                Entity(
                    id=row + 1,
                    title=f"{_TITLE}{row}",
                    note_type="note",
                    content_type="text/markdown",
                    project_id=1,
                    permalink=f"rows/{row}",
                    file_path=f"rows/{row}.md",
                )
                for row in rows
            )
        await index.bulk_index_items(
            [
                SearchIndexRow(
                    project_id=1,
                    id=row + 1,
                    type="entity",
                    file_path=f"rows/{row}.md",
                    created_at=now,
                    updated_at=now,
                    permalink=f"rows/{row}",
                    metadata={"note_type": "note"},
                    title=f"{_TITLE}{row}",
                    content_stems=texts[row],
                    content_snippet=texts[row],
                    entity_id=row + 1,
                )
                for row in rows
            ]
        )
        await index.sync_entity_vectors_batch([row + 1 for row in rows])


def load(folder: str, texts: "Sequence[str]", vectors: "Callable[[], NDArray[np.float32]]") -> None:
    """One note per row."""
    asyncio.run(_load(folder, texts, vectors()))


def opened(folder: str) -> "Callable[[str, Sequence[float], int], list[int]]":
    """Its hybrid search, with the texts."""
    runner = asyncio.Runner()
    ready = _Ready(None, 256)
    index = runner.run(_index(folder, ready))

    def ask(text: str, vector: "Sequence[float]", limit: int) -> list[int]:
        ready.question = list(vector)
        found = runner.run(
            index.search(search_text=text, retrieval_mode=SearchRetrievalMode.HYBRID, limit=limit)
        )
        return [row.id - 1 for row in found]

    return ask
