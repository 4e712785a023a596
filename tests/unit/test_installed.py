"""A remedy names the command that works for the installation that runs."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from bowerbird.core.installed import adding

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("left", "told"),
    [
        ("pipx_metadata.json", "pipx install --force 'bowerbird[http]'"),
        ("uv-receipt.toml", "uv tool install 'bowerbird[http]'"),
    ],
)
def test_a_tool_adds_what_it_has_installed(tmp_path: Path, left: str, told: str) -> None:
    (tmp_path / left).touch()
    assert adding("http", str(tmp_path), "/usr") == told


def test_elsewhere_the_interpreter_that_runs_is_named(tmp_path: Path) -> None:
    told = shlex.split(adding("http", str(tmp_path), "/usr"))
    assert sys.executable in told
    assert told[-1] == "bowerbird[http]"
