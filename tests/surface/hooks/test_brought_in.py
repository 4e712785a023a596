"""A file that one session brought in from outside is nobody's own word in the sessions after it."""

from __future__ import annotations

import json
import subprocess
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks

READ = {"tool_name": "WebFetch", "tool_input": {"url": "https://x.example"}, "tool_response": "y"}


def bash(hooks: Hooks, command: str, session: str, answer: str = "") -> None:
    call = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": answer}
    hooks.context("PostToolUse", session_id=session, **call)


def write(hooks: Hooks, name: str, session: str, text: str = "Deploys need a token.\n") -> None:
    path = hooks.project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    given = {"file_path": str(path), "content": text}
    call = {"tool_name": "Write", "tool_input": given, "tool_response": "ok"}
    hooks.context("PostToolUse", session_id=session, **call)


def read(hooks: Hooks, name: str, session: str) -> None:
    given = {"file_path": str(hooks.project / name)}
    call = {"tool_name": "Read", "tool_input": given, "tool_response": "text"}
    hooks.context("PostToolUse", session_id=session, **call)


def kept(hooks: Hooks, session: str, text: str) -> str:
    """The trust of what the agent of a session stores."""
    words = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": session}
    hooks.environment |= words
    found = json.loads(hooks.bower("curate", text))["data"]
    for name in words:
        del hooks.environment[name]
    return str(found["trust"])


def fold(hooks: Hooks) -> None:
    """Write something, which takes in what the hooks recorded."""
    hooks.bower("curate", "The depot opens at seven")


def test_a_file_made_after_the_projects_module_was_not_found_is_its_own(hooks: Hooks) -> None:
    (hooks.project / "shop").mkdir()
    for name in ("cache", "conf"):
        bash(hooks, f"python3 -c 'import shop.{name}'", "one", "ModuleNotFoundError: shop")
        bash(hooks, f"touch shop/{name}.py", "one")
        (hooks.project / "shop" / f"{name}.py").touch()
    bash(hooks, "python3 -c 'import shop.conf' && echo ok", "one", "ok")
    fold(hooks)
    assert json.loads(hooks.bower("trust", "--list"))["data"]["foreign"] == []
    assert kept(hooks, "one", "The cache lives in shop/cache.py") == "normal"


@pytest.mark.parametrize("folded", [False, True])
def test_what_a_session_wrote_after_reading_others_is_foreign_to_the_next(
    hooks: Hooks, *, folded: bool
) -> None:
    write(hooks, "before.md", "first")
    hooks.context("PostToolUse", session_id="first", **READ)
    write(hooks, "docs/setup.md", "first")
    if folded:
        fold(hooks)
    read(hooks, "before.md", "second")
    assert kept(hooks, "second", "Redis runs on port 6379") == "normal"
    read(hooks, "docs/setup.md", "third")
    assert kept(hooks, "third", "The queue is drained with make drain") == "low"
    bash(hooks, "cat docs/setup.md", "fourth")
    assert kept(hooks, "fourth", "Mails go out at noon") == "low"


@pytest.mark.parametrize(
    ("command", "reads"),
    [
        ("curl -so notes.md https://x.example/a", "cat notes.md"),
        ("curl -sO https://x.example/a/notes.md", "cat ./notes.md"),
        ("wget https://x.example/notes.md?raw=1", "head notes.md"),
        ("cd docs && curl https://x.example > notes.md", "cat docs/notes.md"),
        ("git clone https://git.example/a/tool.git", "cat tool/README.md"),
        ("gh repo clone a/tool vendored", "grep -r x vendored"),
        ("curl -s https://x.example/a.tgz | tar xz -C third", "cat third/a/README.md"),
        ("curl https://x.example | tee docs/notes.md", "cat docs/notes.md"),
        ("npm view heron readme > heron.md", "cat heron.md"),
    ],
)
def test_what_a_session_fetched_stays_foreign(hooks: Hooks, command: str, reads: str) -> None:
    (hooks.project / "docs").mkdir()
    bash(hooks, command, "first")
    bash(hooks, reads, "second")
    assert kept(hooks, "second", "The queue is drained with make drain") == "low"
    bash(hooks, "ls docs", "third")
    assert kept(hooks, "third", "Mails go out at noon") == "normal"


def test_what_is_in_an_archive_is_foreign_once_it_is_unpacked(hooks: Hooks) -> None:
    with zipfile.ZipFile(hooks.project / "heron.zip", "w") as packed:
        packed.writestr("heron/README.md", "x")
        packed.writestr("NOTES.md", "x")
    bash(hooks, "curl -so heron.zip https://x.example && unzip heron.zip", "first")
    for number, path in enumerate(("heron/README.md", "NOTES.md")):
        bash(hooks, f"cat {path}", f"later {number}")
        assert kept(hooks, f"later {number}", f"Shelf {number} holds lamps") == "low"


def test_instructions_from_outside_lower_a_session_from_its_start(hooks: Hooks) -> None:
    hooks.context("PostToolUse", session_id="first", **READ)
    write(hooks, "CLAUDE.md", "first")
    hooks.run("claude-code", "SessionStart", session_id="second", source="startup")
    assert kept(hooks, "second", "The queue is drained with make drain") == "low"


def test_a_prompt_that_attaches_such_a_file_lowers_its_session(hooks: Hooks) -> None:
    hooks.context("PostToolUse", session_id="first", **READ)
    write(hooks, "docs/setup.md", "first")
    hooks.context("UserPromptSubmit", session_id="second", prompt="do what @docs/setup.md says")
    assert kept(hooks, "second", "The queue is drained with make drain") == "low"


def test_an_index_run_gives_such_a_file_low_trust_until_its_user_says_it_is_theirs(
    hooks: Hooks,
) -> None:
    hooks.context("PostToolUse", session_id="first", **READ)
    write(hooks, "docs/setup.md", "first", "The heron deploys need a token.\n")
    write(hooks, "docs/own.md", "second", "The heron tests need a lamp.\n")
    hooks.bower("index", str(hooks.project))

    def trusts() -> dict[str, str]:
        found = json.loads(hooks.bower("query", "heron", "--min-trust", "low"))["data"]["results"]
        return {hit["path"].rpartition("/")[2]: hit["trust"] for hit in found}

    assert trusts() == {"setup.md": "low", "own.md": "normal"}
    with Bowerbird.open(hooks.store) as bird:
        assert bird.admin.trust(hooks.project / "docs" / "setup.md").raised == 1
    assert trusts() == {"setup.md": "normal", "own.md": "normal"}
    read(hooks, "docs/setup.md", "third")
    assert kept(hooks, "third", "Mails go out at noon") == "normal"
    hooks.bower("index", str(hooks.project))
    assert trusts()["setup.md"] == "normal"


def test_a_folder_that_its_user_trusts_holds_nothing_foreign_of_before(hooks: Hooks) -> None:
    hooks.context("PostToolUse", session_id="first", **READ)
    write(hooks, "docs/setup.md", "first")
    with Bowerbird.open(hooks.store) as bird:
        assert bird.admin.trust(hooks.project).grounds.trusted
    read(hooks, "docs/setup.md", "second")
    assert kept(hooks, "second", "Mails go out at noon") == "normal"
    hooks.context("PostToolUse", session_id="third", **READ)
    write(hooks, "docs/setup.md", "third")
    read(hooks, "docs/setup.md", "fourth")
    assert kept(hooks, "fourth", "The queue is drained with make drain") == "low"


def test_whoever_works_in_a_cloned_repository_made_it_their_project(hooks: Hooks) -> None:
    bash(hooks, "git clone https://git.example/a/tool.git", "first")
    subprocess.run(["git", "init", "-q", "tool"], cwd=hooks.project, check=True)
    (hooks.project / "tool" / "README.md").write_text("x")
    given: dict[str, Any] = {"file_path": str(hooks.project / "tool" / "README.md")}
    call = {"tool_name": "Read", "tool_input": given, "tool_response": "x"}
    hooks.context("PostToolUse", session_id="second", cwd=str(hooks.project / "tool"), **call)
    assert kept(hooks, "second", "Mails go out at noon") == "normal"


def test_a_file_named_like_a_key_is_remembered_as_from_outside(hooks: Hooks) -> None:
    name = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    hooks.context("PostToolUse", session_id="one", **READ)
    (hooks.project / name).mkdir()
    bash(hooks, f"git clone https://x.example/{name}", "one")
    (hooks.project / name / "README.md").write_text("Deploys need a token.\n")
    read(hooks, f"{name}/README.md", "two")
    assert kept(hooks, "two", "Deploys need a token") == "low"
