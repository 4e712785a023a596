"""Documents in a store: collections, tags, names, and what becomes of them."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.bird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def bird(store_path: str, clock: Callable[[], int]) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, clock=clock) as opened:
        yield opened


def put(path: Path, text: str, changed: int = 1_700_000_000) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (changed, changed))
    return path


def chat(id: str, said: str) -> dict[str, Any]:
    message = {"uuid": "m", "sender": "human", "text": said, "created_at": "2024-06-01T10:00:00Z"}
    return {"uuid": id, "name": f"About {id}", "chat_messages": [message]}


def found(bird: Bowerbird, text: str, **narrow: Any) -> list[str]:
    hits = bird.query(text, all_projects=True, **narrow)
    return [os.path.basename(hit.path or "") for hit in hits]


def test_each_conversation_of_an_export_is_a_document(bird: Bowerbird, tmp_path: Path) -> None:
    file = tmp_path / "conversations.json"
    put(file, json.dumps([chat("one", "Kayaks in Slovenia."), chat("two", "Bread with rye.")]))
    report = bird.index(tmp_path)
    assert (report.added, report.passages) == (3, 2)
    assert found(bird, "kayaks in Slovenia")[:1] == ["one"]
    assert bird.index(tmp_path).unchanged == 3

    put(
        file,
        json.dumps([chat("two", "Bread with rye."), chat("three", "Bees in June.")]),
        1_700_000_100,
    )
    report = bird.index(tmp_path)
    assert (report.added, report.changed, report.removed, report.unchanged) == (1, 1, 1, 1)
    assert found(bird, "bees in June")[:1] == ["three"]
    assert "one" not in found(bird, "kayaks in Slovenia")

    file.unlink()
    assert bird.index(tmp_path).removed == 3


def test_an_export_that_is_one_no_more_takes_its_conversations_along(
    bird: Bowerbird, tmp_path: Path
) -> None:
    file = put(tmp_path / "conversations.json", json.dumps([chat("one", "Kayaks in Slovenia.")]))
    bird.index(tmp_path)
    put(file, '{"other": "text"}', 1_700_000_100)
    assert bird.index(tmp_path).removed == 1
    assert found(bird, "kayaks in Slovenia") == []


def test_the_tags_of_a_note_are_those_that_filters_see(bird: Bowerbird, tmp_path: Path) -> None:
    put(tmp_path / "a.md", "---\ntags: [Team, release train]\n---\n# Standup\n\nWe talk at nine.\n")
    put(tmp_path / "b.md", "# Standup\n\nThey talk at ten.\n")
    bird.index(tmp_path)
    assert found(bird, "talk at nine", tags=["team"]) == ["a.md"]
    assert bird.admin.verify().sound
    assert found(bird, "talk at nine", tags=["release train"]) == ["a.md"]
    (hit,) = bird.query("talk at nine", tags=["team"], all_projects=True)
    assert hit.entry.tags == ("release-train", "team")

    put(tmp_path / "a.md", "# Standup\n\nWe talk at nine.\n", 1_700_000_100)
    bird.index(tmp_path)
    assert found(bird, "talk at nine", tags=["team"]) == []


@pytest.mark.parametrize(
    "asked", ["deploy-checklist", "deploy checklist", "deploy_checklist.md", "DeployChecklist"]
)
@pytest.mark.parametrize(
    "name", ["deploy-checklist.md", "deployChecklist.txt", "deploy_checklist.rst"]
)
def test_a_file_is_found_by_its_name(
    bird: Bowerbird, tmp_path: Path, name: str, asked: str
) -> None:
    put(tmp_path / name, "Ask the team, then press the button.\n")
    put(
        tmp_path / "other.md",
        "# Release\n\nA checklist for the team: press the button on Friday.\n",
    )
    for number in range(5):
        put(tmp_path / f"n{number}.md", f"Pears and apples number {number}.\n")
    bird.index(tmp_path)
    assert found(bird, asked)[:1] == [name]


def test_a_name_that_the_text_says_is_said_once(bird: Bowerbird, tmp_path: Path) -> None:
    put(tmp_path / "redis.md", "# Redis\n\nIt must be up first.\n")
    put(tmp_path / "4983.md", "# Mongo\n\nIt may come last.\n")
    bird.index(tmp_path)
    (redis,) = bird.query("up first", all_projects=True, limit=1)
    (mongo,) = bird.query("come last", all_projects=True, limit=1)
    assert (redis.entry.context, mongo.entry.context) == ("Redis", "Mongo")
