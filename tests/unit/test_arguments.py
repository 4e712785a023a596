"""What is read without argparse is what argparse reads."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bowerbird.surfaces.cli.arguments import Plain, add_globals
from bowerbird.surfaces.cli.parsers import parser_for
from bowerbird.surfaces.cli.table import COMMANDS, load

if TYPE_CHECKING:
    from bowerbird.surfaces.cli.table import Command

WORDS = ["", "-", "--", "a b", "3", "0.5", "-1", "json", "text", "x=y", "--no-such", "-qv", "-x y"]


def plain(command: Command, words: list[str]) -> dict[str, Any] | None:
    stands_in = Plain()
    load(command.module).arguments(stands_in)
    add_globals(stands_in)
    found = stands_in.read(words)
    return None if found is None else vars(found)


def parsed(command: Command, words: list[str]) -> dict[str, Any]:
    return vars(parser_for(command).parse_args(words))


def names(command: Command) -> list[str]:
    return [name for action in parser_for(command)._actions for name in action.option_strings]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.verb)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_is_plain_is_read_as_argparse_does(command: Command, data: st.DataObject) -> None:
    options = names(command)
    given = st.sampled_from(WORDS) | st.sampled_from(options)
    given |= st.builds("{}={}".format, st.sampled_from(options), st.sampled_from(WORDS))
    words = data.draw(st.lists(given, max_size=6))
    found = plain(command, words)
    if found is not None:
        assert found == parsed(command, words)


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("query", ["how", "is", "it", "--limit", "3", "--kind", "fact", "--kind", "gotcha"]),
        ("query", ["--format=json", "--store", "a.db", "why?"]),
        ("status", []),
        ("curate", ["it is so", "--no-pinned", "--tags", "a,b", "--importance=0.5"]),
        ("index", ["--quiet", "a", "b"]),
        ("context", ["fix it", "--budget", "500"]),
    ],
)
def test_what_is_mostly_given_needs_no_argparse(verb: str, words: list[str]) -> None:
    (command,) = (one for one in COMMANDS if one.verb == verb)
    assert plain(command, words) == parsed(command, words)


@pytest.mark.parametrize(
    "words",
    [
        ["--limit", "many"],
        ["a", "--limit", "3", "b"],
        ["a", "--digest", "--compact"],
        ["a", "--nope"],
    ],
)
def test_what_does_not_fit_is_left_to_argparse(words: list[str]) -> None:
    (command,) = (one for one in COMMANDS if one.verb == "query")
    assert plain(command, words) is None
    assert isinstance(parser_for(command), argparse.ArgumentParser)
