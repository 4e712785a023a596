"""What a session has seen in any interface is not injected again by its hooks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.surface.hooks.conftest import SESSION

from bowerbird.bird import Bowerbird
from bowerbird.surfaces.cli import ancestors

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.hooks.conftest import Hooks

KEPT = "The database of the shop runs on port 6432"
ASKED = "on which port does the database run?"


def keep(hooks: Hooks) -> str:
    os.chdir(hooks.project)
    with Bowerbird.open(hooks.store) as bird:
        return bird.remember(KEPT, origin="agent").id


def by_mcp(hooks: Hooks, tool: str, **given: Any) -> str:
    """Ask the server that the same process starts as the hooks."""
    version: dict[str, Any] = {"protocolVersion": "2025-06-18", "capabilities": {}}
    version["clientInfo"] = {"name": "a", "version": "1"}
    asked: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": version},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": tool, "arguments": given}},
    ]
    done = subprocess.run(
        [sys.executable, "-m", "bowerbird", "mcp"],
        input="".join(json.dumps({"jsonrpc": "2.0"} | one) + "\n" for one in asked),
        capture_output=True,
        text=True,
        env=hooks.environment,
        cwd=hooks.project,
        check=True,
    )
    (answer,) = [one for one in done.stdout.splitlines() if json.loads(one)["id"] == 2]
    return answer


def by_command(hooks: Hooks, *arguments: str) -> str:
    """Ask in the shell of the agent, which tells its session."""
    hooks.environment |= {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": SESSION}
    return hooks.bower(*arguments)


@pytest.mark.parametrize(
    "ask",
    [
        lambda hooks, _: by_mcp(hooks, "memory_search", query=ASKED),
        lambda hooks, _: by_mcp(hooks, "memory_context", task=ASKED),
        lambda hooks, one: by_mcp(hooks, "memory_get", id=one),
        lambda hooks, _: by_command(hooks, "query", ASKED),
        lambda hooks, _: by_command(hooks, "context", ASKED),
        lambda hooks, one: by_command(hooks, "get", one),
    ],
    ids=["mcp-query", "mcp-context", "mcp-get", "query", "context", "get"],
)
def test_what_a_session_saw_elsewhere_is_not_put_before_it(
    ask: Callable[[Hooks, str], str], hooks: Hooks
) -> None:
    id = keep(hooks)
    hooks.context("SessionStart", source="startup")
    assert "6432" in ask(hooks, id)
    assert hooks.context("UserPromptSubmit", prompt=ASKED) == ""
    # Another session, of the same process too, has seen nothing yet.
    assert "6432" in hooks.context("UserPromptSubmit", prompt=ASKED, session_id="another")


def test_where_nobody_asked_it_is_put_before_the_session(hooks: Hooks) -> None:
    keep(hooks)
    hooks.context("SessionStart", source="startup")
    assert "6432" not in by_mcp(hooks, "memory_search", query="xylophones", min_score=0.9)
    assert "6432" in hooks.context("UserPromptSubmit", prompt=ASKED)


def test_a_process_is_known_again_where_ps_alone_tells_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on macOS, which has no /proc."""
    there = os.path.exists
    monkeypatch.setattr(
        os.path, "exists", lambda path: not str(path).startswith("/proc") and there(path)
    )
    if not there("/bin/ps"):
        pytest.skip("no ps here")
    first, parent, name = ancestors.info_of(os.getpid()) or ("", 0, "")
    assert (parent, first) == (os.getppid(), ancestors.info_of(os.getpid())[0])  # type: ignore[index]
    assert first.startswith(f"process {os.getpid()} ")
    assert name
    assert ancestors.known_above()[0] == ancestors.info_of(os.getppid())[0]  # type: ignore[index]
    assert ancestors.info_of(2**22 + 1) is None


def test_what_was_said_in_a_session_is_not_injected_into_it_until_it_is_compacted(
    hooks: Hooks,
) -> None:
    by_command(hooks, "remember", KEPT)
    assert hooks.context("UserPromptSubmit", prompt=ASKED) == ""
    assert KEPT in hooks.context("UserPromptSubmit", prompt=ASKED, session_id="another")
    told = hooks.context("SessionStart", source="compact")
    assert KEPT in told + hooks.context("UserPromptSubmit", prompt=ASKED)


def test_what_waits_is_told_once_a_conversation(hooks: Hooks) -> None:
    about: dict[str, Any] = {"source": "user_taught", "origin": "user", "review": "typed once"}
    os.chdir(hooks.project)
    with Bowerbird.open(hooks.store) as bird:
        bird.remember(KEPT, **about)
    assert "waits for review" in hooks.context("SessionStart", source="startup")
    assert hooks.context("SessionStart", source="resume") == ""
    assert "waits for review" in hooks.context("SessionStart", session_id="another")
