"""An index run that is stopped: what it keeps, and what the next one reads."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.core.config import Config
from bowerbird.core.report import Stopped
from bowerbird.core.types import Project
from bowerbird.ingest import batch
from bowerbird.ingest.pipeline import Ingest
from bowerbird.models.registry import embedder
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def store(store_path: str, clock: Callable[[], int]) -> Iterator[Store]:
    opened = Store.open(store_path, clock, write=True)
    yield opened
    opened.close()


def put(path: Path, text: str) -> None:
    """A file that was last changed long before the clock of the tests."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    os.utime(path, (1_700_000_000, 1_700_000_000))


@pytest.mark.parametrize("sentences", [False, True])
def test_what_was_read_is_kept_when_a_run_is_stopped(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, sentences: bool
) -> None:
    for number in range(3):
        put(tmp_path / "notes" / f"{number}.md", f"Plan {number}")

    class Stopping:
        def start(self, what: str, total: int) -> None: ...

        def advance(self, units: int, label: str = "") -> None:
            raise KeyboardInterrupt

        def finish(self) -> None: ...

    model = embedder(Config())
    monkeypatch.setattr(model, "sentences", sentences)
    ingest = Ingest(store, model, Config(), lambda _: Project("name:p", "p", None))
    with pytest.raises(Stopped) as stopped:
        ingest.index([str(tmp_path / "notes")], Stopping())
    # A model that reads sentences is not asked any more, which may take minutes.
    kept = 0 if sentences else 1
    documents = store.connection.execute("SELECT count(*) FROM document").get
    assert (stopped.value.kept, documents) == (kept, kept)
    assert ingest.index([str(tmp_path / "notes")]).unchanged == kept


def test_a_collection_that_a_run_stopped_in_is_read_again(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = [
        {"uuid": f"m{n}", "sender": "human", "text": f"Plan {n}", "created_at": "2025-05-01"}
        for n in range(4)
    ]
    chats = [
        {"uuid": f"c{n}", "name": f"Chat {n}", "chat_messages": [one]} for n, one in enumerate(said)
    ]
    put(tmp_path / "export" / "conversations.json", json.dumps(chats))
    model = embedder(Config())
    read, embed = list[int](), model.embed

    def stopping(texts: Any) -> Any:
        read.append(len(texts))
        if len(read) == 3:
            raise KeyboardInterrupt
        return embed(texts)

    monkeypatch.setattr(batch, "_DOCUMENTS", 1)
    monkeypatch.setattr(model, "embed", stopping)
    ingest = Ingest(store, model, Config(), lambda _: Project("name:p", "p", None))
    with pytest.raises(Stopped):
        ingest.index([str(tmp_path / "export")])
    ingest.index([str(tmp_path / "export")])
    found = [text for (text,) in store.connection.execute("SELECT text FROM entry ORDER BY text")]
    assert found == [one["text"] for one in said]


def test_a_session_stays_until_its_fuller_file_is_written(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both change in one transaction: a run that stops between them would lose the session."""

    def said(number: int) -> str:
        message = {"content": f"Walruses are counted at dawn, part {number}"}
        return json.dumps(
            {
                "type": "user",
                "uuid": f"u{number}",
                "sessionId": "s-1",
                "timestamp": f"2026-01-02T10:0{number}:00Z",
                "message": message,
            }
        )

    put(tmp_path / "sessions" / "a.jsonl", said(0))
    model = embedder(Config())
    embed = model.embed
    ingest = Ingest(store, model, Config(), lambda _: Project("name:p", "p", None))
    ingest.index([str(tmp_path / "sessions")])
    put(tmp_path / "sessions" / "b.jsonl", said(0) + "\n" + said(1))

    def stopping(texts: Any) -> Any:
        if texts:
            raise KeyboardInterrupt
        return embed(texts)

    with monkeypatch.context() as patch:
        patch.setattr(batch, "_DOCUMENTS", 1)
        patch.setattr(model, "embed", stopping)
        with pytest.raises(Stopped):
            ingest.index([str(tmp_path / "sessions")])
    paths = "SELECT path FROM document"
    kept = [os.path.basename(path) for (path,) in store.connection.execute(paths)]
    assert kept == ["a.jsonl"]
    ingest.index([str(tmp_path / "sessions")])
    kept = [os.path.basename(path) for (path,) in store.connection.execute(paths)]
    assert kept == ["b.jsonl"]
