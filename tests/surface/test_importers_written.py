"""`bower import` of what other tools wrote themselves: the files below `written`, by tool and version.

Each tool was installed and let write a few memories of ours; of SQLite files their rows are kept.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.value import iso

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

WRITTEN = Path(__file__).parent / "written"
# By file: the importer, and of each memory its text, the moment it was written, and where its id stands.
CLAUDE_MEM: dict[str, str | None] = {
    "Sessions are kept in Redis\n\nThey outlive a deploy.": "2025-03-04T12:00:00Z",
    "Login hung\n\n- The pool had one connection": "2025-03-04T12:00:00Z",
    "The pool was too small": "2025-03-04T12:00:00Z",
    "Next: raise it on staging too": "2025-03-04T12:00:00Z",
}
MEM0: dict[str, str | None] = {
    "Ada prefers spaces in Python code": "2026-11-28T23:37:03.030Z",
    "The staging server restarts every night at two": "2026-11-28T23:37:03.096Z",
}
SERVER_MEMORY: dict[str, str | None] = dict.fromkeys(
    (
        "Ada (person): Works from Lisbon",
        "Ada (person): Reviews on Fridays",
        "Shop (project): Sells boots",
        "Shop (project): Ships on Tuesdays",
        "Ada works on Shop",
    )
)
TOOLS = {
    "claude-mem-13.25.3.json": ("claude-mem", CLAUDE_MEM),
    "mem0-2.2.1-history.json": ("mem0", MEM0),
    "mem0-2.2.1.json": ("mem0", MEM0),
    "server-memory-2026.8.31.jsonl": ("mcp-memory", SERVER_MEMORY),
}


def laid(name: str, folder: Path) -> Path:
    """The file that a tool wrote: of a SQLite file made of its rows."""
    held = (WRITTEN / name).read_text()
    path = folder / name
    path.write_text(held)
    if name.endswith("l") or "results" in json.loads(held):
        return path
    path = folder / "tool.db"
    connection = apsw.Connection(str(path))
    for table, what in json.loads(held).items():
        columns = ", ".join(what["columns"])
        marks = ", ".join("?" * len(what["columns"]))
        connection.execute(f"CREATE TABLE {table} ({columns})")
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", what["rows"])
    connection.close()
    return path


@pytest.mark.parametrize("name", TOOLS)
def test_what_a_tool_wrote_itself_comes_in_whole_and_once(
    bower: Bower, store_path: str, tmp_path: Path, name: str
) -> None:
    what, expected = TOOLS[name]
    path = laid(name, tmp_path)
    done = bower("import", str(path))
    assert (done.code, done.data["what"], done.data["errors"]) == (0, what, [])
    assert done.data["added"] == len(expected)
    with Bowerbird.open(store_path) as bird:
        found = bird.list(memories_only=True, all_projects=True, limit=50)
        dates = {one.text: iso(one.created) for one in found}
        metadata = [bird.history(one.id).versions[-1].fields.metadata or {} for one in found]
    assert dates.keys() == expected.keys()
    assert all(dates[text] == at for text, at in expected.items() if at)
    assert all(what in one for one in metadata), "each says where it came from, with the tool's id"
    assert bower("import", str(path)).data["known"] == len(expected)


def test_an_agent_file_within_a_json_text_is_read(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    """So some of the agent files are that Letta publishes."""
    blocks = [{"id": "block-0", "label": "human", "value": "First name: Ada\nLives in Lisbon"}]
    path = tmp_path / "agent.af"
    path.write_text(json.dumps(json.dumps({"agents": [{"id": "agent-0"}], "blocks": blocks})))
    done = bower("import", str(path))
    assert (done.code, done.data["what"]) == (0, "letta")
    with Bowerbird.open(store_path) as bird:
        told = " ".join(one.text for one in bird.list(memories_only=True, all_projects=True))
    assert "Lives in Lisbon" in told
