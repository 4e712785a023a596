"""The plugin of Claude Code: what its files say fits what `bower install` writes."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.agents.claude_code import AGENT
from bowerbird.core.version import VERSION
from bowerbird.surfaces.hooks.payload import hooks_of
from bowerbird.surfaces.mcp.catalogue import tools_for

if TYPE_CHECKING:
    from collections.abc import Callable

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


def test_the_review_may_do_all_that_it_is_told_to_and_no_more() -> None:
    _, head, body = (PLUGIN / "skills/bower-review/SKILL.md").read_text("utf-8").split("---\n", 2)
    (granted,) = (line for line in head.splitlines() if line.startswith("allowed-tools: "))
    allowed = granted.removeprefix("allowed-tools: ").split(", ")
    # The names that Claude Code gives to the tools of a server of a plugin.
    tools = {f"mcp__plugin_bowerbird_bowerbird__{one}" for one in re.findall("memory_[a-z]+", body)}
    # The words of confirming are for the user.
    ran = [one for one in re.findall("`(bowerbird [^`]+)`", body) if "--confirm" not in one]
    commands = {f"Bash({' '.join(one.split()[:2])}:*)" for one in ran}
    assert {*allowed} == tools | commands


def test_the_commands_of_the_review_work_through_what_waits(bower: Callable[..., Any]) -> None:
    with Bowerbird.open() as bird:
        texts = ("Deploys wait for the dump.", "Invoices are numbered twice.")
        once, unsure = (bird.remember(text, review="new").id for text in texts)
        bird.remember("Deploys skip the tests on Mondays.", review="new", origin="import")
    body = (PLUGIN / "skills/bower-review/SKILL.md").read_text("utf-8")
    told = [shlex.split(one)[1:] for one in re.findall("`(bowerbird [^`]+)`", body)]

    def run(words: list[str], id: str = "") -> Any:
        ran = bower(*(id if one == "ID" else one for one in words))
        return ran.code, json.loads(ran.out)["data"]

    listing, evidence, reject, later, confirm = told
    found = run(listing)[1]["entries"]
    assert {one["id"]: one["review"] for one in found} == {once: "new", unsure: "new"}
    assert run(evidence, once)[1]["evidence"]["missing"] == "it was not learned from a session"
    assert run(reject, once)[0] == run(later, unsure)[0] == 0
    assert [one["id"] for one in run(listing)[1]["entries"]] == [unsure]
    code, refused = run(confirm[:3], unsure)
    assert code != 0
    assert refused["error"] == "only a person can confirm a memory"


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
