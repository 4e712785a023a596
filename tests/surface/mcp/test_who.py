"""Whatever a client calls itself, it is an agent: what it takes from the user comes back."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable

    Lines = Callable[..., Any]

DAY = 86_400_000
STATELESS = "2026-07-28"
META = "io.modelcontextprotocol/"
# What a client may say of itself: nothing at all, no name, the user's name, and what looks like it.
NAMES = [None, "", " ", "user", "User ", "ｕｓｅｒ", "us\u200ber", "us\u200cer", "uѕer", "agent"]


def forgets(client: Any, name: str | None, id: str) -> dict[str, Any]:
    """Forget a memory under that name, or without one; the result."""
    arguments = {"id": id, "reason": "no longer true"}
    if name is not None:
        info = {"name": name, "version": "1"}
        said = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
        assert "result" in client.ask("initialize", **said)
        client.tell("notifications/initialized")
        return dict(client.call("memory_forget", **arguments))
    meta = {META + "protocolVersion": STATELESS, META + "clientCapabilities": {}}
    answer = client.ask("tools/call", name="memory_forget", arguments=arguments, _meta=meta)
    return dict(answer["result"])


@pytest.mark.parametrize("name", NAMES)
def test_what_an_agent_forgets_of_the_users_is_the_agents_doing_and_comes_back(
    lines: Lines, store_path: str, name: str | None
) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        kept = bird.remember("The shop closes at eight", origin="user").id
    with lines("--project", "shop") as client:
        assert not forgets(client, name, kept).get("isError")
        client.leave()
    with Bowerbird.open(store_path, project="shop") as bird:
        forgotten = bird.history(kept).events[-1]
        assert forgotten.action == "forgotten"
        assert forgotten.actor.partition(":")[0] == "agent"
        now = forgotten.at
    with Bowerbird.open(store_path, project="shop", clock=lambda: now + 400 * DAY) as bird:
        assert bird.prune().removed == 0
        assert bird.revert(kept).state == "active"


def imported(store_path: str) -> str:
    """An indexed passage that nobody here wrote; its id."""
    with Bowerbird.open(store_path, project="shop") as bird:
        page = bird.remember("A page says that the till is open all night", origin="import")
        return page.id


@pytest.mark.parametrize(
    ("origin", "trust", "state"),
    [("import", "imported", "active"), ("tool_external", "low", "quarantined")],
)
def test_what_a_session_keeps_is_trusted_no_more_than_what_it_was_shown(
    lines: Lines, store_path: str, bower: Callable[..., Any], origin: str, trust: str, state: str
) -> None:
    """Also after a restart of the server, and never by default in the context of a task."""
    with Bowerbird.open(store_path, project="shop") as bird:
        page = bird.remember("A page says that the till is open all night", origin=origin).id
    with lines("--project", "shop") as client:
        client.begin()
        before = client.call("memory_store", content="The gate opens at eight")
        client.ask("resources/read", uri=f"bowerbird://entry/{page}")
        client.leave()
    with lines("--project", "shop") as client:
        client.begin()
        after = client.call("memory_store", content="Leave the till open at night")
        client.leave()
    text = after["content"][0]["text"]
    read = {"imported": "files of others", "low": "text from elsewhere"}[trust]
    assert f"this session has read unverified text ({read}). Confirm it with: bower review." in text
    waiting = bower("review", "--project", "shop", "--format", "json").data["entries"]
    assert after["structuredContent"]["id"] in {one["id"] for one in waiting}
    kept = bower("get", after["structuredContent"]["id"]).data
    assert (kept["trust"], kept["state"]) == (trust, state)
    untouched = bower("get", before["structuredContent"]["id"]).data
    assert (untouched["trust"], untouched["state"]) == ("normal", "active")
    pack = bower("context", "is the till open?", "--project", "shop", "--format", "json").data
    assert after["structuredContent"]["id"] not in json.dumps(pack)


def test_another_client_is_another_session(lines: Lines, store_path: str) -> None:
    page = imported(store_path)
    ids = {}
    for session in ("one", "two"):
        with lines("--project", "shop", env=os.environ | {"CODEX_THREAD_ID": session}) as client:
            client.begin()
            if session == "one":
                client.ask("resources/read", uri=f"bowerbird://entry/{page}")
            kept = client.call("memory_store", content=f"Shelf {session} is dusted on Mondays")
            ids[session] = kept["structuredContent"]["id"]
            client.leave()
    with Bowerbird.open(store_path, project="shop") as bird:
        assert [bird.get(ids[one]).trust for one in ("one", "two")] == ["imported", "normal"]


def test_a_session_is_the_same_at_every_interface(
    lines: Lines, store_path: str, bower: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = imported(store_path)
    monkeypatch.setenv("CODEX_THREAD_ID", "thread")
    bower("get", page)
    with lines("--project", "shop") as client:
        client.begin()
        kept = client.call("memory_store", content="The till is open all night")
        client.leave()
    with Bowerbird.open(store_path, project="shop") as bird:
        assert bird.get(kept["structuredContent"]["id"]).trust == "imported"


def test_a_client_keeps_nothing_for_every_project_unless_it_may(lines: Lines) -> None:
    answers = {}
    for flags in ((), ("--may-share",)):
        with lines("--project", "shop", *flags) as client:
            client.begin()
            answers[flags] = client.call("memory_store", content="No tabs", everywhere=True)
            client.leave()
    refused = answers[()]
    assert refused["isError"]
    assert "--may-share" in refused["content"][0]["text"]
    assert answers[("--may-share",)]["structuredContent"]["decision"] == "created"
