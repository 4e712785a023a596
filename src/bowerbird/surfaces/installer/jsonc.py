"""Edits a JSON file that people maintain: comments, order and formatting outside the edit are kept.

A parser records the position of each value, and edits splice the text there; nothing between values is
rewritten. It reads JSON, JSON with comments, and JSON5, as the agents do. The libraries that keep
comments (json-five 1.1) or read JSON5 (json5 0.17) take 6 and 4 seconds of CPU for a megabyte, a size
that Claude Code's own file easily reaches; this takes 0.2, and of plain JSON, which `json` reads as a
whole, .02 (CPython 3.11, measured).
"""

import json
import re
from contextlib import suppress

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Path = tuple[str | int, ...]

_TRIVIA = re.compile(r"(?:[\s\ufeff]+|//[^\n\r]*|/\*.*?\*/)*", re.DOTALL)
# The rest of a line, which belongs to the value that precedes it.
_SAME_LINE = re.compile(r"(?:[ \t]+|/\*[^\n\r]*?\*/)*(?://[^\n\r]*)?")
_STRING = re.compile(r'"(?:[^"\\\n\r]|\\.)*"|\'(?:[^\'\\\n\r]|\\.)*\'', re.DOTALL)
_WORD = re.compile(r"[^\s,:\[\]{}\"'/]+")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_NUMBER = re.compile(
    r"[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|Infinity|NaN)"
)
_CONSTANTS = {"true": True, "false": False, "null": None}
_read = json.JSONDecoder().raw_decode
# Deeper than any settings file, and within Python's recursion limit.
_DEEPEST = 200
# The white space before a member on its line, with the preceding line break.
_LEAD = re.compile(r"(?:\r?\n)?[ \t]*\Z")
_INDENT = re.compile(r"\n([ \t]+)\S")
# An array of strings as `json` formats it over several lines.
_TEXTS = re.compile(r'\[\n\s+("(?:[^"\\]|\\.)*"(?:,\n\s+"(?:[^"\\]|\\.)*")*)\n\s*\]')


class Unparseable(ValueError):
    """The text is not a valid document; the message contains the position."""


class _Node(Value):
    """A value and its position; `members` are those of an object or an array, by key or index.

    They are known once it is `opened`: of a large file few values are.
    """

    __slots__ = ("end", "keys", "members", "opened", "start", "value")

    def __init__(self, start: int) -> None:
        self.start = self.end = start
        self.value: Any = None
        # The start of each member; in an object, that of its key.
        self.keys: list[int] = []
        self.members: list[tuple[str | int, _Node]] = []
        self.opened = True

    def at(self, key: "str | int") -> "int | None":
        """The index of a member; the last one counts if a key occurs twice."""
        found = [index for index, (own, _) in enumerate(self.members) if own == key]
        return found[-1] if found else None


class Jsonc:
    """One document. `text` is its current text; an empty file is an empty object."""

    def __init__(self, text: str) -> None:
        """Raises Unparseable."""
        self.text = text
        self._root = _Parser(text).document()

    @property
    def value(self) -> "Any":
        """The document as plain data."""
        return {} if self._root is None else self._root.value

    def put(self, path: "Path", value: "Any") -> None:
        """Sets the value at a path; missing parent objects are created.

        Raises Unparseable if a parent is not an object.
        """
        if self._root is None:
            newline = "\r\n" if "\r\n" in self.text else "\n"
            # The text may end with a line comment, which must be closed by a line break.
            before = newline if self.text.strip() and self.text[-1] != "\n" else ""
            self._cut(len(self.text), len(self.text), before + "{}" + newline)
        node: Any = self._root
        for depth, key in enumerate(path):
            if not isinstance(node.value, dict):
                where = ".".join(map(str, path[:depth])) or "the document"
                raise Unparseable(f"{where} is not an object")
            index = self._opened(node).at(key)
            if index is None:
                for name in reversed(path[depth + 1 :]):
                    value = {name: value}
                self._insert(node, depth, str(key), value)
                return
            node = node.members[index][1]
        self._cut(node.start, node.end, self._encoded(value, len(path)), self._node(path[:-1]))

    def append(self, path: "Path", value: "Any") -> None:
        """Appends a value to the array at a path, which is created if missing."""
        node = self._node(path)
        if node is None:
            self.put(path, [value])
        elif isinstance(node.value, list):
            self._insert(node, len(path), None, value)
        else:
            raise Unparseable(f"{'.'.join(map(str, path))} is not an array")

    def remove(self, path: "Path") -> None:
        """Removes the value at a path, if any, with its separating comma."""
        parent = self._node(path[:-1])
        index = None if parent is None else self._opened(parent).at(path[-1])
        if parent is None or index is None:
            return
        start, end = parent.keys[index], parent.members[index][1].end
        text = self.text
        before = _LEAD.search(text, 0, start).start()  # type: ignore[union-attr]
        comma = _TRIVIA.match(text, end).end()  # type: ignore[union-attr]
        if text[comma] == ",":
            end = comma + 1
        elif index:
            # It is the last member: the comma before it is removed, too.
            last = _TRIVIA.match(text, parent.members[index - 1][1].end).end()  # type: ignore[union-attr]
            text, before, end = text[:last] + text[last + 1 :], before - (before > last), end - 1
        rest = text[end:].lstrip(" \t\r\n")
        if not text[parent.start + 1 : before].strip(" \t\r\n") and rest[:1] in {"}", "]"}:
            # The container has only white space left.
            before, end = parent.start + 1, len(text) - len(rest)
        expected = _without(self.value, path)
        # A line comment needs the line break that would be removed: then it is kept.
        for kept in ("", self._newline):
            with suppress(Unparseable):
                shorter = text[:before] + kept + text[end:]
                found = _Parser(shorter).document()
                if found is not None and repr(found.value) == repr(expected):
                    self.text, self._root = shorter, found
                    return
        raise Unparseable(f"{'.'.join(map(str, path))} cannot be removed")

    def _node(self, path: "Path") -> "_Node | None":
        node = self._root
        for key in path:
            index = None if node is None else self._opened(node).at(key)
            node = None if node is None or index is None else node.members[index][1]
        return node

    def _opened(self, node: _Node) -> _Node:
        if not node.opened:
            _Parser(self.text).open(node)
        return node

    def _insert(self, node: _Node, depth: int, key: "str | None", value: "Any") -> None:
        """Adds a member to the end of an object or an array at nesting level `depth`."""
        self._opened(node)
        closing = node.end - 1
        inner = self.text[node.start + 1 : closing]
        wide = "\n" in inner or not node.members
        encoded = self._encoded(value, depth + 1) if wide else json.dumps(value, ensure_ascii=False)
        if key is not None:
            encoded = f"{json.dumps(key, ensure_ascii=False)}: {encoded}"
        lead = self._newline + self._indent * (depth + 1) if wide else " "
        if not node.members:
            kept = inner.rstrip(" \t\r\n")
            at = node.start + 1 + len(kept)
            self._cut(at, closing, lead + encoded + self._newline + self._indent * depth, node)
            return
        last = node.members[-1][1].end
        comma = _TRIVIA.match(self.text, last).end()  # type: ignore[union-attr]
        trailing = self.text[comma] == ","
        at = _SAME_LINE.match(self.text, comma + 1 if trailing else last).end()  # type: ignore[union-attr]
        if not wide:
            at = comma + 1 if trailing else last
        text = self.text[:at] + lead + encoded + ("," if trailing else "") + self.text[at:]
        self._set(text if trailing else text[:last] + "," + text[last:], node)

    @property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    @property
    def _indent(self) -> str:
        found = _INDENT.search(self.text)
        return found[1] if found else "  "

    def _encoded(self, value: "Any", depth: int) -> str:
        encoded = json.dumps(value, indent=self._indent, ensure_ascii=False)
        encoded = _TEXTS.sub(lambda found: "[" + re.sub(r",\n\s+", ", ", found[1]) + "]", encoded)
        return encoded.replace("\n", self._newline + self._indent * depth)

    def _cut(self, start: int, end: int, text: str, within: "_Node | None" = None) -> None:
        self._set(self.text[:start] + text + self.text[end:], within)

    def _set(self, text: str, within: "_Node | None" = None) -> None:
        """Takes a new text that differs only inside of one object or array; None: anywhere.

        Only that one is parsed again, and what follows it is moved: parsing 5 MB takes a second.
        """
        if within is None or within is self._root or self._root is None:
            self._root = _Parser(text).document()
            self.text = text
            return
        moved = len(text) - len(self.text)
        fresh = _Parser(text).value_at(within.start)
        if fresh.end != within.end + moved:
            raise Unparseable("the change does not stay inside of its value")
        node, behind = self._root, []
        while node is not within:
            node.end += moved
            at = max(n for n, (_, one) in enumerate(node.members) if one.start <= within.start)
            node.keys[at + 1 :] = [key + moved for key in node.keys[at + 1 :]]
            behind += [one for _, one in node.members[at + 1 :]]
            key, below = node.members[at]
            if below is within:
                node.members[at] = (key, fresh)
                node.value[key] = fresh.value
            node = below
        while behind:
            one = behind.pop()
            one.start += moved
            one.end += moved
            one.keys = [key + moved for key in one.keys]
            behind += [inner for _, inner in one.members]
        self.text = text


def _without(value: "Any", path: "Path") -> "Any":
    """A copy of plain data without the value at a path."""
    key, rest = path[0], path[1:]
    if isinstance(value, dict):
        kept = {
            own: _without(one, rest) if own == key and rest else one for own, one in value.items()
        }
        if not rest:
            del kept[str(key)]
        return kept
    return [
        _without(one, rest) if own == key and rest else one
        for own, one in enumerate(value)
        if rest or own != key
    ]


class _Parser:
    """One pass over a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def document(self) -> "_Node | None":
        """The one value of a text; None for a text without any."""
        self._skip()
        if self._at == len(self._text):
            return None
        node = self._value(0)
        self._skip()
        if self._at < len(self._text):
            raise self._wrong("something follows the end")
        return node

    def value_at(self, start: int) -> _Node:
        """The value that begins at a position."""
        self._at = start
        return self._value(0)

    def open(self, node: _Node) -> None:
        """Finds the members of a value that was read as a whole."""
        self._at, value = node.start, node.value
        self._members(node, isinstance(value, dict), 0)
        # What is changed in a member is changed in the whole. Of equal keys the last one counts.
        for key, one in node.members:
            one.value = value[key]
        node.value, node.opened = value, True

    def _plain(self, node: _Node, depth: int) -> bool:
        """Reads a value without comments or JSON5 as a whole; whether it is one."""
        try:
            value, end = _read(self._text, self._at)
        except (ValueError, RecursionError):
            return False
        if _deeper(value, _DEEPEST - depth):
            raise self._wrong("too deep")
        node.value, self._at, node.opened = value, end, False
        return True

    def _wrong(self, what: str) -> Unparseable:
        line = self._text.count("\n", 0, self._at) + 1
        column = self._at - self._text.rfind("\n", 0, self._at)
        return Unparseable(f"{what} at line {line}, column {column}")

    def _skip(self) -> None:
        self._at = _TRIVIA.match(self._text, self._at).end()  # type: ignore[union-attr]

    def _value(self, depth: int) -> _Node:
        if depth > _DEEPEST:
            raise self._wrong("too deep")
        node = _Node(self._at)
        first = self._text[self._at : self._at + 1]
        if first in {"{", "["}:
            if not self._plain(node, depth):
                self._members(node, first == "{", depth)
        elif first in {'"', "'"}:
            node.value = self._string()
        else:
            node.value = self._scalar()
        node.end = self._at
        return node

    def _members(self, node: _Node, keyed: bool, depth: int) -> None:
        closing = "}" if keyed else "]"
        self._at += 1
        while True:
            self._skip()
            if self._text.startswith(closing, self._at):
                break
            node.keys.append(self._at)
            key = self._key() if keyed else len(node.members)
            node.members.append((key, self._value(depth + 1)))
            self._skip()
            if self._text.startswith(",", self._at):
                self._at += 1
            elif not self._text.startswith(closing, self._at):
                raise self._wrong(f"no comma and no {closing}")
        self._at += 1
        pairs = node.members
        node.value = (
            {key: one.value for key, one in pairs} if keyed else [one.value for _, one in pairs]
        )

    def _key(self) -> str:
        quoted = self._text[self._at : self._at + 1] in {'"', "'"}
        key = self._string() if quoted else self._word()
        self._skip()
        if not self._text.startswith(":", self._at):
            raise self._wrong("no colon")
        self._at += 1
        self._skip()
        return key

    def _string(self) -> str:
        found = _STRING.match(self._text, self._at)
        if found is None:
            raise self._wrong("a string without an end")
        self._at = found.end()
        inner = found[0][1:-1]
        if "\\" not in inner:
            return inner
        unescaped = _ESCAPE.sub(_unescaped, inner)
        # Characters beyond the BMP are escaped as surrogate pairs.
        return unescaped.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")

    def _word(self) -> str:
        found = _WORD.match(self._text, self._at)
        if found is None:
            raise self._wrong("no value")
        self._at = found.end()
        return found[0]

    def _scalar(self) -> "Any":
        before = self._at
        word = self._word()
        if word in _CONSTANTS:
            return _CONSTANTS[word]
        if not _NUMBER.fullmatch(word):
            self._at = before
            raise self._wrong(f"no value: {word[:40]}")
        sign = -1 if word.startswith("-") else 1
        digits = word.lstrip("+-")
        if digits[:2] in {"0x", "0X"}:
            return sign * int(digits, 16)
        try:
            return int(word) if digits.isdecimal() else float(word)
        except ValueError:
            self._at = before
            raise self._wrong("a number of too many digits") from None


def _deeper(value: "Any", most: int) -> bool:
    """Whether values are nested in more than so many others."""
    level = [value]
    for _ in range(most):
        if not level:
            return False
        inner = (one.values() if isinstance(one, dict) else one for one in level)
        level = [one for some in inner for one in some if isinstance(one, (dict, list))]
    return any(level)


def _unescaped(found: "re.Match[str]") -> str:
    what = found[1]
    if what[0] in "ux" and len(what) > 1:
        return chr(int(what[1:], 16))
    return "" if what[0] in "\r\n" else _PLAIN.get(what, what)
