"""Edits one text in a YAML file that people maintain: everything else is kept as it was written."""

import yaml

from bowerbird.surfaces.installer.jsonc import Unparseable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Yaml:
    """One document, with the interface of `jsonc.Jsonc` for a text in a table at the top."""

    def __init__(self, text: str) -> None:
        """Raises Unparseable."""
        self.text = text
        self._root = self._parsed()

    def _parsed(self) -> "yaml.MappingNode | None":
        try:
            root = yaml.compose(self.text, yaml.SafeLoader)
            self.value: Any = yaml.safe_load(self.text) or {}
        except yaml.YAMLError as error:
            raise Unparseable(" ".join(str(error).split())) from error
        if root is not None and not isinstance(root, yaml.MappingNode):
            raise Unparseable("its top level is not a table")
        return root

    def put(self, path: "tuple[str | int, ...]", value: "Any") -> None:
        """Sets the text at a path of two names. Raises Unparseable if the first is no table."""
        table, name = path
        line = f"{name}: {value}"
        found = _member(self._root, table)
        if found is None:
            lead = "" if not self.text or self.text.endswith("\n") else self._newline
            end = len(self.text)
            self._splice(end, end, f"{lead}{table}:{self._newline}  {line}{self._newline}")
            return
        key, node = found
        there = _member(node, name) if isinstance(node, yaml.MappingNode) else None
        if there is not None:
            self._splice(there[1].start_mark.index, there[1].end_mark.index, str(value))
        elif isinstance(node, yaml.MappingNode) and node.flow_style:
            comma = ", " if node.value else ""
            start = node.start_mark.index + 1
            self._splice(start, start, line + comma)
        elif isinstance(node, yaml.MappingNode):
            start = node.start_mark.index
            self._splice(start, start, f"{line}{self._newline}{' ' * node.start_mark.column}")
        elif isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null":
            indent = " " * (key.start_mark.column + 2)
            start, end = key.end_mark.index + 1, max(node.end_mark.index, key.end_mark.index + 1)
            self._splice(start, end, f"{self._newline}{indent}{line}")
        else:
            raise Unparseable(f"{table} is not a table")

    def remove(self, path: "tuple[str | int, ...]") -> None:
        """Remove what stands at a path, with its name."""
        inside: yaml.Node | None = self._root
        for name in path[:-1]:
            found = _member(inside, name)
            inside = found[1] if found else None
        found = _member(inside, path[-1])
        if found is None or not isinstance(inside, yaml.MappingNode):
            return
        key, node = found
        start, end = key.start_mark.index, node.end_mark.index
        if inside.flow_style:
            rest = self.text[end:].lstrip()
            end = len(self.text) - len(rest.removeprefix(",").lstrip()) if rest[:1] == "," else end
            self._splice(start, end, "")
        elif len(inside.value) == 1 and inside is not self._root:
            # A table that is left with nothing.
            self._splice(inside.start_mark.index, end, "{}")
        else:
            start = self.text.rfind("\n", 0, start) + 1
            break_at = self.text.find("\n", end) if self.text[end - 1] != "\n" else end - 1
            self._splice(start, len(self.text) if break_at < 0 else break_at + 1, "")

    @property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def _splice(self, start: int, end: int, text: str) -> None:
        self.text = self.text[:start] + text + self.text[end:]
        self._root = self._parsed()


def _member(node: "yaml.Node | None", name: "str | int") -> "tuple[yaml.Node, yaml.Node] | None":
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return next(((key, value) for key, value in pairs if key.value == name), None)
