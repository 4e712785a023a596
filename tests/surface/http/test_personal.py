"""What is personal is its owner's alone: every way of reading, with canaries of others."""

from __future__ import annotations

import json
import os
import random
from typing import TYPE_CHECKING, Any

import pytest
from tests.surface.http.conftest import BASE
from tests.surface.http.test_team import token_of

if TYPE_CHECKING:
    from tests.surface.http.conftest import Server

# Words that nobody says; the texts that hold them are one person's own.
CANARIES = {
    "mia": ("quokkamia", "velvetmia"),
    "sam": ("quokkasam", "velvetsam"),
    "owner": ("quokkaown", "velvetown"),
}
# `make personal` asks 10,000.
ASKED = int(os.environ.get("PERSONAL", "240"))
THINGS = ("kiln", "oven", "depot", "pager", "ledger", "harbour", "lantern", "mill")


@pytest.fixture(scope="module")
def people(server: Server) -> dict[str, str]:
    """Three people with what is their own, and what is the team's, all about the same things.

    The owner's own was stored before anybody else came.
    """
    for at, thing in enumerate(THINGS):
        for canary in CANARIES["owner"]:
            server.bower("curate", f"The {thing} number {at} needs {canary}", "--project", "shop")
    tokens = {"owner": "", "mia": token_of(server, "mia"), "sam": token_of(server, "sam", "admin")}
    for name in ("mia", "sam"):
        for at, thing in enumerate(THINGS):
            for canary in CANARIES[name]:
                said = server.post(
                    "curate",
                    tokens[name],
                    content=f"The {thing} number {at} needs {canary}",
                    tags=[canary],
                    files=[f"{canary}.py"],
                    modules=[canary],
                    project="shop",
                )
                assert said.status == 200, said.body
    for at, thing in enumerate(THINGS):
        text = f"The {thing} number {at} is looked after by everybody"
        server.post("curate", tokens["sam"], content=text, project="shop", audience="team")
    # A link from one's own to what is everybody's must not show from there.
    own = server.get("list", tokens["mia"], project="shop", limit=50).data["entries"]
    mine = next(one for one in own if "quokkamia" in one["text"])
    shared = next(one for one in own if "everybody" in one["text"])
    for kind in ("contradicts", "supports"):
        server.post(
            "link", tokens["mia"], source=mine["id"], target=shared["id"], kind=kind, project="shop"
        )
    return tokens


def ids_of(server: Server, name: str, tokens: dict[str, str]) -> list[str]:
    found = server.get("list", tokens[name], project="shop", limit=50, states="active")
    canaries = CANARIES[name]
    return [
        one["id"]
        for one in found.data["entries"]
        if any(canary in one["text"] for canary in canaries)
    ]


def asked(draw: random.Random, id: str, canary: str) -> tuple[str, str, dict[str, Any]]:
    """A way to read, with what might bring out a canary."""
    thing = draw.choice(THINGS)
    text = draw.choice((canary, f"what does the {thing} need?", f"{thing} {canary}"))
    state = draw.choice(("active", "deleted", "superseded"))
    return draw.choice(
        (
            ("POST", "query", {"query": text, "explain": draw.random() < 0.5, "limit": 50}),
            ("POST", "query", {"query": text, "tags": [canary]}),
            ("POST", "query", {"query": canary[:-1] + "x", "fuzzy": True}),
            ("POST", "context", {"task": text, "min_trust": "low", "budget": 8_000}),
            ("GET", "list", {"limit": 50, "states": state}),
            ("GET", "list", {"limit": 50, "sort": "uses"}),
            ("GET", f"get/{id}", {}),
            ("GET", f"get/{id[:13]}", {}),
            ("GET", f"history/{id}", {}),
            ("GET", f"graph/{id}", {"depth": 3}),
            ("GET", "facets", {}),
            ("GET", "status", {}),
            ("GET", "activity", {"limit": 500}),
            ("GET", "communities", {}),
            ("GET", "path", {"start": id}),
            ("GET", "stale", {}),
            ("GET", "review", {"limit": 50}),
            ("GET", "modules", {}),
            ("GET", "fading", {}),
            ("GET", "health-score", {}),
            ("GET", "sessions", {}),
            ("GET", "impact", {"target": f"{canary}.py"}),
            ("GET", "personal", {}),
            ("POST", "edit", {"id": id, "content": "taken over"}),
            ("POST", "forget", {"ids": [id]}),
            ("POST", "flag", {"id": id, "wrong": "no"}),
            ("POST", "used", {"ids": [id]}),
            ("POST", "link", {"source": id, "target": id}),
            ("POST", "revert", {"id": id}),
            ("POST", "deprecate", {"ids": [id]}),
            ("POST", "dispute", {"id": id, "reason": "no"}),
            ("POST", "curate", {"content": f"The {thing} needs {canary}", "dry_run": True}),
        )
    )


@pytest.mark.parametrize("reader", ["mia", "sam", "owner"])
def test_nothing_that_is_anothers_own_is_ever_said(
    server: Server, people: dict[str, str], reader: str
) -> None:
    draw = random.Random(reader)
    others = [name for name in CANARIES if name != reader]
    ids = {name: ids_of(server, name, people) for name in others}
    assert all(len(some) == 2 * len(THINGS) for some in ids.values()), ids
    before = {name: server.get("status", people[name], project="shop").data for name in others}
    for _ in range(ASKED // 3):
        name = draw.choice(others)
        id, canary = draw.choice(ids[name]), draw.choice(CANARIES[name])
        method, path, given = asked(draw, id, canary)
        wide = reader == "owner" and draw.random() < 0.5
        given |= {"all_projects": True} if wide else {"project": "shop"}
        if method == "GET":
            said = server.get(path, people[reader], **given)
        else:
            said = server.post(path, people[reader], **given)
        assert said.status < 500, (path, said.body)
        body = said.body.decode()
        for sent in (canary, id, id[:13], canary[:-1] + "x"):
            if sent in json.dumps(given) or sent in path:
                body = body.replace(sent, "")
        for other in others:
            for word in CANARIES[other]:
                assert word not in body, (method, path, given, said.body)
            for one in ids[other]:
                assert one not in body, (method, path, given, said.body)
    after = {name: server.get("status", people[name], project="shop").data for name in others}
    for name in others:
        assert after[name]["total_memories"] == before[name]["total_memories"]
        assert len(ids_of(server, name, people)) == 2 * len(THINGS)


def test_each_finds_their_own_and_the_teams(server: Server, people: dict[str, str]) -> None:
    for name, token in people.items():
        for verb, given in (("query", {"query": "what does the kiln need?", "limit": 50}),):
            texts = [
                one["text"]
                for one in server.post(verb, token, project="shop", **given).data["results"]
            ]
            assert any(CANARIES[name][0] in one for one in texts), (name, texts)
            assert any("everybody" in one for one in texts)
        counted = server.get("status", token, project="shop").data["total_memories"]
        assert counted == 3 * len(THINGS), name


def test_what_is_shared_and_taken_back_moves(server: Server, people: dict[str, str]) -> None:
    text = "The spare key of the archive is with the porter"
    id = server.post("curate", people["mia"], content=text, project="shop").data["id"]
    assert server.get(f"get/{id}", people["sam"], project="shop").status == 404
    shared = server.post("edit", people["mia"], id=id, audience="team", project="shop")
    assert shared.status == 200, shared.body
    seen = server.get(f"get/{id}", people["sam"], project="shop").data
    assert (seen["speaker"], seen["audience"]) == ("mia", "team")
    refused = server.post("edit", people["sam"], id=id, audience="personal", project="shop")
    assert refused.status == 403
    assert (
        server.post("edit", people["mia"], id=id, audience="personal", project="shop").status == 200
    )
    for name in ("sam", "owner"):
        assert server.get(f"get/{id}", people[name], project="shop").status == 404
    assert (
        server.ask("GET", f"{BASE}/get/{id}?all_projects=true", token=people["owner"]).status == 404
    )
    assert server.get(f"get/{id}", people["mia"], project="shop").data["text"] == text
