"""``/mcp`` of ``bower serve``, by the SDK's client in both eras and by plain requests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from bowerbird.surfaces.mcp.catalogue import TOOLS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from mcp.client.client import ConnectMode
    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

CONTENT = "The auth tests hang when Redis is down: start it with make redis."
QUESTION = {"query": "auth tests hang when Redis is down"}
ERAS = [("legacy", "2025-11-25"), ("auto", "2026-07-28")]


class Served:
    """A running ``bower serve`` and what lets in."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bowerbird", "serve", "--port", "0"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr
        line = self.process.stderr.readline()
        assert line.startswith("serving "), line
        self.address = line.split()[1].rstrip(";")
        state = Path(os.environ["XDG_STATE_HOME"])
        self.token = next(state.glob("bowerbird/serve-*/token")).read_text().strip()

    def talk(
        self,
        work: Callable[[Client], Awaitable[Any]],
        mode: ConnectMode = "auto",
        token: str = "",
        **headers: str,
    ) -> Any:
        """Run ``work(client)`` with the SDK's client."""
        sent = {"Authorization": f"Bearer {token or self.token}"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}

        async def main() -> Any:
            async with httpx2.AsyncClient(headers=sent, timeout=60) as http:
                transport = streamable_http_client(self.address + "/mcp", http_client=http)
                async with Client(transport, mode=mode) as client:
                    return await work(client)

        return anyio.run(main)

    def post(self, body: object, **headers: str) -> tuple[int, bytes]:
        """One request as it is; a header of None is left out."""
        connection = HTTPConnection(self.address.removeprefix("http://"), timeout=60)
        sent = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Bower-Project": "shop",
        }
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.request("POST", "/mcp", content, {k: v for k, v in sent.items() if v})
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()


@pytest.fixture
def served(_own_store: None) -> Iterator[Served]:
    """A server for one test."""
    running = Served()
    yield running
    running.process.send_signal(signal.SIGTERM)
    assert running.process.wait(60) == 0
    assert running.process.stderr
    running.process.stderr.close()


async def tools_of(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


@pytest.mark.parametrize(("mode", "version"), ERAS)
def test_the_same_tools_over_http(served: Served, mode: ConnectMode, version: str) -> None:
    async def work(client: Client) -> None:
        assert client.protocol_version == version
        assert await tools_of(client) == {*TOOLS}
        kept = await client.call_tool("memory_store", {"content": CONTENT})
        found = await client.call_tool("memory_search", QUESTION)
        assert [hit["id"] for hit in found.structured_content["hits"]] == [
            kept.structured_content["id"]
        ]
        status = await client.call_tool("memory_status", {})
        assert status.structured_content["project"] == "shop"
        wrong = await client.call_tool("memory_search", {"query": ""})
        assert wrong.is_error

    served.talk(work, mode, Bower_Project="shop")


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_token_that_may_only_read_writes_nothing(
    served: Served, bower: Bower, mode: ConnectMode
) -> None:
    token = bower("serve", "--new-token", "reader", "--read-only").data["token"]

    async def store(client: Client) -> str:
        kept = await client.call_tool("memory_store", {"content": CONTENT})
        return str(kept.structured_content["id"])

    id = served.talk(store, mode, Bower_Project="shop")

    async def look(client: Client) -> None:
        assert await tools_of(client) == {name for name, tool in TOOLS.items() if not tool.writes}
        for tool, arguments in (
            ("memory_store", {"content": "something else"}),
            ("memory_forget", {"id": id}),
            ("memory_revert", {"id": id}),
        ):
            assert (await client.call_tool(tool, arguments)).is_error
        assert (await client.call_tool("memory_get", {"id": id})).structured_content["id"] == id

    served.talk(look, mode, token, Bower_Project="shop")
    (entry,) = bower("list", "--all-projects").data["entries"]
    assert (entry["id"], entry["state"]) == (id, "active")


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_two_projects_see_nothing_of_each_other(
    served: Served, bower: Bower, mode: ConnectMode
) -> None:
    async def store(client: Client) -> str:
        kept = await client.call_tool("memory_store", {"content": CONTENT})
        return str(kept.structured_content["id"])

    other = served.talk(store, mode, Bower_Project="two")

    async def look(client: Client) -> None:
        for tool, arguments in (
            ("memory_search", QUESTION),
            ("memory_context", {"task": QUESTION["query"]}),
            ("memory_get", {"id": other}),
            ("memory_forget", {"id": other}),
            ("memory_revert", {"id": other}),
            ("memory_status", {}),
        ):
            answer = await client.call_tool(tool, arguments)
            told = json.dumps(answer.structured_content) + answer.content[0].model_dump_json()
            assert CONTENT not in told, tool
            assert other not in told or "no entry" in told, tool
        with pytest.raises(Exception, match="no entry"):
            await client.read_resource(f"bowerbird://entry/{other}")
        shared = await client.call_tool("memory_store", {"content": CONTENT, "everywhere": True})
        assert shared.is_error

    served.talk(look, mode, Bower_Project="one")
    token = bower("serve", "--new-token", "one", "--only", "one").data["token"]
    served.talk(look, mode, token)
    ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert served.post(ask, Authorization=f"Bearer {token}", Bower_Project="two")[0] == 403

    async def everything(client: Client) -> None:
        found = await client.call_tool("memory_search", QUESTION)
        assert [hit["id"] for hit in found.structured_content["hits"]] == [other]

    served.talk(everything, mode, Bower_All_Projects="true")


def test_who_may_not_ask_is_told_nothing(served: Served) -> None:
    ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert served.post(ask, Authorization="")[0] == 401
    assert served.post(ask, Authorization="Bearer no")[0] == 401
    assert served.post(ask, Origin="http://evil.example")[0] == 403
    assert served.post(ask, Host="evil.example")[0] == 403
    assert served.post(ask, Bower_Project="")[0] == 422
    assert served.post(ask, Content_Type="text/plain")[0] in {400, 415}
    assert served.post(b" " * 2_000_000)[0] == 413
    for broken in (b"{", b"[]", b"[" * 50_000, b'"x"', b"\xff"):
        assert 400 <= served.post(broken)[0] < 500
    status, body = served.post(ask)
    assert status == 200
    assert len(json.loads(body)["result"]["tools"]) == len(TOOLS)
