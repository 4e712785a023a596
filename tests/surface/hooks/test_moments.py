"""What is no longer so, goes on elsewhere or says nothing is not put before an agent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.surface.hooks.test_injecting import cited, end, keep

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks

LEARNED = {"learned": {"signal": "conclusions"}}


def test_that_a_file_is_long_is_injected_as_long_as_it_is(hooks: Hooks) -> None:
    file = hooks.project / "cart.py"
    file.write_text("x = 1\n" * 901)
    text = "`cart.py` is long, more than 900 lines: search it and read the part that is needed."
    length = {"file": "cart.py", "lines": 900}
    long = keep(hooks, text, kind="context_cost", payload=length)
    prompt = "search cart.py for long lines of the shop"
    assert cited(hooks.context("UserPromptSubmit", prompt=prompt)) == [long[:18]]
    file.write_text("x = 1\n" * 900)
    assert hooks.context("UserPromptSubmit", prompt=prompt, session_id="two") == ""


def test_what_was_learned_of_a_file_that_changed_is_less_sure(hooks: Hooks) -> None:
    hooks.environment["BOWER_AGENT_LEVEL"] = "2"
    file = hooks.project / "queue.py"
    file.write_text("def drain(limit): ...\n")
    text = "`drain_queue` keeps the lock of the queue."
    about: dict[str, Any] = {"kind": "gotcha", "files": ["queue.py"], "confidence": 0.7}
    about |= {"origin": "agent", "source": "observer_inferred"}
    trap = keep(hooks, text, metadata=LEARNED, **about)
    prompt = "does drain_queue keep the lock of the queue?"
    assert cited(hooks.context("UserPromptSubmit", prompt=prompt)) == [trap[:18]]
    file.write_text("def drain(limit, wait): ...\n")
    assert hooks.context("UserPromptSubmit", prompt=prompt, session_id="two") == ""


def test_what_was_left_open_on_another_branch_is_reported_with_its_branch(hooks: Hooks) -> None:
    # Otherwise its digest says so.
    hooks.environment["BOWER_AGENT_LEARN"] = "off"
    head = hooks.project / ".git" / "HEAD"
    for branch, session in (("queue/redis", "one"), ("queue/redis", "two"), ("main", "three")):
        head.write_text(f"ref: refs/heads/{branch}\n")
        context = hooks.context("SessionStart", source="startup", session_id=session)
        if session == "two":
            assert "> asked last: move the queue" in context
        if session == "three":
            assert "> asked last on branch queue/redis: move the queue" in context
        hooks.context("UserPromptSubmit", prompt="move the queue to Redis", session_id=session)
        end(hooks, session)


def test_after_a_compaction_stands_what_was_typed_meanwhile_but_no_bare_yes(hooks: Hooks) -> None:
    queued = {"type": "queued_command", "prompt": "then add a rule for it"}
    noted = {"type": "queued_command", "prompt": "a task ended", "commandMode": "task-notification"}
    records: list[dict[str, Any]] = [
        {"type": "user", "message": {"role": "user", "content": text}}
        for text in ("fix the login", "yes, go ahead", "[Request interrupted by user for tool use]")
    ]
    said = [{"type": "text", "text": "No response requested."}]
    records += [{"type": "assistant", "message": {"role": "assistant", "content": said}}]
    records += [{"type": "attachment", "attachment": one} for one in (queued, noted)]
    transcript = hooks.project.parent / "t.jsonl"
    transcript.write_text("".join(json.dumps(one) + "\n" for one in records))
    context = hooks.context("SessionStart", source="compact", transcript_path=str(transcript))
    lines = [one for one in context.splitlines() if one.startswith("> ")]
    assert lines == ["> user: fix the login", "> user: then add a rule for it"]


def test_after_a_compaction_stand_the_traps_of_the_last_files_alone(hooks: Hooks) -> None:
    for name in ("queue.py", "mail.py"):
        (hooks.project / name).write_text("x = 1\n")
    trap = keep(
        hooks, "The queue is drained by hand", kind="gotcha", files=["queue.py"], pinned=True
    )
    keep(hooks, "Mails go out at noon", kind="gotcha", files=["mail.py"], pinned=True)
    assert len(cited(hooks.context("SessionStart", source="startup"))) == 2
    read = {"tool_name": "Read", "tool_input": {"file_path": str(hooks.project / "queue.py")}}
    hooks.context("PostToolUse", **read, tool_response="x = 1")
    assert cited(hooks.context("SessionStart", source="compact")) == [trap[:18]]


def test_after_a_compaction_without_a_transcript_stands_what_the_hooks_recorded(
    hooks: Hooks,
) -> None:
    for typed, said in (
        ("fix the login", "The session cookie had the wrong domain."),
        ("yes, go ahead", "Done, with a test."),
    ):
        hooks.run("claude-code", "UserPromptSubmit", prompt=typed)
        hooks.run("claude-code", "Stop", last_assistant_message=said)
    context = hooks.context("SessionStart", source="compact")
    lines = [one for one in context.splitlines() if one.startswith("> ")]
    assert lines == [
        "> user: fix the login",
        "> agent: The session cookie had the wrong domain.",
        "> agent: Done, with a test.",
    ]
