"""A change that is told again in other words is no other change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bowerbird.core.memories import Pair
from bowerbird.lifecycle.judge import RULES
from bowerbird.lifecycle.restatement import restates

PAIRS = Path(__file__).parents[1] / "data" / "pairs" / "restated.jsonl"


def test_most_restatements_are_told_apart_from_changes() -> None:
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    found = {"same": 0, "replaces": 0}
    for pair in pairs:
        found[pair["label"]] += restates(pair["old"], pair["new"])
    assert found["same"] >= 25
    assert found["replaces"] == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Use single quotes in JavaScript.", "Use double quotes in JavaScript."),
        ("We will use Kafka for events.", "The decision for Kafka was reversed."),
        ("Production runs in eu-central-1", "Production runs in us-east-1"),
        ("Deploys on Fridays are forbidden.", "The Friday deploy ban has been lifted."),
        ("The docs live in Notion now", "We left Notion for Outline with the docs"),
        ("We lint with ruff", "We lint with ruff, which replaced flake8"),
    ],
)
def test_what_gives_another_value_or_turns_one_down_restates_nothing(old: str, new: str) -> None:
    assert not restates(old, new)
    assert not restates(new, old)


def test_what_is_announced_again_is_only_related() -> None:
    old, new = (
        "The invoices service switched from MySQL to Postgres",
        "Invoices run on Postgres now",
    )
    for text in (f"{new}, not MySQL anymore", f"{new} instead of MySQL"):
        verdict = RULES.judge(Pair(old, text, "fact", "fact", None, 0.0))
        assert verdict.relation in {"", "related_to"}
