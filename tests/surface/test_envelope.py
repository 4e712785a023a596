"""The contract that scripts rely on: one envelope, three exit codes, errors with remedies."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


def test_a_pipe_gets_one_line_of_json(bower: Bower) -> None:
    ran = bower("status")
    assert ran.code == 0
    assert ran.out.count("\n") == 1
    assert list(ran.envelope) == ["command", "success", "schema", "data"]
    assert (ran.envelope["command"], ran.envelope["success"]) == ("status", True)
    assert ran.envelope["schema"] == 1


def test_an_alias_answers_under_the_name_of_its_verb(bower: Bower) -> None:
    assert bower("recall", "anything").envelope["command"] == "query"


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["quary", "x"], "did you mean query?"),
        (["delte", "x"], "did you mean delete (forget)?"),
        (["query", "x", "--frobnicate"], "see bower query --help"),
        (["--frobnicate", "status"], "options of a command follow it"),
        (["query", "x", "--limt", "3"], "did you mean --limit?"),
        (["--stor", "x", "status"], "did you mean --store?"),
        (["query"], "see bower query --help"),
        (["query", "x", "--format", "yaml"], "known: auto, json"),
        (["query", "x", "--format", "jsn"], "did you mean json?"),
        (["curate"], "bower remember"),
        (["curate", "x", "--batch", "y"], "bower remember"),
        (["curate", "x", "--payload", "[1]"], "write: --payload"),
        (["query", "x", "--since", "soon"], "give a date such as"),
        (["curate", "x", "--metadata", "novalue"], "write: --metadata"),
        (["why do tests hang"], 'to ask a question: bower query "why do tests hang"'),
    ],
)
def test_a_wrong_call_exits_with_2_and_says_what_to_do(
    bower: Bower, arguments: list[str], remedy: str
) -> None:
    ran = bower(*arguments)
    assert ran.code == 2
    assert ran.envelope["success"] is False
    assert ran.data["status"] == "error"
    assert remedy in ran.data["remedy"]
    assert ran.err == ""


def test_a_failure_exits_with_1(bower: Bower) -> None:
    bower("curate", "something")
    ran = bower("get", "019a2f6c-0000")
    assert ran.code == 1
    assert ran.data["error"].startswith("no entry")


def test_in_text_an_error_goes_to_stderr(bower: Bower) -> None:
    ran = bower("quary", "--format", "text")
    assert (ran.code, ran.out) == (2, "")
    assert "error: unknown command: quary" in ran.err
    assert "did you mean query?" in ran.err


def test_global_options_stand_before_or_after_the_verb(bower: Bower, tmp_path: object) -> None:
    other = f"{tmp_path}/other.db"
    assert bower("--store", other, "status").data["db_path"] == other
    assert bower("status", f"--db-path={other}").data["db_path"] == other
    assert bower("--project", "shop", "status").data["project"] == "shop"


def test_the_version_is_reported_in_either_place(bower: Bower) -> None:
    wanted = bower("version").data
    assert bower("--version").data == wanted
    assert bower("query", "--version").data == wanted


@pytest.mark.parametrize("verb", ["query", "curate", "index", "bench", "list"])
def test_help_ends_with_examples(bower: Bower, verb: str) -> None:
    done = bower(verb, "--help")
    assert done.code == 0
    assert "examples:\n  " in done.out
    assert bower("help", verb).out == done.out


def test_alone_it_shows_the_commands(bower: Bower) -> None:
    done = bower()
    assert done.code == 0
    assert all(verb in done.out for verb in ("query", "curate", "index", "status", "demo"))


def test_a_reader_that_stops_reading_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "bowerbird", "help", "query"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
