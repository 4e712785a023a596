"""`bower import` of what other tools wrote themselves: the files below `written`, by tool and version.

Each tool was installed and let write a few memories of ours; of SQLite files their rows are kept.
"""

from __future__ import annotations

import json
import subprocess
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


def test_notes_of_basic_memory_come_in_whole_and_once(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    """Written by its `tool write-note` and `tool edit-note`."""
    for name, text in json.loads((WRITTEN / "basic-memory-0.24.1.json").read_text()).items():
        path = tmp_path / "basic-memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    notes = {
        "Retry policy\n\nWe retry payments three times, with a pause that doubles.": {
            "payments",
            "retry",
        },
        "Retry policy: Payments are retried three times": {"decision", "payments"},
        "Retry policy: The provider answers 200 for a declined card": {"gotcha"},
        "Payment provider\n\nThe provider is Adyen.": set(),
        "Payment provider: Its sandbox is reset every Sunday night": {"fact"},
        "Payment provider: Its test card ends in 0000": {"tip", "testing"},
    }
    done = bower("import", str(tmp_path / "basic-memory"))
    assert (done.code, done.data["what"], done.data["errors"]) == (0, "obsidian", [])
    # Of four observations to their notes, and of the note that depends on the other.
    assert (done.data["added"], done.data["links"]) == (len(notes), 5)
    with Bowerbird.open(store_path) as bird:
        found = bird.list(memories_only=True, all_projects=True, limit=50)
        assert {one.text: set(one.tags) for one in found} == notes
        policy = next(one for one in found if one.text.startswith("Retry policy\n"))
        kept = bird.history(policy.id).versions[-1].fields.metadata["notes"]
    assert kept["permalink"] == "main/shop/retry-policy"
    again = bower("import", "basic-memory", str(tmp_path / "basic-memory"))
    assert (again.data["added"], again.data["known"]) == (0, len(notes))


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


NOTE = "---\nname: {}\ndescription: What it is about.\n---\n{}"


@pytest.mark.parametrize("below", ["", "system/"])
def test_the_folders_of_lettas_agents_are_found_and_read(
    bower: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    """As Letta 0.34.12 lays them: what its first commit holds is the same in all of them."""
    backend = tmp_path / "backend"
    monkeypatch.setenv("LETTA_LOCAL_BACKEND_DIR", str(backend))
    memory = backend / "memfs" / "agent-local-1" / "memory"
    (memory / below).mkdir(parents=True)
    (memory / "MEMORY.md").write_text("# Memory\n")
    for name in ("persona", "human"):
        (memory / below / f"{name}.md").write_text(NOTE.format(name, "Ask what matters next time."))
    git = ["git", "-C", str(memory), "-c", "user.name=Letta", "-c", "user.email=l@example.com"]
    for command in (["init"], ["add", "."], ["commit", "-m", "chore: initialize local memory"]):
        subprocess.run([*git, *command], check=True, capture_output=True)
    assert bower("import").data["offered"] == [
        {"what": "letta", "path": str(memory), "project": ""}
    ]
    empty = bower("import", str(memory))
    assert (empty.code, empty.data["what"], empty.data["added"]) == (0, "letta", 0)

    (memory / below / "persona.md").write_text(NOTE.format("persona", "I am warm and grounded."))
    (memory / below / "human.md").write_text(
        NOTE.format("human", "Runs the billing team.\n\n- Reviews on Fridays\n")
    )
    for folder in ("shop", "skills/seeding"):
        (memory / folder).mkdir(parents=True)
        (memory / folder / "MEMORY.md").write_text("- testing.md: how tests run\n")
        (memory / folder / "testing.md").write_text(
            NOTE.format(folder, "# Before the tests\n\nRedis must be up.\n")
        )
    told = {
        "Runs the billing team.": "human",
        "Reviews on Fridays": "human",
        "Before the tests: Redis must be up.": "shop/testing",
    }
    done = bower("import", "letta", str(memory))
    assert (done.code, done.data["added"], done.data["errors"]) == (0, len(told), [])
    found = bower("list", "--memories", "--all-projects").data["entries"]
    assert {one["text"]: one["tags"] for one in found} == {
        text: [tag] for text, tag in told.items()
    }
    assert bower("import", str(memory)).data["known"] == len(told)
