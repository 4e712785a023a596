"""JSON whose texts know on which line of the file they stand."""

import json
import re

from bowerbird.ingest.bounds import MOST_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# A text, to its end even where that is missing, what parts values, or another value. Nothing is looked
# at twice.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\Z)|[\[\]{},:]|[^\s"\[\]{},:]++', re.DOTALL)
# What is open at once; nobody's export nests a tenth of it.
_DEEPEST = 500
# Control characters inside a text are a careless writer's, not a broken file.
_decode = json.JSONDecoder(strict=False).decode


class Placed(str):
    """A text of a JSON file, and the line where it begins."""

    __slots__ = ("line",)
    line: int


class Item:
    """One value of a list in a JSON file: the text of it, and the line where it begins."""

    __slots__ = ("line", "text", "too_much")

    def __init__(self, text: str, line: int, *, too_much: bool) -> None:
        self.text = text
        self.line = line
        self.too_much = too_much

    def value(self) -> "Any":
        """The value, with its texts as `Placed`; None for what is no JSON, or has too many values."""
        return None if self.too_much else placed(self.text, self.line)


def placed(text: str, line: int = 1) -> "Any":
    """The value of a JSON text whose first line has that number; None for what is no JSON.

    Commas and colons are passed over. More values than are read at once, or deeper ones, give None too.
    """
    root: list[Any] = []
    here: Any = root
    above: list[Any] = []
    key: str | None = None
    counted = count = 0
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if mark in ",:":
            continue
        if mark in "]}":
            if not above or isinstance(here, dict) is not (mark == "}") or key is not None:
                return None
            here = above.pop()
            continue
        count += 1
        if count > MOST_VALUES or len(above) > _DEEPEST:
            return None
        line += text.count("\n", counted, token.start())
        counted = token.start()
        value = _value(mark, line)
        if isinstance(here, list):
            here.append(value)
        elif key is None:
            if not isinstance(value, str):
                return None
            key = value
            continue
        else:
            here[key] = value
            key = None
        if isinstance(value, dict | list):
            above.append(here)
            here = value
    return root[0] if len(root) == 1 and not above else None


def _value(mark: str, line: int) -> "Any":
    """A text with its line, an empty list or object, or a value; None for what is none."""
    if mark == "[":
        return []
    if mark == "{":
        return {}
    try:
        value = _decode(mark)
    except ValueError:
        return None
    if isinstance(value, str):
        value = Placed(value)
        value.line = line
    return value


def items(text: str) -> "Iterator[Item]":
    """The values of the list that a JSON file is, one after the other; none of any other file."""
    begin = text.find("[")
    if begin < 0 or text[:begin].strip("\ufeff \t\r\n"):
        return
    depth, count, line, counted = 0, 0, 1, 0
    start = begin + 1
    for token in _TOKEN.finditer(text, begin):
        mark = token.group()[0]
        count += mark in ",[{"
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth -= 1
        if depth == 0 or (mark == "," and depth == 1):
            part = text[start : token.start()]
            line += text.count("\n", counted, start)
            counted = start
            if part.strip():
                yield Item(part, line, too_much=count > MOST_VALUES)
            if depth == 0:
                return
            start, count = token.end(), 0
