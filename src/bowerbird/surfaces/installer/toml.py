"""Edits a TOML file; tomlkit keeps the rest as it was written."""

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
        self._body = text.removeprefix(_MARK)
        self._document = _parsed(self._body)

    @property
    def text(self) -> str:
        """The document as text."""
        return self._mark + self._body

    @property
    def value(self) -> "Any":
        """The document as plain data."""
        return self._document.unwrap()

    def put(self, path: "tuple[str | int, ...]", value: "Any") -> None:
        """Sets the table at a path; a new one is appended to the end of the document.

        Raises Unparseable if a parent is not a table.
        """
        self.remove(path)
        above: Any = self._document
        for key in path[:-1]:
            above = above.get(key) if isinstance(above, dict) else above
            if above is None:
                break
            if not isinstance(above, dict):
                raise Unparseable(f"{key} is not a table")
        if isinstance(above, InlineTable):
            table = tomlkit.inline_table()
            table.update(value)
            above.append(str(path[-1]), table)
            self._body = tomlkit.dumps(self._document)
            return
        newline = self._newline
        lead = "" if not self._body else newline if self._body.endswith("\n") else newline * 2
        self._set(self._body + lead + self._block(path, value))

    def remove(self, path: "tuple[str | int, ...]") -> None:
        """Remove the value at a path, if any."""
        node: Any = self._document
        for key in path[:-1]:
            node = node.get(key) if isinstance(node, dict) else None
        if not isinstance(node, dict) or path[-1] not in node:
            return
        found = node[path[-1]]
        if isinstance(found, dict):
            # Removed as it was written: with the preceding line break, which tomlkit would leave.
            block = self._block(path, found.unwrap())  # type: ignore[attr-defined]
            for written in (self._newline + block, block):
                if self._body.count(written) == 1:
                    self._set(self._body.replace(written, ""))
                    return
        del node[path[-1]]
        self._body = tomlkit.dumps(self._document)

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
        self._document = _parsed(text)
        self._body = text


def _parsed(text: str) -> "tomlkit.TOMLDocument":
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise Unparseable(str(error)) from error
