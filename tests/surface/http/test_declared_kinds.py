"""Kinds that a configuration file declares, used over HTTP like the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.http.conftest import Server

RULE = """
[kinds.house_rule]
meaning = "what holds in this house"
importance = 0.4
scope = "module"
payload = { since = "text!", cost = "number", examples = "texts" }
"""
TOLD = {"since": "2024", "cost": 1.5, "examples": ["hall"]}


@pytest.fixture
def house(tmp_path: Path, serve: Callable[..., Server]) -> Server:
    """A server whose user declared a kind."""
    config = tmp_path / "config" / "bowerbird" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(RULE)
    return serve()


def keep(server: Server, content: str, kind: str = "house_rule", **more: Any) -> Any:
    return server.post("curate", content=content, type=kind, project="shop", **more)


def test_it_is_kept_got_listed_and_found(house: Server) -> None:
    kept = keep(house, "Shoes stay outside", payload=TOLD)
    assert (kept.status, kept.data["kind"], kept.data["kind_reason"]) == (
        200, "house_rule", "as was said",
    )  # fmt: skip
    plain = keep(house, "Hats stay inside").data
    other = keep(house, "Redis must be up first", "gotcha").data
    entry = house.get(f"get/{kept.data['id']}", project="shop").data
    assert (entry["kind"], entry["payload"], entry["scope"]) == ("house_rule", TOLD, "module")
    assert house.get(f"get/{plain['id']}", project="shop").data["payload"] is None
    listed = house.get("list", kinds="house_rule", project="shop").data["entries"]
    assert [one["id"] for one in listed] == [plain["id"], kept.data["id"]]
    asked = house.post("query", query="what stays?", kinds=["house_rule"], project="shop").data
    assert {hit["id"] for hit in asked["results"]} <= {plain["id"], kept.data["id"]}
    assert asked["results"]
    assert house.get("status", project="shop").data["by_type"] == {"house_rule": 2, "gotcha": 1}
    (version,) = house.get(f"history/{kept.data['id']}", project="shop").data["versions"]
    assert version["payload"] == TOLD
    everything = house.get("list", project="shop").data["entries"]
    assert other["id"] in {one["id"] for one in everything}


MISFITS: list[tuple[Any, str, str]] = [
    ({}, "a house_rule needs since", "give since: a text"),
    ({"cost": 3}, "a house_rule needs since", "give since: a text"),
    ({"since": 2024}, "since of a house_rule is 2024", "it holds a text"),
    ({"since": "x", "cost": True}, "cost of a house_rule is True", "a number of 0 or more"),
    ({"since": "x", "examples": "hall"}, "examples of a house_rule", "a list of texts"),
    ({"since": "x", "sine": "y"}, "unknown field of house_rule: sine", "did you mean since?"),
    ([], "payload: give an object", "openapi.json"),
]


def test_a_structure_that_does_not_fit_is_refused(house: Server) -> None:
    for payload, error, remedy in MISFITS:
        said = keep(house, "No shoes", payload=payload)
        assert said.status == 422
        assert error in said.data["error"]
        assert remedy in said.data["remedy"]
    assert house.get("list", project="shop").data["entries"] == []


def test_what_is_misspelt_names_it_and_the_document_tells_of_it(house: Server) -> None:
    said = keep(house, "No shoes", "house_rul")
    assert (said.status, said.data["error_type"]) == (422, "UnknownName")
    assert said.data["remedy"] == "did you mean house_rule?"
    curate = house.ask("GET", "/api/v1/openapi.json").data["paths"]["/api/v1/curate"]["post"]
    body = curate["requestBody"]["content"]["application/json"]["schema"]
    known = body["properties"]["type"]["examples"]
    assert {"house_rule", "gotcha", "fact"} <= set(known)
