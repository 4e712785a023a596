"""Builds the help of a command from the fields of its verb."""

import sys
from textwrap import wrap as flow

from bowerbird.core.value import Do
from bowerbird.surfaces.cli.arguments import arguments, is_option, meaning, metavar, names_of
from bowerbird.surfaces.cli.page import columns_of, wrap
from bowerbird.surfaces.cli.table import aliases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.surfaces.fields import Field

# Longer examples shift only their own remark to the right.
_EXAMPLE = 58
# The column where descriptions begin, if at least this much room is left for them.
_MEANING = 30
_ROOM = 20
# The usage of an argument that takes several words, or none.
_WORDS = {"": "{0}", "+": "{0} [{0} ...]", "*": "[{0} ...]", "?": "[{0}]"}


def manual(module: "Any") -> str:
    """The complete help of a command, from its module."""
    verb = module.VERB
    columns = min(columns_of(sys.stdout), 100) - 2
    fields = arguments(verb)
    about = verb.meaning + "."
    typed = Do(verb.name).command()
    if also := [one for one in (verb.name, *aliases(verb)) if f"bower {one}" != typed]:
        about += f"\nAlso: {', '.join(also)}."
    if module.__doc__ and "\n\n" in module.__doc__:
        about += "\n\n" + module.__doc__.split("\n\n", 1)[1].strip()
    parts = [_usage(f"usage: {typed}", fields, columns)]
    parts.append(_wrapped(about, columns, flowing=True))
    groups: dict[str, list[Field]] = {"positional arguments": [], "options": []}
    for field in fields:
        usual = "options" if is_option(field) else "positional arguments"
        groups.setdefault(field.group or usual, []).append(field)
    parts += [_section(title, several, columns) for title, several in groups.items() if several]
    if hasattr(module, "details"):
        parts.append(_wrapped(module.details(), columns))
    return "\n\n".join([*parts, "\n".join(_examples(module.EXAMPLES, columns))]) + "\n"


def _usage(head: str, fields: "Sequence[Field]", columns: int) -> str:
    """The usage line: options first, exclusive ones separated by bars."""
    apart: dict[str, list[str]] = {}
    for field in filter(is_option, fields):
        names = names_of(field) if field.default is None else names_of(field)[:1]
        value = metavar(field)
        usage = f"{names_of(field)[0]} {value}" if value else " | ".join(names)
        apart.setdefault(field.apart or field.name, []).append(usage)
    named = [f"[{' | '.join(group)}]" for group in apart.values()]
    texts = [_WORDS[one.words].format(names_of(one)[0]) for one in fields if not is_option(one)]
    if len(" ".join([head, *named, *texts])) <= columns:
        return " ".join([head, *named, *texts])
    indent = " " * (len(head) + 1) if len(head) <= columns * 3 // 4 else "       "
    lines = [head]
    for parts in (named, texts):
        for number, part in enumerate(parts):
            fits = len(lines[-1]) + 1 + len(part) <= columns
            new = not fits or (number == 0 and parts is texts and bool(named))
            lines[-1:] = [lines[-1], indent + part] if new else [f"{lines[-1]} {part}"]
    return "\n".join(lines)


def _section(title: str, fields: "Sequence[Field]", columns: int) -> str:
    """A group of arguments: each with its description beside it, or below if its names are long."""
    lines = [f"{title}:"]
    for field in fields:
        value = f" {metavar(field)}" if is_option(field) and metavar(field) else ""
        head = ", ".join(name + value for name in names_of(field))
        lines += _beside(head, meaning(field), columns)
    return "\n".join(lines)


def _beside(head: str, described: str, columns: int) -> list[str]:
    """A name, and beside it what it means; below it if it is long."""
    begin = min(_MEANING, max(columns - _ROOM, 4))
    head = f"  {head}"
    lines = flow(described, max(columns - begin, 11))
    if lines and len(head) <= begin - 2:
        head = f"{head:<{begin}}{lines.pop(0)}"
    return [head, *(" " * begin + line for line in lines)]


def _examples(examples: "Sequence[tuple[str, str]]", columns: int) -> list[str]:
    """Each example with its remark after it, or below if the line has no room left."""
    width = min(max(len(line) for line, _ in examples), _EXAMPLE)
    lines = ["examples:"]
    for line, what in examples:
        shown = f"  {line:<{width}}  {what}"
        # Never wrapped: examples are there to be copied.
        lines += (
            [shown] if len(shown) <= columns else [f"  {line}", *wrap(f"      {what}", columns)]
        )
    return lines


def _wrapped(text: str, columns: int, *, flowing: bool = False) -> str:
    """The text in lines of that width; with `flowing`, line ends inside paragraphs are removed."""
    parts = text.split("\n\n")
    if flowing:
        head, *parts = parts
        parts = [head, *(_flowing(part, columns) for part in parts)]
    return "\n\n".join("\n".join(wrap(part, columns)) for part in parts)


def _flowing(part: str, columns: int) -> str:
    """A paragraph without line ends, or a list of names and meanings in two columns."""
    if not part.startswith("  "):
        return " ".join(part.split())
    items: list[tuple[str, list[str]]] = []
    for line in part.splitlines():
        if line.startswith("   "):
            items[-1][1].append(line.strip())
        else:
            name, _, said = line.strip().partition("  ")
            items.append((name, [said.strip()]))
    return "\n".join(
        line for name, said in items for line in _beside(name, " ".join(said), columns)
    )
