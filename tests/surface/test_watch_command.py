"""``bower watch`` as a person starts and ends it."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

pytest.importorskip("watchfiles")
# Long enough for any machine.
PATIENCE = 600
# dataclasses, enum and namedtuple execute text while a module loads.
LOADING = """
import signal, sys
from bowerbird.surfaces.cli.commands.watch import Ended, ended_by_signals

stop = ended_by_signals()
try:
    exec("signal.raise_signal(signal.{how})")
except Ended:
    sys.exit(not stop.is_set())
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("files", [1, 2_000])
def test_it_ends_when_it_is_told_to_idle_or_at_work(
    how: signal.Signals, files: int, tmp_path: Path
) -> None:
    for number in range(files):
        (tmp_path / f"{number}.md").write_text(f"Note {number}: the queue is drained by hand.")
    watching = subprocess.Popen(
        [sys.executable, "-m", "bowerbird", "watch", str(tmp_path)],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert watching.stderr
    assert "Ctrl-C ends it" in watching.stderr.readline()
    if files == 1:
        assert "1 file added" in watching.stderr.readline()
    watching.send_signal(how)
    _, errors = watching.communicate(timeout=PATIENCE)
    assert (watching.returncode, "Traceback" in errors) == (0, False)


@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM"])
def test_a_signal_while_modules_are_loading_is_no_failure(how: str) -> None:
    ended = subprocess.run([sys.executable, "-c", LOADING.format(how=how)], check=False)
    assert ended.returncode == 0


def test_what_it_refuses_it_refuses_before_it_says_that_it_watches(
    bower: Callable[..., Ran], tmp_path: Path
) -> None:
    gone = bower("watch", str(tmp_path / "gone"), "--format", "text")
    assert (gone.code, "watching" in gone.err) == (2, False)
    assert "name existing folders" in gone.err
    first = subprocess.Popen(
        [sys.executable, "-m", "bowerbird", "watch", str(tmp_path)],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert first.stderr
    assert "Ctrl-C ends it" in first.stderr.readline()
    second = bower("watch", str(tmp_path), "--format", "text")
    first.send_signal(signal.SIGTERM)
    first.communicate(timeout=PATIENCE)
    assert (second.code, "Ctrl-C ends it" in second.err) == (2, False)
    assert "one process watches any number" in second.err
