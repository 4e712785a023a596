"""`bower install` as it is typed: asked and told, refused, taken back, and what the doctor says of it."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.agents.index import CONNECTABLE
from bowerbird.agents.opencode import AGENT as OPENCODE
from bowerbird.surfaces.hooks.payload import hooks_of
from bowerbird.surfaces.installer.jsonc import Jsonc
from bowerbird.surfaces.installer.plugin import plugin

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.forked import Forks


@pytest.fixture
def here(tmp_path: Path) -> str:
    found = tmp_path / "shop"
    (found / ".git").mkdir(parents=True)
    return str(found)


def held(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def read(path: str) -> Any:
    return Jsonc(held(path).decode()).value


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
    assert bower("install", "claude-code", "--yes").code == 0
    assert os.path.islink(os.path.join(home, ".claude", "settings.json"))
    assert b" hook claude-code " in held(kept)
    assert bower("install", "claude-code", "--uninstall", "--yes").code == 0
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
    assert set(agents) == set(CONNECTABLE)
    assert agents["gemini"]["found"]
    assert not agents["gemini"]["connected"]


def test_where_no_agent_is_here_it_says_what_to_type(bower: Callable[..., Any]) -> None:
    done = bower("install", "--format", "text")
    assert done.code == 0
    assert "bower install NAME" in done.out
    assert "bower mcp --setup json" in done.out


def test_a_person_is_asked_and_shown_the_lines(
    terminal: Callable[..., Any], here: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.makedirs(os.path.expanduser("~/.gemini"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    path = os.path.expanduser("~/.gemini/settings.json")
    said = terminal("install", "gemini", typed="n\n")
    assert "nothing was written" in said.out
    assert "+1 server, +7 hooks" in said.out
    assert not os.path.exists(path)
    said = terminal("install", typed="7\n1\ny\n")
    assert said.code == 0
    assert "no such number: 7" in said.out
    assert os.path.exists(path)


@pytest.mark.parametrize("taken_out", [(), ("--uninstall",)])
def test_where_nobody_can_be_asked_only_a_yes_changes_something(
    bower: Callable[..., Any], taken_out: tuple[str, ...]
) -> None:
    path = os.path.expanduser("~/.gemini/settings.json")
    if taken_out:
        assert bower("install", "gemini", "--yes").code == 0
    before = held(path) if taken_out else None
    ran = bower("install", "gemini", *taken_out, "--format", "text")
    assert ran.code == 2
    assert ("-1 server, -7 hooks" if taken_out else "+1 server, +7 hooks") in ran.err
    assert path.replace(os.environ["HOME"], "~") in ran.err
    assert "nothing was written" in ran.err
    assert "--yes" in ran.err
    assert (held(path) if os.path.exists(path) else None) == before
    ran = bower("install", "gemini", *taken_out, "--yes", "--format", "text")
    assert ran.code == 0
    assert (held(path) if os.path.exists(path) else None) != before
    # What is there already needs no answer.
    assert bower("install", "gemini", "--yes").code == bower("install", "gemini").code == 0


def test_a_yes_without_a_name_connects_what_is_found(
    bower: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    ran = bower("install", "--yes", "--format", "text")
    assert ran.code == 2
    assert "no agent was found" in ran.err
    os.makedirs(os.path.expanduser("~/.gemini"))
    path = os.path.expanduser("~/.gemini/settings.json")
    assert bower("install", "--yes", "--dry-run").code == bower("install").code == 0
    assert not os.path.exists(path)
    assert bower("install", "--yes").code == 0
    with open(path, encoding="utf-8") as file:
        assert "bowerbird" in file.read()
    assert bower("install", "--yes").code == 0, "again"


SECRET = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize(
    ("agent", "path", "text"),
    [
        (
            "claude-code",
            "~/.claude.json",
            f'{{"mcpServers": {{"github": {{"env": {{"KEY": "{SECRET}"}}, "pin": 4711}}}}}}',
        ),
        (
            "claude-code",
            "~/.claude.json",
            f'{{"mcpServers": {{\n  "a": {{"header": "x: {SECRET}"}}\n}}}}',
        ),
        ("gemini", "~/.gemini/settings.json", f'{{"mcpServers": {{}} // {SECRET}\n}}'),
        ("codex", "~/.codex/config.toml", f"[mcp_servers.a]\nenv = {{ KEY = '{SECRET}' }}"),
    ],
)
def test_the_lines_show_no_value_of_another_entry(
    bower: Callable[..., Any], agent: str, path: str, text: str
) -> None:
    path = os.path.expanduser(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    for words in (("--dry-run",), ("--yes",), ("--uninstall", "--dry-run")):
        for format in ("text", "json"):
            ran = bower("install", agent, *words, "--diff", "--format", format)
            assert ran.code == 0
            assert SECRET not in ran.out + ran.err
            assert "4711" not in ran.out + ran.err
    ran = bower("install", agent, "--uninstall", "--dry-run", "--diff", "--format", "text")
    assert "bowerbird" in ran.out


def test_a_dry_run_changes_nothing(bower: Callable[..., Any]) -> None:
    ran = bower("install", *CONNECTABLE, "--dry-run", "--format", "json")
    assert ran.code == 0
    assert len(ran.data["agents"]) == len(CONNECTABLE)
    assert all(one["files"][0]["diff"] for one in ran.data["agents"])
    assert not [file for _, _, files in os.walk(os.environ["HOME"]) for file in files]


def test_all_that_was_put_in_goes_without_a_name(bower: Callable[..., Any]) -> None:
    assert bower("install", *CONNECTABLE, "--yes").code == 0
    ran = bower("install", "--uninstall", "--yes", "--format", "json")
    assert {one["id"] for one in ran.data["agents"]} == set(CONNECTABLE)
    left = [file for _, _, files in os.walk(os.environ["HOME"]) for file in files]
    assert left == ["agents.json"]


def test_what_stands_in_a_project_goes_there_and_is_named_elsewhere(
    bower: Callable[..., Any], here: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = os.getcwd()
    monkeypatch.chdir(here)
    assert bower("install", "cursor", "--project", "--yes").code == 0
    path = os.path.join(here, ".cursor", "mcp.json")
    assert os.path.exists(path)
    monkeypatch.chdir(folder)
    assert bower("install", "zed", "--yes").code == 0
    assert path in bower("install", "--uninstall", "--yes", "--format", "text").err
    monkeypatch.chdir(here)
    assert bower("install", "--uninstall", "--project", "--yes").code == 0
    assert not os.path.exists(os.path.join(here, ".cursor"))


def test_the_store_that_was_named_is_named_in_what_is_written(
    bower: Callable[..., Any], tmp_path: Path
) -> None:
    store = str(tmp_path / "other.db")
    assert bower("--store", store, "install", "opencode", "cursor", "--yes").code == 0
    command = read(os.path.join(os.environ["XDG_CONFIG_HOME"], "opencode", "opencode.json"))["mcp"][
        "bowerbird"
    ]
    assert command["command"][-2:] == ["--store", store]
    hooks = read(os.path.expanduser("~/.cursor/hooks.json"))
    assert hooks["version"] == 1
    assert hooks["hooks"]["stop"][0]["command"].endswith(f"hook cursor stop --store {store}")


def test_the_plugin_of_opencode_tells_events_that_are_answered() -> None:
    text = plugin("opencode.js", ["/opt/bower"], [])
    events = set(re.findall(r'"((?:session|chat|tool|experimental)\.[a-z.]+)"', text))
    assert events
    assert events <= set(hooks_of(OPENCODE).events)


def test_the_doctor_tells_of_agents_and_their_hooks(bower: Callable[..., Any]) -> None:
    def reported() -> list[tuple[str, str]]:
        found = bower("doctor").data["findings"]
        return [(one["level"], one["found"]) for one in found if one["check"] in {"agent", "hooks"}]

    os.makedirs(os.path.expanduser("~/.gemini"))
    assert ("ok", "Gemini CLI: found, not connected") in reported()
    bower("install", "gemini", "--yes")
    waits = "Gemini CLI: connected, with hooks; none of them has fired yet"
    assert ("ok", waits) in reported()
    payload = json.dumps({"session_id": "s", "cwd": os.environ["HOME"], "prompt": "walrus"})
    assert bower("hook", "gemini", "BeforeAgent", stdin=payload).code == 0
    assert ("ok", "Gemini CLI: connected, with hooks") in reported()
    assert any(found.startswith("gemini: last fired 20") for _, found in reported())
    bower("hook", "gemini", "BeforeAgent", stdin="no JSON")
    assert any(level == "warning" and "last failure" in found for level, found in reported())
    assert bower("hook", "gemini", "BeforeAgent", stdin=payload).code == 0
    assert ("warning", True) in [(level, "once in 3 days" in found) for level, found in reported()]
    assert bower("hook", "nobody", "BeforeAgent", stdin=payload).code == 0
    (wrong,) = [one for one in bower("doctor").data["findings"] if "nobody" in one["found"]]
    assert wrong["found"].endswith(": UnknownName: unknown agent: nobody")
    assert "bower hook --help" in wrong["remedy"]
    path = os.path.expanduser("~/.gemini/settings.json")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    opened = Jsonc(text)
    opened.put(("mcpServers", "bowerbird", "command"), "/gone/bower")
    with open(path, "w", encoding="utf-8") as file:
        file.write(opened.text)
    assert ("warning", "Gemini CLI: starts /gone/bower, which is not there") in reported()


def test_agents_that_are_connected_at_once_all_get_their_originals_back(
    tmp_path: Path, forks: Forks
) -> None:
    """Eight rounds of four processes; the user has an entry of our name in one of the files."""
    agents = ("claude-code", "codex", "gemini", "cursor")
    for number in range(8):
        home = tmp_path / str(number)
        originals = {
            ".claude.json": b'{"mcpServers": {"bowerbird": {"command": "mine", "env": {"K": "v"}}}}\n',
            ".claude/settings.json": b'{\n  "theme": "dark"\n}\n',
            ".codex/config.toml": b'model = "x"\n',
            ".gemini/settings.json": b'{"z": 1}',
            ".cursor/mcp.json": b'{"mcpServers": {}}',
        }
        for name, data in originals.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_bytes(data)
        environment = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home / "state")}

        def each(*options: str, environment: dict[str, str] = environment) -> None:
            running = [forks.open(["install", one, *options], environment) for one in agents]
            for one in running:
                one.communicate()
            assert [one.returncode for one in running] == [0] * len(agents)

        each("--yes")
        for one in agents:
            each_file = {name: (home / name).read_bytes() for name in originals}
            assert any(b"bower" in data for data in each_file.values()), one
        each("--uninstall", "--yes")
        assert {name: (home / name).read_bytes() for name in originals} == originals


def test_what_a_killed_installation_left_goes_with_the_next(
    bower: Callable[..., Any], tmp_path: Path
) -> None:
    folders = [os.path.expanduser("~"), os.path.join(os.environ["XDG_STATE_HOME"], "bowerbird")]
    for folder in folders:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, ".bowerbird-x7k2"), "wb") as file:
            file.write(b"a key")
    assert bower("install", "claude-code", "--yes").code == 0
    assert [os.path.exists(os.path.join(one, ".bowerbird-x7k2")) for one in folders] == [False] * 2


def test_a_file_with_several_names_stays_one_file(bower: Callable[..., Any]) -> None:
    path = os.path.expanduser("~/.claude.json")
    other = os.path.expanduser("~/dotfiles.json")
    with open(path, "wb") as file:
        file.write(b'{"a": 1}\n')
    os.link(path, other)
    assert bower("install", "claude-code", "--yes").code == 0
    assert os.path.samefile(path, other)
    assert b"bowerbird" in held(other)
    assert bower("install", "claude-code", "--uninstall", "--yes").code == 0
    assert held(other) == b'{"a": 1}\n'


@pytest.mark.skipif(os.geteuid() != 0, reason="only root acts in the home of another user")
def test_what_root_makes_in_a_user_s_home_is_that_user_s(
    bower: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DATA", "STATE", "CONFIG", "CACHE"):
        monkeypatch.delenv(f"XDG_{name}_HOME", raising=False)
    monkeypatch.delenv("BOWER_STORE")
    home = os.path.expanduser("~")
    os.chown(home, 1000, 1000)
    for command in (
        ("install", "claude-code", "--yes"),
        ("remember", "The key lies under the mat"),
        ("query", "key"),
        ("backup",),
        ("rescue",),
    ):
        assert bower(*command).code == 0, command
    made = [
        os.path.join(folder, one)
        for folder, folders, files in os.walk(home)
        if "/.local" in folder or "/.claude" in folder
        for one in (*folders, *files)
    ]
    assert any(one.endswith("memory.db") for one in made)
    assert [one for one in made if os.stat(one).st_uid != 1000] == []


def test_root_leaves_a_file_to_its_owner(bower: Callable[..., Any]) -> None:
    path = os.path.expanduser("~/.claude.json")
    with open(path, "wb") as file:
        file.write(b"{}\n")
    os.chown(path, 1000, 1000)
    assert bower("install", "claude-code", "--yes").code == 0
    assert (os.stat(path).st_uid, os.stat(path).st_gid) == (1000, 1000)
