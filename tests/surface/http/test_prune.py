"""Pruning through a running server: by its verb, by tools, and by itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird, Client
from bowerbird.core.clock import system_clock
from bowerbird.core.life import DAY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.http.conftest import Server

MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
SHOES = "The shop sells shoes"
BREAD = "The bakery sells bread"
SHARED = "Lunch is at noon"


@pytest.fixture
def ids(tmp_path: Path) -> dict[str, str]:
    """A memory of each of two projects and one of none, written 100 days ago."""

    def then() -> int:
        return system_clock() - 100 * DAY

    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=then) as bird:
        return {
            "shop": bird.remember(SHOES).id,
            "bakery": bird.within("bakery").remember(BREAD).id,
            "global": bird.remember(SHARED, everywhere=True).id,
        }


def state(server: Server, id: str) -> str:
    """Not by `get`, which would be a use."""
    for name in ("active", "deprecated"):
        found = server.get("list", all_projects=True, states=name).data["entries"]
        if id in {one["id"] for one in found}:
            return name
    return "neither"


def test_a_bound_token_lets_its_own_go_alone(
    serve: Callable[..., Server], ids: dict[str, str]
) -> None:
    server = serve("--prune-interval", "off")
    bound = server.new_token("bound", "--only", "shop")
    reader = server.new_token("reader", "--read-only")
    assert server.post("prune", reader, project="shop", dry_run=True).status == 403
    assert server.post("prune", bound, all_projects=True).status == 403
    assert server.post("prune", bound, project="bakery").status == 403
    dry = server.post("prune", bound, dry_run=True).data
    assert [one["id"] for one in dry["memories"]] == [ids["shop"]]
    assert state(server, ids["shop"]) == "active"
    done = server.post("prune", bound)
    assert done.data["memories"] == dry["memories"]
    assert BREAD.encode() not in done.body
    assert {name: state(server, id) for name, id in ids.items()} == {
        "shop": "deprecated",
        "bakery": "active",
        "global": "active",
    }
    found = server.get(f"history/{ids['shop']}", bound).data["events"][-1]
    assert (found["action"], found["actor"]) == ("pruned", "agent:bound")
    assert server.post("revert", bound, id=ids["shop"]).data["state"] == "active"
    assert server.post("prune", threshold=1.5, all_projects=True).status == 422
    assert server.post("prune").status == 422


def test_an_agent_removes_nothing_for_good(
    serve: Callable[..., Server], ids: dict[str, str], tmp_path: Path
) -> None:
    with Bowerbird.open(
        tmp_path / "memory.db", project="shop", clock=lambda: system_clock() - 50 * DAY
    ) as bird:
        bird.forget(ids["shop"])
    server = serve("--prune-interval", "off")
    bound = server.new_token("bound", "--only", "shop")
    assert server.post("prune", bound).data["memories"] == []
    done = server.post("prune", project="shop").data
    assert (done["removed"], done["memories"][0]["becomes"]) == (1, "removed")
    said = server.get(f"get/{ids['shop']}", all_projects=True)
    assert (said.status, "was erased: " in said.data["error"]) == (404, True)
    assert "erased" not in server.get(f"get/{ids['shop']}", bound).data["error"]


def test_the_client_prunes_as_a_bowerbird_does(
    serve: Callable[..., Server], ids: dict[str, str]
) -> None:
    server = serve("--prune-interval", "off")
    with (
        Client(server.address, token=server.token, project="shop") as client,
        Bowerbird.open(server.store, project="shop") as bird,
    ):
        # Over HTTP a project is that project alone: what is global goes with all of them.
        there = client.prune(dry_run=True)
        here = bird.within(None, confined=True).prune(dry_run=True)
        assert there.leaving == here.leaving
        # One of every project is seen there as well, and counts.
        assert there.remaining == here.remaining == client.status().total_memories - 1
        assert (there.pruned, there.removed, there.remaining) == (1, 0, 1)
        assert (there.dry_run, there.threshold) == (True, here.threshold)
        assert client.prune(threshold=0.0).leaving == ()
        assert client.prune(all_projects=True).pruned == 3
        assert client.status().pruned == {"deprecated": 2, "expired": 0, "removed": 0}
        assert client.status().pruned_at == bird.status().pruned_at
        entry = client.get(ids["shop"])
        assert entry.details is not None
        assert "importance faded" in entry.details.reason
        client.revert(ids["shop"], all_projects=True)
        assert client.prune().leaving == ()


def test_a_server_prunes_by_itself_and_tells_nothing_of_what(
    serve: Callable[..., Server], ids: dict[str, str], tmp_path: Path
) -> None:
    # A store that was never pruned waits a week.
    past = system_clock() - 8 * DAY
    with Bowerbird.open(tmp_path / "memory.db", clock=lambda: past) as bird:
        assert bird.admin.prune_if_due(86_400) is None
    server = serve()
    answer = json.loads(server.wait_for('"event": "prune"'))
    counts = {name: answer[name] for name in ("deprecated", "expired", "removed", "remaining")}
    assert counts == {"deprecated": 3, "expired": 0, "removed": 0, "remaining": 0}
    assert not any(word in line for word in (SHOES, BREAD, SHARED) for line in server.lines)
    assert [state(server, id) for id in ids.values()] == ["deprecated"] * 3
    event = server.get(f"history/{ids['shop']}", all_projects=True).data["events"][-1]
    assert (event["action"], event["actor"]) == ("pruned", "bower serve")
    # What one process did within the interval no other one does again.
    with Bowerbird.open(server.store) as bird:
        assert bird.admin.prune_if_due(86_400) is None
    assert server.post("revert", id=ids["shop"], all_projects=True).data["state"] == "active"
    assert server.end() == 0


def test_an_interval_that_is_none_is_refused(tmp_path: Path, serve: Callable[..., Server]) -> None:
    server = serve("--prune-interval", "off")
    with pytest.raises(AssertionError, match="--prune-interval cannot be 'daily'"):
        server.bower("serve", "--port", "0", "--prune-interval", "daily")


def test_a_tool_lists_first_and_takes_its_own_project_alone(
    serve: Callable[..., Server], ids: dict[str, str]
) -> None:
    server = serve("--prune-interval", "off")
    token = server.new_token("bound", "--only", "shop")

    def tool(name: str, **arguments: Any) -> dict[str, Any]:
        params = {"name": name, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        said = server.ask("POST", "/mcp", message, token=token, headers=MCP)
        found: dict[str, Any] = said.data["result"]
        return found

    dry = tool("memory_prune")
    assert dry["structuredContent"]["dry_run"] is True
    assert [one["id"] for one in dry["structuredContent"]["memories"]] == [ids["shop"]]
    assert "nothing was changed" in dry["content"][0]["text"]
    assert state(server, ids["shop"]) == "active"
    done = tool("memory_prune", dry_run=False)
    assert (done["structuredContent"]["pruned"], done["structuredContent"]["remaining"]) == (1, 1)
    assert BREAD not in json.dumps(done)
    assert tool("memory_prune", threshold=3)["isError"]
    assert [state(server, id) for id in ids.values()] == ["deprecated", "active", "active"]
    gone = tool("memory_get", id=ids["shop"])["structuredContent"]
    assert (gone["state"], "faded" in gone["reason"]) == ("deprecated", True)
    assert tool("memory_revert", id=ids["shop"])["structuredContent"]["state"] == "active"
