"""What test runners report: outputs of real runs of small projects (tests/data/runners)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bowerbird.sessions.learn.runners import RUNNERS, plain, run_passed
from bowerbird.sessions.learn.test_runs import failed

DATA = Path(__file__).parents[1] / "data" / "runners"


def output(name: str) -> str:
    return (DATA / f"{name}.txt").read_text(encoding="utf-8")


FAILED = sorted(one.stem for one in DATA.glob("*.txt") if not one.stem.endswith("-passed"))
# Surefire's and Gradle's closing lines are far above the end of their outputs.
LINES = dict.fromkeys(FAILED, 10) | {"maven": 18, "gradle": 20, "node-spec": 22}


@pytest.mark.parametrize("name", FAILED)
def test_the_end_of_a_failed_run_says_that_it_failed(name: str) -> None:
    end = "\n".join(output(name).rstrip().split("\n")[-LINES[name] :])
    for shown in (output(name), end, end.replace("\n", "\r\n")):
        assert run_passed(shown) is False
    assert failed(f"make check | tail -{LINES[name]}", end, flagged=False)


@pytest.mark.parametrize("path", sorted(DATA.glob("*-passed.txt")), ids=lambda path: path.stem)
def test_a_run_that_passed_did_not_fail(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for shown in (text, text.replace("\n", "\r\n")):
        assert run_passed(shown)
        assert not failed("make check | tail", shown, flagged=False)


@pytest.mark.parametrize("path", sorted(DATA.glob("*.txt")), ids=lambda path: path.stem)
def test_an_output_that_a_runner_knows_has_a_sign_of_it_in_each_of_its_lines(path: Path) -> None:
    text = plain(path.read_text(encoding="utf-8"))
    for name, one in RUNNERS.items():
        for pattern in (*one.failed, *one.passed):
            for match in re.finditer(pattern, text, re.MULTILINE):
                line_ends = text.find("\n", match.end()) % (len(text) + 1)
                around = f"\n{text[match.start() : line_ends]}\n"
                assert any(sign in around for sign in one.signs), (name, around)


@pytest.mark.parametrize(
    "text",
    [
        "Passed!  - Failed:     0, Passed:   296, Skipped:     0, Total:   296, Duration: 2 s",
        "===== 3 passed, 0 failed in 0.12s =====",
        "12 examples, 0 failures, 2 pending",
        "ok 1 - is sorted # TODO later\nnot ok 2 - is stable # TODO one day\n1..2\n# pass 1\n# fail 0",
        "OK (12 tests, 30 assertions)",
    ],
)
def test_no_failure_is_no_failure(text: str) -> None:
    assert run_passed(text)


@pytest.mark.parametrize(
    "text",
    ["", "Tests are described in CONTRIBUTING.md.", "added 3 packages", "error: no such file"],
)
def test_what_is_no_report_is_none(text: str) -> None:
    assert run_passed(text) is None


def test_a_log_that_is_shown_is_no_run() -> None:
    log = output("pytest")
    assert not failed("cat build.log", log, flagged=False)
    assert not failed("cd ci && tail -50 build.log | grep -v ok", log, flagged=False)
    assert failed("cd ci && ./all.sh | tail -50", log, flagged=False)


def test_errors_that_passed_tests_provoke_are_none() -> None:
    text = "Error: no such file\n" + output("jest-passed")
    assert not failed("npm test", text, flagged=False)
    assert failed("npm run build; npm test", text, flagged=False)


def test_a_line_of_many_counts_is_read_in_a_moment() -> None:
    # Two ways to read one word made two to the power of their number.
    assert run_passed("1 passed, " * 4_000) is None
    assert run_passed("\n" * 40_000 + "x") is None


@pytest.mark.parametrize(
    "line", ["\n", "\r\n", " " * 60 + "\n", "\t\n", "A.b(c): ", "((({{{[[[", "> "]
)
def test_a_hostile_output_is_read_in_one_pass(line: str) -> None:
    """What takes longer than linear time here would take hours."""
    text = line * (300_000 // len(line))
    assert run_passed(text) is None
    assert run_passed(text + "\n--- FAIL: TestTotal (0.00s)") is False
