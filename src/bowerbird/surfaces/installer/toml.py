"""Edits a TOML file; tomlkit keeps the rest as it was written.

A document is read by tomllib, and by tomlkit only to change what is within it: agents note each folder in
their settings, and tomlkit takes ten times as long.
"""

import tomllib
from functools import lru_cache

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable

from bowerbird.surfaces.installer.jsonc import Unparseable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_MARK = "\ufeff"


class Toml:
    """One document of tables, with the interface of `jsonc.Jsonc`."""

    def __init__(self, text: str) -> None:
        """Raises Unparseable."""
        # A byte-order mark, which some editors write; it is kept.
        self._mark = _MARK if text.startswith(_MARK) else ""
        self._set(text.removeprefix(_MARK))

    @property
    def text(self) -> str:
        """The document as text."""
        return self._mark + self._body

    @property
    def value(self) -> "Any":
        """The document as plain data."""
        return self._value

    def put(self, path: "tuple[str | int, ...]", value: "Any") -> None:
        """Sets the table at a path; a new one is appended to the end of the document.

        Raises Unparseable if a parent is not a table.
        """
        self.remove(path)
        above: Any = self._value
        for key in path[:-1]:
            above = above.get(key)
            if above is None:
                break
            if not isinstance(above, dict):
                raise Unparseable(f"{key} is not a table")
        newline = self._newline
        lead = "" if not self._body else newline if self._body.endswith("\n") else newline * 2
        try:
            self._set(self._body + lead + self._block(path, value))
        except Unparseable:
            # Below an inline table no other may stand; to ask tomlkit first whether it is one would take
            # ten times as long as all else.
            if above is None or len(path) == 1 or not self._put_inline(path, value):
                raise

    def _put_inline(self, path: "tuple[str | int, ...]", value: "Any") -> bool:
        """Sets the table within an inline one, if the parent is one; whether it is."""
        document = _parsed(self._body)
        above: Any = document
        for key in path[:-1]:
            above = above[key]
        if not isinstance(above, InlineTable):
            return False
        table = tomlkit.inline_table()
        table.update(value)
        above.append(str(path[-1]), table)
        self._set(tomlkit.dumps(document))
        return True

    def remove(self, path: "tuple[str | int, ...]") -> None:
        """Remove the value at a path, if any."""
        found: Any = self._value
        for key in path:
            if not isinstance(found, dict) or key not in found:
                return
            found = found[key]
        if isinstance(found, dict):
            # Removed as it was written: with the preceding line break, which tomlkit would leave.
            block = self._block(path, found)
            for written in (self._newline + block, block):
                if self._body.count(written) == 1:
                    self._set(self._body.replace(written, ""))
                    return
        document = _parsed(self._body)
        node: Any = document
        for key in path[:-1]:
            node = node[key]
        del node[path[-1]]
        self._set(tomlkit.dumps(document))

    def _block(self, path: "tuple[str | int, ...]", value: "dict[str, Any]") -> str:
        whole = tomlkit.document()
        table = tomlkit.table()
        table.update(value)
        for key in reversed(path[1:]):
            outer = tomlkit.table(is_super_table=True)
            outer.append(str(key), table)
            table = outer
        whole.append(str(path[0]), table)
        return tomlkit.dumps(whole).replace("\n", self._newline)

    @property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self._body else "\n"

    def _set(self, text: str) -> None:
        try:
            self._value = _read(text)
        except (ValueError, RecursionError) as error:
            raise Unparseable(str(error)) from error
        self._body = text


# An installation reads the file as it was and as it becomes several times: to plan, to write, to tell
# what changed. 20,000 tables take a second each time. Nobody changes what is read.
@lru_cache(maxsize=2)
def _read(text: str) -> "dict[str, Any]":
    return tomllib.loads(text)


def _parsed(text: str) -> "tomlkit.TOMLDocument":
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise Unparseable(str(error)) from error
