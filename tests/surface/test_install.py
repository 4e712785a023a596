"""Connecting agents in a home of their own: what is written, and that all of it can be taken back."""

from __future__ import annotations

import json
import os
import re
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.core.places import folder
from bowerbird.surfaces.hooks.agents import AGENTS as ANSWERED
from bowerbird.surfaces.installer.agents import AGENTS, IDS, PROJECT, USER, agent
from bowerbird.surfaces.installer.changes import Installer
from bowerbird.surfaces.installer.jsonc import Jsonc
from bowerbird.surfaces.installer.plugin import plugin

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bowerbird.surfaces.installer.agents import File

# What people keep: comments, an order, tabs, no last line end, Windows' line ends.
SETTINGS = {
    "none": None,
    "empty": b"",
    "object": b"{}\n",
    "plain": b'{\n  "theme": "dark",\n  "list": [1, 2]\n}\n',
    "comments": b'// mine\n{\n\t"theme": "dark", // why\n\t/* more */ "z": 1,\n\t"a": {}\n\t// end\n}',
    "commas": b'{\n    "theme": "dark",\n    "b": [\n        1,\n    ],\n}\n',
    "windows": b'{\r\n  "theme": "dark"\r\n}\r\n',
    "one line": b'{"theme":"dark","mcpServers":{"other":{"command":"x"}}}',
    "others": b'{\n  "mcpServers": {\n    "other": {"command": "x", "args": []}\n  },\n  "hooks": {\n'
    b'    "Stop": [\n      {"hooks": [{"type": "command", "command": "say done"}]}\n    ]\n  }\n}\n',
}
TABLES = {
    "none": None,
    "empty": b"",
    "plain": b'model = "x"\n',
    "no end": b'model = "x"',
    "comments": b'# mine\nmodel = "x" # why\n\n[tui]\ntheme = "dark"\n\n# last\n',
    "others": b'[mcp_servers.other]\ncommand = "x"\nargs = [\n  "y", # z\n]\n\n[projects."/home/me"]\n'
    b'trust_level = "trusted"\n',
    "inline": b'mcp_servers = { other = { command = "x" } }\n',
    "windows": b'model = "x"\r\n[tui]\r\nx = 1\r\n',
}
COMMAND = ["/opt/my tools/bower"]


@pytest.fixture
def here(tmp_path: Path) -> str:
    found = tmp_path / "shop"
    (found / ".git").mkdir(parents=True)
    return str(found)


def the(here: str, command: list[str] | None = None) -> Installer:
    return Installer(os.environ, command or COMMAND, (), here)


def places(installer: Installer, id: str, scope: str) -> list[tuple[File, str]]:
    return [(file, path) for file, path, _ in installer.files_of(id, scope)]


def scopes(id: str) -> list[str]:
    return [USER, PROJECT] if any(file.project for file in agent(id).files) else [USER]


EVERY = [(one.id, scope) for one in AGENTS for scope in scopes(one.id)]
EACH = [
    (id, scope, name)
    for id, scope in EVERY
    for name in (SETTINGS if id != "codex" else {**TABLES, **SETTINGS})
    if scope == USER or name == "others"
]


def lay(installer: Installer, id: str, scope: str, name: str) -> dict[str, bytes | None]:
    """Put such a file in the place of each of an agent's; what stands there then."""
    found: dict[str, bytes | None] = {}
    for file, path in places(installer, id, scope):
        kind = TABLES if file.format == "toml" else SETTINGS
        data = None if file.source else kind.get(name)
        found[path] = data
        if data is not None:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(data)
    return found


def held(path: str) -> bytes | None:
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def do(installer: Installer, changes: list[Any]) -> None:
    for change in changes:
        installer.carry_out(change)


def read(path: str) -> Any:
    data = held(path)
    assert data is not None
    return tomllib.loads(data.decode()) if path.endswith(".toml") else Jsonc(data.decode()).value


def at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


@pytest.mark.parametrize(("id", "scope", "name"), EACH)
def test_what_is_put_in_is_taken_out_byte_for_byte(
    here: str, id: str, scope: str, name: str
) -> None:
    before = lay(the(here), id, scope, name)
    folders = {path for path, _, _ in os.walk(os.environ["HOME"])} | {
        path for path, _, _ in os.walk(here)
    }
    do(the(here), the(here).connecting(id, scope))
    for file, path in places(the(here), id, scope):
        assert held(path) != before[path]
        if file.server:
            assert "/opt/my tools/bower" in json.dumps(at(read(path), file.server))
    assert [one.what for one in the(here).connecting(id, scope)] == ["unchanged"] * len(before)
    do(the(here), the(here).leaving(id, scope))
    assert {path: held(path) for path in before} == before
    after = {path for path, _, _ in os.walk(os.environ["HOME"])} | {
        path for path, _, _ in os.walk(here)
    }
    state = folder("state", os.environ)
    assert {one for one in after if not one.startswith(os.path.dirname(state))} == {
        one for one in folders if not one.startswith(os.path.dirname(state))
    }


@pytest.mark.parametrize(("id", "scope", "name"), EACH)
def test_of_a_file_changed_since_our_parts_alone_go(
    here: str, id: str, scope: str, name: str
) -> None:
    before = lay(the(here), id, scope, name)
    do(the(here), the(here).connecting(id, scope))
    mine: dict[str, Any] = {}
    for file, path in places(the(here), id, scope):
        data = held(path)
        assert data is not None
        if file.source:
            continue
        mine[path] = read(path)
        if file.format == "toml":
            data += b'\n[added]\nlater = "yes"\n'
        else:
            opened = Jsonc(data.decode())
            opened.put(("added",), {"later": "yes"})
            data = opened.text.encode()
        with open(path, "wb") as out:
            out.write(data)
    do(the(here), the(here).leaving(id, scope))
    for path in mine:
        was = before[path]
        value = {} if not was else read_bytes(path, was)
        now = read(path)
        assert now.pop("added") == {"later": "yes"}
        assert now == value or now == {"version": 1} | value
        if was and b"//" in was:
            assert b"// mine" in (held(path) or b"")


def read_bytes(path: str, data: bytes) -> Any:
    text = data.decode()
    return tomllib.loads(text) if path.endswith(".toml") else Jsonc(text).value


@pytest.mark.parametrize(("id", "scope"), EVERY)
def test_another_installation_takes_the_place_of_the_first(here: str, id: str, scope: str) -> None:
    before = lay(the(here), id, scope, "plain")
    do(the(here), the(here).connecting(id, scope))
    other = the(here, ["/usr/bin/python3", "-P", "-m", "bowerbird"])
    do(other, other.connecting(id, scope))
    for _, path in places(other, id, scope):
        assert b"my tools" not in (held(path) or b"")
        assert b"/usr/bin/python3" in (held(path) or b"")
    do(other, other.leaving(id, scope))
    assert {path: held(path) for path in before} == before


@pytest.mark.parametrize("id", [one.id for one in AGENTS if one.hooked])
def test_hooks_can_be_left_out_and_taken_out(here: str, id: str) -> None:
    before = lay(the(here), id, USER, "others")
    do(the(here), the(here).connecting(id, USER))
    do(the(here), the(here).connecting(id, USER, hooks=False))
    for file, path in places(the(here), id, USER):
        if file.server:
            assert at(read(path), file.server)
        assert b" hook " not in (held(path) or b"")
        if not file.server:
            assert held(path) == before[path]


def test_hooks_name_the_agent_and_its_event(here: str) -> None:
    do(the(here), the(here).connecting("claude-code", USER))
    hooks = read(os.path.expanduser("~/.claude/settings.json"))["hooks"]
    for event, entries in hooks.items():
        (hook,) = entries[0]["hooks"]
        assert hook["command"] == f"'/opt/my tools/bower' hook claude-code {event}"
        assert hook["timeout"] == 10
    do(the(here), the(here).connecting("gemini", USER))
    found = read(os.path.expanduser("~/.gemini/settings.json"))
    assert found["hooks"]["BeforeAgent"][0]["hooks"][0]["timeout"] == 10_000
    assert found["mcpServers"]["bowerbird"] == {"command": COMMAND[0], "args": ["mcp"]}


def test_a_server_of_that_name_comes_back(here: str) -> None:
    path = os.path.expanduser("~/.claude.json")
    was = b'{"mcpServers": {"bowerbird": {"command": "old"}}, "n": 1}'
    with open(path, "wb") as file:
        file.write(was)
    do(the(here), the(here).connecting("claude-code", USER))
    opened = Jsonc((held(path) or b"").decode())
    opened.put(("n",), 2)
    with open(path, "w", encoding="utf-8") as file:
        file.write(opened.text)
    do(the(here), the(here).leaving("claude-code", USER))
    assert read(path) == {"mcpServers": {"bowerbird": {"command": "old"}}, "n": 2}


def test_what_is_not_noted_is_found_by_what_it_says(here: str) -> None:
    lay(the(here), "claude-code", USER, "others")
    do(the(here), the(here).connecting("claude-code", USER))
    os.unlink(os.path.join(folder("state", os.environ), "agents.json"))
    do(the(here), the(here).leaving("claude-code", USER))
    for path in ("~/.claude.json", "~/.claude/settings.json"):
        assert read(os.path.expanduser(path)) == Jsonc((SETTINGS["others"] or b"").decode()).value


@pytest.mark.parametrize("id", IDS)
def test_a_file_that_cannot_be_read_is_left_alone(
    bower: Callable[..., Any], here: str, id: str
) -> None:
    file, path = places(the(here), id, USER)[0]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    broken = b'[a\nb = "' if file.format == "toml" else b'{"a": [1, }'
    with open(path, "wb") as out:
        out.write(broken)
    ran = bower("install", id)
    assert ran.code == 2
    assert "cannot be read" in ran.err or "cannot be read" in ran.out
    assert held(path) == broken
    assert not [one for _, one in places(the(here), id, USER)[1:] if os.path.exists(one)]


def test_a_read_only_file_is_refused_with_what_to_do(bower: Callable[..., Any]) -> None:
    path = os.path.expanduser("~/.claude.json")
    with open(path, "wb") as file:
        file.write(b"{}")
    os.chmod(path, 0o444)
    ran = bower("install", "claude-code", "--format", "json")
    assert (ran.code, ran.data["error"]) == (2, f"{path} is read-only")
    assert "chmod u+w" in ran.data["remedy"]
    assert not os.path.exists(os.path.expanduser("~/.claude/settings.json"))


def test_a_link_of_ones_own_is_followed_and_one_out_of_a_checkout_is_not(
    here: str, bower: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = os.environ["HOME"]
    os.makedirs(os.path.join(home, "dotfiles"))
    os.makedirs(os.path.join(home, ".claude"))
    kept = os.path.join(home, "dotfiles", "settings.json")
    with open(kept, "wb") as file:
        file.write(b"{}\n")
    os.symlink(kept, os.path.join(home, ".claude", "settings.json"))
    assert bower("install", "claude-code").code == 0
    assert os.path.islink(os.path.join(home, ".claude", "settings.json"))
    assert b" hook claude-code " in (held(kept) or b"")
    assert bower("install", "claude-code", "--uninstall").code == 0
    assert held(kept) == b"{}\n"
    os.symlink(kept, os.path.join(here, ".mcp.json"))
    monkeypatch.chdir(here)
    ran = bower("install", "claude-code", "--project", "--format", "json")
    assert ran.code == 2
    assert "leads out of" in ran.data["error"]
    assert held(kept) == b"{}\n"


def test_the_plugin_is_not_doubled(bower: Callable[..., Any]) -> None:
    path = os.path.expanduser("~/.claude/settings.json")
    os.makedirs(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"enabledPlugins": {"bowerbird@bowerbird": True}}, file)
    ran = bower("install", "claude-code", "--format", "json")
    assert ran.code == 2
    assert "bowerbird@bowerbird" in ran.data["remedy"]
    assert not os.path.exists(os.path.expanduser("~/.claude.json"))
    (state,) = [one for one in bower("install", "--format", "json").data["agents"] if one["hooks"]]
    assert state["id"] == "claude-code"


def test_alone_it_lists_what_is_here_and_what_to_type(bower: Callable[..., Any]) -> None:
    os.makedirs(os.path.expanduser("~/.gemini"))
    ran = bower("install")
    assert ran.code == 0
    assert "bower install gemini" in ran.out
    agents = {one["id"]: one for one in bower("install", "--format", "json").data["agents"]}
    assert set(agents) == set(IDS)
    assert agents["gemini"]["found"]
    assert not agents["gemini"]["connected"]


def test_a_person_is_asked_and_shown_the_lines(
    terminal: Callable[..., Any], here: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.makedirs(os.path.expanduser("~/.gemini"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    path = os.path.expanduser("~/.gemini/settings.json")
    said = terminal("install", "gemini", typed="n\n")
    assert "nothing was written" in said.out
    assert "+ " in said.out
    assert not os.path.exists(path)
    assert terminal("install", typed="1\ny\n").code == 0
    assert os.path.exists(path)


def test_a_dry_run_changes_nothing(bower: Callable[..., Any]) -> None:
    ran = bower("install", *IDS, "--dry-run", "--format", "json")
    assert ran.code == 0
    assert len(ran.data["agents"]) == len(IDS)
    assert all(one["files"][0]["diff"] for one in ran.data["agents"])
    assert not [file for _, _, files in os.walk(os.environ["HOME"]) for file in files]


def test_all_that_was_put_in_goes_without_a_name(bower: Callable[..., Any]) -> None:
    assert bower("install", *IDS).code == 0
    ran = bower("install", "--uninstall", "--format", "json")
    assert {one["id"] for one in ran.data["agents"]} == set(IDS)
    left = [file for _, _, files in os.walk(os.environ["HOME"]) for file in files]
    assert left == ["agents.json"]


def test_what_stands_in_a_project_goes_there_and_is_named_elsewhere(
    bower: Callable[..., Any], here: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = os.getcwd()
    monkeypatch.chdir(here)
    assert bower("install", "cursor", "--project").code == 0
    path = os.path.join(here, ".cursor", "mcp.json")
    assert os.path.exists(path)
    monkeypatch.chdir(folder)
    assert bower("install", "zed").code == 0
    assert path in bower("install", "--uninstall", "--format", "text").err
    monkeypatch.chdir(here)
    assert bower("install", "--uninstall", "--project").code == 0
    assert not os.path.exists(os.path.join(here, ".cursor"))


def test_the_store_that_was_named_is_named_in_what_is_written(
    bower: Callable[..., Any], tmp_path: Path
) -> None:
    store = str(tmp_path / "other.db")
    assert bower("--store", store, "install", "opencode", "cursor").code == 0
    command = read(os.path.join(os.environ["XDG_CONFIG_HOME"], "opencode", "opencode.json"))["mcp"][
        "bowerbird"
    ]
    assert command["command"][-2:] == ["--store", store]
    hooks = read(os.path.expanduser("~/.cursor/hooks.json"))
    assert hooks["version"] == 1
    assert hooks["hooks"]["stop"][0]["command"].endswith(f"hook cursor stop --store {store}")


def test_hooks_are_asked_for_events_that_are_answered() -> None:
    for one in AGENTS:
        for file in one.files:
            for event in file.hooks.events if file.hooks else ():
                assert event in ANSWERED[one.id].meanings


def test_the_plugin_of_opencode_tells_events_that_are_answered() -> None:
    text = plugin("opencode.js", COMMAND, [])
    told = set(re.findall(r'"((?:session|chat|tool|experimental)\.[a-z.]+)"', text))
    assert told
    assert told <= set(ANSWERED["opencode"].meanings)


def test_the_doctor_tells_of_agents_and_their_hooks(bower: Callable[..., Any]) -> None:
    def told() -> list[tuple[str, str]]:
        found = bower("doctor").data["findings"]
        return [(one["level"], one["found"]) for one in found if one["check"] in {"agent", "hooks"}]

    os.makedirs(os.path.expanduser("~/.gemini"))
    assert ("ok", "Gemini CLI: found, not connected") in told()
    bower("install", "gemini")
    waits = "Gemini CLI: connected, with hooks; none of them has fired yet"
    assert ("ok", waits) in told()
    payload = json.dumps({"session_id": "s", "cwd": os.environ["HOME"], "prompt": "walrus"})
    assert bower("hook", "gemini", "BeforeAgent", stdin=payload).code == 0
    assert ("ok", "Gemini CLI: connected, with hooks") in told()
    assert any(found.startswith("gemini: last fired 20") for _, found in told())
    bower("hook", "gemini", "BeforeAgent", stdin="no JSON")
    assert any(level == "warning" and "last failure" in found for level, found in told())
    path = os.path.expanduser("~/.gemini/settings.json")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    opened = Jsonc(text)
    opened.put(("mcpServers", "bowerbird", "command"), "/gone/bower")
    with open(path, "w", encoding="utf-8") as file:
        file.write(opened.text)
    assert ("warning", "Gemini CLI: starts /gone/bower, which is not there") in told()
