"""What commits and failed tests of a session teach: each on steps that were made by hand."""

from __future__ import annotations

from tests.steps import only, ran, recorded, said, wrote

from bowerbird.agent.learn.signals import commits, failed_tests

CAUSE = "Uploads failed because `parse_size` returned None for empty files."


COMMIT = f"""git commit -m "$(cat <<'EOF'
Handle empty files

{CAUSE}

Co-Authored-By: An Agent <agent@example.com>
EOF
)\""""


def test_a_commit_tells_why() -> None:
    landed = ran(COMMIT, "[main 1a2b3c4] Handle empty files\n 1 file changed", line=5)
    lesson = only(commits.lessons(recorded("s", landed), []))
    assert lesson.text == f"Handle empty files: {CAUSE}"
    assert lesson.source == "commit_auto"
    together = recorded("s", landed, said(CAUSE, 6))
    assert [commits.commit_of(together, line) for line in (1, 5, 6)] == ["1a2b3c4"] * 3
    later = recorded("s", landed, wrote("a.py"), said(CAUSE, 7))
    assert commits.commit_of(later, 7) == ""
    short = ran(f"git commit -am 'Handle empty files\n\n{CAUSE}'", "[main 1a2b3c4] Handle", line=5)
    assert only(commits.lessons(recorded("s", short), [])).text == lesson.text
    assert commits.lessons(recorded("s", ran(COMMIT, "nothing to commit")), []) == []


def test_a_test_that_broke_is_told_with_what_cured_it() -> None:
    broken = "FAILED tests/test_a.py::test_size - AssertionError: expected 3, got None\n"
    steps = (
        ran("pytest", broken, failed=True),
        wrote("src/size.py"),
        ran("pytest", "3 passed"),
    )
    lesson = only(failed_tests.lessons(recorded("s", *steps), []))
    assert lesson.source == "qa_auto"
    assert "a change of `src/size.py` let it pass again" in lesson.text
    new = wrote("tests/test_a.py", "", "def test_size(): ...")
    assert failed_tests.lessons(recorded("s", new, *steps), []) == []


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
    lesson = only(failed_tests.lessons(recorded("s", *steps), []))
    assert "failed with “AssertionError: assert None == 0”" in lesson.text
