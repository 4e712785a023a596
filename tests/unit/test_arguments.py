"""What was given is judged by a verb's fields as the schema that is told of them says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bowerbird.core.errors import BadInput, UsageError
from bowerbird.surfaces.cli.arguments import arguments, is_option, names_of, read
from bowerbird.surfaces.fields import HTTP, MCP, Field, every, module
from bowerbird.surfaces.schema import checked, taken

if TYPE_CHECKING:
    from bowerbird.surfaces.fields import Verb

ODD: list[Any] = [
    None, True, False, 0, 1, 50, 51, -1, 10.0, 10.5, -0.0, "", "x", "0" * 36, "30d",
    "019a2f6c-81d4", "fact", "\U0001f426" * 8_000, "y" * 8_001, "y" * 10_001, [], [1], ["a"],
    ["a"] * 20, ["a"] * 21, ["019a2f6c"], {}, {"a": 1},
]  # fmt: skip
KNOWN = [one.VERB for one in every()]
CASES = [
    (verb, interface)
    for verb in KNOWN
    for interface in (HTTP, MCP)
    if (verb.route if interface == HTTP else verb.tool) is not None
]
NAMES = sorted(
    {one.called(interface) for verb, interface in CASES for one in verb.at(interface)} | {"unheard"}
)


def fits(verb: Verb, interface: str, given: dict[str, Any]) -> bool:
    try:
        checked(verb, interface, given, "")
    except UsageError:
        return False
    return True


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(CASES),
    st.dictionaries(st.sampled_from(NAMES), st.sampled_from(ODD), max_size=3),
)
def test_what_fits_is_what_the_schema_takes(case: tuple[Verb, str], given: dict[str, Any]) -> None:
    verb, interface = case
    assert fits(verb, interface, given) == Draft202012Validator(taken(verb, interface)).is_valid(
        given
    )


@pytest.mark.parametrize(("verb", "interface"), CASES, ids=lambda one: getattr(one, "name", one))
def test_every_argument_is_judged_alike(verb: Verb, interface: str) -> None:
    """One odd value at a time beside right ones."""
    judge = Draft202012Validator(taken(verb, interface))
    right = {
        one.called(interface): ["019a2f6c"] if one.shape == "texts" else "019a2f6c"
        for one in verb.at(interface)
        if one.needed
    }
    for name in NAMES:
        for value in ODD:
            given = right | {name: value}
            assert fits(verb, interface, given) == judge.is_valid(given), given


NEEDED = [
    (one, field)
    for one in KNOWN
    for field in arguments(one)
    if field.needed and (is_option(field) or field.words in {"", "+"})
]


@pytest.mark.parametrize(
    ("verb", "field"), NEEDED, ids=[f"{one.name}-{field.name}" for one, field in NEEDED]
)
def test_a_command_says_what_is_missing_options_that_are_needed_as_well(
    verb: Verb, field: Field
) -> None:
    with pytest.raises(UsageError) as raised:
        read(verb, [])
    assert raised.value.message.startswith("missing: ")
    assert names_of(field)[-1] in raised.value.message


def test_what_is_wrong_is_told_by_name() -> None:
    query = module("query").VERB
    with pytest.raises(
        BadInput, match="limit: give a whole number from 1 to 50; unheard: unknown field"
    ):
        checked(query, MCP, {"query": "x", "limit": 0, "unheard": 1}, "")
