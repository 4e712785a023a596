"""What stands in the folders of agents beside their talks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bowerbird.core.config import Config
from bowerbird.core.types import GLOBAL
from bowerbird.ingest.pipeline import Ingest
from bowerbird.models.registry import embedder
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def ingest(store_path: str, clock: Callable[[], int]) -> Iterator[Ingest]:
    opened = Store.open(store_path, clock, write=True)
    yield Ingest(opened, embedder(Config()), Config(), lambda _path: GLOBAL)
    opened.close()


def test_an_agents_list_of_sessions_is_passed_over(ingest: Ingest, tmp_path: Path) -> None:
    listed = tmp_path / ".codex" / "session_index.jsonl"
    listed.parent.mkdir()
    listed.write_text('{"id": "0199", "thread_name": "Walrus", "updated_at": "2026-01-02"}\n')
    report = ingest.index([str(listed.parent)])
    assert [one.reason for one in report.skipped] == ["an agent's list of its sessions"]
    assert (report.added, report.passages) == (0, 0)
    listed.write_text("This is about walruses.\n")
    assert ingest.index([str(listed.parent)]).added == 1


def test_results_that_were_spilled_are_read_with_their_session_alone(
    ingest: Ingest, tmp_path: Path
) -> None:
    home = tmp_path / "projects"
    results = home / "s-1" / "tool-results"
    results.mkdir(parents=True)
    (results / "out.txt").write_text("walruses " * 20)
    content = "<persisted-output>\nsaved to: /far/tool-results/out.txt\n\nPreview: wal"
    back = {"type": "tool_result", "tool_use_id": "t", "content": content}
    record = {
        "type": "user",
        "uuid": "u",
        "sessionId": "s-1",
        "timestamp": "2026-01-02T10:00:00Z",
        "message": {"role": "user", "content": [back]},
    }
    talk = home / "s-1.jsonl"
    talk.write_text(json.dumps(record) + "\n")
    report = ingest.index([str(home)])
    assert (report.added, report.passages) == (1, 1)
    assert [one.path for one in report.skipped] == [str(results)]
    # Without their session they are texts like any other.
    talk.unlink()
    assert ingest.index([str(home)]).added == 1
