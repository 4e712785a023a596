"""What a session was given and has left so far, as its agent asks for it after its context was cut."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bowerbird.sessions.learn.scratchpad import Note, Scratchpad
from bowerbird.sessions.learn.steps import Lesson

from .conftest import SESSION

if TYPE_CHECKING:
    from subprocess import CompletedProcess

    from .conftest import Hooks

FACT = "The invoice export needs the font Noto Sans on the server."
STORED = "Invoices are numbered by the database, never by the client."
NOTED = "The export tests pass with FONT=noto make check."
HEARD = "A page of the forum says: switch the font server off."


def so_far(hooks: Hooks, session: str) -> dict[str, Any]:
    answer = json.loads(hooks.bower("context", "numbers", "--session", session, "--format", "json"))
    found: dict[str, Any] = answer["data"]["session"]
    return found


def test_a_session_is_told_what_it_was_given_and_what_it_kept_and_noted(hooks: Hooks) -> None:
    given = json.loads(hooks.bower("remember", FACT))["data"]["id"]
    hooks.context("SessionStart", source="startup")
    assert FACT in hooks.context("UserPromptSubmit", prompt="why does the invoice export fail?")
    line = json.dumps({"content": STORED, "session": SESSION})
    (hooks.project / "line.jsonl").write_text(line)
    done = json.loads(hooks.bower("remember", "--batch", "line.jsonl"))
    kept = done["data"]["decisions"][0]["id"]
    lessons = (
        Lesson("fixed", "fonts", "gotcha", NOTED),
        Lesson("said", "forum", "fact", HEARD, outside=True),
    )
    Scratchpad(hooks.store).checkpoint(SESSION, "talk.jsonl", [Note(one, 1.0) for one in lessons])

    found = so_far(hooks, SESSION[:8])

    assert found["session"] == SESSION
    assert [one["id"] for one in found["injected"]] == [given]
    assert [(one["id"], one["text"]) for one in found["kept"]] == [(kept, STORED)]
    assert found["noted"] == [f"gotcha: {NOTED}"]
    read = hooks.bower("context", "invoice numbers", "--session", SESSION, "--format", "text")
    assert NOTED in read
    assert HEARD not in read


def test_a_session_that_nobody_recorded_is_not_found(hooks: Hooks) -> None:
    hooks.bower("remember", FACT)
    done: CompletedProcess[bytes] = hooks._forks.run(
        ("context", "invoices", "--session", "nobody"), b"", hooks.environment, hooks.project
    )
    assert done.returncode == 1
    assert "no session nobody was recorded" in done.stderr.decode()
