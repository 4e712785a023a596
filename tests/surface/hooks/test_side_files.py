"""No secret of a command rests beside the store, whichever event named it, before or after a writer."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.surface.hooks.conftest import Checkout

DATA = Path(__file__).resolve().parents[2] / "data" / "secrets"
# Put together here, so that no scanner of repositories finds them.
CHOSEN = "Harbor" + "-Lamp73"
DRAWN = "q7Zk2mVx9L" + "pT4rYb8NcW"
# Options that name no file, but were read as one: an unpacker's password, settings of mounts and hosts.
OPTIONS = (
    "unzip -P SECRET a.zip",
    "unzip -PSECRET a.zip",
    "7z x -pSECRET a.7z",
    "mount -t cifs //srv/s /mnt -o user=ben,pass=SECRET",
    "sshfs -o password=SECRET h:/ /m",
    "ssh -o ProxyPassword=SECRET h",
    "git clone https://ben:SECRET@git.shop.test/shop.git",
    "curl -u ben:SECRET -o out.json https://shop.test/api",
)
_SESSIONS = 20


def typed() -> list[str]:
    found = [*OPTIONS, *(DATA / "typed.txt").read_text(encoding="utf-8").splitlines()]
    return [one.replace("SECRET", CHOSEN).replace("DRAWN", DRAWN) for one in found]


def calls(line: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every event of Claude Code, with a line wherever its payload has room for a text."""
    shell: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": line}}
    yield "PreToolUse", shell
    yield "PostToolUse", shell | {"tool_response": {"stdout": "ok", "stderr": ""}}
    yield "PostToolUse", shell | {"tool_response": {"stdout": "", "stderr": f"error: {line}"}}
    yield "PostToolUseFailure", shell | {"error": f"Exit code 1\n+ {line}\nfailed: {line}"}
    yield "UserPromptSubmit", {"prompt": line}
    yield "Stop", {"last_assistant_message": line, "stop_hook_active": False}
    yield "SubagentStop", {"last_assistant_message": line, "agent_id": "a"}
    yield "PreCompact", {"trigger": "manual", "custom_instructions": line}
    written = {"file_path": "notes.md", "content": line}
    yield "PostToolUse", {"tool_name": "Write", "tool_input": written, "tool_response": "ok"}
    todo = {"todos": [{"content": line, "status": "pending"}]}
    yield "PostToolUse", {"tool_name": "TodoWrite", "tool_input": todo, "tool_response": "ok"}
    sought = {"tool_name": "Grep", "tool_input": {"pattern": line}, "tool_response": line}
    yield "PostToolUse", sought


def found(folder: Path) -> list[str]:
    """The lines below a folder that hold one of the secrets, each with its file."""
    paths = [Path(above, name) for above, _, names in os.walk(folder) for name in names]
    secrets = [one.encode() for one in (CHOSEN, DRAWN)]
    return [
        f"{path.name}: {line[:2_000]!r}"
        for path in paths
        for line in path.read_bytes().split(b"\n")
        if any(one in line for one in secrets)
    ]


def test_no_secret_of_a_command_rests_beside_the_store(checkout: Checkout, tmp_path: Path) -> None:
    page = {"tool_name": "WebFetch", "tool_input": {"url": "https://x.test"}, "tool_response": "y"}
    for number in range(_SESSIONS):
        checkout.happen(f"s{number}", "SessionStart", source="startup")
        checkout.happen(f"s{number}", "PostToolUse", **page)
    for number, line in enumerate(typed()):
        for name, fields in calls(line):
            checkout.hook(f"s{number % _SESSIONS}", name, **fields).record()
    assert "\n".join(found(tmp_path)) == ""
    with Bowerbird.open() as bird:
        bird.remember("The depot opens at seven.")
    assert "\n".join(found(tmp_path)) == ""
