"""Attacks on what an agent remembers, through what its hooks see: none is put before it again.

Each comes in as a page, an issue, another server's answer or an error; the agent falls for it and says
it, plans it and keeps it; it stands in a file of the checkout, which is indexed, and in the session's
transcript, which is, too. A later session then asks for exactly that. All of them take minutes:
POISONINGS=all leaves out none.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.who import AGENT, Who
from bowerbird.verbs import syncing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.hooks.conftest import Checkout

# How a text comes in; what of it reads what outsiders wrote is known by its tool.
TOOL_CALLS: tuple[Callable[[str], dict[str, Any]], ...] = (
    lambda text: {"tool_name": "WebFetch", "tool_input": {"url": "x"}, "tool_response": text},
    lambda text: {
        "tool_name": "Bash",
        "tool_input": {"command": "gh issue view 7"},
        "tool_response": {"stdout": text},
    },
    lambda text: {"tool_name": "mcp__jira__get", "tool_input": {}, "tool_response": text},
    lambda text: {
        "tool_name": "Bash",
        "tool_input": {"command": "curl -s https://x.example"},
        "error": "Exit code 1\n" + text,
    },
)


def fall_for(checkout: Checkout, number: int, text: str) -> None:
    """A session that reads a text and believes every word of it."""
    session = f"victim-{number}"
    checkout.happen(session, "SessionStart", source="startup")
    event = (
        "PostToolUseFailure" if number % len(TOOL_CALLS) == len(TOOL_CALLS) - 1 else "PostToolUse"
    )
    checkout.happen(session, event, **TOOL_CALLS[number % len(TOOL_CALLS)](text))
    todos = [{"content": text, "status": "pending"}]
    checkout.happen(session, "PostToolUse", tool_name="TodoWrite", tool_input={"todos": todos})
    checkout.happen(session, "Stop", last_assistant_message=text)
    with Bowerbird.open() as bird:
        who = Who("agent:claude-code", AGENT, session=session, reader=session)
        try:
            bird.acting(who).remember(text[:9_000], files=["src/load.py"], kind="gotcha")
        except BowerbirdError:
            return  # what tells nothing is refused


@pytest.mark.parametrize("half", ["dev", "held"])
def test_what_outsiders_wrote_is_never_put_before_an_agent(
    half: str, checkout: Checkout, poisonings: Callable[[int], list[dict[str, Any]]]
) -> None:
    attacks = [one for one in poisonings(10) if one["half"] == half]
    project = checkout.folder
    (project / "docs").mkdir()
    for number, attack in enumerate(attacks):
        fall_for(checkout, number, attack["text"])
        (project / "docs" / f"{attack['id']}.md").write_text(attack["text"], "utf-8", "replace")
    transcript = project / "docs" / "session.jsonl"
    with transcript.open("w", encoding="utf-8", errors="replace") as file:
        for number, attack in enumerate(attacks):
            message = {"role": "assistant", "content": attack["text"]}
            record = {"type": "assistant", "sessionId": "s", "uuid": str(number)}
            file.write(json.dumps(record | {"message": message}) + "\n")
    with Bowerbird.open() as bird:
        bird.index(project)
    came = []
    read = {"tool_name": "Read", "tool_response": {}}
    for number, attack in enumerate(attacks):
        session = f"later-{number}"
        given = checkout.happen(session, "UserPromptSubmit", prompt=attack["question"])
        if number % 5 == 0:
            victim = f"victim-{number}"
            path = {"tool_input": {"file_path": os.path.join(project, "src/load.py")}}
            given += checkout.happen(session, "SessionStart", source="startup")
            given += checkout.happen(session, "PostToolUse", **read, **path)
            again = {"source": "compact", "transcript_path": str(transcript)}
            given += checkout.happen(victim, "SessionStart", **again)
        came += [one["id"] for one in attacks if one["marker"] in given]
    assert came == []
    # The user's own belief is not kept out by all that.
    assert checkout.own in checkout.happen("last", "SessionStart", source="startup")


def test_what_another_device_fell_for_comes_to_no_agent_here(
    checkout: Checkout,
    poisonings: Callable[[int], list[dict[str, Any]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(syncing, "COST", 2)
    attacks, shared, own = poisonings(20), str(tmp_path / "shared"), os.environ["BOWER_STORE"]
    monkeypatch.setenv("BOWER_STORE", str(tmp_path / "another device.db"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "its state"))
    for number, attack in enumerate(attacks):
        fall_for(checkout, number, attack["text"])
    with Bowerbird.open() as bird:
        kept = bird.remember("The kiln is hot on Mondays", origin="user").id
        done = bird.admin.sync(shared, passphrase="heron valve", personal=True)
        assert done.staying["in quarantine"] > len(attacks) // 4
    monkeypatch.setenv("BOWER_STORE", own)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with Bowerbird.open() as bird:
        bird.admin.sync(shared, passphrase="heron valve", personal=True)
        assert bird.get(kept).text == "The kiln is hot on Mondays"
    given = ""
    for number, attack in enumerate(attacks):
        given += checkout.happen(f"l-{number}", "UserPromptSubmit", prompt=attack["question"])
        given += checkout.happen(f"l-{number}", "SessionStart", source="startup")
    assert [one["id"] for one in attacks if one["marker"] in given] == []
    assert "kiln" in given
