"""The week of a team in the documentation is what happens, command for command."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surface.http.conftest import Server

PAGE = Path(__file__).parents[3] / "docs" / "team-week.md"
USUAL = "http://127.0.0.1:8787"


def commands() -> list[tuple[str, list[str]]]:
    """The commands of the page, each with what its answer contains."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL):
        if "bower serve" in block:
            continue
        command = ""
        for line in block.splitlines():
            if line.startswith("#>"):
                found[-1][1].append(line.removeprefix("#>").strip())
                continue
            command = f"{command}\n{line}" if command else line
            if command.count("'") % 2 == 0:
                found.append((command, []))
                command = ""
        assert not command, command
    return found


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page uses curl")
def test_the_week_is_as_it_is_told(server: Server, tmp_path: Path) -> None:
    told = commands()
    assert sum(bool(expected) for _, expected in told) > 20
    python = shlex.join([sys.executable, "-m", "bowerbird"])
    script = [f'bower() {{ {python} "$@" --store {shlex.quote(server.store)}; }}']
    for at, (command, _) in enumerate(told):
        # In the same shell, since later commands use its variables.
        said = command.replace(USUAL, server.address)
        script.append(f"{{\n{said}\n}} > {at}.out 2>&1")
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)], cwd=tmp_path, env=server.environment, check=False
    )
    for at, (command, expected) in enumerate(told):
        answer = (tmp_path / f"{at}.out").read_text()
        for one in expected:
            assert one in answer, (command, answer)
    assert done.returncode == 0
