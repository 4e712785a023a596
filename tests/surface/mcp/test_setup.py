"""What ``bower mcp --setup`` shows starts this installation."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bowerbird.agents.registry import agent as described
from bowerbird.host.installed import starting
from bowerbird.surfaces.installer.by_hand import ANY, CHOICES, setup

if TYPE_CHECKING:
    from pathlib import Path

ODD = ["/home/m e/bin/bower", "mcp", "--project", "my $HOME's"]


def shown(*options: str) -> str:
    command = [sys.executable, "-m", "bowerbird", "mcp", *options, "--format", "text"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("agent", CHOICES)
def test_every_agent_is_given_the_whole_command(agent: str) -> None:
    found = setup(agent, ODD)
    if agent != ANY and (own := described(agent).setup) and "{program}" not in own:
        # It gets no server of MCP: what connects it is written by the installer alone.
        assert found == {"agent": agent, "file": "", "text": f"bower install {agent}"}
    elif not found["file"] and agent != ANY:
        words = shlex.split(found["text"])
        assert [word for word in words[words.index("bowerbird") + 1 :] if word != "--"] == ODD
    else:
        server = json.loads(found["text"])
        while "command" not in server:
            (server,) = server.values()
        whole = server["command"]
        assert (whole if isinstance(whole, list) else [whole, *server["args"]]) == ODD


def test_the_command_starts_this_installation_with_the_options(tmp_path: Path) -> None:
    output = shown("--setup", "json", "--read-only", "--store", os.path.join("here", "memory.db"))
    server = json.loads(output)["mcpServers"]["bowerbird"]
    store = os.path.abspath(os.path.join("here", "memory.db"))
    assert server["args"][-4:] == ["mcp", "--store", store, "--read-only"]
    program = [server["command"], *server["args"][:-4], "version"]
    done = subprocess.run(program, cwd=tmp_path, env={}, capture_output=True, check=True)
    assert b"bowerbird" in done.stdout or b"version" in done.stdout


def test_the_link_that_was_called_is_named(tmp_path: Path) -> None:
    link = tmp_path / "bower"
    link.symlink_to(sys.executable)
    assert starting(str(link)) == [str(link)]
    assert starting("/nowhere/__main__.py", str(tmp_path / "python")) == [str(link)]
    link.unlink()
    assert starting("-c", "/no/python") == ["/no/python", "-P", "-m", "bowerbird"]
