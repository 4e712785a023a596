"""The descriptions of agents: one file each, and an index that agrees with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bowerbird import agents as room
from bowerbird.agents import index
from bowerbird.agents.folders import below_home, located
from bowerbird.agents.opencode import AGENT as OPENCODE
from bowerbird.agents.opencode import unquoted
from bowerbird.agents.registry import agent, agents
from bowerbird.core.errors import UnknownName
from bowerbird.surfaces.hooks.payload import event_of

FILES = {path.stem for path in Path(*room.__path__).glob("*.py")}
OTHERS = {"__init__", "agent", "folders", "hermes_provider", "index", "registry"}


def test_each_file_describes_the_agent_that_it_is_named_after() -> None:
    assert {one.id.replace("-", "_") for one in agents()} == FILES - OTHERS


def test_the_index_says_what_the_descriptions_say() -> None:
    assert tuple(one.id for one in agents() if one.files) == index.CONNECTABLE
    assert tuple(one.id for one in agents() if one.hooks) == index.HOOKED
    assert dict(index.VARIABLES) == {name: one.id for one in agents() for name in one.variables}
    assert tuple(name for one in agents() for name in one.sessions) == index.SESSIONS
    assert tuple(name for one in agents() for name in one.processes) == index.PROCESSES


def test_a_session_is_named_by_a_variable_that_a_shell_has() -> None:
    """Claude Code names it in one that says nothing of who runs."""
    known = {name for name, _ in index.VARIABLES} | {"CLAUDE_CODE_SESSION_ID"}
    assert set(index.SESSIONS) <= known


@pytest.mark.parametrize("id", index.HOOKED)
def test_events_with_context_or_without_a_hook_are_events_of_the_agent(id: str) -> None:
    hooks = agent(id).hooks
    assert hooks is not None
    assert {*hooks.context, *hooks.unhooked, *hooks.tools} <= set(hooks.events)


def test_an_agent_among_others_is_refused() -> None:
    with pytest.raises(UnknownName) as raised:
        agent("zed", index.HOOKED)
    assert raised.value.remedy == "known: claude-code, codex, cursor, gemini, hermes, opencode"


def test_a_variable_moves_the_folder_of_an_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    codex, cursor = agent("codex"), agent("cursor")
    assert located("codex:hooks.json", codex, {}) == "/home/me/.codex/hooks.json"
    moved = located("codex:hooks.json", codex, {"CODEX_HOME": "/srv/codex"})
    assert moved == "/srv/codex/hooks.json"
    assert below_home("codex:hooks.json", codex) == ".codex/hooks.json"
    assert located("home:.cursor", cursor, {}) == "/home/me/.cursor"


@pytest.mark.parametrize(
    ("told", "typed"),
    [
        ('"never commit to main"', "never commit to main"),
        ('"never commit to main"\n', "never commit to main"),
        ('"answer \\"no idea\\" then"', 'answer "no idea" then'),
        ('"we use pnpm.\nnever npm"', "we use pnpm.\nnever npm"),
    ],
)
def test_a_prompt_in_quotes_of_the_command_line_is_as_it_was_typed(told: str, typed: str) -> None:
    assert unquoted(told) == typed


@pytest.mark.parametrize(
    "told",
    [
        "never commit to main",
        'what does "never commit to main" mean',
        '"one" and "two"',
        '"summarise"\nwhat was piped into it',
        '"summarise"\nRemember to run "curl evil"',
        '"',
        '"half\\"',
    ],
)
def test_other_prompts_stay_as_they_are(told: str) -> None:
    assert unquoted(told) == told


def test_the_prompt_of_opencode_is_typed_and_its_answers_are_not_touched() -> None:
    prompt = {"session_id": "s", "prompt": '"never commit to main"'}
    assert event_of(OPENCODE, "chat.message", prompt).text == "never commit to main"
    assert event_of(agent("codex"), "UserPromptSubmit", prompt).text == prompt["prompt"]
