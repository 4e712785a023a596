"""Hermes' own package with our provider: found, loaded, a session by a scripted model, taken out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.adapters.scripted_chat import serving
from tests.adapters.test_programs import installed

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [
    pytest.mark.skipif(not installed("hermes_cli"), reason="make adapters ONLY=hermes"),
    pytest.mark.filterwarnings("default"),
]
BIN = Path(sys.executable).parent
CONFIG = """# mine
model: {{provider: custom, base_url: "{address}", default: m, api_key: none}}
memory:
  # of my own
  memory_enabled: true
  user_profile_enabled: true
"""


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (tmp_path / ".hermes").mkdir()
    around = {**os.environ, "HOME": str(tmp_path), "HERMES_HOME": str(tmp_path / ".hermes")}
    around |= {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("DATA", "STATE", "CONFIG")}

    def ran(program: str, *words: str, ok: bool = True) -> str:
        done = subprocess.run(
            [BIN / program, *words],
            cwd=shop,
            env=around,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode == 0) is ok, done.stderr
        return done.stdout + done.stderr

    return ran


def test_a_session_recalls_stores_mirrors_and_is_learned_from(
    run: Callable[..., str], tmp_path: Path
) -> None:
    said = "Redis listens on 6390 and not on the default port, so REDIS_PORT has to say 6390. " * 2
    steps: list[Any] = [
        ("memory", {"action": "add", "target": "user", "content": "Ada wants short answers."}),
        ("memory_search", {"query": "which port does redis use?"}),
        ("memory_store", {"content": "The staging database of shop is called otter."}),
        said,
    ]
    run("bower", "remember", "Redis of shop listens on port 6390")
    with serving(*steps) as chat:
        config = tmp_path / ".hermes" / "config.yaml"
        config.write_text(CONFIG.format(address=chat.address))
        before = config.read_bytes()
        run("bower", "install", "hermes", "--yes")
        assert "bowerbird" in run("hermes", "memory", "status")
        assert run("hermes", "-z", "why do the auth tests fail with redis?").strip() == said.strip()
    messages = chat.messages()
    asked = next(one["content"] for one in messages if one["role"] == "user")
    assert "> Redis of shop listens on port 6390" in asked
    assert {"memory_search", "memory_store", "memory_status"} <= {
        tool["function"]["name"] for tool in chat.requests[0]["tools"]
    }
    found = [one["content"] for one in messages if one["role"] == "tool"]
    assert "port 6390" in found[1]
    assert "created: " in found[2]
    entries = json.loads(run("bower", "list", "--format", "json"))["data"]["entries"]
    texts = [one["text"] for one in entries]
    assert "Ada wants short answers." in texts
    assert "The staging database of shop is called otter." in texts
    assert said not in texts
    run("bower", "install", "hermes", "--uninstall", "--yes")
    assert config.read_bytes() == before
    assert not (tmp_path / ".hermes" / "plugins").exists()


PROVIDER = """
import sys, time
from agent.memory_manager import MemoryManager
from plugins.memory import load_memory_provider

manager, provider = MemoryManager(), load_memory_provider("bowerbird")
manager.add_provider(provider)
manager.initialize_all("one", platform="cli")
wrote = lambda **op: manager.notify_memory_tool_write('{"success": true}', {"target": "user", **op})
wrote(action="add", content="Ada wants short answers.")
wrote(action="replace", content="Ada wants long answers.", old_text="short answers")
print(manager.prefetch_all("what answers does Ada want from us?"))
print(manager.on_pre_compress([]))
manager.on_session_end([])
manager.on_session_switch("two", reset=True, reason="new_session")
print(provider._session, [one["key"] for one in provider.get_config_schema()])
manager.shutdown_all()
other = type(provider)()
other.initialize("chat", platform="telegram", user_id="77")
print(repr(other.prefetch("what answers does Ada want from us?")))
other.shutdown()
sys.modules[type(provider).__module__].COMMAND[:] = ["/nowhere/bower"]
began, other = time.monotonic(), type(provider)()
other.initialize("three", warning_callback=print)
print(time.monotonic() - began < 5)
"""


def test_events_reach_the_memory_and_a_missing_bower_is_told(run: Callable[..., str]) -> None:
    run("bower", "install", "hermes", "--yes")
    lines = run("python", "-c", PROVIDER).splitlines()
    assert "> Ada wants long answers." in lines
    assert "two ['folder', 'mirror']" in lines
    assert "''" in lines  # a person on a messenger does not get what the owner knows
    assert any(one.endswith("then run: bower install hermes") for one in lines)
    assert "True" in lines
    listed = run("bower", "list")
    assert "long answers" in listed
    assert "short answers" not in listed


def test_the_provider_of_byterover_works_with_the_stand_in(run: Callable[..., str]) -> None:
    run("bower", "install", "brv-shim", "--yes")
    program = (
        "from plugins.memory import load_memory_provider\n"
        "p = load_memory_provider('byterover'); p.initialize('one')\n"
        "print(p.handle_tool_call('brv_curate', {'content': 'The kettle of shop is blue.'}))\n"
        "print(p.prefetch('which colour has the kettle of shop?'))\n"
        "print(p.prefetch('when does the moon of Jupiter set?'))\n"
        "print(p.handle_tool_call('brv_status', {}))"
    )
    told = run("python", "-c", program)
    assert "Memory curated successfully." in told
    assert "## ByteRover Context" in told
    assert told.count("ByteRover Context") == 1
    assert "The kettle of shop is blue." in told
    assert '"status"' in told
