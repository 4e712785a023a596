"""Each tool of /mcp, as the server lists them, under a token for one project: nothing of another one.

Every text that a tool takes is filled with what another project holds: ids, texts, tags, paths, symbols.
A tool that is added later is asked as well.
"""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.surface.http.conftest import Said, Server

MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
CODE = "def quokkaburger():\n    return zamindarship()\n\n\ndef zamindarship():\n    return 7\n"
# What only the other project knows. A misspelling must not be mended to the word either.
SECRETS = ("quokkaburger", "zamindarship", "fjordlantern")
SLIPS = ("quokkaburgr", "zamindarshp", "fjordlantrn")


class Confined:
    """A server with two projects, and a token for the one that knows nothing of the other."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.owner = server.token
        (folder / "quokkaburger.py").write_text(CODE)
        (folder / "fjordlantern.md").write_text("# Where\n\nThe fjordlantern burns in the dairy.\n")
        server.bower("index", str(folder), "--project", "crow")
        self.ids = [
            str(server.post("curate", project="crow", **fields).data["id"])
            for fields in (
                {
                    "content": "The quokkaburger is fried before the zamindarship",
                    "tags": ["fjordlantern"],
                    "files": ["quokkaburger.py"],
                },
                {"content": "The fjordlantern burns when zamindarship is called"},
            )
        ]
        server.post("link", source=self.ids[0], target=self.ids[1], project="crow")
        listed = server.get("list", project="crow", limit=50).data["entries"]
        self.ids += [one["id"] for one in listed if one["id"] not in self.ids]
        self.own = str(server.post("curate", project="wren", content="A wren is small").data["id"])
        self.before = self.held()

    def held(self) -> Any:
        """Everything that the other project holds."""
        found = self.server.get("list", project="crow", limit=50).data["entries"]
        return [(one["id"], one["text"], one.get("tags"), one.get("state")) for one in found]

    def ask(self, token: str, method: str, headers: dict[str, str], **params: Any) -> Said:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.server.ask("POST", "/mcp", message, token=token, headers=MCP | headers)


@pytest.fixture
def confined(serve: Callable[..., Server], tmp_path: Path) -> Confined:
    folder = tmp_path / "code"
    folder.mkdir()
    return Confined(serve(), folder)


def forms(tool: dict[str, Any], texts: list[str], own: str) -> Iterator[dict[str, Any]]:
    """Calls with every text in every field, beside what else the tool needs."""
    fields: dict[str, Any] = tool["inputSchema"]["properties"]
    needed = tool["inputSchema"].get("required", ())
    for name, field in fields.items():
        if field["type"] not in {"string", "array"}:
            continue
        # What is written here would be heard here.
        for text in SLIPS if name in {"content", "tags", "reason"} else texts:
            plain = {one: own if one in {"id", "start"} else "a wren" for one in needed}
            yield plain | {name: [text] if field["type"] == "array" else text}
    if {"start", "end"} <= fields.keys():
        yield from ({"start": a, "end": b} for a, b in itertools.permutations(texts[:4], 2))
    if not needed:
        yield {}


def test_each_tool_under_a_token_reaches_no_other_project(
    confined: Confined, tmp_path: Path
) -> None:
    server = confined.server
    token = server.new_token("confined", "--only", "wren")
    tools = confined.ask(token, "tools/list", {}).data["result"]["tools"]
    assert len(tools) > 10
    paths = [str(tmp_path / "code" / "quokkaburger.py"), str(tmp_path / "code"), "fjordlantern.md"]
    texts = [*confined.ids, confined.ids[0][:13], *SLIPS, *paths, "crow", "name:crow"]
    headers: list[dict[str, str]] = [
        {},
        {"Bower-Project": "wren"},
        {"Bower-Project": "crow"},
        {"Bower-Project": "*"},
        {"Bower-All-Projects": "true"},
    ]
    asked: dict[str, int] = {}
    heard = []
    for tool in tools:
        for number, arguments in enumerate(forms(tool, texts, confined.own)):
            # Most headers are refused before the tool is looked at: each has its turn.
            for one in (headers[0], headers[1 + number % 4]):
                said = confined.ask(
                    token, "tools/call", one, name=tool["name"], arguments=arguments
                )
                assert said.status < 500, said.body
                asked[tool["name"]] = asked.get(tool["name"], 0) + 1
                text = said.body.decode().lower()
                for given in arguments.values():
                    for echo in given if isinstance(given, list) else [given]:
                        text = text.replace(json.dumps(str(echo).lower())[1:-1], "")
                theirs = [id for id in confined.ids if id in text]
                heard += [(tool["name"], one, arguments, word) for word in SECRETS if word in text]
                heard += [(tool["name"], one, arguments, id) for id in theirs]
    assert not heard, heard[:3]
    assert asked.keys() == {tool["name"] for tool in tools}
    for uri in ("bowerbird://recent", *(f"bowerbird://entry/{id}" for id in confined.ids)):
        said = confined.ask(token, "resources/read", {}, uri=uri)
        assert not [word for word in SECRETS if word in said.body.decode().lower()], said.body
    assert confined.held() == confined.before
    # A token of that project hears it: the calls above were understood.
    other = server.new_token("at-home", "--only", "crow")
    for name, arguments, word in (
        ("memory_search", {"query": SLIPS[0]}, SECRETS[0]),
        ("memory_context", {"task": SLIPS[2]}, SECRETS[2]),
        ("memory_get", {"id": confined.ids[0]}, SECRETS[0]),
        ("memory_impact", {"target": SECRETS[1]}, SECRETS[0]),
        ("memory_path", {"start": confined.ids[0], "end": confined.ids[1]}, SECRETS[2]),
    ):
        said = confined.ask(other, "tools/call", {}, name=name, arguments=arguments)
        assert word in said.body.decode().lower(), (name, said.body)
