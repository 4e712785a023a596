"""A hostile member: other people's agents get their texts under their name or not at all."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.surface.http.test_team import token_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.http.conftest import Server

# The lines of the envelope that are ours, at the head of each item; texts have a mark before each line.
HEAD = re.compile(r"^\[(?:\d+|Memory #[0-9a-f-]{8,36}).*$", re.MULTILINE)


@pytest.fixture
def attacks(poisonings: Callable[[int], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Some of the attacks of every door and form, or with POISONINGS=all each of them."""
    every = [one for one in poisonings(1) if len(one["text"]) <= 9_000]
    return every if "POISONINGS" in os.environ else every[::14]


@pytest.mark.parametrize("trust", ["normal", "imported"])
def test_no_text_of_theirs_comes_without_their_name(
    server: Server, attacks: list[dict[str, Any]], trust: str
) -> None:
    eve = token_of(server, f"eve-{trust}", options=f"--trust {trust}")
    mia = token_of(server, f"mia-{trust}")
    zoo = f"zoo-{trust}"
    stored: list[tuple[dict[str, Any], str]] = []
    for one in attacks:
        said = server.post("curate", eve, content=one["text"], project=zoo, audience="team")
        assert said.status in {200, 422}, said.body
        if said.status == 200 and said.data["state"] == "active":
            stored.append((one, said.data["id"]))
            assert said.data["trust"] in {"low", trust}
    assert len(stored) > len(attacks) // 4
    mine = {id for _, id in stored}
    shown = unasked = 0
    named = {"Bower-Project": zoo, "Accept": "application/json, text/event-stream"}
    for one, _ in stored:
        asked = one["query"] if "query" in one else one["text"][:300]
        for hit in server.post("query", mia, query=asked, project=zoo, limit=20).data["results"]:
            if hit["id"] in mine:
                shown += 1
                assert hit["speaker"] == f"eve-{trust}"
        items = server.post("context", mia, task=asked, project=zoo).data["items"]
        for item in items:
            unasked += trust != "normal"
            assert item["speaker"] == f"eve-{trust}"
        for tool, field in (("memory_search", "query"), ("memory_context", "task")):
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"} | {
                "params": {"name": tool, "arguments": {field: asked}}
            }
            reply = server.ask("POST", "/mcp", call, token=mia, headers=named).data["result"]
            text = "\n".join(part["text"] for part in reply["content"])
            for head in HEAD.findall(text):
                assert f"said by eve-{trust}" in head, head
    assert shown > len(stored) // 2
    assert not unasked
