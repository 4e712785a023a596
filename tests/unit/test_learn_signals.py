"""What a session teaches, signal by signal, from steps that were made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.steps import ran, recorded, wrote

from bowerbird.sessions.learn.commands import checks, lasting
from bowerbird.sessions.learn.failures import failed, said_instead, stopped
from bowerbird.sessions.learn.promote import digest
from bowerbird.sessions.learn.signals import cures, routines
from bowerbird.sessions.observe.errors import general_print

if TYPE_CHECKING:
    from bowerbird.sessions.learn.steps import Digest, RecordedSession


def test_a_pipe_does_not_hide_a_failure() -> None:
    output = "ok  pkg/a\n--- FAIL: TestX (0.00s)\nFAIL\tpkg/b\n"
    assert failed("make test | tail -20", output, flagged=False)
    assert not failed("grep -rn FAIL .", output, flagged=False)
    assert not failed("make test", "12 passed, 0 failed", flagged=False)
    assert failed("ls", "Exit code 2\nls: x", flagged=False)


@pytest.mark.parametrize(
    ("command", "output", "wrong"),
    [
        (
            "make",
            "Command: make\nDirectory: (root)\nOutput: no rule\nExit Code: 2\nSignal: 0",
            True,
        ),
        ("make test | tail", "Command: make\nStdout: ok\nError: (none)\nExit Code: 0", False),
        ("make lint | tail", "Command: make\nStdout: 3 issues:\nError: (none)\nExit Code: 0", True),
        ("make lint | tail", "Exit code: 0\nWall time: 1 s\nOutput:\n3 issues:", True),
        ("make lint", "Exit code: 0\nWall time: 1 s\nOutput:\nerror: told on purpose", False),
        ("cat notes.md", "the page says:\nExit Code: 3", False),
    ],
)
def test_exit_codes_of_gemini_and_codex_are_read(command: str, output: str, wrong: bool) -> None:
    assert failed(command, output, flagged=False) == wrong


def test_what_a_person_stopped_is_no_failure() -> None:
    text = (
        "The user doesn't want to proceed with this tool use."
        " To tell you how to proceed, the user said:\nuse uv"
    )
    assert stopped(text)
    assert not failed("make test", text, flagged=True)
    assert not failed("make test", "Sibling tool call errored", flagged=True)
    assert said_instead(text) == "use uv"


def test_the_commands_of_a_line_are_told_apart() -> None:
    found = checks("cd sub && npm run fmt && CI=1 npm run test 2>&1 | tail -5")
    assert [(one.text, one.purpose, one.folder) for one in found] == [
        ("npm run fmt", "format", "sub"),
        ("npm run test", "test", "sub"),
    ]
    assert not checks("git log --grep test")
    assert [one.purpose for one in checks("bin/lint; scripts/test.sh -q")] == ["lint", "test"]
    assert not checks("/usr/local/sbin/lint-everything")
    assert not lasting("go test -run TestX ./pkg")
    assert lasting("go test ./...")


def test_checking_types_is_neither_linting_nor_building() -> None:
    lines = (
        "npm run typecheck",
        "npx tsc --noEmit",
        "uv run mypy src",
        "npx tsc",
        "npm run lint:types",
    )
    purposes = [one.purpose for line in lines for one in checks(line)]
    assert purposes == ["types", "types", "types", "build", "lint"]


def test_a_command_is_a_routine_after_some_sessions() -> None:
    past: list[Digest] = []
    for name in ("a", "b"):
        session = recorded(name, ran("make test"), ran("make test 2>&1 | tail -3"))
        assert routines.lessons(session, past) == []
        past.append(digest(session, "p", ()))
    (found,) = routines.lessons(recorded("c", ran("make test")), past)
    assert found.text == "Run the tests with `make test`."
    assert found.sessions == ("c", "a", "b")


def test_a_command_that_fails_is_no_routine() -> None:
    assert routines.marks(recorded("a", ran("make test", "FAIL", failed=True))) == {}


LINT = "src/a.go:3:5: Error return value of `f.Close` is not checked (errcheck)\n\tf.Close()\n"


def cured(name: str) -> RecordedSession:
    return recorded(
        name,
        ran("make lint", LINT, failed=True, line=3),
        wrote("src/a.go", "\tf.Close()", "\t_ = f.Close() // best effort", line=5),
        ran("make lint", line=7),
    )


def test_an_error_is_reported_with_its_cure_and_where_it_came_before() -> None:
    first = cured("a")
    (once,) = cures.lessons(first, [])
    assert once.sessions == ("a",)
    (found,) = cures.lessons(cured("b"), [digest(first, "p", ())])
    assert found.text == (
        "`make lint` failed (errcheck); in `src/a.go`, `f.Close()` was replaced by `_ = f.Close()`,"
        " and the failure was gone."
    )
    assert found.lines == (3, 5)
    assert found.payload is not None
    assert found.payload["error_forms"] == [
        general_print("b.go:7:1: Error return value of `g.Open` is not checked (errcheck)")
    ]
    assert found.sessions == ("a", "b")


@pytest.mark.parametrize(
    ("wrong", "old", "new", "number"),
    [
        ("S1023: redundant return statement (staticcheck)", "\treturn", "", 0),
        (
            "exported: AppApp stutters; consider calling this App (revive)",
            "type AppApp",
            "type App",
            0,
        ),
        ("exported: AppApp stutters; rename it (revive)", "type AppApp", "type App", 1),
    ],
)
def test_a_finding_that_names_its_cure_needs_no_lesson(
    wrong: str, old: str, new: str, number: int
) -> None:
    output = f"src/a.go:3:1: {wrong}\n{old}\n^\n"
    steps = (
        ran("make lint", output, failed=True),
        wrote("src/a.go", f"x {{\n{old}\n}}", f"x {{\n{new}\n}}" if new else "x {\n}"),
        ran("make lint"),
    )
    assert len(cures.lessons(recorded("s", *steps), [])) == number


def test_an_error_that_stays_has_no_cure() -> None:
    steps = cured("a").steps
    session = recorded("a", *steps[:2], ran("make lint", LINT, failed=True))
    assert cures.marks(session) == {}


def test_a_command_with_a_secret_is_not_quoted() -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    command = f"go build -ldflags '-X main.version={'1' * 9}' -tags release ./... --token {token}"
    wrong = "go: error: updates to go.mod needed\n"
    session = recorded(
        "a",
        ran(command, wrong, failed=True),
        ran("go mod generate"),
        ran(command),
    )
    assert cures.lessons(session, []) == []


def test_a_command_that_cures_is_reported() -> None:
    wrong = "go: error: updates to go.mod needed\n"
    session = recorded(
        "a",
        ran("go build ./...", wrong, failed=True),
        ran("go mod generate"),
        ran("go build ./..."),
    )
    (found,) = cures.lessons(session, [])
    assert found.text == "`go build ./...` failed; after `go mod generate` it succeeded."


@pytest.mark.parametrize(
    ("failed", "lines", "told"),
    [
        (
            "python3 -m tide.auth",
            ["TIDE_TOKEN=$(cat .token) python3 -m tide.auth && echo ok"],
            "`TIDE_TOKEN=$(cat .token) python3 -m tide.auth && echo ok` succeeded.",
        ),
        (
            "python3 -m tide.auth",
            ["TIDE_MODE='a b' python3 -m tide.auth"],
            "`TIDE_MODE='a b' python3 -m tide.auth` succeeded.",
        ),
        # The value of what may be a secret is left out, its name is the cure.
        (
            "python3 -m tide.auth",
            ["export TIDE_TOKEN=devtoken; python3 -m tide.auth"],
            "after `export TIDE_TOKEN=…` it succeeded.",
        ),
        (
            "python3 -m tide.auth",
            ["export TIDE_TOKEN=devtoken", "python3 -m tide.auth"],
            "after `export TIDE_TOKEN=…` it succeeded.",
        ),
        (
            'python3 -c "import tide.cache"',
            ["touch tide/cache.py && python3 -c 'import tide.cache' && echo ok"],
            "after `touch tide/cache.py` it succeeded.",
        ),
        # A script's name may speak of tests, and its first word of what it does.
        (
            "node scripts/check.js",
            ["./scripts/test-db.sh up && node scripts/check.js"],
            "after `./scripts/test-db.sh up` it succeeded.",
        ),
    ],
)
def test_what_stands_before_the_same_command_cures_it(
    failed: str, lines: list[str], told: str
) -> None:
    wrong = "Traceback (most recent call last):\nKeyError: 'TIDE_TOKEN'"
    session = recorded("a", ran(failed, wrong, failed=True), *map(ran, lines))
    (found,) = cures.lessons(session, [])
    assert found.text == f"`{failed}` failed (KeyError); {told}"


@pytest.mark.parametrize("heading", ["Compilation Error", "Encountered an error:", "ERROR"])
def test_what_stands_below_a_heading_of_errors_is_the_error(heading: str) -> None:
    wrong = f"Running\n{heading}\n  2 packages are specified in packages.yml, but 0 are there"
    session = recorded(
        "a", ran("dbt build", wrong, failed=True), ran("dbt deps"), ran("dbt build", "done")
    )
    (found,) = cures.lessons(session, [])
    assert found.text == "`dbt build` failed; after `dbt deps` it succeeded."
    plain = wrong.replace(heading, "Compiling")
    session = recorded(
        "a", ran("dbt build", plain, failed=True), ran("dbt deps"), ran("dbt build", "done")
    )
    assert cures.lessons(session, []) == []


def test_what_lets_the_plain_command_pass_is_the_cure_and_not_a_variable_set_for_once() -> None:
    wrong = "Traceback (most recent call last):\nKeyError: 'TIDE_TOKEN'"
    failed = ran("pytest -q", wrong, failed=True)
    once = ran("TIDE_TOKEN=devtoken pytest -q", "3 passed")
    (found,) = cures.lessons(recorded("a", failed, once, ran("pytest -q tests/b.py")), [])
    assert "TIDE_TOKEN=… pytest -q" in found.text
    copied = ran("cp .env.example .env")
    (found,) = cures.lessons(recorded("a", failed, once, copied, ran("pytest -q", "3 passed")), [])
    assert found.text == (
        "`pytest -q` failed (KeyError); after `cp .env.example .env` it succeeded."
    )


@pytest.mark.parametrize(
    ("line", "wrong", "cure"),
    [
        (
            ".venv/bin/pip install -q black build; .venv/bin/black --version; make lint",
            "/srv/app/.venv/bin/python: No module named black\nmake: *** [Makefile:16: lint] Error 1",
            ".venv/bin/pip install -q black build",
        ),
        (
            "npm install --save-dev @types/node && make lint",
            "error TS2688: Cannot find type definition file for 'types/node'.",
            "npm install --save-dev @types/node",
        ),
        ("npm ci && make lint", "Cannot find module 'left-pad'", "npm ci"),
    ],
)
def test_an_installation_cures_what_it_installs(line: str, wrong: str, cure: str) -> None:
    session = recorded("a", ran("make lint", wrong, failed=True), ran(line))
    (found,) = cures.lessons(session, [])
    named = " (TS2688)" if "TS2688" in wrong else ""
    assert found.text == f"`make lint` failed{named}; after `{cure}` it succeeded."


@pytest.mark.parametrize("line", ["ruff --version; make lint", "pip install rich && make lint"])
def test_what_an_error_does_not_name_cures_nothing(line: str) -> None:
    session = recorded("a", ran("make lint", "No module named black", failed=True), ran(line))
    assert cures.lessons(session, []) == []


def test_a_comment_cures_nothing_unless_it_waives_the_finding() -> None:
    for comment, kept in (("// closed below", []), ("//nolint:errcheck // best effort", [1])):
        session = recorded(
            "a",
            ran("make lint", LINT, failed=True),
            wrote("src/a.go", "\tf.Close()", f"\t{comment}\n\tf.Close()"),
            ran("make lint"),
        )
        assert [1 for _ in cures.lessons(session, [])] == kept


def test_a_command_that_works_in_other_words_is_reported() -> None:
    session = recorded(
        "a",
        ran("python setup.py develop", "error: command not found: python", failed=True),
        ran("python3 setup.py develop"),
    )
    (found,) = cures.lessons(session, [])
    assert found.text == ("`python setup.py develop` failed; `python3 setup.py develop` succeeded.")
