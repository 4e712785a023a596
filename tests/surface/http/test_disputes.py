"""Disputes, onboarding, and leaving a team, through a server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.surface.http.test_team import kept, token_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.surface.http.conftest import Server


@pytest.fixture(scope="module")
def mia(server: Server) -> str:
    return token_of(server, "mia")


@pytest.fixture(scope="module")
def sam(server: Server) -> str:
    return token_of(server, "sam", "steward")


def hit_of(server: Server, token: str, question: str, id: str) -> dict[str, Any]:
    found = server.post("query", token, query=question, project="shop").data["results"]
    return next(one for one in found if one["id"] == id)


def test_a_disputed_memory_is_marked_and_less_sure_until_a_steward_decides(
    server: Server, mia: str, sam: str
) -> None:
    text, question = "The cache of the shop listens on port 6379", "on which port is the cache?"
    id = kept(server, sam, text, confidence=0.9)
    said = server.post("dispute", mia, id=id, text="It is 6380 since May", project="shop")
    assert said.status == 200, said.body
    assert (said.data["disputed"], said.data["confidence"]) == ("mia", 0.72)
    hit = hit_of(server, sam, question, id)
    assert (hit["disputed"], hit["speaker"]) == ("mia", "sam")
    assert "disputed by mia: It is 6380" in hit["review"]
    got = server.get(f"get/{id}", sam, project="shop").data
    assert (got["disputed"], got["confidence"]) == ("mia", 0.72)
    items = server.post("context", sam, task=question, project="shop").data["items"]
    assert any(one["id"] == id and "disputed by mia" in one["review"] for one in items)
    (case,) = [
        one
        for one in server.get("review", sam, project="shop").data["cases"]
        if one["entry"]["id"] == id
    ]
    assert case["code"] == "disputed"
    words = ("query", question, "--project", "shop", "--format", "text", "--store", server.store)
    typed = server._forks.run(words, b"", server.environment, server.folder)
    assert b"disputed by mia" in typed.stdout
    assert b"by sam" in typed.stdout

    said = server.post("dispute", sam, id=id, text="Which file says so?", project="shop")
    assert said.data["confidence"] == 0.72
    (mine,) = server.get("disputes", mia, project="shop").data["disputes"]
    assert [(one["actor"], one["action"], one["text"]) for one in mine["thread"]] == [
        ("member:mia", "disputed", "It is 6380 since May"),
        ("member:sam", "commented", "Which file says so?"),
    ]
    refused = server.post("dispute", mia, id=id, close="wrong", project="shop")
    assert refused.status == 403
    assert "steward" in refused.data["error"]
    closed = server.post("dispute", sam, id=id, close="kept", text="checked", project="shop").data
    assert (closed["disputed"], closed["confidence"], closed["state"]) == ("", 0.9, "active")
    hit = hit_of(server, mia, question, id)
    assert not {"disputed", "review"} & hit.keys()
    assert not server.get("disputes", mia, project="shop").data["disputes"]
    thread = server.get(f"dispute/{id}", mia, project="shop").data["thread"]
    assert [one["action"] for one in thread] == ["disputed", "commented", "dispute_closed"]


def test_who_wrote_it_cannot_end_the_dispute(server: Server, mia: str, sam: str) -> None:
    id = kept(server, mia, "Parcels of the shop weigh nine kilos at most")
    server.post("dispute", sam, id=id, text="Ten, since March", project="shop")
    edited = server.post("edit", mia, id=id, review="", tags=["parcel"], project="shop")
    assert edited.status == 200, edited.body
    server.post("revert", mia, id=id, project="shop")
    assert server.get(f"get/{id}", mia, project="shop").data["disputed"] == "sam"
    wrong = server.post("dispute", sam, id=id, close="wrong", text="see the tariff", project="shop")
    assert wrong.data["state"] == "deleted"
    events = server.get(f"history/{id}", mia, project="shop").data["events"]
    assert (events[-1]["action"], events[-1]["actor"]) == ("dispute_closed", "member:sam")
    assert "see the tariff" in events[-1]["reason"]


def test_nobody_disputes_what_they_do_not_see(server: Server, mia: str, sam: str) -> None:
    own = server.post("curate", mia, content="My bicycle is in the yard", project="shop").data["id"]
    assert server.post("dispute", sam, id=own, text="no", project="shop").status == 404
    assert server.get(f"dispute/{own}", sam, project="shop").status == 404
    id = kept(server, sam, "The yard is locked at eight")
    assert server.post("dispute", mia, id=id, text=" ", project="shop").status == 422


def test_what_one_did_is_listed_by_their_name(server: Server, mia: str, sam: str) -> None:
    id = kept(server, mia, "The flag of the shop is green")
    server.post("edit", sam, id=id, pinned=True, project="shop")
    by = server.get("activity", mia, project="shop", by="sam", limit=500).data["events"]
    assert by
    assert {one["actor"] for one in by} == {"member:sam"}
    assert any(one["entry"] == id and one["action"] == "edited" for one in by)


def test_somebody_new_gets_the_five_best(server: Server, mia: str, sam: str) -> None:
    token = token_of(server, "new")
    ids = [
        kept(server, sam, f"Rule {name} of the harbour is old", confidence=sure, pinned=pin)
        for name, sure, pin in (
            ("one", 1.0, True),
            ("two", 0.9, True),
            ("three", 0.8, True),
            ("four", 0.7, True),
            ("five", 0.6, True),
            ("six", 0.1, False),
        )
    ]
    server.post("curate", mia, content="My boat leaks", project="shop", confidence=1.0, pinned=True)
    found = server.get("onboarding", token, project="shop").data["entries"]
    assert len(found) == 5
    assert ids[0] in [one["id"] for one in found]
    assert ids[5] not in [one["id"] for one in found]
    assert not any("boat" in one["text"] for one in found)
    worth = [
        one["confidence"] * (2 if one["pinned"] else 1) * (1 + one["access_count"]) for one in found
    ]
    assert worth == sorted(worth, reverse=True)
    named = {"Bower-Project": "shop", "Accept": "application/json, text/event-stream"}
    read = {"jsonrpc": "2.0", "id": 1, "method": "resources/read"}
    read["params"] = {"uri": "bowerbird://onboarding"}
    said = server.ask("POST", "/mcp", read, token=token, headers=named).data
    assert "said by sam" in json.dumps(said)


def test_what_is_personal_leaves_with_the_person(server: Server, sam: str, tmp_path: Path) -> None:
    token = token_of(server, "leo")
    shared = kept(server, token, "The crane of the harbour lifts four tons")
    own = server.post("curate", token, content="My locker is number 77", project="shop").data["id"]
    elsewhere = server.post("curate", token, content="My zebra note", project="bank").data["id"]
    took = server.get("personal", token).data
    assert took["memories"] == 2
    assert "locker" in took["lines"]
    assert "crane" not in took["lines"]
    asked = {"what": "leave", "name": "leo", "erase": True}
    assert server.post("team", sam, **asked).status == 403
    path = tmp_path / "leo.jsonl"
    left = server.bower("team", "leave", "leo", "--export", str(path))
    assert (left["done"], left["erased"], left["revoked"]) == ("left", 2, 1)
    assert server.get("status", token, project="shop").status == 401
    seen = server.get(f"get/{shared}", sam, project="shop").data
    assert (seen["speaker"], seen["state"]) == ("leo", "active")
    # What went is theirs wherever they take it in.
    home = str(tmp_path / "home.db")
    done = server._forks.run(
        ("import", str(path), "--store", home), b"", server.environment, tmp_path
    )
    assert done.returncode == 0, done.stderr
    done = server._forks.run(
        ("list", "--store", home, "--all-projects"), b"", server.environment, tmp_path
    )
    texts = {one["text"] for one in json.loads(done.stdout)["data"]["entries"]}
    assert texts == {"My locker is number 77", "My zebra note"}
    # And nothing of it is left here, for whoever comes by that name.
    again = token_of(server, "leo")
    for id in (own, elsewhere):
        for project in ("shop", "bank"):
            assert server.get(f"get/{id}", again, project=project).status == 404
    assert server.get("personal", again).data["memories"] == 0
