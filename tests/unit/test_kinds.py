"""Kinds of memory: the registered rows, custom ones, and the structures that some carry."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.kinds import KINDS, Kind, Kinds
from bowerbird.core.payloads import validated

HOUSE_RULE = Kind(
    "house_rule",
    "what holds in this house",
    0.4,
    half_life=12,
    scope="module",
    payload={"since": "text!", "examples": "texts"},
)


def test_a_custom_kind_is_used_like_the_others(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        assert bird.admin.kinds.register(HOUSE_RULE) is HOUSE_RULE
        decision = bird.remember(
            "No meetings before ten", kind="house_rule", payload={"since": "2024"}
        )
        entry = bird.get(decision.id)
        assert entry.kind == "house_rule"
        assert entry.details is not None
        assert entry.details.fields.payload == {"since": "2024"}
        assert entry.details.fields.scope == "module"
        assert entry.details.half_life == 12
        assert decision.importance > 0.4
        assert [one.id for one in bird.list(kinds=["house_rule"])] == [decision.id]
        assert bird.admin.kinds.register(HOUSE_RULE) is HOUSE_RULE


@pytest.mark.parametrize(
    "wrong",
    [
        Kind("House Rule", "x"),
        Kind("", "x"),
        Kind("fact", "something else"),
        Kind("house_rules", "x", importance=2),
        Kind("house_rules", "x", scope="galaxy"),
        Kind("house_rules", "x", half_life=0),
    ],
)
def test_a_kind_that_cannot_be_is_refused(wrong: Kind) -> None:
    kinds = Kinds()
    with pytest.raises(BadInput):
        kinds.register(wrong)
    assert [*kinds] == [*KINDS]


def test_a_kind_that_all_share_cannot_be_changed_for_others() -> None:
    """One Bowerbird's kinds would be changed by whoever holds another one of the process."""
    shared: Any = Kinds().get("dead_end")
    with pytest.raises(AttributeError, match="frozen"):
        shared.importance = 0.9
    with pytest.raises(TypeError):
        shared.payload["colour"] = "text!"
    assert hash(shared) == hash(Kinds().get("dead_end"))


def test_a_mistyped_kind_is_told_the_nearest() -> None:
    with pytest.raises(UnknownName) as raised:
        Kinds().get("prefrence")
    assert "preference" in raised.value.remedy


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        (
            "workflow_recipe",
            {"steps": ["run make gen", {"description": "commit", "canonical_file": "gen/a.py"}]},
            {
                "steps": [
                    {"order": 1, "description": "run make gen"},
                    {"order": 2, "description": "commit", "canonical_file": "gen/a.py"},
                ]
            },
        ),
        (
            "dead_end",
            {"approach_tried": " pgbouncer ", "why_it_failed": "transactions"},
            {"approach_tried": "pgbouncer", "why_it_failed": "transactions"},
        ),
        (
            "prefetch_pattern",
            {"always_read_files": ("a.py", "b.py")},
            {"always_read_files": ["a.py", "b.py"]},
        ),
        (
            "task_calibration",
            {"module": "billing", "average_actual_steps": 9, "average_planned_steps": 6},
            {
                "module": "billing",
                "average_actual_steps": 9,
                "average_planned_steps": 6,
                "ratio": 1.5,
            },
        ),
        ("fact", None, None),
        ("workflow_recipe", None, None),
    ],
)
def test_payloads_take_their_one_form(
    name: str, given: dict[str, Any] | None, expected: dict[str, Any] | None
) -> None:
    assert validated(Kinds().get(name), given) == expected


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("workflow_recipe", {"steps": []}),
        ("workflow_recipe", {"steps": [{}]}),
        ("workflow_recipe", {"steps": [3]}),
        ("workflow_recipe", {"steps": [{"description": "x", "colour": "red"}]}),
        ("workflow_recipe", {"task_pattern": "x"}),
        ("dead_end", {"approach_tried": "x"}),
        ("dead_end", {"approach_tried": "", "why_it_failed": "x"}),
        ("prefetch_pattern", {"always_read_files": "a.py"}),
        ("prefetch_pattern", {"always_read_files": ["a.py", 3]}),
        ("task_calibration", {"module": "x", "ratio": -1}),
        ("task_calibration", {"module": "x", "ratio": True}),
        ("task_calibration", {"module": "x", "ratio": 1, "sample_count": 1.5}),
        ("task_calibration", {"module": "x", "ratio": float("nan")}),
        ("task_calibration", {"module": "x"}),
        ("dead_end", {"approach_tried": "x", "why_it_failed": "y", "whyy": "z"}),
        ("fact", {"x": 1}),
    ],
)
def test_misshapen_payloads_are_refused_with_a_remedy(name: str, given: dict[str, Any]) -> None:
    with pytest.raises((BadInput, UnknownName)) as raised:
        validated(Kinds().get(name), given)
    assert raised.value.remedy


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_kind_goes_to_another_process(kind: Kind) -> None:
    assert pickle.loads(pickle.dumps(kind)) == copy.deepcopy(kind) == kind
