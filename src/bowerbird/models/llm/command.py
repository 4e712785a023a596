"""A language model behind a command of the user's own: JSON on its standard input, JSON on its output.

Only a command that the user wrote into their configuration is run. It runs in an empty folder, and in an
environment in which our hooks do nothing: an agent that answers here records and learns nothing of it.
"""

import json
import os
import shlex
import signal
import subprocess
import tempfile
from contextlib import suppress

from bowerbird.core.errors import BadConfig, ModelError
from bowerbird.core.events import INSIDE
from bowerbird.core.thinking import Said, mismatch, unbounded
from bowerbird.guard.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from bowerbird.core.thinking import Prompt

# In an argument, the path of a file with the JSON schema of the answer.
SCHEMA = "{schema}"
# Where the command lines of agents put what their model said.
_SAID_IN = ("structured_output", "result", "response", "output", "text", "content")
_MOST_BYTES = 4_000_000
_MOST_MESSAGE = 200


class CommandModel:
    """One command. What it reads may leave the machine: it counts as remote."""

    remote = True
    host = ""

    def __init__(self, line: str, environment: "Mapping[str, str]") -> None:
        """`environment` is what the command finds. Raises BadConfig for a line that is no command."""
        self._environment = {**environment, INSIDE: "1"}
        try:
            self._argv = shlex.split(line)
        except ValueError as error:
            raise BadConfig(
                f"llm.command = {line!r}: {error}", "quote it as a shell would"
            ) from None
        if not self._argv:
            raise BadConfig("llm.command is not set", 'such as: llm.command = "my-model --json"')
        self.name = f"command {os.path.basename(self._argv[0])}"

    def answer(self, prompt: "Prompt", patience: float) -> Said:
        """What it prints. Raises ModelError."""
        wanted = unbounded(prompt.schema)
        asked = {
            "instructions": prompt.instructions,
            "message": prompt.message,
            "schema": wanted,
        }
        with tempfile.TemporaryDirectory(prefix="bowerbird-") as folder:
            schema = os.path.join(folder, "schema.json")
            with open(schema, "w", encoding="utf-8") as file:
                json.dump(wanted, file)
            argv = [one.replace(SCHEMA, schema) for one in self._argv]
            return Said(_text(self._run(argv, json.dumps(asked), folder, patience), prompt.schema))

    def _run(self, argv: list[str], data: str, folder: str, patience: float) -> str:
        try:
            # Its own group, so that what it started ends with it.
            run = subprocess.Popen(  # noqa: S603 the user's own configuration names it
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=self._environment,
                start_new_session=True,
            )
        except OSError as error:
            message = f"{argv[0]} cannot be run: {(error.strerror or 'it failed').lower()}"
            raise ModelError(message, "check llm.command") from error
        try:
            out, err = run.communicate(data.encode(), timeout=patience)
        except subprocess.TimeoutExpired:
            message = f"{self.name} did not answer within {patience:g} s"
            raise ModelError(message, "try again, or raise llm.timeout") from None
        finally:
            _end(run)
        if run.returncode:
            said = " ".join(redact(err.decode("utf-8", "replace")).text.split())[-_MOST_MESSAGE:]
            message = f"{self.name} ended with {run.returncode}{': ' if said else ''}{said}"
            raise ModelError(message, "run it by hand, with JSON on its standard input")
        if len(out) > _MOST_BYTES:
            raise ModelError(f"{self.name} prints more than {_MOST_BYTES // 1_000_000} MB")
        return out.decode("utf-8", "replace")

    def close(self) -> None:
        """Nothing runs between two answers."""


def _end(run: "subprocess.Popen[bytes]") -> None:
    """End a command, and what it started, if it still runs."""
    with suppress(ProcessLookupError, PermissionError):  # all of it has ended
        os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    for stream in (run.stdin, run.stdout, run.stderr):
        if stream is not None:
            stream.close()


def _text(printed: str, schema: "dict[str, Any]") -> str:
    """The answer in what a command printed: as it is, or inside what an agent prints around it."""
    try:
        value: Any = json.loads(printed)
    except (ValueError, RecursionError):
        return printed
    if isinstance(value, dict) and mismatch(value, schema):
        for name in _SAID_IN:
            inner = value.get(name)
            if isinstance(inner, dict):
                return json.dumps(inner)
            if isinstance(inner, str) and inner.strip():
                return inner
    return printed
