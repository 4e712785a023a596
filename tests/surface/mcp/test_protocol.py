"""What the server says is what the server of the SDK would say, word for word."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
import pytest
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from tests.surface.mcp.oracle import build

from bowerbird.core.who import Who
from bowerbird.daemon.birds import Birds
from bowerbird.surfaces.mcp.caller import Caller
from bowerbird.surfaces.mcp.calls import Calls
from bowerbird.surfaces.mcp.protocol import STATELESS, WITH_HANDSHAKE, Conversation
from bowerbird.surfaces.mcp.stdio import answered as answer

if TYPE_CHECKING:
    from collections.abc import Callable

    Message = dict[str, Any]

META = "io.modelcontextprotocol/"


def request(method: str, id: int | str = 1, **params: Any) -> Message:
    message: Message = {"jsonrpc": "2.0", "id": id, "method": method}
    return message | ({"params": params} if params else {})


def initialize(version: str) -> Message:
    client = {"name": "somebody", "title": "Some Body", "version": "1.0"}
    return request(
        "initialize", protocolVersion=version, capabilities={"roots": {}}, clientInfo=client
    )


def stateless(method: str, **meta: Any) -> Message:
    about = {META + "protocolVersion": STATELESS, META + "clientCapabilities": {}}
    about |= {META + key: value for key, value in meta.items()}
    return request(method, _meta=about)


INITIALIZED: Message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
OPENINGS: list[list[Message]] = [
    *([initialize(v), INITIALIZED, request("tools/list", "two")] for v in WITH_HANDSHAKE),
    [stateless("server/discover"), stateless("tools/list")],
    [stateless("tools/list", clientInfo={"name": "x", "version": "1"})],
]
# What an agent goes on with, up to its first calls.
TALK: list[Message] = [
    request("resources/list", 3),
    request("resources/templates/list", 4),
    request("prompts/list", 12),
    request("prompts/get", 13, name="bower-review"),
    request("prompts/get", 14, name="no-such"),
    request("prompts/get", 15, name=5),
    request("ping", 5),
    request("tools/call", 6, name="memory_search", arguments={"query": "what of \U0001f426?"}),
    request("tools/call", 7, name="memory_status", _meta={"progressToken": 3, "a/b": "c"}),
    request("tools/call", 8, name="memory_search", arguments={"question": 1, "limit": 0}),
    request("tools/call", 9, name="memory_get", arguments={"id": "019a2f6c-81d4-7000"}),
    request("tools/call", 10, name="memory_forget", arguments={"id": "../../etc"}),
    request("tools/call", 11, name="memory_context", arguments={"task": "x", "budget": 5.0}),
]
TALKS = [[initialize(v), INITIALIZED, *TALK] for v in WITH_HANDSHAKE]
TALKS += [
    [
        stateless("resources/list"),
        stateless("resources/templates/list"),
        stateless("prompts/list"),
        stateless("prompts/get") | {"params": {**stateless("")["params"], "name": "bower-review"}},
        stateless("tools/call", clientInfo={"name": "x", "version": "1"})
        | {"params": {**stateless("")["params"], **message["params"]}},
    ]
    for message in TALK
    if message["method"] == "tools/call" and "_meta" not in message["params"]
]
# Like an opening, and not one.
DEVIATIONS: list[list[Message]] = [
    [initialize("2023-01-01")],
    [initialize("2026-07-28")],
    [request("initialize", protocolVersion="2025-06-18")],
    [request("initialize", protocolVersion="2025-06-18", capabilities=[], clientInfo={})],
    [request("tools/list")],
    [request("ping")],
    [initialize("2025-06-18"), initialize("2025-06-18") | {"id": 2}],
    [initialize("2025-06-18"), request("tools/list", 2)],
    [initialize("2025-06-18"), INITIALIZED, request("tools/list", 2, cursor="x")],
    [initialize("2025-06-18"), INITIALIZED, request("tools/list", 2, _meta={"progressToken": 1})],
    [initialize("2025-06-18"), INITIALIZED, stateless("tools/list") | {"id": 2}],
    [stateless("server/discover"), initialize("2025-06-18") | {"id": 2}],
    [stateless("server/discover", protocolVersion="2027-01-01")],
    [stateless("server/discover", clientCapabilities=None)],
    [stateless("server/discover", clientInfo="me")],
    [stateless("server/discover", clientInfo={"name": "me"})],
    [stateless("server/discover", logLevel="debug")],
    [stateless("prompts/list")],
    [stateless("resources/list")],
    [initialize("2025-06-18"), INITIALIZED, request("no/such", 2)],
    [initialize("2025-06-18"), INITIALIZED, request("server/discover", 2)],
    [initialize("2025-06-18"), INITIALIZED, request("tools/list", 2, cursor=5)],
    [initialize("2025-06-18"), INITIALIZED, request("initialize", 2)],
    [stateless("server/discover"), request("tools/list", 2)],
    [stateless("ping")],
    [stateless("tools/call") | {"params": stateless("")["params"] | {"name": "memory_nothing"}}],
    [request("tools/list", _meta={META + "protocolVersion": STATELESS})],
    [request("tools/list", _meta={META + "protocolVersion": 5, META + "clientCapabilities": {}})],
]
DROPPED = [
    [initialize("2025-06-18") | {"id": None}],
    [initialize("2025-06-18") | {"jsonrpc": "1.0"}],
]
RESOURCES: list[list[Message]] = [
    *(
        [initialize("2025-06-18"), INITIALIZED, request("resources/read", 2, **params)]
        for params in (
            {},
            {"uri": 5},
            {"uri": "bowerbird://x"},
            {"uri": "bowerbird://recent"},
            {"uri": "bowerbird://entry/019a2f6c"},
        )
    ),
    *(
        [stateless("resources/read") | {"params": stateless("")["params"] | {"uri": uri}}]
        for uri in ("bowerbird://x", "bowerbird://recent")
    ),
]

# The same of calls.
ASTRAY: list[list[Message]] = [
    [request("tools/call", name="memory_status")],
    *(
        [initialize("2025-06-18"), INITIALIZED, request("tools/call", 2, **params)]
        for params in (
            {"name": "memory_nothing"},
            {"name": 5},
            {"name": "memory_status", "arguments": None},
            {"name": "memory_status", "arguments": []},
            {"name": "memory_status", "task": {"ttl": 1}},
            {"name": "memory_status", "_meta": {"progressToken": 1.5}},
            {"name": "memory_status", "_meta": stateless("")["params"]["_meta"]},
        )
    ),
    [initialize("2025-06-18"), INITIALIZED, request("ping", 2, _meta={})],
]


async def said(messages: list[Message], caller: Caller, birds: Birds) -> list[Message]:
    """What the SDK's server answers to each request."""
    server = build(birds, caller)
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](10)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](10)
    replies = []
    async with to_server, from_client, to_client, from_server, anyio.create_task_group() as group:
        options = server.create_initialization_options()
        group.start_soon(server.run, from_client, to_client, options)
        for message in messages:
            try:
                parsed = types.jsonrpc_message_adapter.validate_python(message)
            except ValueError:
                continue
            await to_server.send(SessionMessage(parsed))
            if isinstance(message.get("id"), int | str):
                reply = (await from_server.receive()).message
                replies.append(json.loads(reply.model_dump_json(by_alias=True, exclude_unset=True)))
        await to_server.aclose()
    return replies


def answered(messages: list[Message], caller: Caller, birds: Birds) -> list[Message]:
    """What our server answers to each line."""
    talk = Conversation(Calls(birds), caller)
    answers = [answer(talk, json.dumps(message).encode()) for message in messages]
    return [one for one in answers if one is not None]


@pytest.mark.parametrize("may_write", [True, False])
@pytest.mark.parametrize("messages", [*OPENINGS, *TALKS])
def test_every_opening_and_talk_is_answered_as_the_sdk_does(
    messages: list[Message], may_write: bool, store_path: str
) -> None:
    birds = Birds(store_path)
    caller = Caller(None, Who(origin="agent", may_write=may_write))
    theirs = anyio.run(said, messages, caller, birds)
    assert answered(messages, caller, birds) == theirs


@pytest.mark.parametrize("messages", [*DEVIATIONS, *ASTRAY, *RESOURCES])
def test_what_is_unusual_is_answered_as_the_sdk_does(
    messages: list[Message], store_path: str
) -> None:
    caller, birds = Caller(None, Who(origin="agent")), Birds(store_path)
    assert answered(messages, caller, birds) == anyio.run(said, messages, caller, birds)


@pytest.mark.parametrize("messages", DROPPED)
def test_what_the_sdk_drops_is_answered(messages: list[Message], store_path: str) -> None:
    """A client would wait for an answer until its own patience ends."""
    caller, birds = Caller(None, Who(origin="agent")), Birds(store_path)
    (reply,) = answered(messages, caller, birds)
    assert reply["error"]["code"] == -32600
    assert anyio.run(said, messages, caller, birds) == []


def test_the_versions_are_those_of_the_sdk() -> None:
    assert WITH_HANDSHAKE == HANDSHAKE_PROTOCOL_VERSIONS
    assert (STATELESS,) == MODERN_PROTOCOL_VERSIONS


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("messages", [*OPENINGS, *DEVIATIONS, TALKS[0], TALKS[-1]])
def test_over_the_wire_every_request_has_one_reply(
    lines: Callable[..., Any], messages: list[Message], together: bool
) -> None:
    """Whether a client waits for replies or sends all at once; an odd one is answered with an error."""
    ids = [message["id"] for message in messages if "id" in message]
    with lines() as client:
        for message in messages:
            client.write(json.dumps(message))
            if not together and "id" in message:
                assert client.read()["id"] == message["id"]
        assert client.leave() == 0
    heard = [json.loads(line)["id"] for line in client.heard]
    assert sorted(map(str, heard)) == sorted(map(str, ids))


def test_calls_are_done_once(lines: Callable[..., Any], bower: Callable[..., Any]) -> None:
    with lines() as client:
        client.begin()
        assert client.call("memory_store", content="The build needs Redis on port 6390.")
        found = client.call("memory_search", query="which port does Redis need?", limit=3)
        assert len(found["structuredContent"]["hits"]) == 1
        assert client.ask("no/such/method")["error"]["code"] == -32601
        assert client.call("memory_status")["structuredContent"]["memories"] == 1
        assert client.leave() == 0
    (entry,) = bower("list").data["entries"]
    assert [one["actor"] for one in bower("history", entry["id"]).data["events"]] == ["agent:lines"]
