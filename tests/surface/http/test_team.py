"""People who share a store: their tokens, their roles, and their names in the history."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from tests.surface.http.conftest import BASE

if TYPE_CHECKING:
    from tests.surface.http.conftest import Server


def token_of(server: Server, name: str, role: str = "member", **more: str) -> str:
    """A member, and a token of theirs."""
    server.bower("team", "add", name, "--role", role, *more.pop("options", "").split())
    found: str = server.bower("team", "token", name)["token"]
    return found


@pytest.fixture(scope="module")
def mia(server: Server) -> str:
    return token_of(server, "mia")


@pytest.fixture(scope="module")
def sam(server: Server) -> str:
    return token_of(server, "sam", "steward")


@pytest.fixture(scope="module")
def ada(server: Server) -> str:
    return token_of(server, "ada", "admin")


def kept(server: Server, token: str, text: str, **more: object) -> str:
    said = server.post("curate", token, content=text, project="shop", audience="team", **more)
    assert said.status == 200, said.body
    found: str = said.data["id"]
    return found


def test_who_writes_is_its_author_everywhere(server: Server, mia: str) -> None:
    id = kept(server, mia, "The pager of the shop beeps at noon")
    got = server.get(f"get/{id}", project="shop").data
    assert (got["speaker"], got["trust"], got["origin"]) == ("mia", "normal", "member")
    hits = server.post("query", query="when does the pager beep?", project="shop").data["results"]
    assert [hit["speaker"] for hit in hits if hit["id"] == id] == ["mia"]
    (first, *_) = server.get(f"history/{id}", mia, project="shop").data["events"]
    assert (first["action"], first["actor"]) == ("created", "member:mia")


@pytest.mark.parametrize("trust", ["low", "imported", "normal"])
def test_a_member_is_trusted_as_given_and_never_more(server: Server, trust: str) -> None:
    token = token_of(server, f"of-{trust}", options=f"--trust {trust}")
    id = kept(server, token, f"The {trust} lamp hangs in the {trust} hall")
    assert server.get(f"get/{id}", project="shop").data["trust"] == trust
    asked = {"task": f"hang the {trust} lamp", "project": "shop"}
    items = server.post("context", **asked).data["items"]
    assert any(one["id"] == id for one in items) is (trust == "normal")
    refused = server.post(
        "curate", token, content="The hall is locked", project="shop", origin="user"
    )
    assert refused.status == 422


@pytest.mark.parametrize("what", ["wrong", "revoked", "expired"])
def test_a_token_that_does_not_hold_gets_401(server: Server, what: str) -> None:
    name = f"former-{what}"
    token = token_of(server, name)
    assert server.get("status", token, project="shop").status == 200
    if what == "wrong":
        token = token[:-1] + ("A" if token[-1] != "A" else "B")
    elif what == "revoked":
        assert server.bower("team", "revoke", name)["revoked"] == 1
    else:
        server.bower("team", "revoke", name)
        soon = round(time.time() * 1000) + 1_000
        made = server.post("team", what="token", name=name, expires=soon)
        token = made.data["token"]
        while server.get("status", token, project="shop").status == 200:
            pass
    said = server.get("status", token, project="shop")
    assert said.status == 401
    assert "revoked" in said.data["error"]
    assert said.data["remedy"]


def test_a_member_changes_what_is_theirs_alone(
    server: Server, mia: str, sam: str, ada: str
) -> None:
    own = kept(server, mia, "The blue van is parked behind the mill")
    others = kept(server, sam, "Parcels leave the depot at six in the evening")
    changes = (
        ("edit", {"id": others, "content": "Parcels never leave"}),
        ("forget", {"ids": [others]}),
        ("deprecate", {"ids": [others]}),
        ("merge", {"id": others, "into": own}),
        ("review", {"reject": [others]}),
        ("revert", {"id": others}),
        ("link", {"source": others, "target": own}),
    )
    for verb, given in changes:
        said = server.post(verb, mia, project="shop", **given)
        assert said.status == 403, (verb, said.body)
        assert "sam" in said.data["error"]
        assert said.data["remedy"]
    assert server.get(f"get/{others}", project="shop").data["state"] == "active"
    assert server.post("edit", mia, project="shop", id=own, tags=["van"]).status == 200
    assert server.post("edit", sam, project="shop", id=own, pinned=True).status == 200
    assert server.post("forget", ada, project="shop", ids=[own], reason="sold").status == 200
    events = server.get(f"history/{own}", mia, project="shop").data["events"]
    assert [(one["action"], one["actor"]) for one in events] == [
        ("created", "member:mia"),
        ("edited", "member:mia"),
        ("edited", "member:sam"),
        ("forgotten", "member:ada"),
    ]


def test_a_member_replaces_nobody_elses_words(server: Server, mia: str, sam: str) -> None:
    old = kept(server, sam, "The oven of the bakery is lit at four")
    said = server.post(
        "curate",
        mia,
        content="The oven of the bakery is lit at four, by the night shift",
        project="shop",
        audience="team",
    ).data
    assert said["decision"] == "created"
    assert server.get(f"get/{old}", project="shop").data["state"] == "active"
    again = {"content": "The oven of the bakery is lit at four", "tags": ["oven"], "pinned": True}
    said = server.post("curate", mia, project="shop", audience="team", **again).data
    assert (said["decision"], said["id"], said["changed"]) == ("known", old, [])
    assert "sam" in said["reason"]


@pytest.mark.parametrize(
    ("verb", "least"),
    [("prune", "steward"), ("consolidate", "steward"), ("warm", "admin"), ("reindex", "admin")],
)
def test_what_a_role_may_not_gets_403(
    server: Server, mia: str, sam: str, ada: str, verb: str, least: str
) -> None:
    tokens = {"member": mia, "steward": sam, "admin": ada}
    allowed = list(tokens)[list(tokens).index(least) :]
    named = {"project": "shop", "dry_run": True} if least == "steward" else {}
    for role, token in tokens.items():
        said = server.post(verb, token, **named)
        assert said.status == (200 if role in allowed else 403), (role, said.body)
        if role not in allowed:
            assert least in said.data["error"]
            assert least in said.data["remedy"]


def test_the_machine_is_its_owners(server: Server, ada: str) -> None:
    """An admin looks after the team and its memories, not after the machine."""
    for method, path in (("GET", "doctor"), ("GET", "settings"), ("POST", "erase")):
        said = server.ask(
            method, f"{BASE}/{path}", {"project": "shop", "ids": ["0" * 8]}, token=ada
        )
        assert said.status == 403
    said = server.get("list", ada, all_projects=True)
    assert said.status == 403
    assert "project" in said.data["remedy"]


def test_the_team_is_changed_by_admins_alone(server: Server, mia: str, ada: str) -> None:
    asked = {"what": "add", "name": "eve", "role": "admin"}
    said = server.post("team", mia, **asked)
    assert said.status == 403
    assert "admin" in said.data["error"]
    assert server.post("team", mia, what="token", name="ada").status == 403
    # Nor is an agent of the owner's an admin.
    assert server.post("team", server.new_token("robot"), **asked).status == 403
    assert server.post("team", ada, what="add", name="eve").data["member"]["role"] == "member"
    made = server.post("team", ada, what="token", name="eve", label="phone", expires="30d").data
    assert made["expires"]
    assert server.get("status", made["token"], project="shop").status == 200
    listed = server.get("team", mia).data
    assert {one["name"]: one["role"] for one in listed["members"]}["eve"] == "member"
    assert "token" not in str(listed["tokens"]).replace("'token", "")
    assert made["token"] not in str(listed)
    (own,) = [one for one in listed["tokens"] if one["member"] == "eve"]
    assert (own["label"], own["made_by"]) == ("phone", "member:ada")
    # Whoever lost their phone need not find an admin.
    revoked = server.post("team", made["token"], what="revoke", name="eve")
    assert revoked.data["revoked"] == 1
    assert server.get("status", made["token"], project="shop").status == 401


def test_over_mcp_a_member_is_the_same(server: Server, mia: str) -> None:
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "memory_store",
            "arguments": {"content": "The kiln cools for two days", "audience": "team"},
        },
    }
    named = {"Bower-Project": "shop", "Accept": "application/json, text/event-stream"}
    said = server.ask("POST", "/mcp", call, token=mia, headers=named)
    assert not said.data["result"]["isError"], said.body
    (found,) = [
        one
        for one in server.get("list", project="shop", limit=50).data["entries"]
        if "kiln" in one["text"]
    ]
    assert found["speaker"] == "mia"
    pruned = {**call, "params": {"name": "memory_prune", "arguments": {}}}
    refused = server.ask("POST", "/mcp", pruned, token=mia, headers=named).data
    assert "steward" in str(refused)
    wide = named | {"Bower-All-Projects": "true"}
    assert server.ask("POST", "/mcp", call, token=mia, headers=wide).status == 403
