"""What comes between the steps of a session: cures at once, and from the fifth call on the rest."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from tests.surface.hooks.test_injecting import cited, keep

from bowerbird import Bowerbird
from bowerbird.sessions.inject import cures as curing
from bowerbird.sessions.inject.between_steps import answers, asked_for
from bowerbird.sessions.inject.cures import ErrorMatcher, Message

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks

FINDING = "hooks.go:41:9: appendAssign: append result not assigned to the same slice (gocritic)"
CURE = (
    "`make lint` may say: append result not assigned to the same slice (gocritic)."
    " What cured it in `a.go`: `x := append(y, z)` became `y = append(y, z)`."
)


def call(hooks: Hooks, tool: str, given: dict[str, Any], answer: str = "ok") -> str:
    return hooks.context("PostToolUse", tool_name=tool, tool_input=given, tool_response=answer)


def work(hooks: Hooks, steps: int) -> None:
    for number in range(steps):
        call(hooks, "Bash", {"command": f"ls {number}"})


def test_a_search_below_a_folder_touches_none_of_its_files(hooks: Hooks) -> None:
    (hooks.project / "src").mkdir(exist_ok=True)
    (hooks.project / "src" / "a.py").write_text("x = 1\n")
    keep(hooks, "The parser drops the last line.", files=["src/a.py"], kind="gotcha")
    work(hooks, 5)
    for folder in (hooks.project, hooks.project / "src"):
        assert call(hooks, "Grep", {"pattern": "zebra", "path": str(folder)}) == ""
    touched = {"file_path": str(hooks.project / "src" / "a.py")}
    assert "drops the last line" in call(hooks, "Read", touched)


def test_a_known_error_brings_its_cure_at_once_and_once(hooks: Hooks) -> None:
    known = keep(hooks, CURE, kind="error_pattern")
    failing: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "make lint"}}
    error = f"Exit code 1\n{FINDING}\n"
    assert cited(hooks.context("PostToolUseFailure", **failing, error=error)) == [known[:18]]
    assert hooks.context("PostToolUseFailure", **failing, error=error) == ""
    assert hooks.failure() == ""


def test_a_cure_is_found_among_more_than_are_read(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curing, "_MOST_READ", 1)
    known = keep(hooks, CURE, kind="error_pattern")
    keep(hooks, "Redis says `connection refused` until the tunnel is open.", kind="gotcha")
    os.chdir(hooks.project)
    with Bowerbird.open(hooks.store) as bird:
        found = curing.cure(bird, f"Exit code 1\n{FINDING}\n", "make lint", (), lambda _: True)
    assert [one.id for one in found.items] == [known]


def test_the_line_that_tells_most_of_an_error_brings_its_cure_first(hooks: Hooks) -> None:
    first = keep(hooks, CURE, kind="error_pattern")
    notes = "The linter says `three notices were left out` where its cache is old."
    then = keep(hooks, notes, kind="gotcha")
    error = f"three notices were left out\n{FINDING}\n"
    failing: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "make lint"}}
    ids = cited(hooks.context("PostToolUseFailure", **failing, error=error))
    assert ids == [first[:18], then[:18]]


def test_a_second_cure_that_does_not_fit_is_not_cut_but_comes_the_next_time(hooks: Hooks) -> None:
    other = FINDING.replace("hooks.go:41", "hooks.go:52").replace("appendAssign: append", "a map")
    for words in (FINDING, other):
        message = words.partition(" ")[2]
        cure = f"`make lint` may say: {message}. What cured it: " + "look at the slice " * 12
        keep(hooks, cure + f"of {message.split()[0]}.", kind="error_pattern")
    failing: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "make lint"}}
    error = f"Exit code 1\n{FINDING}\n{other}\n"
    first = hooks.context("PostToolUseFailure", **failing, error=error)
    second = hooks.context("PostToolUseFailure", **failing, error=error)
    assert [len(cited(first)), len(cited(second))] == [1, 1]
    assert cited(first) != cited(second)
    assert "…\n\n" not in first


def test_a_failure_that_a_pipe_hides_brings_its_cure(hooks: Hooks) -> None:
    known = keep(hooks, CURE, kind="error_pattern")
    output = f"{FINDING}\nmake: *** [lint] Error 1\n"
    assert cited(call(hooks, "Bash", {"command": "make lint | tail -20"}, output)) == [known[:18]]


@pytest.mark.parametrize(
    ("command", "output"),
    [("cat notes.txt", f"an error of last week: {FINDING}"), ("make lint", "0 errors")],
)
def test_what_only_speaks_of_errors_brings_nothing(hooks: Hooks, command: str, output: str) -> None:
    keep(hooks, CURE, kind="error_pattern")
    assert call(hooks, "Bash", {"command": command}, output) == ""


def test_an_error_that_a_person_made_by_stopping_is_none(hooks: Hooks) -> None:
    keep(hooks, CURE, kind="error_pattern")
    error = f"The user doesn't want to proceed with this tool use. {FINDING}"
    failing: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "make lint"}}
    assert hooks.context("PostToolUseFailure", **failing, error=error) == ""


def test_a_file_brings_what_goes_with_it(hooks: Hooks) -> None:
    pair = keep(
        hooks,
        "`src/table.py` and `docs/table.md` change together.",
        kind="prefetch_pattern",
        files=["src/table.py", "docs/table.md"],
        payload={"always_read_files": ["src/table.py", "docs/table.md"]},
    )
    path = f"{hooks.project}/src/table.py"
    assert cited(call(hooks, "Edit", {"file_path": path})) == [pair[:18]]


def test_searches_are_answered_from_the_fifth_step_on(hooks: Hooks) -> None:
    known = keep(hooks, "drainQueue runs by hand only: the scheduler never calls it.")
    assert call(hooks, "Grep", {"pattern": "drainQueue"}) == ""
    work(hooks, 3)
    assert cited(call(hooks, "Grep", {"pattern": "other"})) == [known[:18]]
    assert call(hooks, "Grep", {"pattern": "drainQueue"}) == ""


def test_where_a_name_stands_is_for_the_search_to_say(hooks: Hooks) -> None:
    keep(hooks, "`drainQueue` is defined in `src/queue.py`.", kind="module_insight")
    keep(hooks, "`src/drainQueue.py` is long: search it.", kind="context_cost")
    work(hooks, 5)
    assert call(hooks, "Grep", {"pattern": "drainQueue"}) == ""


def test_a_finding_without_a_word_of_an_error_brings_its_cure(hooks: Hooks) -> None:
    known = keep(hooks, CURE, kind="error_pattern")
    output = f"[lint] {FINDING}\n1 issues:\n* gocritic: 1"
    assert cited(call(hooks, "Bash", {"command": "make lint | tail"}, output)) == [known[:18]]


def test_traps_of_the_last_files_come_again_where_they_did_not_fit(hooks: Hooks) -> None:
    traps = [
        keep(hooks, f"Trap {word}: the {word} must be closed", kind="gotcha", files=["src/a.py"])
        for word in ("socket", "cursor", "window", "ledger", "stream")
    ]
    work(hooks, 4)
    first = cited(call(hooks, "Read", {"file_path": f"{hooks.project}/src/a.py"}))
    second = cited(call(hooks, "Grep", {"pattern": "zzzz_zzzz"}))
    assert (len(first), len(second)) == (4, 1)
    assert {*first, *second} == {one[:18] for one in traps}


def test_what_another_session_keeps_meanwhile_comes_between_steps(hooks: Hooks) -> None:
    work(hooks, 5)
    note = keep(hooks, "The staging database is being moved today.", session="another")
    keep(
        hooks,
        "The clock of the build machine is wrong.",
        session="0f8fad5b-d9cb-469f-a165-70867728950e",
    )
    assert cited(call(hooks, "Grep", {"pattern": "zzzz_zzzz"})) == [note[:18]]


DOWN = "ConnectionRefusedError on port 6379 means that Redis is down: make redis"
ABSENT = "A ModuleNotFoundError of shop_core goes away with pip install -e core"


@pytest.mark.parametrize(
    ("text", "line", "wanted"),
    [
        (CURE, FINDING, True),
        (CURE, "Exit code 1", False),
        (CURE, "b.go:1:1: string `x` has 3 occurrences, make it a constant (goconst)", False),
        ("Tests say `connection refused` without redis.", "dial 6379: Connection refused", True),
        ("Run `make lint` before a commit.", "task failed: make lint", False),
        ("`git checkout` brings the comments back.", "needed for git checkout", False),
        ("`cd` says `not a directory` there.", "bash: x: Not a directory", True),
        (DOWN, "E   ConnectionRefusedError: [Errno 111] Connection refused on port 6379", True),
        (DOWN, "E   ConnectionRefusedError: [Errno 111] Connection refused on port 5432", False),
        (DOWN, "redis_test.py:6379: ConnectionRefusedError: refused", False),
        (DOWN, "E   TimeoutError: nothing came from port 6379", False),
        (ABSENT, "ModuleNotFoundError: No module named 'shop_core'", True),
        (ABSENT, "ModuleNotFoundError: No module named 'shop'", False),
        ("KeyError comes from old settings", "KeyError: 'name'", False),
    ],
)
def test_a_memory_tells_of_an_error_by_its_message(text: str, line: str, wanted: bool) -> None:
    assert ErrorMatcher(text).of(Message(line)) is wanted


def test_a_quoted_command_is_no_message() -> None:
    text, line = "Run `mise run lint` twice.", "[lint] ERROR task failed: mise run lint"
    assert not ErrorMatcher(text, "mise run lint | tail").of(Message(line))


def test_quoted_code_is_no_message() -> None:
    text = "The cure was `if err != nil {` before `return fmt.Errorf(x)`; see `x := load(y)`."
    assert not ErrorMatcher(text).of(Message("\tif err != nil {"))
    assert not ErrorMatcher(text).of(Message("    x := load(y)"))


def test_a_pattern_asks_for_names() -> None:
    assert asked_for(r"func\s+drainQueue|TODO") == [["drainQueue"]]
    assert asked_for("func.*Rewind|interface|integration") == []
    assert asked_for("**/*_test.go") == []
    assert asked_for("error") == []
    assert asked_for("queue drained") == []
    assert asked_for("shop/integration_test/**/*.py") == []
    assert asked_for("shop/src/drain_queue.py") == [["drain_queue"]]


def test_an_answer_holds_every_word_from_its_beginning() -> None:
    assert answers("drainQueue runs by hand", ["drainQueue"])
    assert not answers("undrainQueued", ["drainQueue"])
    assert not answers("drainQueueTwice runs by hand", ["drainQueue"])
