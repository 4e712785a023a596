"""A command of the user's own as the language model: what it is given, and what its failures become."""

from __future__ import annotations

import json
import os
import select
import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from bowerbird.core.errors import BadConfig, ModelError
from bowerbird.core.thinking import TEXT, Prompt, object_of
from bowerbird.models.llm.command import CommandModel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROMPT = Prompt("Name a colour.", "of the sky", object_of(colour=TEXT), "colour", 50)
BLUE = {"colour": "blue"}


@pytest.fixture
def command(tmp_path: Path) -> Callable[[str], CommandModel]:
    def make(code: str, *arguments: str) -> CommandModel:
        script = tmp_path / "model.py"
        script.write_text(f"import json, os, sys, time\nasked = json.load(sys.stdin)\n{code}\n")
        return CommandModel(shlex.join((sys.executable, str(script), *arguments)), os.environ)

    return make


def test_it_gets_json_and_answers_json(command: Callable[..., CommandModel]) -> None:
    code = (
        "print(json.dumps({'colour': ' '.join([asked['message'], *asked['schema']['required']])}))"
    )
    assert json.loads(command(code).answer(PROMPT, 20).text) == {"colour": "of the sky colour"}


@pytest.mark.parametrize("around", ["result", "response", "structured_output"])
def test_what_an_agent_prints_around_its_answer_is_taken_off(
    command: Callable[..., CommandModel], around: str
) -> None:
    inner = BLUE if around == "structured_output" else json.dumps(BLUE)
    said = command(f"print({json.dumps({around: inner, 'session': 'x'})!r})").answer(PROMPT, 20)
    assert json.loads(said.text) == BLUE


def test_our_hooks_do_nothing_inside_it_and_it_runs_in_an_empty_folder(
    command: Callable[..., CommandModel],
) -> None:
    code = (
        "schema = json.load(open(sys.argv[1]))\n"
        "print(json.dumps({'colour': json.dumps([os.environ['BOWER_HOOK'], os.listdir('.'),"
        " schema == asked['schema']])}))"
    )
    (text,) = json.loads(command(code, "{schema}").answer(PROMPT, 20).text).values()
    assert json.loads(text) == ["1", ["schema.json"], True]


def test_a_failure_is_told_without_what_is_secret(command: Callable[..., CommandModel]) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLF"
    with pytest.raises(ModelError, match="ended with 3: no account") as raised:
        command(f"sys.exit(sys.stderr.write('no account {key}') and 3)").answer(PROMPT, 20)
    assert key not in raised.value.message


def test_what_takes_too_long_is_ended_with_all_that_it_started(
    command: Callable[..., CommandModel], tmp_path: Path
) -> None:
    # A pipe tells the death of all who hold its other end, collected by their parent or not.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    code = (
        f"import subprocess\nheld = os.open({str(pipe)!r}, os.O_WRONLY)\n"
        "other = subprocess.Popen(['sleep', '600'], pass_fds=[held])\n"
        "os.write(held, b'started')\nother.wait()"
    )
    with pytest.raises(ModelError, match="did not answer within 2 s"):
        command(code).answer(PROMPT, 2)
    assert os.read(reader, 100) == b"started"
    assert select.select([reader], [], [], 60)[0]
    assert os.read(reader, 100) == b""
    os.close(reader)


@pytest.mark.parametrize("line", ["", "  ", "'half"])
def test_what_is_no_command_is_told(line: str) -> None:
    with pytest.raises(BadConfig, match=r"llm\.command"):
        CommandModel(line, {})


def test_a_command_that_is_not_there_is_told() -> None:
    with pytest.raises(ModelError, match="cannot be run: no such file"):
        CommandModel("no-such-model --json", os.environ).answer(PROMPT, 5)
