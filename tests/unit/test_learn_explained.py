"""What is learned from a person's words and from what an agent explained, on steps made by hand."""

from __future__ import annotations

import pytest
from tests.steps import asked, only, ran, recorded, said, wrote

from bowerbird.core.events import STOPPED, Event
from bowerbird.sessions.learn.explanations import LONGEST, passages
from bowerbird.sessions.learn.noteworthy import DOCUMENT, spans
from bowerbird.sessions.learn.signals import conclusions, corrections
from bowerbird.sessions.learn.steps import Step

ROOT = (
    "**Root cause:** `parse_size` returned None for empty files because `strip()` came too late, so the"
    " upload never began."
)


@pytest.mark.parametrize(
    "message",
    [
        # A report, what comes next, an unchosen option, a passing state of the code.
        "## Results\n\n`parse_size` returns None because the file is empty.",
        "Let me see why `parse_size` returns None because that must not be.",
        "Option 1: `parse_size` returns 0 instead of None, because that is simple.",
        "The build fails as there is a missing import of `sizes`.",
        "All 12 tests pass now, and the linter has nothing to say about it.",
    ],
)
def test_a_stated_cause_is_likelier_noted_than_what_explains_nothing(message: str) -> None:
    session = recorded("s", asked("fix it"), wrote("a.py"), said(message, 3), said(ROOT, 4))
    odds = {one.step.line: one.odds for one in spans(session)}
    assert odds[4] > odds.get(3, -1000)


def test_documents_count_unless_they_are_plans_and_what_stands_in_the_code_does_not() -> None:
    why = "The lock is taken before the cache is read, since two processes may fill it at once."
    edits = [
        wrote("cache.py", "", f"# {why}\nlock()\n", line=2),
        wrote("docs/cache.md", "", f"# Cache\n\n{why}\n", line=3),
        wrote("plans/cache.md", "", f"{why}\n", line=5),
    ]
    session = recorded("s", asked("make it safe"), *edits)
    found = [(one.step.line, one.source, one.passage.text) for one in spans(session)]
    assert found == [(3, DOCUMENT, why)]


def test_a_list_belongs_to_the_line_that_announces_it_and_a_table_to_nothing() -> None:
    message = "## Why\n\nTwo things:\n\n- one\n- two\n\n| a | b |\n\n## So\n\nThe end."
    assert [(one.heading, one.text) for one in passages(message)] == [
        ("Why", "Two things: one; two"),
        ("So", "The end."),
    ]


def test_what_stands_below_one_heading_is_one_passage_up_to_a_length() -> None:
    items = ["**Cause**: `load` ran twice.", "**Fix**: `load` takes the lock", "It is slow."]
    message = "## Race\n\n" + "\n".join(f"- {one}" for one in items)
    (one,) = passages(message)
    assert (one.heading, one.text) == ("Race", f"{items[0]} {items[1]}; {items[2]}")
    long = f"## Race\n\n- {items[0]}\n- {'x' * LONGEST}\n"
    assert [len(one.text) for one in passages(long)] == [len(items[0]), LONGEST]
    assert [one.text for one in passages("One thing.\n\nAnother.")] == ["One thing.", "Another."]


@pytest.mark.parametrize(
    ("after", "kept"),
    [
        ((ran("pytest"), said(ROOT, 9)), True),
        ((ran("pytest"), said(ROOT, 9), asked("thanks")), True),
        ((ran("pytest"), said(ROOT, 9), asked("no, that is wrong")), False),
        ((ran("pytest"), said(f"## Suggestions\n\n{ROOT}", 9)), False),
    ],
)
def test_a_cause_is_learned_where_nobody_objected(after: tuple[Step, ...], *, kept: bool) -> None:
    found = conclusions.lessons(recorded("s", asked("fix it"), wrote("a.py"), *after), [])
    assert [one.lines for one in found] == [(9,)] * kept
    assert all("`parse_size` returned None for empty files" in one.text for one in found)


def test_of_two_turns_that_explain_the_same_the_later_one_counts() -> None:
    later = ROOT.replace("never began", "never even began")
    work = (asked("fix it"), wrote("a.py"), said(ROOT, 3), asked("go on"), wrote("a.py"))
    lesson = only(conclusions.lessons(recorded("s", *work, said(later, 6)), []))
    assert "never even began" in lesson.text


def test_a_correction_holds_the_words_what_the_agent_made_of_them_and_both_lines() -> None:
    words = "No need for a second fallback in the callers, the `load` method already has one."
    reply = "You're right, `load` falls back by itself, so the callers must not do it again."
    session = recorded("s", asked(words, 4), said(reply, 5), wrote("a.py"), said("Done.", 7))
    lesson = only(corrections.lessons(session, []))
    assert lesson.text == (
        f"The user said: “{words}” `load` falls back by itself, so the callers must not do it again."
    )
    assert lesson.lines == (4, 5)


@pytest.mark.parametrize(
    "closing",
    ["Here is a summary of all of the changes.", "All `upload` tests pass ✅ and lint is clean."],
)
def test_a_report_that_only_says_that_all_is_done_is_not_told_with_it(closing: str) -> None:
    words = "That must be empty files, since the upload works with all the others that I have."
    steps = (asked(words), said("Sure."), wrote("a.py"), said(closing, 4))
    assert only(corrections.lessons(recorded("s", *steps), [])).text == f"The user said: “{words}”"


def test_a_refusal_is_told_with_the_call_that_it_refused() -> None:
    words = "No, never push to `main` from here, since `release.sh` does that after the tests."
    refused = Step(Event("codex", "user", STOPPED, text="run `git push origin main`"), line=3)
    reply = "You're right, `release.sh` pushes, so I must not do that by hand."
    steps = (asked("ship it"), wrote("a.py"), refused, asked(words, 4), said(reply, 5))
    lesson = only(corrections.lessons(recorded("s", *steps, wrote("b.py"), said("Done.", 7)), []))
    assert lesson.text.startswith(
        f"When the agent was about to run `git push origin main`, the user said: “{words}”"
    )


@pytest.mark.parametrize(
    "words",
    [
        "No need for a second fallback in the callers for now, the `load` method has one.",
        "lint says: 212:7 error, the `load` method is wrong and should not be called again.",
    ],
)
def test_words_on_the_moment_or_of_a_program_wait_for_nobody(words: str) -> None:
    reply = "You're right, `load` falls back by itself, so the callers must not do it again."
    session = recorded("s", asked(words, 4), said(reply, 5), wrote("a.py"), said("Done.", 7))
    assert corrections.lessons(session, []) == []


def test_a_request_alone_teaches_nothing() -> None:
    session = recorded("s", asked("fix the tests please"), wrote("a.py"), said("Done.", 7))
    assert corrections.lessons(session, []) == []


def test_a_correction_of_work_that_was_rejected_teaches_nothing() -> None:
    words = "No need for a second fallback in the callers, the `load` method already has one."
    steps = (
        asked(words),
        said("You're right, `load` falls back."),
        wrote("a.py"),
        asked("undo it"),
    )
    assert corrections.lessons(recorded("s", *steps), []) == []


def test_an_option_that_was_chosen_is_told_with_its_name() -> None:
    closing = "Where should it live?\n\n1. `session/` package\n2. `paths/` package\n\nWhich one?"
    why = "The `session/` package owns the ids, so that `paths` must not import it."
    session = recorded(
        "s",
        asked("where do ids belong?"),
        said(closing),
        asked("I like option 1", 5),
        wrote("a.py"),
        said(why, 7),
    )
    lesson = only(corrections.lessons(session, []))
    assert lesson.kind == "decision"
    assert lesson.text.startswith("On “where do ids belong?” the user chose “`session/` package”")
    assert lesson.text.endswith(why)


def test_what_a_correction_quotes_is_no_conclusion_too() -> None:
    words = "That must be empty files, since the upload works with all the others that I have."
    steps = (asked(words), said("Sure."), wrote("a.py"), said(ROOT, 4))
    session = recorded("s", *steps)
    assert len(corrections.lessons(session, [])) == 1
    assert conclusions.lessons(session, []) == []


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        (
            "**Root cause:** the kiln held the lock from 2:00 to 3:00, so each glaze waited.",
            "gotcha",
        ),
        ("### Root cause\n\nThe kiln held the lock from 2:00, so each glaze waited.", "gotcha"),
        ("**Decision:** glazes share the lock instead of moving to another hour.", "decision"),
        ("## Trade-off\n\nGlazes share the lock, because pots are needed before 3:00.", "decision"),
    ],
)
def test_a_labelled_cause_or_decision_is_kept_from_the_last_message(block: str, kind: str) -> None:
    session = recorded("s", asked("fix the kiln"), wrote("a.py"), said(f"{block}\n\nDone.", 4))
    lesson = only(conclusions.lessons(session, []))
    assert (lesson.kind, lesson.lines) == (kind, (4,))
    supposed = said("**Root cause:** maybe the kiln held the lock, so each glaze waited.", 4)
    assert conclusions.lessons(recorded("s", asked("fix the kiln"), supposed), []) == []
    before = said(block, 3)
    steps = (asked("fix the kiln"), before, wrote("a.py"), said("Done, all is well.", 5))
    assert conclusions.lessons(recorded("s", *steps), []) == []
