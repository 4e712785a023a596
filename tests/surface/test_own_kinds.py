"""Kinds of one's own, declared in the configuration and used in every interface."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadConfig, UnknownName
from bowerbird.core.kinds import KINDS, SHAPES, Kinds
from bowerbird.core.payloads import described
from bowerbird.surfaces.mcp import catalogue

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

RULE = """
[kinds.house_rule]
meaning = "what holds in this house"
importance = 0.4
half_life = 12
scope = "module"
payload = { since = "text!", cost = "number", examples = "texts" }
"""


@pytest.fixture
def config() -> Path:
    place = Path(os.environ["XDG_CONFIG_HOME"]) / "bowerbird" / "config.toml"
    place.parent.mkdir(parents=True)
    place.write_text(RULE)
    return place


def test_it_is_kept_found_and_listed_like_the_others(bower: Bower, config: Path) -> None:
    options = (
        "--payload",
        "since=2024",
        "--payload",
        "cost=1.50",
        "--payload",
        'examples=["hall"]',
    )
    kept = bower("curate", "Shoes stay outside", "--kind", "house_rule", *options).data
    entry = bower("get", kept["id"]).data
    assert entry["payload"] == {"since": "2024", "cost": 1.5, "examples": ["hall"]}
    assert (entry["scope"], kept["importance"] > 0.4) == ("module", True)
    ran = bower("list", "--kind", "house_rule", "--format", "text")
    assert ("Shoes stay outside" in ran.out, ran.err) == (True, "")
    assert bower("query", "shoes", "--kind", "house_rule").data["results"][0]["id"] == kept["id"]
    assert "did you mean house_rule?" in bower("curate", "No hats", "--kind", "house_rul").out


@pytest.mark.parametrize(
    ("payload", "error", "remedy"),
    [
        ("cost=3", "a house_rule needs since", "give since: a text"),
        ("sine=3", "unknown field of house_rule: sine", "did you mean since?"),
        ("since=", "since of a house_rule is ''", "it holds a text"),
    ],
)
def test_a_structure_that_does_not_fit_is_refused(
    bower: Bower, config: Path, payload: str, error: str, remedy: str
) -> None:
    ran = bower("curate", "No shoes", "--kind", "house_rule", "--payload", payload)
    assert (ran.code, ran.data["error"], ran.data["remedy"]) == (2, error, remedy)


def test_without_its_declaration_the_memories_stay(bower: Bower, config: Path) -> None:
    options = ("--payload", "since=2024")
    kept = bower("curate", "Shoes stay outside", "--kind", "house_rule", *options).data["id"]
    config.unlink()
    for verb in (["list"], ["query", "shoes"]):
        ran = bower(*verb, "--kind", "house_rule", "--format", "text")
        assert ("Shoes stay outside" in ran.out, "no kind" in ran.err) == (True, False)
    assert bower("curate", "Shoes stay outside").data["decision"] == "known"
    assert bower("prune", "--dry-run", "--threshold", "1").data["pruned"] == 0
    bower("forget", kept)
    assert bower("revert", kept, "--yes").data["state"] == "active"
    ran = bower("curate", "Hats stay outside", "--kind", "house_rule")
    assert (ran.code, ran.data["error"]) == (2, "unknown kind: house_rule")
    assert "declared in config.toml as [kinds.house_rule]" in ran.data["remedy"]


def test_a_project_may_declare_none(bower: Bower) -> None:
    Path(".bowerbird.toml").write_text(RULE)
    ran = bower("status")
    assert ran.code == 2
    assert "which a project's file may not" in ran.data["error"]


def test_an_agent_is_told_of_it(config: Path, store_path: str) -> None:
    def reported(kinds: Kinds) -> list[str]:
        tools = catalogue.tools_for(may_write=True, kinds=kinds)
        found = next(tool for tool in tools if tool["name"] == "memory_store")
        return list(found["inputSchema"]["properties"]["type"]["enum"])

    with Bowerbird.open(store_path) as bird:
        assert reported(bird.admin.kinds) == [*KINDS, "house_rule"]
        bird.remember("Shoes stay outside", kind="house_rule")
    assert reported(Kinds()) == [*KINDS]


def test_what_one_declares_another_one_in_the_process_does_not_know(
    config: Path, tmp_path: Path
) -> None:
    with Bowerbird.open(tmp_path / "one.db") as first:
        config.unlink()
        with Bowerbird.open(tmp_path / "two.db") as second:
            first.remember("Shoes stay outside", kind="house_rule", importance=0.01)
            with pytest.raises(UnknownName, match="unknown kind: house_rule"):
                second.remember("Shoes stay outside", kind="house_rule")
            with pytest.raises(UnknownName):
                second.list(kinds=["house_rule"])
            assert [one.text for one in first.list(kinds=["house_rule"])] == ["Shoes stay outside"]
            assert "house_rule" not in second.admin.kinds


def test_a_file_that_was_changed_counts_as_it_is_now(config: Path, store_path: str) -> None:
    with Bowerbird.open(store_path) as before:
        assert before.admin.kinds.get("house_rule").half_life == 12
        config.write_text(RULE.replace("half_life = 12", "half_life = 30  # days"))
        with Bowerbird.open(store_path) as after:
            assert after.admin.kinds.get("house_rule").half_life == 30
        assert before.admin.kinds.get("house_rule").half_life == 12
    config.write_text(RULE.replace("half_life = 12", "half_life = 0  # none"))
    with pytest.raises(BadConfig, match="out of range"):
        Bowerbird.open(store_path)


@pytest.mark.parametrize(
    ("expected", "error"),
    [
        ('[kinds.fact]\nmeaning = "x"', "there is a kind fact already"),
        ('[kinds.passage]\nmeaning = "x"', "there is a kind passage already"),
        ('[kinds.House]\nmeaning = "x"', "'House' cannot be the name of a kind"),
        ("[kinds.rule]\nimportance = 0.1", "the kind rule has no meaning"),
        ('[kinds.rule]\nmeaning = "x"\nimportance = 3', "the kind rule is out of range"),
        ('[kinds.rule]\nmeaning = "x"\nimportance = true', "importance of the kind rule is True"),
        ('[kinds.rule]\nmeaning = "x"\nhalf_live = 3', "unknown setting of the kind rule"),
        ('[kinds.rule]\nmeaning = "x"\npayload = "text"', "payload of the kind rule is 'text'"),
        ('[kinds]\nrule = "x"', "the kind rule is not a table"),
        ('[kinds.rule]\nmeaning = "x"\npayload = {a = "string"}', "cannot hold 'string'"),
    ],
)
def test_one_that_cannot_be_is_refused_with_the_file(
    config: Path, store_path: str, expected: str, error: str
) -> None:
    config.write_text(expected + "\n")
    with pytest.raises(BadConfig) as raised:
        Bowerbird.open(store_path)
    assert error in raised.value.message
    assert str(config) in raised.value.message
    assert raised.value.remedy


def test_every_shape_is_described() -> None:
    rule: Any = KINDS["dead_end"].replace(payload={shape: shape for shape in SHAPES})
    assert len(described(rule)) == len(SHAPES)


def test_what_takes_its_place_keeps_its_kind(bower: Bower) -> None:
    first = bower(
        "curate",
        "Deploys go out on Tuesday",
        "--kind",
        "requirement",
        "--tags",
        "ops",
        "--file",
        "deploy.sh",
        "--audience",
        "team",
    ).data["id"]
    kept = bower("curate", "Deploys go out on Tuesday; the review comes first").data
    assert (kept["decision"], kept["matched"][0]["id"]) == ("superseded", first)
    assert (kept["kind"], kept["tags"]) == ("requirement", ["ops"])
    assert "memory it supersedes" in kept["kind_reason"]
    entry = bower("get", kept["id"]).data
    assert (entry["files"], entry["audience"]) == (["deploy.sh"], "team")
    more = ("--kind", "decision", "--audience", "project")
    kept = bower(
        "curate", "Deploys go out on Tuesday; the review comes first; it takes an hour", *more
    ).data
    assert (kept["decision"], kept["kind"]) == ("superseded", "decision")
    assert bower("get", kept["id"]).data["audience"] == "project"
