"""The server's log: events as lines of JSON, and of a quiet one the errors alone."""

from __future__ import annotations

import json

import pytest

from bowerbird.core.errors import StoreBusy
from bowerbird.daemon.log import Log


def busy() -> dict[str, int] | None:
    raise StoreBusy("others write", "ask again")


@pytest.mark.parametrize(
    ("quiet", "expected"), [(False, ["started", "index", "prune"]), (True, ["prune"])]
)
def test_a_quiet_log_tells_of_errors_alone(
    quiet: bool, expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    log = Log(quiet=quiet)
    log.event("started", address="here")
    log.work("index", lambda: {"added": 1})
    log.work("prune", busy)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [one["event"] for one in lines] == expected
    assert lines[-1]["error"] == "StoreBusy"
