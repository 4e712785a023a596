"""What agents write of their own work, what people answer, and what cured an error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.steps import call, ran, recorded, wrote

from bowerbird.core.events import COMPACTING, PROMPTED, Event
from bowerbird.sessions.learn.commands import one_test
from bowerbird.sessions.learn.promote import digest
from bowerbird.sessions.learn.signals import (
    choices,
    cures,
    observations,
    recaps,
)
from bowerbird.sessions.learn.steps import Step
from bowerbird.sessions.learn.transcript import recorded_session as told_in

if TYPE_CHECKING:
    from pathlib import Path

RECAP = """Summary:
1. Key Technical Concepts:
   - **Sessions**: kept in `.state/sessions/<id>.json`, one file each
   - `WriteOptions` - options for what is written
   - Error handling in Go with `errors.Is` and wrapping
4. Errors and fixes:
   - **Bug #1 - Hash length**: the branch has 7 characters but `state.Base` holds 40, so they never match
     - Fix: compare with `strings.HasPrefix(state.Base, name)`
   - **Unused import**: Fixed by removing `fmt`
   - **Test failures** in `a_test.go`: Tests: `TestA`. Fix: updated `rows` to `lines`
   - `gofmt` changed `b.go` because it was old. Fix: `git checkout b.go`
   - The export was slow - fixed by hand
5. Next steps:
   - fix `main.go` by adding tests
"""


def spoke(what: str, text: str) -> Step:
    return Step(Event("a", what, what, text=text))


def test_a_recap_tells_how_errors_were_mended_and_what_things_are() -> None:
    found = recaps.lessons(recorded("s", spoke(COMPACTING, RECAP)), [])
    assert [one.text for one in found] == [
        (
            "Hash length: the branch has 7 characters but `state.Base` holds 40, so they never match."
            " Fix: compare with `strings.HasPrefix(state.Base, name)`."
        ),
        "Sessions: kept in `.state/sessions/<id>.json`, one file each.",
    ]


def test_what_things_are_is_told_by_the_last_recap_alone() -> None:
    found = recaps.lessons(
        recorded("s", spoke(COMPACTING, RECAP), spoke(COMPACTING, "All is done.")), []
    )
    assert [one.kind for one in found] == ["error_pattern"]


def test_a_recap_in_a_transcript_is_no_prompt(tmp_path: Path) -> None:
    common = {"sessionId": "s", "cwd": "/p", "type": "user"}
    rows = [
        {**common, "uuid": "1", "isCompactSummary": True, "message": {"content": RECAP}},
        {**common, "uuid": "2", "message": {"content": "go on"}},
    ]
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    session = told_in(str(path))
    assert session is not None
    assert [one.event.what for one in session.steps] == [COMPACTING, PROMPTED]


QUESTION = {
    "question": "Which database do the tests use?",
    "options": [
        {"label": "SQLite (Recommended)", "description": "In memory."},
        {"label": "Postgres", "description": "In a container"},
    ],
}


@pytest.mark.parametrize(
    ("question", "answer", "text"),
    [
        (
            "Which database do the tests use?",
            "Postgres",
            "Which database do the tests use? It was decided: “Postgres” (in a container), not “SQLite”.",
        ),
        ("Which database do the tests use?", "I do not know", ""),
        ("How would you like to fix the failing query?", "Postgres", ""),
        ("Plan ready. What would you like to do next?", "Postgres", ""),
    ],
)
def test_what_somebody_decided_is_told_with_what_was_not(
    question: str, answer: str, text: str
) -> None:
    given = {"questions": [{**QUESTION, "question": question}]}
    step = call("AskUserQuestion", given, f'User has answered: "{question}"="{answer}".')
    assert [one.text for one in choices.lessons(recorded("s", step), [])] == (
        [text] if text else []
    )


def test_another_answer_to_the_same_question_takes_the_place_of_the_first() -> None:
    found = []
    for answer in ("Postgres", "SQLite (Recommended)"):
        told = f'User has answered: "{QUESTION["question"]}"="{answer}".'
        step = call("AskUserQuestion", {"questions": [QUESTION]}, told)
        found += choices.lessons(recorded("s", step), [])
    first, second = found
    assert first.key != second.key
    assert (first.key in second.replaces, second.key in second.replaces) == (True, False)


def test_tests_by_name_are_one_command() -> None:
    lines = ("cd x && go test -v ./a/... -run TestB 2>&1 | tail", "go test -run 'TestC|D' ./a/...")
    assert [one_test(line) for line in lines] == [("go test ./a/... -run NAME",)] * 2
    assert one_test("go test ./a/...") == ()


@pytest.mark.parametrize(
    ("old", "new", "cure"),
    [
        (
            "switch x {\n}",
            "switch x {\ncase colorRed:\n}",
            "`case colorRed:` was added",
        ),
        ("switch x {\n}", "", "`switch x {` was taken out"),
    ],
)
def test_a_cure_may_be_a_line_below_or_none_any_more(old: str, new: str, cure: str) -> None:
    error = "a.go:1:1: missing cases in switch: colorRed (exhaustive)\nswitch x {\n^"
    steps = (ran("make lint", error, failed=True), wrote("a.go", old, new), ran("make lint"))
    texts = [one.text for one in cures.lessons(recorded("s", *steps), [])]
    assert [cure in text for text in texts] == ([True] if new else [])


def browse(act: str, what: str = "", answer: str = "ok", *, failed: bool = False) -> Step:
    given = {"element": what} if what else {}
    return call(f"mcp__playwright__browser_{act}", given, answer, failed=failed)


def electron(act: str, what: str = "", answer: str = "ok") -> Step:
    """A call of a server with one tool for all actions."""
    given = {"command": act, "args": {"text": what}}
    return call("mcp__electron__send_command_to_electron", given, answer)


ERROR = "Error: element is not enabled"
PAGE = "### Result\n- Page URL: http://localhost:3000{}\n"


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        (
            [
                browse("snapshot", "", PAGE.format("/login")),
                browse("click", "Go", PAGE.format("/in")),
            ],
            "On the page `/login`, click `Go` leads to `/in`.",
        ),
        (
            [browse("click", "Save", ERROR), browse("fill", "Name"), browse("click", "Save")],
            "Before click `Save` works: fill `Name`.",
        ),
        (
            [browse("click", "Save", ERROR), browse("wait_for"), browse("click", "Save")],
            "What click `Save` needs is there late: wait for it first.",
        ),
        (
            [browse("click", "Save", ERROR, failed=True), browse("click", "#save")],
            "Click `Save` fails: click `#save` works.",
        ),
        (
            [browse("click", "Pay", ERROR), browse("click", "I agree"), browse("click", "Pay")],
            "Before click `Pay` works: click `I agree`.",
        ),
        ([browse("click", "Pay", ERROR, failed=True), browse("click", "Cart")], ""),
        (
            [electron("click_by_text", "Save", ERROR), electron("click_by_text", "Save file")],
            "Click `Save` fails: click `Save file` works.",
        ),
        ([electron("get_page_structure"), electron("eval", "Save", ERROR)], ""),
        ([browse("click", "Save"), browse("take_screenshot")], ""),
        ([browse("fill", "password"), browse("click", "x")], ""),
    ],
)
def test_what_an_agent_saw_in_a_browser_waits_in_quarantine(steps: list[Step], text: str) -> None:
    found = observations.lessons(recorded("s", *steps), [])
    assert [one.text for one in found] == ([text] if text else [])
    assert all(one.outside and one.source == "mcp_auto" for one in found)


def test_steps_that_work_in_a_row_are_told_after_two_sessions() -> None:
    row = [browse("navigate", "/shop"), browse("click", "Buy"), browse("fill", "Card")]
    session = recorded("s", *row, browse("snapshot"))
    past = digest(recorded("before", *session.steps), "p")
    (lesson,) = observations.lessons(session, [past])
    assert "navigate `/shop`, click `Buy`, fill `Card`." in lesson.text
