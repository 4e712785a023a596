"""What is told of files unasked is looked at first: a definition must stand, and not all be gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.surface.hooks.test_injecting import cited, keep

from bowerbird.sessions.learn import definitions

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks

DEFINED = "`drainQueue` is defined in `src/queue.go`."
PLACE = definitions.payload("drainQueue", "src/queue.go", "func drainQueue(limit int) error")


def test_where_something_is_defined_is_told_as_long_as_it_is(hooks: Hooks) -> None:
    file = hooks.project / "src" / "queue.go"
    file.parent.mkdir()
    file.write_text("package queue\n\nfunc drainQueue(limit int) error {\n")
    known = keep(hooks, DEFINED, kind="module_insight", files=["src/queue.go"], payload=PLACE)
    prompt = "why does drainQueue in queue return an error?"
    assert known[:18] in hooks.context("UserPromptSubmit", session_id="one", prompt=prompt)
    file.write_text("package queue\n\nfunc drainQueue(limit Limit) error {\n")
    assert hooks.context("UserPromptSubmit", session_id="two", prompt=prompt) == ""
    file.unlink()
    assert hooks.context("UserPromptSubmit", session_id="three", prompt=prompt) == ""


def test_what_is_about_files_that_are_all_gone_is_not_told_unasked(hooks: Hooks) -> None:
    file = hooks.project / "queue.py"
    file.write_text("QUEUE = []\n")
    known = keep(
        hooks, "The queue must be drained by hand.", kind="gotcha", files=["queue.py"], pinned=True
    )
    assert cited(hooks.context("SessionStart", session_id="one", source="startup")) == [known[:18]]
    file.write_text("QUEUE = {}\n")
    context = hooks.context("SessionStart", session_id="two", source="startup")
    assert cited(context) == [known[:18]]
    assert "queue.py changed" in context
    file.unlink()
    assert hooks.context("SessionStart", session_id="three", source="startup") == ""
