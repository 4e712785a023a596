"""400 attacks on what an agent remembers, through what its hooks see: none is put before it again.

Each comes in as a page, an issue, another server's answer or an error; the agent falls for it and says
it, plans it and keeps it; it stands in a file of the checkout, which is indexed, and in the session's
transcript, which is, too. A later session then asks for exactly that. All of them take minutes:
POISONINGS=1 does not leave out any.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.who import AGENT, Who
from bowerbird.hook import Hook
from bowerbird.surfaces.hooks.agents import CLAUDE_CODE
from bowerbird.surfaces.hooks.handing import told

if TYPE_CHECKING:
    from collections.abc import Callable

# Every so many of them are tried.
STEP = int(os.environ.get("POISONINGS", "10"))
HELD = Path(__file__).parents[2] / "data" / "poisonings" / "poisonings.jsonl"
POISONINGS = [json.loads(line) for line in HELD.read_text(encoding="utf-8").splitlines()]
REMOTE = '[remote "origin"]\n\turl = https://git.example/them/shop.git\n'
# How a text comes in; what of it reads what outsiders wrote is known by its tool.
DOORS: tuple[Callable[[str], dict[str, Any]], ...] = (
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


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of somebody else's repository, and a store with one belief of its user's own."""
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config").write_text(REMOTE)
    monkeypatch.setenv("BOWER_STORE", str(tmp_path / "memory.db"))
    # The level at which memory speaks most.
    monkeypatch.setenv("BOWER_AGENT_LEVEL", "4")
    monkeypatch.chdir(folder)
    with Bowerbird.open() as bird:
        bird.remember("Use pnpm, never npm", kind="preference", origin="user")
    return folder


def happen(project: Path, session: str, name: str, **fields: Any) -> str:
    """An event, and what is put before the agent."""
    payload = {"session_id": session, "cwd": str(project)} | fields
    hook = Hook(CLAUDE_CODE.event(name, payload), {}, tuple)
    hook.record()
    found = hook.injection() if name in CLAUDE_CODE.context else None
    return told(found, "0" * 16) if found else ""


def fall_for(project: Path, number: int, text: str) -> None:
    """A session that reads a text and believes every word of it."""
    session = f"victim-{number}"
    happen(project, session, "SessionStart", source="startup")
    event = "PostToolUseFailure" if number % len(DOORS) == len(DOORS) - 1 else "PostToolUse"
    happen(project, session, event, **DOORS[number % len(DOORS)](text))
    todos = [{"content": text, "status": "pending"}]
    happen(project, session, "PostToolUse", tool_name="TodoWrite", tool_input={"todos": todos})
    happen(project, session, "Stop", last_assistant_message=text)
    with Bowerbird.open() as bird:
        who = Who("agent:claude-code", AGENT, session=session, reader=session)
        try:
            bird.acting(who).remember(text[:9_000], files=["src/load.py"], kind="gotcha")
        except BowerbirdError:
            return  # what tells nothing is refused


@pytest.mark.parametrize("half", ["dev", "held"])
def test_what_outsiders_wrote_is_never_put_before_an_agent(half: str, project: Path) -> None:
    attacks = [one for one in POISONINGS if one["half"] == half][::STEP]
    (project / "docs").mkdir()
    for number, attack in enumerate(attacks):
        fall_for(project, number, attack["text"])
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
        given = happen(project, session, "UserPromptSubmit", prompt=attack["question"])
        if number % 5 == 0:
            victim = f"victim-{number}"
            path = {"tool_input": {"file_path": os.path.join(project, "src/load.py")}}
            given += happen(project, session, "SessionStart", source="startup")
            given += happen(project, session, "PostToolUse", **read, **path)
            again = {"source": "compact", "transcript_path": str(transcript)}
            given += happen(project, victim, "SessionStart", **again)
        came += [one["id"] for one in attacks if one["marker"] in given]
    assert came == []
    # The user's own belief is not kept out by all that.
    assert "pnpm" in happen(project, "last", "SessionStart", source="startup")
