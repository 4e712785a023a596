"""Anthropic's memory tool: the same replies as the SDK's own implementation over files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("default")
A, B = "/memories/a.md", "/memories/notes/b.md"
TEXT = "one\ntwo\nthree\ntwo again\n"
COMMANDS: list[dict[str, Any]] = [
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": A, "file_text": TEXT},
    {"command": "create", "path": A, "file_text": "again"},
    {"command": "create", "path": B, "file_text": "x" * 1500},
    {"command": "view", "path": "/memories"},
    {"command": "view", "path": A},
    {"command": "view", "path": A, "view_range": [2, 3]},
    {"command": "view", "path": "/memories/none"},
    {"command": "view", "path": "/etc/passwd"},
    {"command": "view", "path": "/memories/../../etc"},
    {"command": "str_replace", "path": A, "old_str": "three", "new_str": "3"},
    {"command": "str_replace", "path": A, "old_str": "two", "new_str": "2"},
    {"command": "str_replace", "path": A, "old_str": "none", "new_str": "2"},
    {"command": "str_replace", "path": "/memories/none", "old_str": "a", "new_str": "b"},
    {"command": "insert", "path": A, "insert_line": 0, "insert_text": "zero\n"},
    {"command": "insert", "path": A, "insert_line": 99, "insert_text": "no\n"},
    {"command": "view", "path": A},
    {"command": "rename", "old_path": A, "new_path": B},
    {"command": "rename", "old_path": "/memories/notes", "new_path": "/memories/kept"},
    {"command": "rename", "old_path": "/memories/notes", "new_path": "/memories/other"},
    {"command": "view", "path": "/memories/kept/b.md", "view_range": [1, -1]},
    {"command": "delete", "path": "/memories"},
    {"command": "delete", "path": "/memories/kept"},
    {"command": "delete", "path": "/memories/kept"},
    {"command": "view", "path": "/memories"},
]


@pytest.fixture
def bird(store_path: str) -> Iterator[Bowerbird]:
    pytest.importorskip("anthropic", reason="make adapters ONLY=anthropic")
    with Bowerbird.open(store_path, project="shop") as opened:
        yield opened


def reply(tool: Any, command: dict[str, Any]) -> str:
    from anthropic.lib.tools import ToolError

    try:
        return str(tool.call(command))
    except ToolError as error:
        return f"error: {error}"


def test_its_replies_are_those_of_the_sdks_own_files(bird: Bowerbird, tmp_path: Path) -> None:
    from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool

    from bowerbird.surfaces.adapters.anthropic import BowerbirdMemoryTool

    theirs, ours = BetaLocalFilesystemMemoryTool(str(tmp_path)), BowerbirdMemoryTool(bird)
    for command in COMMANDS:
        expected = reply(theirs, command)
        own = reply(ours, command)
        if expected.startswith("Here're"):
            # Folders of a file system have sizes of their own.
            expected, own = _paths(expected), _paths(own)
        assert own == expected, command


def _paths(listing: str) -> str:
    return "\n".join(line.split("\t")[-1].rstrip("/") for line in listing.splitlines())


def test_a_secret_is_removed_and_a_long_file_is_whole(bird: Bowerbird) -> None:
    from bowerbird.surfaces.adapters.anthropic import BowerbirdMemoryTool

    tool = BowerbirdMemoryTool(bird)
    text = "\n".join(f"line {n} says {n * 7}" for n in range(3000))
    tool.call({"command": "create", "path": A, "file_text": text})
    assert "2999\tline 2998 says" in str(tool.call({"command": "view", "path": A}))
    secret = "ghp_" + "a1B2" * 9
    tool.call({"command": "create", "path": B, "file_text": f"the token is {secret}"})
    assert secret not in str(tool.call({"command": "view", "path": B}))
    assert tool.clear_all_memory() == "All memory cleared"
    assert bird.list() == []
