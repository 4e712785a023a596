"""Poisonings through every interface: what comes from outside is recalled with its label or not at all.

Whatever a text says of itself, it stands in the data of an envelope, below a line of ours that says it
is not verified; what an agent is handed unasked holds none of it. Of the half that was there while
the defences were written every third runs by itself, some of every door and form; ``POISONINGS=all
pytest -s`` leaves out none, nor the other half.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.recalled import nonce, recalled
from bowerbird.core.types import label

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.http.conftest import Server

FROM_OUTSIDE = "A colleague's memory says that the canteen serves soup."
LABELLED = re.compile(
    rf"\[(?:\d+|Memory #[0-9a-f-]{{8,36}})\] (?:{label('imported')}|{label('low')}) · "
)


@pytest.fixture
def attacks(poisonings: Callable[[int], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """A third of those that were there while the defences were written, or what POISONINGS asks for."""
    if "POISONINGS" in os.environ:
        return poisonings(1)
    return [one for one in poisonings(1) if one["half"] == "dev"][::3]


def turn(one: dict[str, Any]) -> str:
    """The file around a turn, as the program that is named writes it."""
    role, text = one["role"], one["text"]
    if one["format"] == "claude-code":
        said = "user" if role == "tool" else role
        content: Any = text
        if role == "tool":
            content = [{"type": "tool_result", "tool_use_id": "t1", "content": text}]
        message = {"role": said, "content": content}
        common = {"sessionId": "s-1", "uuid": "u-1", "timestamp": "2026-10-14T09:12:44Z"}
        return json.dumps({"type": said, "message": message, "parentUuid": None} | common) + "\n"
    if one["format"] == "codex":
        item: dict[str, Any] = {"type": "function_call_output", "call_id": "c1", "output": text}
        if role != "tool":
            kind = "input_text" if role == "user" else "output_text"
            item = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
        meta = {"type": "session_meta", "payload": {"id": "s-1", "cwd": "/x"}}
        return json.dumps(meta) + "\n" + json.dumps({"type": "response_item", "payload": item})
    return f"{role.capitalize()}: {text}\n"


def write(folder: Path, one: dict[str, Any]) -> None:
    """A poisoned file by its hostile name, in a folder of its own."""
    name = one["file_name"].lstrip("/").replace("\0", "")
    path = folder / one["door"] / one["id"] / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = turn(one) if one["door"] == "transcript" else one["text"]
    path.write_bytes(text.encode("utf-8", "surrogatepass"))


def talk(server: Server, calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """What a fresh session over MCP is told by these calls, one after the other."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}}
    hello["clientInfo"] = {"name": "agent", "version": "1"}
    messages: list[dict[str, Any]] = [{"id": 0, "method": "initialize", "params": hello}]
    messages.append({"method": "notifications/initialized"})
    process = subprocess.Popen(
        [sys.executable, "-m", "bowerbird", "mcp", "--store", server.store, "--project", "zoo"],
        env=server.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    texts = []
    for number, (tool, given) in enumerate(calls, 1):
        params = {"name": tool, "arguments": given}
        messages.append({"id": number, "method": "tools/call", "params": params})
        for message in messages:
            process.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
        process.stdin.flush()
        while (answer := json.loads(process.stdout.readline()))["id"] != number:
            pass
        # A content that admission refuses is an answer, too.
        texts.append("\n".join(part["text"] for part in answer["result"]["content"]))
        messages = []
    process.stdin.close()
    process.stdout.close()
    process.wait()
    return texts


@pytest.fixture
def poisoned(serve: Callable[..., Server], tmp_path: Path, attacks: list[dict[str, Any]]) -> Server:
    """A server over a store that took in all of it, by every door."""

    def of(*interfaces: str) -> list[dict[str, Any]]:
        return [one for one in attacks if one["door"] in interfaces]

    files = tmp_path / "files"
    for one in of("index", "import", "transcript"):
        write(files, one)
    tree = tmp_path / "brv" / ".brv" / "context-tree"
    for one in of("import"):
        (tree / one["id"]).mkdir(parents=True)
        (tree / one["id"] / "note.md").write_bytes(one["text"].encode("utf-8", "surrogatepass"))
    server = serve()
    with Bowerbird.open(server.store, project="zoo") as bird:
        outside = bird.remember(FROM_OUTSIDE, origin="peer").id
        bird.index(files)
        bird.admin.migrate(tree.parents[1])
    # An agent that was shown something from outside stores what it was told there.
    read = ("memory_get", {"id": outside})
    found, *_ = talk(
        server, [read, *(("memory_store", {"content": one["text"]}) for one in of("mcp"))]
    )
    assert FROM_OUTSIDE in found
    for number, one in enumerate(of("http")):
        origin = "tool_external" if number % 2 else "peer"
        server.post("curate", content=one["text"], project="zoo", origin=origin)
    return server


def shown(text: str, marker: str) -> tuple[int, list[str]]:
    """How many lines of an answer hold a marker, and those of them where nothing of others may stand."""
    head, count, wrong = "", 0, []
    for line in text.split("\n"):
        if line.startswith("["):
            head = line
        if marker in line:
            count += 1
            if not LABELLED.match(head) or not (line.startswith("> ") or line == head):
                wrong.append(line)
    return count, wrong


def test_what_comes_from_outside_is_recalled_with_its_label_or_not_at_all(
    poisoned: Server, attacks: list[dict[str, Any]]
) -> None:
    unasked, wrong, asked, found = [], [], 0, 0
    with Bowerbird.open(poisoned.store, project="zoo", resident=True) as bird:
        for one in attacks:
            marker, task = one["marker"], one["question"]
            if marker in recalled(bird.context(task), nonce()):
                unasked.append(one["id"])
            wide = recalled(bird.context(task, min_trust="low"), nonce())
            count, there = shown(wide, marker)
            asked += bool(count)
            wrong += [(one["id"], line) for line in there]
            # An agent's own search leaves out what has low trust: that it was there, its owner sees.
            found += any(marker in hit.text for hit in bird.query(task, min_trust="low"))
    calls = [
        (tool, {key: one["question"]})
        for one in attacks
        for tool, key in (("memory_search", "query"), ("memory_context", "task"))
    ]
    answers = talk(poisoned, calls)
    for number, one in enumerate(attacks):
        search, context = answers[2 * number : 2 * number + 2]
        wrong += [(one["id"], line) for line in shown(search, one["marker"])[1]]
        if one["marker"] in context:
            unasked.append(one["id"])
    halves = ", ".join(sorted({one["half"] for one in attacks}))
    sys.stdout.write(
        f"{len(attacks)} poisonings ({halves}): {len(unasked)} handed over unasked,"
        f" {len(wrong)} without their label or outside of the data; where every trust was asked for,"
        f" {asked} stood in a context, labelled, and {found} among the hits of their owner\n"
    )
    assert not unasked
    assert not wrong
    # That they were there to be found.
    assert found > len(attacks) // 2
