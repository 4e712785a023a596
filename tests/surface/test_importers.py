"""`bower import`: what other tools wrote comes in once, with its dates, and waits for nobody's trust.

What mem0 2.2.1 and hermes-agent 0.19.0 write was taken from a run of each; the other files are by the
schemas that their tools publish.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

DAY = datetime(2025, 3, 4, 12, tzinfo=UTC)
AT = int(DAY.timestamp() * 1000)


def claude_mem(folder: Path) -> tuple[Path, set[str]]:
    path = folder / "claude-mem.db"
    connection = apsw.Connection(str(path))
    connection.execute(
        "CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT,"
        " text TEXT, type TEXT, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT,"
        " files_read TEXT, files_modified TEXT, created_at TEXT, created_at_epoch INTEGER);"
        "CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT,"
        " request TEXT, learned TEXT, completed TEXT, next_steps TEXT, created_at_epoch INTEGER)"
    )
    connection.execute(
        "INSERT INTO observations (memory_session_id, project, type, title, facts, narrative, concepts,"
        " files_modified, created_at_epoch) VALUES"
        " ('s1', 'shop', 'decision', 'Sessions are kept in Redis', '[]', 'They outlive a deploy.',"
        " '[\"auth\"]', '[\"src/auth.py\"]', ?1),"
        " ('s1', 'shop', 'bugfix', 'Login hung', '[\"The pool had one connection\"]', '', '[]', '[]',"
        " ?1)",
        (AT,),
    )
    connection.execute(
        "INSERT INTO session_summaries VALUES (1, 's1', 'shop', 'fix login', 'The pool was too small',"
        " '', 'raise it on staging too', ?)",
        (AT,),
    )
    connection.close()
    return path, {
        "Sessions are kept in Redis\n\nThey outlive a deploy.",
        "Login hung\n\n- The pool had one connection",
        "The pool was too small",
        "Next: raise it on staging too",
    }


def mem0_history(folder: Path) -> tuple[Path, set[str]]:
    path = folder / "history.db"
    connection = apsw.Connection(str(path))
    connection.execute(
        "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT,"
        " event TEXT, created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT,"
        " role TEXT)"
    )
    at = DAY.isoformat()
    connection.executemany(
        "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, 'user')",
        [
            ("1", "a", None, "Ada prefers tabs in Go code", "ADD", at, at, 0),
            ("2", "b", None, "Lunch is at noon", "ADD", at, at, 0),
            ("3", "a", "…", "Ada prefers spaces in Python code", "UPDATE", at, at, 0),
            ("4", "b", "Lunch is at noon", None, "DELETE", at, at, 1),
        ],
    )
    connection.close()
    return path, {"Ada prefers spaces in Python code"}


def mem0_answer(folder: Path) -> tuple[Path, set[str]]:
    path = folder / "mem0.json"
    said = "The staging server is restarted every night at two"
    one = {"id": "567c", "memory": said, "hash": "b1", "metadata": {"team": "ops"}}
    one |= {"created_at": DAY.isoformat(), "user_id": "ada", "role": "user"}
    path.write_text(json.dumps({"results": [one]}))
    return path, {said}


def mcp_memory(folder: Path) -> tuple[Path, set[str]]:
    path = folder / "memory.jsonl"
    ada = {"type": "entity", "name": "Ada", "entityType": "person"}
    lines: list[dict[str, Any]] = [
        ada | {"observations": ["Works from Lisbon", "Reviews on Fridays"]},
        {
            "type": "entity",
            "name": "Shop",
            "entityType": "project",
            "observations": ["Sells boots"],
        },
        {"type": "relation", "from": "Ada", "to": "Shop", "relationType": "works_on"},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path, {
        "Ada (person): Works from Lisbon",
        "Ada (person): Reviews on Fridays",
        "Shop (project): Sells boots",
        "Ada works on Shop",
    }


def letta(folder: Path) -> tuple[Path, set[str]]:
    path = folder / "agent.af"
    blocks = [
        {"id": "block-1", "label": "persona", "value": "I am a helpful agent."},
        {"id": "block-2", "label": "human", "value": "Lives in Lisbon.\n\n- Likes tea a lot"},
    ]
    path.write_text(
        json.dumps({"agents": [{"id": "agent-1"}], "blocks": blocks, "created_at": DAY.isoformat()})
    )
    return path, {"Lives in Lisbon.", "Likes tea a lot"}


def hermes(folder: Path) -> tuple[Path, set[str]]:
    home = folder / "hermes"
    (home / "memories").mkdir(parents=True)
    (home / "memories" / "MEMORY.md").write_text(
        "The deploy script needs the VPN\n§\nCI takes nine minutes on main"
    )
    (home / "memories" / "USER.md").write_text("Ada wants short answers")
    return home, {
        "The deploy script needs the VPN",
        "CI takes nine minutes on main",
        "Ada wants short answers",
    }


def chats(folder: Path) -> tuple[Path, set[str]]:
    home = folder / "export"
    home.mkdir()
    message = {"id": "m1", "recipient": "bio", "create_time": AT / 1000}
    message |= {"content": {"content_type": "text", "parts": ["Runs a boot shop in Lisbon"]}}
    other = {"id": "m2", "recipient": "all", "content": {"parts": ["Hello"]}}
    nodes = {"n1": {"message": message}, "n2": {"message": other}, "n3": {"message": None}}
    (home / "conversations.json").write_text(json.dumps([{"mapping": nodes}]))
    known = {
        "conversations_memory": "**Work**\n\nAda sells boots to fishermen.",
        "project_memories": {"p1": "## Shop\n\n- Boots are made in Porto"},
    }
    (home / "memories.json").write_text(json.dumps([known]))
    return home, {
        "Runs a boot shop in Lisbon",
        "Ada sells boots to fishermen.",
        "Shop: Boots are made in Porto",
    }


def basic_memory(folder: Path) -> tuple[Path, set[str]]:
    home = folder / "basic-memory"
    (home / "coffee").mkdir(parents=True)
    (home / "coffee" / "Brewing.md").write_text(
        "---\ntitle: Brewing\ntype: note\npermalink: coffee/brewing\ncreated: 2025-03-04T12:00:00Z\n"
        "---\n\n# Brewing\n\n## Observations\n- [method] Pour over is slow #coffee (at home)\n"
        "- [ ] buy filters soon\n\n## Relations\n- relates_to [[Beans]]\n"
    )
    (home / "coffee" / "Beans.md").write_text(
        "---\ntitle: Beans\ntype: note\npermalink: coffee/beans\ntags: [food]\n"
        "created: 2025-03-04T12:00:00Z\n---\n\nBeans come from the corner shop, see [[Brewing]].\n"
    )
    return home, {
        "Brewing: Pour over is slow",
        "Brewing\n\n- [ ] buy filters soon",
        "Beans\n\nBeans come from the corner shop, see [[Brewing]].",
    }


def vault(folder: Path) -> tuple[Path, set[str]]:
    home = folder / "vault"
    (home / ".obsidian").mkdir(parents=True)
    (home / ".obsidian" / "cache.md").write_text("not a note")
    (home / "Depot.md").write_text(
        "---\ncreated: 2025-03-04T12:00:00Z\n---\nThe depot is #cold. %% hidden %%\n"
    )
    (home / "bower").mkdir()
    (home / "bower" / "exported.md").write_text(
        "---\nbower: 0198\nversion: 0199\n---\n\nOurs already\n"
    )
    return home, {"Depot\n\nThe depot is #cold."}


def rules(folder: Path) -> tuple[Path, set[str]]:
    home = folder / "project"
    (home / ".cursor" / "rules").mkdir(parents=True)
    (home / ".cursor" / "rules" / "t.mdc").write_text(
        "---\ndescription: testing\nglobs: *.ts\nalwaysApply: false\n---\n# Testing\n\n"
        "- Run the tests before each commit\n"
    )
    (home / "AGENTS.md").write_text(
        "# Ours\n\n1. Run make first:\n```sh\nmake\n```\n\n"
        "<!-- bowerbird: kept by `bower export`; what stands between these lines is replaced"
        "; 94a214c1 of 0198a1b2 -->\n"
        "- Known already\n<!-- /bowerbird -->\n"
        "\n## Project rules\n\n- Answer in French\n\n## Deploying\n\n- Never on Fridays\n"
    )
    return home, {
        "Testing: Run the tests before each commit",
        "Run make first:\n```sh\nmake\n```",
        "Answer in French",
        "Deploying: Never on Fridays",
    }


TOOLS = {
    "claude-mem": claude_mem,
    "mem0": mem0_history,
    "mem0 answer": mem0_answer,
    "mcp-memory": mcp_memory,
    "letta": letta,
    "hermes": hermes,
    "chats": chats,
    "basic-memory": basic_memory,
    "obsidian": vault,
    "rules": rules,
}
DATED = ("claude-mem", "mem0", "mem0 answer", "letta", "basic-memory", "obsidian")


@pytest.mark.parametrize("tool", TOOLS)
def test_what_a_tool_wrote_comes_in_once(
    bower: Bower, store_path: str, tmp_path: Path, tool: str
) -> None:
    path, expected = TOOLS[tool](tmp_path)
    rehearsed = bower("import", str(path), "--dry-run")
    assert rehearsed.code == 0, rehearsed.out
    assert rehearsed.data["added"] == len(expected)
    assert not Path(store_path).exists()
    done = bower("import", str(path))
    assert (done.code, done.data["added"], done.data["errors"]) == (0, len(expected), [])
    with Bowerbird.open(store_path) as bird:
        found = bird.list(memories_only=True, all_projects=True, limit=50)
        assert {one.text for one in found} == expected
        assert {one.trust for one in found} == {"imported"}
        heads = [bird.history(one.id).versions[-1].fields for one in found]
        assert {one.confidence for one in heads} == {0.75}
        if tool in DATED:
            assert {one.created for one in found} == {AT}
        bird.forget(found[0].id)
    told = bower("import", str(path), "--dry-run", "--format", "text").err
    assert ("bower index" in told) == (tool == "chats"), "conversations are no memories"
    again = bower("import", tool.split(maxsplit=1)[0], str(path))
    assert (again.data["added"], again.data["known"]) == (0, len(expected)), (
        "forgotten ones stay so"
    )


def test_a_label_a_type_or_a_tag_that_names_a_kind_decides(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    for name, note in {
        "one": "---\ntitle: 'Entscheidung: Postgres'\n---\nThe error was fixed by the driver.\n",
        "two": "---\ntitle: Ports\ntype: decision\n---\nThe shop never listens on 80.\n",
        "three": "---\ntitle: Queue\ntags: [infra, gotcha]\n---\nIt is durable.\n",
    }.items():
        (tmp_path / f"{name}.md").write_text(note)
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        done = bird.admin.import_from(tmp_path, "obsidian")
        kinds = {one.path: one.decision.kind for one in done.moved}
    assert kinds == {"one.md": "decision", "two.md": "decision", "three.md": "gotcha"}


def test_relations_and_fields_come_along(bower: Bower, store_path: str, tmp_path: Path) -> None:
    assert bower("import", str(claude_mem(tmp_path)[0])).code == 0
    assert bower("import", "basic-memory", str(basic_memory(tmp_path)[0])).data["links"] >= 2
    with Bowerbird.open(store_path) as bird:
        found = {one.text[:8]: one for one in bird.list(memories_only=True, all_projects=True)}
        sessions = found["Sessions"]
        assert (sessions.kind, sessions.tags, sessions.session) == ("decision", ("auth",), "s1")
        fields = bird.history(sessions.id).versions[-1].fields
        assert fields.metadata["claude-mem"]["project"] == "shop"
        assert fields.files == ("src/auth.py",)
        assert "method" in found["Brewing:"].tags


def test_alone_it_finds_what_is_here_and_asks(
    bower: Bower, terminal: Bower, store_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (Path.home() / ".claude-mem").mkdir()
    claude_mem(Path.home() / ".claude-mem")
    (Path.home() / ".mem0").mkdir()
    mem0_history(Path.home() / ".mem0")
    monkeypatch.chdir(tmp_path)
    offered = bower("import").data["offered"]
    assert {one["what"] for one in offered} == {"claude-mem", "mem0"}
    assert not Path(store_path).exists(), "nobody was asked"
    ran = terminal("import", "--dry-run", typed="")
    assert "[y/N]" not in ran.out
    assert not Path(store_path).exists(), "nothing changes, and so nobody is asked"
    ran = terminal("import", typed="n\ny\nn\n")
    assert "Import mem0 from" in ran.out
    with Bowerbird.open(store_path) as bird:
        (one,) = bird.list(memories_only=True, all_projects=True)
        assert one.text == "Ada prefers spaces in Python code"


def test_what_cannot_be_taken_is_told(bower: Bower, store_path: str, tmp_path: Path) -> None:
    home, _ = vault(tmp_path)
    (home / "long.md").write_text("word " * 4_000)
    (home / "broken.md").write_bytes(b"\xff\xfe\x00")
    token = "ghp_" + "aB3dE6gH9jK2" * 3
    (home / "secret.md").write_text(f"The key is {token}\n")
    done = bower("import", str(home))
    assert (done.code, done.data["added"]) == (1, 2)
    assert {one["path"] for one in done.data["errors"]} == {"long.md", str(home / "broken.md")}
    assert token.encode() not in Path(store_path).read_bytes()
    assert bower("import", "letta", str(home)).code == 1
    assert bower("import", str(tmp_path / "absent")).code == 2


class Pressed:
    """Shows progress until Ctrl-C is pressed, behind the second batch."""

    def __init__(self) -> None:
        self.done = 0

    def start(self, what: str, total: int | None = None) -> None:
        """Begins."""

    def advance(self, units: int, label: str = "") -> None:
        """Counts, and ends it."""
        self.done += units
        if self.done >= 100:
            raise KeyboardInterrupt

    def finish(self) -> None:
        """Ends."""


def test_stopped_in_the_middle_it_keeps_what_came_and_goes_on(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    for at in range(120):
        (tmp_path / f"{at:03}.md").write_text(
            f"Crate {at} is in hall {at // 7}. See [[{at + 1:03}]]."
        )
    with Bowerbird.open(store_path) as bird:
        stopped = bird.admin.import_from(str(tmp_path), "obsidian", progress=Pressed())
        assert (stopped.stopped, stopped.added, stopped.links) == (True, 100, 0)
        assert [one.error for one in stopped.errors] == ["stopped before the end"]
        assert all(bird.get(one.decision.id).text for one in stopped.moved)
    again = bower("import", "obsidian", str(tmp_path))
    assert (again.code, again.data["added"], again.data["known"], again.data["links"]) == (
        0,
        20,
        100,
        119,
    )
    with Bowerbird.open(store_path) as bird:
        assert bird.status().total_memories == 120


def test_memories_of_several_users_say_whose_they_are(bower: Bower, tmp_path: Path) -> None:
    told = [("ada", "Lives in Lyon"), ("bo", "Lives in Lyon"), ("bo", "Is a vegetarian")]
    told += [("cy", "Is not a vegetarian any more")]
    memories = [
        {"id": str(at), "user_id": who, "memory": said} for at, (who, said) in enumerate(told)
    ]
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps({"results": memories}))
    assert bower("import", str(path)).code == 0
    kept = {one["text"] for one in bower("list").data["entries"] if one["state"] == "active"}
    assert kept == {f"{who}: {said}" for who, said in told}


def test_what_lies_outside_of_the_repository_is_for_all_projects(
    bower: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, _ = vault(tmp_path / "elsewhere")
    (home / ".git").mkdir()  # a repository of its own is no project of the work at hand
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    inner, _ = vault(shop / "docs")
    (inner / "Depot.md").write_text("The cellar is dry.")
    monkeypatch.chdir(shop)
    ran = bower("import", str(home), "--dry-run", "--format", "text")
    assert "they would be for all projects; elsewhere: --project NAME" in ran.err
    assert bower("import", str(home)).data["project"] == ""
    ran = bower("import", str(inner), "--format", "text")
    assert "they came into the project shop; elsewhere: --project NAME" in ran.err
    projects = {one["text"]: one["project"] for one in bower("list").data["entries"]}
    here = f"path:{shop}"
    assert projects == {"Depot\n\nThe depot is #cold.": "", "Depot\n\nThe cellar is dry.": here}
    # Rules are about the repository that they lie in, wherever the command runs.
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / "AGENTS.md").write_text("- Run the linter first\n")
    assert bower("import", str(other)).data["project"] == "other"
    named = bower("import", str(home), "--project", "shop")
    assert (named.data["project"], named.data["added"]) == ("shop", 0), "global holds here, too"


def test_the_question_says_where_the_notes_go_and_offers_the_other_place(
    bower: Bower,
    terminal: Callable[..., Ran],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home, _ = vault(Path.home())
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / "AGENTS.md").write_text("- Run the linter first\n")
    monkeypatch.chdir(shop)
    assert {one["what"]: one["project"] for one in bower("import").data["offered"]} == {
        "obsidian": "",
        "rules": "shop",
    }
    shown = terminal("import", typed="p\nn\ng\nn\n").out
    assert f"Import obsidian from {home} for all projects? [y/N, p: only for shop]" in shown
    assert "into the project shop? [y/N, g: for all projects]" in shown
    projects = {one["text"]: one["project"] for one in bower("list").data["entries"]}
    here = f"path:{shop}"
    assert projects == {"Depot\n\nThe depot is #cold.": here, "Run the linter first": ""}


def test_a_person_says_that_imported_notes_are_their_own(
    bower: Bower, terminal: Callable[..., Ran], store_path: str, tmp_path: Path
) -> None:
    home, _ = vault(tmp_path)

    def trusts() -> list[str]:
        with Bowerbird.open(store_path) as bird:
            return [one.trust for one in bird.list(memories_only=True, all_projects=True)]

    refused = bower("import", str(home), "--mine")
    assert refused.data["error"] == "only a person can say that notes are their own"
    assert not Path(store_path).exists()
    asked = terminal("import", str(home), typed="n\n").out
    assert "1 note to come: your own words, so that agents may be told of them" in asked
    assert trusts() == ["imported"]
    (home / "Gate.md").write_text("The gate code changes on Mondays.")
    assert bower("import", str(home)).code == 0
    assert trusts() == ["imported", "imported"], "a script says nothing of whose they are"
    (home / "Gate.md").unlink()
    with Bowerbird.open(store_path) as bird:
        gate = bird.query("the gate code", limit=1)[0].id
        bird.forget(gate)
    assert "1 changed" in terminal("import", str(home), "--mine").out
    assert trusts() == ["normal"]
    assert "0 memories kept, 1 known" in terminal("import", str(home), "--mine").out
    with Bowerbird.open(store_path) as bird:
        (one,) = bird.list(memories_only=True, all_projects=True)
        assert one.created == AT
        bird.revert(one.id)
        assert trusts() == ["imported"]
    (home / "Cellar.md").write_text("The cellar floods each March.")
    terminal("import", str(home), typed="y\n")
    assert trusts() == ["normal", "normal"]
    told = bower("why", "when does the cellar flood?", "--format", "text").out
    assert "The cellar floods each March." in told
    assert "imported" not in told
