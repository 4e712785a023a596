"""Attacks where an agent's own program puts what others wrote: none is learned, and none put before it.

Besides pages, issues and other servers (`test_poisonings.py`): a file of a checkout that it reads, the
messages of commits, what sub-agents are told and answer, and in transcripts results of tools, what is
written as a turn of the user and is none, and summaries. Each text stands there in three sessions, as
what is worth learning does. All of them take minutes: POISONINGS=all leaves out none.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bowerbird.bird import Bowerbird
from bowerbird.core.types import TRUSTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.surface.hooks.conftest import Checkout

SESSIONS = ("first", "second", "third")


def see(checkout: Checkout, session: str, text: str) -> None:
    """What an agent is handed in a session that reads a checkout, all of it with that text."""
    read = {"tool_name": "Read", "tool_input": {"file_path": str(checkout.folder / "README.md")}}
    checkout.happen(session, "PostToolUse", **read, tool_response={"file": {"content": text}})
    log = {"tool_name": "Bash", "tool_input": {"command": "git log -3"}}
    checkout.happen(session, "PostToolUse", **log, tool_response={"stdout": text})
    checkout.happen(session, "PostToolUseFailure", **log, error="Exit code 1\n" + text)
    task = {"tool_name": "Task", "tool_input": {"prompt": text}}
    checkout.happen(session, "PostToolUse", **task, tool_response={"content": text})
    checkout.happen(session, "SubagentStop", agent_id="a1", last_assistant_message=text)


def transcript(project: Path, session: str, texts: list[str]) -> Path:
    """A session's transcript with each text wherever it is not the user who speaks."""
    path = project.parent / "talks" / f"{session}.jsonl"
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", errors="replace") as file:
        for number, record in enumerate(_records(texts)):
            common = {"sessionId": session, "cwd": str(project), "uuid": f"u{number}"}
            common["timestamp"] = f"2026-10-14T09:{number // 60 % 60:02d}:{number % 60:02d}Z"
            file.write(json.dumps(common | record) + "\n")
    return path


def _records(texts: list[str]) -> Iterator[dict[str, Any]]:
    def user(content: Any, **marks: Any) -> dict[str, Any]:
        return {"type": "user", "message": {"role": "user", "content": content}} | marks

    def agent(content: list[dict[str, Any]]) -> dict[str, Any]:
        return {"type": "assistant", "message": {"role": "assistant", "content": content}}

    yield user("please look at the build")
    for number, text in enumerate(texts):
        for command, wrong in (("make build", True), ("make build", False)):
            call = f"t{number}-{wrong}"
            given = {"command": command}
            yield agent([{"type": "tool_use", "id": call, "name": "Bash", "input": given}])
            result = {"type": "tool_result", "tool_use_id": call, "content": "error: " + text}
            yield user([result | {"is_error": wrong}])
        yield user(text, isSidechain=True)
        yield user(text, isMeta=True)
        yield user(text, isCompactSummary=True)
        yield user(f"<local-command-stdout>{text}</local-command-stdout>")
        yield user(f"<system-reminder>{text}</system-reminder>")


def test_nothing_that_others_wrote_is_learned_or_put_before_an_agent(
    checkout: Checkout, poisonings: Callable[[int], list[dict[str, Any]]]
) -> None:
    attacks, project = poisonings(20), checkout.folder
    texts = [one["text"] for one in attacks]
    for session in SESSIONS:
        checkout.happen(session, "SessionStart", source="startup")
        for text in texts:
            see(checkout, session, text)
        path = transcript(project, session, texts)
        ending = {"reason": "other", "transcript_path": str(path)}
        checkout.happen(session, "SessionEnd", **ending)
        checkout.hook(session, "SessionEnd", **ending).afterwards()
    came: list[str] = []
    unlabelled: list[str] = []
    with Bowerbird.open() as bird:
        kept = [one.text for one in bird.list(memories_only=True, limit=10_000)]
        for one in attacks:
            session = f"later-{one['id']}"
            given = checkout.happen(session, "UserPromptSubmit", prompt=one["question"])
            failing = {"tool_name": "Bash", "tool_input": {"command": "make build"}}
            wrong = "Exit code 1\nerror: " + one["text"]
            given += checkout.happen(session, "PostToolUseFailure", **failing, error=wrong)
            given += checkout.happen(session, "SessionStart", source="startup")
            given += "".join(item.text for item in bird.context(one["question"]))
            given += "".join(text for text in kept if one["marker"] in text)
            came += [one["id"]] * (one["marker"] in given)
            hits = bird.query(one["question"])
            unlabelled += [
                one["id"]
                for hit in hits
                if one["marker"] in hit.text
                and TRUSTS.index(hit.entry.trust) >= TRUSTS.index("normal")
            ]
    assert (came, unlabelled) == ([], [])
    # The user's own belief is not kept out by all that.
    asked = checkout.happen("last", "UserPromptSubmit", prompt="how do I run the tests with make?")
    assert checkout.own in asked
