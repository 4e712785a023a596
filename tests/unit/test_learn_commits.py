"""What commits and failed tests of a session teach: each on steps that were made by hand."""

from __future__ import annotations

import pytest
from tests.steps import call, only, ran, recorded, said, wrote

from bowerbird.sessions.learn.commit_messages import landed_commits, sha_of
from bowerbird.sessions.learn.signals import commits, cures
from bowerbird.sessions.observe.errors import exact_print

SUBJECT = "Handle empty files"
CAUSE = "Uploads failed because `parse_size` returned None for empty files."
WRAPPED = CAUSE.replace(" for ", "\nfor\n")
QUOTED = CAUSE.replace("`", "\\`")
TRAILERS = """🤖 Generated with [An Agent](https://agent.example)

Co-Authored-By: An Agent <agent@example.com>
Signed-off-by: A Person <person@example.com>"""
LANDED = "[main 1a2b3c4] Handle empty files\n 1 file changed"
TEXT = f"{SUBJECT}\n\n{CAUSE}"
LONG = f"{TEXT}\n\n{TRAILERS}"
FORMS = [
    f"git commit -m '{SUBJECT}' -m '{CAUSE}'",
    f'git add -A && git commit -am "{SUBJECT}\n\n{QUOTED}" && git push | tail -3',
    f'git -C /p/lib commit --message="{SUBJECT}\n\n{QUOTED}"',
    f"git -c user.name=x commit --no-verify -m'{TEXT}' 2>&1",
    f"git commit -F - <<'EOF'\n{LONG}\nEOF\ngit status",
    f"git commit --file=- <<EOF\n{SUBJECT}\n\n{QUOTED}\nEOF",
    f"git commit -m \"$(cat <<'EOF'\n{LONG}\nEOF\n)\"",
    f"cat > /tmp/message <<'EOF'\n{LONG}\nEOF\ngit commit -F /tmp/message",
    f"printf '{SUBJECT}\\n\\n{CAUSE}\\n' | git commit -F -",
    f"git commit -m $'{SUBJECT}\\n\\n{CAUSE}'",
    f'git commit -m "{SUBJECT}\\n\\n{QUOTED}"',
    f"git commit -m @'\n{LONG}\n'@",
    f"git commit -m '{SUBJECT}' -m '{WRAPPED}'",
]


@pytest.mark.parametrize("command", FORMS)
def test_a_commit_tells_why(command: str) -> None:
    session = recorded("s", ran(command, LANDED, line=5))
    lesson = only(commits.lessons(session, []))
    assert lesson.text == f"Commit 1a2b3c4: {SUBJECT}. {CAUSE}"
    assert lesson.source == "commit_auto"
    (commit,) = landed_commits(session)
    assert (commit.body, commit.sha) == (CAUSE, "1a2b3c4")


REASON = "Retries are capped at three, because the kiln trips its fuse at the fourth."
BODY = f"## Summary\n- {REASON}\n\n## Test plan\n- [ ] Cannot run without a fuse\n\n{TRAILERS}"
PUBLISHED = [
    (f"gh pr create --title '{SUBJECT}' --body '{REASON}'", f"Pull request: {SUBJECT}. {REASON}"),
    (
        f"git push && gh pr create --base main -t '{SUBJECT}' -b \"$(cat <<'EOF'\n{BODY}\nEOF\n)\"",
        f"Pull request: {SUBJECT}. {REASON}",
    ),
    (f"gh pr edit 12 --body='{REASON}'", f"Pull request: {REASON}"),
    (f"gh issue create --title='{SUBJECT}' -b '{REASON}'", f"Issue: {SUBJECT}. {REASON}"),
    (f"gh issue comment 4 -b '{REASON}'", f"Comment on an issue: {REASON}"),
    (
        f"cat > /tmp/b.md <<'EOF'\n{REASON}\nEOF\ngh pr comment 4 -F /tmp/b.md",
        f"Comment on a pull request: {REASON}",
    ),
    (f"printf '{REASON}' | gh pr review 4 --request-changes --body-file -", f"Review: {REASON}"),
    (
        f"gh api repos/o/r/pulls/4/comments/77/replies -X POST -f body='{REASON}'",
        f"Reply in a review: {REASON}",
    ),
]


@pytest.mark.parametrize(("command", "text"), PUBLISHED)
def test_what_was_published_tells_why(command: str, text: str) -> None:
    answer = "https://git.example/o/r/pull/12"
    lesson = only(commits.lessons(recorded("s", ran(command, answer, line=5)), []))
    assert (lesson.text, lesson.lines, lesson.recorded) == (text, (5,), True)
    assert commits.lessons(recorded("s", ran(command, "", failed=True)), []) == []


@pytest.mark.parametrize(
    "command",
    [
        f"gh pr view 4 --comments | grep '{REASON}'",
        f"gh pr list --search '{REASON}'",
        f"gh api repos/o/r/pulls/4/comments --jq '{REASON}'",
        "gh pr create --fill",
        "gh pr comment 4 -b 'Addressed the review comments, thanks!'",
        f"echo gh pr create --title x --body '{REASON}'",
    ],
)
def test_what_is_read_or_gives_no_reason_is_not_recorded(command: str) -> None:
    assert commits.lessons(recorded("s", ran(command, "done")), []) == []


def test_a_pull_request_that_says_what_its_commit_says_is_recorded_once() -> None:
    request = f"gh pr create --title '{SUBJECT}' --body '{CAUSE}'"
    steps = (ran(FORMS[0], LANDED, line=5), ran(request, "https://git.example/o/r/pull/1", line=6))
    assert only(commits.lessons(recorded("s", *steps), [])).lines == (5,)


def _record(subject: str, body: str = "") -> str:
    """What is recorded of a commit, without what identifies it."""
    message = f"{subject}\n\n{body}" if body else subject
    found = commits.lessons(recorded("s", ran(f"git commit -m '{message}'", LANDED)), [])
    assert all(one.recorded and not one.outside for one in found)
    return found[0].text.removeprefix("Commit 1a2b3c4: ") if found else ""


def test_a_reason_needs_no_code_names_and_no_sentence_that_stands_alone() -> None:
    limit = "The kitchen has two stoves; more pots at once blow the fuse."
    assert _record("Boil four pots at a time", limit) == f"Boil four pots at a time. {limit}"
    late = "Their ovens answer only after an hour on the last working day."
    assert _record("Wait for the bakers", late) == f"Wait for the bakers. {late}"
    said = "Use honey instead of sugar because sugar draws ants"
    assert _record(said) == f"{said}."
    items = "- Add a lid\n- Stir slowly, otherwise it burns\n- Update tests"
    assert _record("Change the pot", items) == "Change the pot. Stir slowly, otherwise it burns."
    body = "Jars from the old supplier crack at 90 degrees. That is why we let them cool first."
    assert _record("Cool the jars", f"{body} This adds a timer.") == f"Cool the jars. {body}"


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Rename the pot", "Rename pot to kettle in all recipes and move the lids."),
        ("Add a lid", "This adds a lid to each pot.\n\nTests are updated."),
        ("Merge branch jam", "The stove has two plates and needs a fuse."),
        ("wip", "The stove has two plates and needs a fuse."),
        ("Address review comments", "The stove has two plates and needs a fuse."),
        ("Tidy the shelf", "The shelf is cleaned to avoid duplicated jars."),
        ("Bump jam from 1.2 to 1.3", "Release-Notes: the jam has more fruit\nJam-Id: 7 has fruit"),
        ("Add a lid", "See https://jam.example, because it says so."),
    ],
)
def test_what_was_changed_is_no_reason(subject: str, body: str) -> None:
    assert _record(subject, body) == ""


def test_a_commit_after_an_external_read_waits() -> None:
    step = ran(FORMS[0], LANDED)
    step.outside = True
    assert only(commits.lessons(recorded("s", step), [])).outside


def test_a_message_is_read_from_a_file_that_was_written_before() -> None:
    file = call("Write", {"file_path": "/tmp/message.txt", "content": LONG})
    session = recorded("s", file, ran("git commit -F /tmp/message.txt", LANDED))
    assert only(commits.lessons(session, [])).text == f"Commit 1a2b3c4: {SUBJECT}. {CAUSE}"
    assert commits.lessons(recorded("s", ran("git commit -F other", LANDED)), []) == []


def test_a_command_may_contain_anything() -> None:
    (commit,) = landed_commits(recorded("s", ran("git commit -m 'Fix \x007\x00 it'", LANDED)))
    assert commit.subject == "Fix 7 it"


@pytest.mark.parametrize(
    "part", ["<<EOF\n", "@'\n", "$'", "\\n", ".\n", "a ", "\x000\x00", "\n", "- "]
)
def test_a_hostile_command_hides_no_other(part: str) -> None:
    session = recorded(
        "s", ran(f"git commit -m '{part * (19_000 // len(part))}'", LANDED), ran(FORMS[0], LANDED)
    )
    assert landed_commits(session)[-1].subject == SUBJECT


def test_a_quiet_commit_is_found_in_the_log_behind_it() -> None:
    quiet = f"git commit -qm '{TEXT}' && git log --oneline -1"
    (commit,) = landed_commits(recorded("s", ran(quiet, f"1a2b3c4 (HEAD -> main) {SUBJECT}")))
    assert (commit.subject, commit.sha) == (SUBJECT, "1a2b3c4")
    whole = f"commit 1a2b3c4{'0' * 33} (HEAD -> main)\nAuthor: A\nDate:   Mon\n\n    {SUBJECT}\n"
    (commit,) = landed_commits(recorded("s", ran(f"git commit -qm '{TEXT}' && git log -1", whole)))
    assert commit.sha == f"1a2b3c4{'0' * 33}"


def test_what_did_not_land_is_no_commit() -> None:
    for command, answer in (
        (FORMS[0], "nothing to commit, working tree clean"),
        (f"git commit -qm '{TEXT}'", "nothing added to commit"),
        (f"echo git commit -m '{TEXT}'", "git commit"),
        ("git commit -m 'never closed", "error"),
    ):
        assert landed_commits(recorded("s", ran(command, answer))) == []
    assert landed_commits(recorded("s", ran(FORMS[0], LANDED, failed=True))) == []


def test_two_commits_of_a_line_have_a_message_and_a_name_each() -> None:
    answer = "[main 1a2b3c4] One\n[main 5d6e7f8] Two\n"
    session = recorded("s", ran("git commit -m One a.py; git commit -m 'Two'", answer))
    assert [(one.subject, one.sha) for one in landed_commits(session)] == [
        ("One", "1a2b3c4"),
        ("Two", "5d6e7f8"),
    ]


def test_work_belongs_to_the_commit_behind_it() -> None:
    landed = ran(FORMS[0], LANDED, line=5)
    together = recorded("s", landed, said(CAUSE, 6))
    assert [sha_of(together, line) for line in (1, 5, 6)] == ["1a2b3c4"] * 3
    assert sha_of(recorded("s", landed, wrote("a.py"), said(CAUSE, 7)), 7) == ""


def test_pytest_says_in_its_summary_why_a_test_failed() -> None:
    broken = (
        "E       AssertionError: assert None == 0\n\ntests/test_a.py:3: AssertionError\n"
        "=== short test summary info ===\n"
        "FAILED tests/test_a.py::test_size - AssertionError: assert None == 0\n1 failed in 0.02s\n"
    )
    steps = (
        ran("pytest -q | tail -20", broken, failed=True),
        wrote("src/size.py"),
        ran("pytest -q", "3 passed"),
    )
    lesson = only(cures.lessons(recorded("s", *steps), []))
    assert lesson.payload is not None
    assert exact_print("E   AssertionError: assert None == 0") in lesson.payload["errors"]
    assert "None" not in lesson.text
