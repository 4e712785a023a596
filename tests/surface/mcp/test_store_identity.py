"""A store that is deleted, replaced or put back while an agent's ``bower mcp`` has it open."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable

OLD = "The depot opens at seven"
NEW = "The depot has two gates"
OTHER = "The garden opens at six"


def remove(path: str) -> None:
    os.unlink(path)


def remove_with_its_log(path: str) -> None:
    for suffix in ("", "-wal", "-shm"):
        os.unlink(path + suffix)


def replace(path: str) -> None:
    with Bowerbird.open(path + ".other", project="shop") as bird:
        bird.remember(OTHER)
    os.rename(path, path + ".former")
    os.rename(path + ".other", path)


def copy_a_backup_over_it(path: str) -> None:
    subprocess.run(["cp", path + ".backup", path], check=True)


@pytest.mark.parametrize(
    "happens",
    [remove, remove_with_its_log, replace, copy_a_backup_over_it],
    ids=lambda one: one.__name__,
)
def test_every_call_is_reported_and_nothing_is_acknowledged(
    lines: Any, store_path: str, happens: Callable[[str], None]
) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.remember(OLD)
        bird.admin.backup(store_path + ".backup")
    with lines("--project", "shop") as client:
        client.begin()
        assert not client.call("memory_store", content=NEW).get("isError")
        happens(store_path)
        for number in range(3):
            for tool, given in (
                ("memory_store", {"content": f"The barrier has {number} bars"}),
                ("memory_search", {"query": "when does it open?"}),
                ("memory_context", {"task": "open the depot"}),
            ):
                said = client.call(tool, **given)
                assert said["isError"], (tool, said)
                text = said["content"][0]["text"]
                assert "put" in text, text
        assert client.leave() == 0
    for suffix in ("-wal", "-shm"):
        if os.path.exists(store_path + suffix):
            os.unlink(store_path + suffix)
    with lines("--project", "shop") as client:
        client.begin()
        assert not client.call("memory_store", content="The yard is paved").get("isError")
    with Bowerbird.open(store_path, project="shop") as bird:
        kept = {entry.text for entry in bird.list(limit=50)}
        assert bird.admin.verify().damages == ()
    assert kept <= {OLD, OTHER, "The yard is paved"}
    assert "The yard is paved" in kept
