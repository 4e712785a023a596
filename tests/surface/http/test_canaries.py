"""Two projects, each with words that only it knows: none of them is ever heard in the other.

CANARY_OPERATIONS says how many operations are tried, then over a PostgreSQL server as well;
`make canaries` tries 10,000.
"""

from __future__ import annotations

import json
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from tests.postgres import Tenants, served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.surface.http.conftest import Said, Server

OPERATIONS = int(os.environ.get("CANARY_OPERATIONS", "300"))
WORDS = {
    "wren": ("xylograph", "quokkaburger", "zamindarship", "fjordlantern", "wyvernoid"),
    "crow": ("kumquatique", "jabberwhorl", "umbrellist", "gnomonical", "ptarmigan"),
}
MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}


class Side:
    """One project, its token, and what must never be heard there."""

    def __init__(self, server: Server, name: str, other: str) -> None:
        self.server = server
        self.name = name
        self.token = server.new_token(name, "--only", name)
        self.forbidden = [word.encode() for word in WORDS[other]]
        self.ids: list[str] = []
        for number, word in enumerate(WORDS[name]):
            said = server.post(
                "curate", self.token, content=f"Canary {number}: the {word} stays in {name}",
                tags=[f"tag-{word}"], files=[f"{word}.py"], modules=[word], session=word,
                metadata={word: word},
            )  # fmt: skip
            assert said.status == 200, said.body
            self.ids.append(said.data["id"])
        self.session = self.begin()

    def begin(self) -> dict[str, str]:
        expected = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "canary", "version": "1"},
        }
        message = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": expected}
        said = self.server.ask("POST", "/mcp", message, token=self.token, headers=MCP)
        assert said.status == 200, said.body
        name = "mcp-session-id"
        return {name: said.headers[name]} if name in said.headers else {}


@pytest.fixture(scope="module")
def postgres() -> Iterator[Tenants]:
    yield from served()


@pytest.fixture(params=["file", "postgresql"] if "CANARY_OPERATIONS" in os.environ else ["file"])
def store_path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "file":
        return str(tmp_path / "memory.db")
    tenants: Tenants = request.getfixturevalue("postgres")
    return tenants.tenant(f"canaries-{os.getpid()}-{request.node.name.partition('[')[0]}"[:60])


@pytest.fixture
def sides(serve: Callable[..., Server]) -> tuple[Side, Side]:
    server = serve()
    return Side(server, "wren", "crow"), Side(server, "crow", "wren")


def misspelt(word: str, draw: random.Random) -> str:
    place = draw.randrange(1, len(word))
    # A letter that is doubled would leave the word standing in the slip.
    letter = draw.choice([one for one in "aeiou" if one not in word[place - 1 : place + 1]])
    return word[:place] + letter + word[place + draw.randrange(2) :]


def routes(me: Side, other: Side, id: str, draw: random.Random) -> list[Callable[[], Said]]:
    """Ways to ask for what is the other's: by words, by slips of the pen, by id, by filter."""
    server, token = me.server, me.token
    word = draw.choice(WORDS[other.name])
    slip = misspelt(word, draw)
    own: list[dict[str, Any]] = [{}, {}, {}, {"project": me.name}, {"project": f"name:{me.name}"}]
    wide = {"all_projects": True}
    foreign = ({"project": one} for one in (other.name, f"name:{other.name}", "global", "*"))
    named = draw.choice([*own, *own, wide, *foreign])
    mine = draw.choice(me.ids)

    def post(verb: str, **fields: Any) -> Callable[[], Said]:
        return lambda: server.post(verb, token, **fields | named)

    def get(verb: str, **fields: Any) -> Callable[[], Said]:
        return lambda: server.get(verb, token, **fields | named)

    def tool(name: str, **arguments: Any) -> Callable[[], Said]:
        params = {"name": name, "arguments": arguments}
        # Two that are under way in one session may not share an id.
        call = {"id": draw.getrandbits(48), "method": "tools/call", "params": params}
        message = {"jsonrpc": "2.0", **call}
        # Sometimes through the door that the other one opened.
        session = draw.choice((me.session, me.session, other.session))
        project = {"Bower-Project": named["project"]} if "project" in named else {}
        everything = {"Bower-All-Projects": "true"} if "all_projects" in named else {}
        headers = MCP | session | project | everything
        return lambda: server.ask("POST", "/mcp", message, token=token, headers=headers)

    return [
        post("query", query=f"canary {slip}", explain=draw.random() < 0.5),
        post("query", query=slip, shape=draw.choice(("full", "compact", "digest"))),
        post("query", query="canary stays", tags=[f"tag-{word[:4]}"], fast=draw.random() < 0.5),
        post("context", task=f"see to the canary {slip}", min_trust="low"),
        post("curate", content=f"Canary {draw.randrange(5)}: the {slip} stays in"),
        get(f"get/{id}", history=True),
        get(f"history/{id}"),
        get("list", states=draw.choice(("active", "deleted", "superseded"))),
        get("list", agents=other.name),
        get("status"),
        get("at", path=f"{slip}.md"),
        post("index", paths=[f"/{slip}"]),
        get("index"),
        get("cache"),
        post("forget", ids=[id]),
        post("revert", id=id),
        post("prune", threshold=1.0),
        post("prune", threshold=1.0, dry_run=True),
        post("link", source=mine, target=id),
        post("link", source=id, target=mine),
        post("used", ids=[id]),
        get("doctor", secrets=True),
        get("openapi.json"),
        tool("memory_search", query=f"canary {slip}"),
        tool("memory_search", query="canary stays"),
        tool("memory_context", task=f"canary {slip}"),
        tool("memory_get", id=id),
        tool("memory_forget", id=id),
        tool("memory_prune", threshold=1.0),
        tool("memory_status"),
        tool("memory_store", content=f"Canary {draw.randrange(5)}: the {slip} lives"),
    ]


def test_nothing_of_one_project_is_heard_in_the_other(sides: tuple[Side, Side]) -> None:
    draws = [random.Random(seed) for seed in range(8)]

    def work(draw: random.Random) -> tuple[int, int, list[tuple[bytes, bytes]]]:
        done = answered = 0
        heard: list[tuple[bytes, bytes]] = []
        while done < OPERATIONS // len(draws):
            me, other = draw.sample(sides, 2)
            id = draw.choice(other.ids)[: draw.choice((8, 13, 18, 36, 36, 36))]
            said = draw.choice(routes(me, other, id, draw))()
            done += 1
            assert said.status < 500, said.body
            answered += said.status == 200
            heard += [(word, said.body) for word in me.forbidden if word in said.body.lower()]
            # What was asked with is named in a refusal; the rest of an id never is.
            theirs = [one for one in other.ids if one != id and one.encode() in said.body]
            heard += [(one.encode(), said.body) for one in theirs]
        return done, answered, heard

    with ThreadPoolExecutor(len(draws)) as pool:
        found = list(pool.map(work, draws))
    heard = [one for _, _, some in found for one in some]
    assert not heard, heard[:3]
    # The other way round it would be heard: what was asked with is found at home.
    for side in sides:
        for word, id in zip(WORDS[side.name], side.ids, strict=True):
            hits = side.server.post("query", side.token, query=f"canary {word}").data["results"]
            assert id in {one["id"] for one in hits}
            assert side.server.get(f"get/{id}", side.token).data["state"] == "active"
    done, answered = sum(one[0] for one in found), sum(one[1] for one in found)
    assert answered > done // 4
    sys.stdout.write(f"{done:,} operations, {answered:,} answered, 0 cross-reads\n")


def test_a_token_that_reads_writes_by_no_tool(serve: Callable[..., Server]) -> None:
    server = serve()
    kept = server.post("curate", content="This stays as it is", project="wren").data["id"]
    token = server.new_token("reader", "--read-only", "--only", "wren")
    reader = Side.__new__(Side)
    reader.server, reader.token = server, token
    headers = MCP | reader.begin()
    for name, arguments in (
        ("memory_store", {"content": "A reader wrote this"}),
        ("memory_forget", {"id": kept}),
        ("memory_prune", {"threshold": 1.0}),
    ):
        params = {"name": name, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        said = server.ask("POST", "/mcp", message, token=token, headers=headers)
        answer = json.loads(said.body)
        assert answer.get("error") or answer["result"]["isError"]
    listed = server.bower("list", "--all-projects")
    assert [one["id"] for one in listed["entries"]] == [kept]


def test_no_stream_waits_for_news(serve: Callable[..., Server]) -> None:
    """Nothing is told unasked, and nothing would end such a stream."""
    server = serve()
    side = Side.__new__(Side)
    side.server, side.token = server, server.new_token("listener", "--only", "wren")
    said = server.ask("GET", "/mcp", token=side.token, headers=MCP | side.begin())
    assert said.status == 405
