"""What can be typed: verbs, options and values, as the parsers hold them."""

import argparse

from bowerbird.core.kinds import KINDS
from bowerbird.core.phases import PHASES
from bowerbird.core.value import Record
from bowerbird.surfaces.cli.arguments import GLOBAL_WITH_VALUE, add_globals
from bowerbird.surfaces.cli.parsers import Parser, parser_for
from bowerbird.surfaces.cli.table import commands, names
from bowerbird.surfaces.installer.agents import IDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# What stands for a place on disk in a parser's metavar.
_FILES = frozenset({"PATH", "FILE", "DIR"})


class Option(Record):
    """One option: `takes` says whether a value follows, `choices` and `files` what it may be."""

    names: tuple[str, ...]
    help: str
    takes: bool
    choices: tuple[str, ...]
    files: bool


class Verb(Record):
    """One command: its names, its own options, and what its arguments may be."""

    names: tuple[str, ...]
    help: str
    options: tuple[Option, ...]
    choices: tuple[str, ...]
    files: bool


class Vocabulary(Record):
    """Every verb, the options of all of them, and which of those take a value."""

    verbs: tuple[Verb, ...]
    everywhere: tuple[Option, ...]
    valued: tuple[str, ...]

    @classmethod
    def read(cls) -> "Vocabulary":
        """Build every parser once and read it."""
        everywhere = Parser("bower")
        add_globals(everywhere)
        known = {action.dest for action in _actions(everywhere)}
        verbs = []
        for command in commands():
            own = [one for one in _actions(parser_for(command)) if one.dest not in known]
            arguments = [one for one in own if not one.option_strings]
            verbs.append(
                Verb(
                    command.names,
                    command.help,
                    tuple(_option(one) for one in own if one.option_strings),
                    tuple(choice for one in arguments for choice in _choices(one)),
                    any(_is_file(one) for one in arguments),
                )
            )
        options = tuple(_option(action) for action in _actions(everywhere))
        return cls(tuple(verbs), options, GLOBAL_WITH_VALUE)


def _actions(parser: argparse.ArgumentParser) -> "Iterable[argparse.Action]":
    return parser._actions  # noqa: SLF001 argparse has no public list


def _option(action: argparse.Action) -> Option:
    return Option(
        tuple(action.option_strings),
        action.help or "",
        action.nargs != 0,
        _choices(action),
        _is_file(action),
    )


def _is_file(action: argparse.Action) -> bool:
    return not _FILES.isdisjoint(str(action.metavar).replace(":", "|").split("|"))


def _choices(action: argparse.Action) -> tuple[str, ...]:
    if action.choices is not None:
        return tuple(str(choice) for choice in action.choices)
    if action.metavar == "KIND":
        return tuple(KINDS)
    if action.metavar == "PHASE":
        return tuple(PHASES)
    if action.metavar == "AGENT":
        return IDS
    return names() if action.metavar == "COMMAND" else ()
