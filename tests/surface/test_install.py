"""Connecting agents in a home of their own: what is written, and that all of it can be taken back."""

from __future__ import annotations

import json
import os
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.agents.index import CONNECTABLE
from bowerbird.agents.registry import agent, agents
from bowerbird.host import own_files
from bowerbird.host.places import folder
from bowerbird.surfaces.installer.changes import Installer
from bowerbird.surfaces.installer.jsonc import Jsonc
from bowerbird.surfaces.installer.own_entries import document
from bowerbird.surfaces.installer.record import Record
from bowerbird.surfaces.installer.settings import PROJECT, USER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bowerbird.agents.agent import File

# What people keep: comments, an order, tabs, no last line end, Windows' line ends.
SETTINGS = {
    "none": None,
    "empty": b"",
    "object": b"{}\n",
    "plain": b'{\n  "theme": "dark",\n  "list": [1, 2]\n}\n',
    "comments": b'// mine\n{\n\t"theme": "dark", // why\n\t/* more */ "z": 1,\n\t"a": {}\n\t// end\n}',
    "commas": b'{\n    "theme": "dark",\n    "b": [\n        1,\n    ],\n}\n',
    "windows": b'{\r\n  "theme": "dark"\r\n}\r\n',
    "marked": b'\xef\xbb\xbf{\n  "theme": "dark"\n}\n',
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
    "marked": b'\xef\xbb\xbfmodel = "x"\n',
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


# Hermes keeps its settings in YAML (test_install_yaml), and the stand-in for brv is a program.
OF_JSON = [one for one in CONNECTABLE if one not in {"hermes", "brv-shim"}]
EVERY = [(id, scope) for id in OF_JSON for scope in scopes(id)]
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
    installer.carry_out(changes)


def read(path: str) -> Any:
    data = held(path)
    assert data is not None
    text = data.decode("utf-8-sig")
    return tomllib.loads(text) if path.endswith(".toml") else Jsonc(text).value


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
    text = data.decode("utf-8-sig")
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


@pytest.mark.parametrize("id", [one.id for one in agents() if one.hooks and one.id in OF_JSON])
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


@pytest.mark.parametrize("id", CONNECTABLE)
def test_two_installations_of_one_agent_at_once_are_one(here: str, id: str) -> None:
    """Both make their plan before either holds the lock."""
    one, other = the(here), the(here)
    before = lay(one, id, USER, "none" if id == "hermes" else "others")
    plans = [installer.connecting(id, USER, hooks=True) for installer in (one, other)]
    one.carry_out(plans[0])
    after = {path: held(path) for path in before}
    other.carry_out(plans[1])
    assert {path: held(path) for path in before} == after
    plans = [installer.leaving(id, USER) for installer in (the(here), the(here))]
    the(here).carry_out(plans[0])
    the(here).carry_out(plans[1])
    assert {path: held(path) for path in before} == before


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


@pytest.mark.parametrize("id", OF_JSON)
def test_an_entry_of_that_name_outlives_a_second_uninstall(here: str, id: str) -> None:
    """What stands there is the user's own by then, also where another program wrote it."""
    installer = the(here)
    ((file, path), *_) = [one for one in places(installer, id, USER) if one[0].server]
    opened = document("", file.format)
    opened.put(file.server, {"command": "/opt/mine/bower-proxy", "args": ["--port", "7"]})
    was = opened.text.encode()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(was)
    do(installer, installer.connecting(id, USER))
    for _ in range(2):
        do(the(here), the(here).leaving(id, USER))
        assert held(path) == was


@pytest.mark.parametrize("step", ["agents.json", "backup"])
def test_an_uninstall_that_is_killed_at_its_record_loses_no_original(
    here: str, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = os.path.expanduser("~/.claude.json")
    was = b'{"mcpServers": {"bowerbird": {"command": "old"}}, "n": 1}'
    with open(path, "wb") as file:
        file.write(was)
    do(the(here), the(here).connecting("claude-code", USER))

    def killed(*_arguments: object) -> None:
        raise KeyboardInterrupt

    owner, name = (Record, "_write") if step == "agents.json" else (own_files, "remove")
    with monkeypatch.context() as patched:
        patched.setattr(owner, name, killed)
        with pytest.raises(KeyboardInterrupt):
            do(the(here), the(here).leaving("claude-code", USER))
    for _ in range(2):
        do(the(here), the(here).leaving("claude-code", USER))
        assert held(path) == was


def test_what_is_not_noted_is_found_by_what_it_says(here: str) -> None:
    lay(the(here), "claude-code", USER, "others")
    do(the(here), the(here).connecting("claude-code", USER))
    os.unlink(os.path.join(folder("state", os.environ), "agents.json"))
    do(the(here), the(here).leaving("claude-code", USER))
    for path in ("~/.claude.json", "~/.claude/settings.json"):
        assert read(os.path.expanduser(path)) == Jsonc((SETTINGS["others"] or b"").decode()).value


@pytest.mark.parametrize("id", OF_JSON)
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
