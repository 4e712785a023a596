"""Parsers of one verb each, with the options that every verb takes."""

import argparse
import re
import sys

from bowerbird.core.errors import UsageError, nearest
from bowerbird.surfaces.cli.arguments import add_arguments
from bowerbird.surfaces.cli.page import columns_of, wrap
from bowerbird.surfaces.cli.table import aliases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from bowerbird.surfaces import Verb

# Longer examples push their remark to the right instead of all others'.
_EXAMPLE = 58

# argparse's messages about a wrong value, in all versions that we run on.
_CHOICE = re.compile(
    r"argument (?P<option>\S+): invalid choice: (?P<given>.*) \(choose from (?P<known>.*)\)"
)
_NUMBER = re.compile(r"argument (?P<option>\S+): invalid (?:int|float) value: (?P<given>.*)")


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help of a given width: argparse would load shutil, 4 ms, with the first argument added."""

    def __init__(self, prog: str, *rest: "Any", **named: "Any") -> None:
        named["width"] = _columns()
        named.setdefault("max_help_position", 30)
        super().__init__(prog, *rest, **named)


class Parser(argparse.ArgumentParser):
    """A parser that raises UsageError, with the nearest known option as its remedy."""

    def __init__(self, prog: str, **named: "Any") -> None:
        # An abbreviation that works today would change its meaning with the next option.
        named.update(formatter_class=Formatter, allow_abbrev=False, add_help=False)
        super().__init__(prog, **named)
        self.register("action", "yes_no", argparse.BooleanOptionalAction)

    def error(self, message: str) -> "NoReturn":
        """What argparse calls when the arguments do not fit."""
        known = [name for action in self._actions for name in action.option_strings]
        remedy = remedy_for(message, known, self.prog)
        if message.startswith("unrecognized arguments: ") and not self._takes_text():
            remedy = f"{self.prog} takes options alone; see {self.prog} --help"
        raise UsageError(_plain(message), remedy)

    def _takes_text(self) -> bool:
        return any(not action.option_strings for action in self._actions)


def _plain(message: str) -> str:
    """argparse's messages in our words."""
    if message.startswith("unrecognized arguments: "):
        rest = message.partition(": ")[2]
        first = rest.split(" ")[0]
        return f"unknown option: {first}" if first.startswith("-") else f"one text too many: {rest}"
    choice = _CHOICE.match(message)
    if choice:
        return f"{choice['option']} cannot be {choice['given']}"
    number = _NUMBER.match(message)
    if number:
        return f"{number['option']} takes a number, not {number['given']}"
    message = message.removeprefix("argument ").replace("with argument ", "with ")
    return message.replace("the following arguments are required: ", "missing: ")


def remedy_for(message: str, known: "list[str]", prog: str) -> str:
    """What to do about a message of argparse."""
    choice = _CHOICE.match(message)
    if choice:
        choices = [one.strip(" '") for one in choice["known"].split(",")]
        near = nearest(choice["given"].strip("'"), choices)
        return f"did you mean {near}?" if near else f"known: {', '.join(choices)}"
    if message.startswith("unrecognized arguments: "):
        first = message.partition(": ")[2].split(" ")[0]
        if not first.startswith("-"):
            return "put a text of several words in quotes, and options before or after all of it"
        near = nearest(first.partition("=")[0], known)
        if near:
            return f"did you mean {near}?"
    return f"see {prog} --help"


def shown_examples(examples: "Sequence[tuple[str, str]]", columns: int) -> list[str]:
    """Each example with its remark behind it, or below it where the line has no room left."""
    width = min(max(len(line) for line, _ in examples), _EXAMPLE)
    lines = []
    for line, what in examples:
        shown = f"  {line:<{width}}  {what}"
        # Never broken: it is there to be copied.
        lines += (
            [shown] if len(shown) <= columns else [f"  {line}", *wrap(f"      {what}", columns)]
        )
    return lines


def _columns() -> int:
    return min(columns_of(sys.stdout), 100) - 2


def _wrapped(text: str, columns: int, *, flowing: bool = False) -> str:
    """The text in lines of that width; where it flows, its own line ends inside paragraphs go."""
    parts = text.split("\n\n")
    if flowing:
        head, *parts = parts
        parts = [head, *(" ".join(part.split()) for part in parts)]
    return "\n\n".join("\n".join(wrap(part, columns)) for part in parts)


def parser_for(module: "Any") -> Parser:
    """The whole parser of one verb, of its module."""
    verb: Verb = module.VERB
    description = verb.meaning + "."
    if also := aliases(verb):
        description += f"\nAlso: {', '.join(also)}."
    if module.__doc__ and "\n\n" in module.__doc__:
        description += "\n\n" + module.__doc__.split("\n\n", 1)[1].strip()
    columns = _columns()
    description = _wrapped(description, columns, flowing=True)
    epilog = "examples:\n" + "\n".join(shown_examples(module.EXAMPLES, columns))
    if hasattr(module, "details"):
        epilog = _wrapped(module.details(), columns) + "\n\n" + epilog
    parser = Parser(f"bower {verb.name}", description=description, epilog=epilog)
    add_arguments(parser, verb)
    return parser
