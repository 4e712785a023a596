"""Arguments of tools are judged as jsonschema judges them, which is loaded for wrong ones alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bowerbird.core.errors import BadInput
from bowerbird.surfaces.mcp.arguments import check, fits
from bowerbird.surfaces.mcp.catalogue import TOOLS

if TYPE_CHECKING:
    from bowerbird.surfaces.mcp.tool import Tool

ODD: list[Any] = [
    None, True, False, 0, 1, 50, 51, -1, 10.0, 10.5, 1e400, -0.0, float("nan"), "", "x", "0" * 36,
    "019a2f6c-81d4", "fact", "\U0001f426" * 8_000, "y" * 8_001, "y" * 10_001, [], [1], ["a"],
    ["a"] * 20, ["a"] * 21, {}, {"a": 1},
]  # fmt: skip
TOOL = st.sampled_from(sorted(TOOLS.values(), key=lambda tool: tool.name))
NAMES = sorted({name for tool in TOOLS.values() for name in tool.takes} | {"unheard"})


@settings(max_examples=600, deadline=None)
@given(TOOL, st.dictionaries(st.sampled_from(NAMES), st.sampled_from(ODD), max_size=3))
def test_what_fits_is_what_jsonschema_takes(tool: Tool, given: dict[str, Any]) -> None:
    schema = tool.told()["inputSchema"]
    assert fits(schema, given) == Draft202012Validator(schema).is_valid(given)


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_every_argument_is_judged_alike(tool: Tool) -> None:
    """One odd value at a time beside right ones."""
    schema = tool.told()["inputSchema"]
    right = dict.fromkeys(tool.required, "019a2f6c")
    for name in NAMES:
        for value in ODD:
            given = right | {name: value}
            assert fits(schema, given) == Draft202012Validator(schema).is_valid(given), given


def test_what_is_wrong_is_told_by_name() -> None:
    with pytest.raises(BadInput, match="limit: 0 is less than the minimum of 1"):
        check(TOOLS["memory_search"], {"query": "x", "limit": 0})
