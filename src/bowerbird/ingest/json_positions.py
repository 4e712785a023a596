"""Parses JSON so that each text knows its line in the file."""

import json
import re

from bowerbird.ingest.bounds import MOST_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# A string, possibly unterminated, a separator or bracket, or another value. Possessive, so that it takes
# linear time.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\Z)|[\[\]{},:]|[^\s"\[\]{},:]++', re.DOTALL)
# Maximum nesting; real exports nest less than a tenth of it.
_DEEPEST = 500
# Control characters within strings are a writer's carelessness, not a broken file.
_decode = json.JSONDecoder(strict=False).decode


class LocatedText(str):
    """A string of a JSON file, and the line where it begins."""

    __slots__ = ("line",)
    line: int


class Item:
    """One element of a list in a JSON file: its text, and the line where it begins."""

    __slots__ = ("line", "text", "too_much")

    def __init__(self, text: str, line: int, *, too_much: bool) -> None:
        self.text = text
        self.line = line
        self.too_much = too_much

    def value(self) -> "Any":
        """The parsed value, with strings as `LocatedText`; None for invalid JSON or too many values."""
        return None if self.too_much else located(self.text, self.line)


def located(text: str, line: int = 1) -> "Any":
    """Parses a JSON text whose first line has the number `line`; None for invalid JSON.

    Commas and colons are skipped. Too many values or too deep nesting give None as well.
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
    """A string with its line, an empty list or object, or a value; None for an invalid token."""
    if mark == "[":
        return []
    if mark == "{":
        return {}
    try:
        value = _decode(mark)
    except ValueError:
        return None
    if isinstance(value, str):
        value = LocatedText(value)
        value.line = line
    return value


def items(text: str) -> "Iterator[Item]":
    """Iterates over the elements of a JSON file that is a list; nothing for any other file."""
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
