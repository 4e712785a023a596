"""The plugin of Claude Code: what its files say fits what `bower install` writes."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bowerbird.agents.claude_code import AGENT
from bowerbird.core.version import VERSION
from bowerbird.surfaces.hooks.payload import hooks_of
from bowerbird.surfaces.mcp.catalogue import tools_for

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "integrations" / "claude-code"
STARTER = PLUGIN / "bin" / "bowerbird-plugin"


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_marketplace_leads_to_the_plugin_of_this_version() -> None:
    (offered,) = read(ROOT / ".claude-plugin" / "marketplace.json")["plugins"]
    manifest = read(PLUGIN / ".claude-plugin" / "plugin.json")
    assert (ROOT / offered["source"]).resolve() == PLUGIN
    assert manifest["name"] == offered["name"] == "bowerbird"
    assert manifest["version"] == VERSION


def test_the_hooks_are_those_that_install_writes() -> None:
    hooks = read(PLUGIN / "hooks" / "hooks.json")["hooks"]
    assert tuple(hooks) == tuple(hooks_of(AGENT).events)
    for event, ((group,),) in ((event, (entries,)) for event, entries in hooks.items()):
        (hook,) = group["hooks"]
        program, *rest = shlex.split(hook["command"].replace("${CLAUDE_PLUGIN_ROOT}", str(PLUGIN)))
        assert Path(program) == STARTER
        assert rest == ["hook", "claude-code", event]


@pytest.mark.parametrize(
    "path", [*sorted(PLUGIN.glob("commands/*.md")), *sorted(PLUGIN.glob("skills/*/SKILL.md"))]
)
def test_what_is_told_to_the_model_names_tools_that_are_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("---\n")
    assert "description:" in text.split("---")[1]
    named = {
        word.strip("`.,:;)(") for word in text.split() if word.startswith(("`memory_", "(tools"))
    }
    known = {tool["name"] for tool in tools_for(may_write=True)}
    assert {one for one in named if one.startswith("memory_")} <= known


def test_the_starter_finds_the_command_and_fails_open(tmp_path: Path) -> None:
    def run(*words: str, path: str) -> subprocess.CompletedProcess[str]:
        environment = {"HOME": str(tmp_path), "PATH": f"{path}:/usr/bin:/bin"}
        return subprocess.run(
            [str(STARTER), *words], env=environment, capture_output=True, text=True, check=False
        )

    assert os.access(STARTER, os.X_OK)
    none = run("hook", "claude-code", "Stop", path="")
    assert (none.returncode, none.stdout, none.stderr) == (0, "", "")
    server = run("mcp", path="")
    assert server.returncode == 1
    assert "pipx install" in server.stderr
    made = tmp_path / "my tools" / "bowerbird"
    made.parent.mkdir()
    made.write_text('#!/bin/sh\necho "$@"\n')
    made.chmod(0o755)
    assert run("hook", "a b", path=str(made.parent)).stdout == "hook a b\n"
    (tmp_path / ".local" / "bin").mkdir(parents=True)
    made.rename(tmp_path / ".local" / "bin" / "bowerbird")
    assert run("mcp", path="").stdout == "mcp\n"
