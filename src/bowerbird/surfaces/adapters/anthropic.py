"""Anthropic's memory tool: the files that Claude keeps under /memories are memories of a project.

    memory = BowerbirdMemoryTool(bird)
    client.beta.messages.run_tools(model=…, messages=…, tools=[memory]).until_done()

Each file is one memory: a person sees it by `bower list`, takes back a change by `bower revert`, and
other agents find it. A file holds up to a million characters, of which the first 10,000 are searched;
secrets are removed. Replies and errors are worded as the tool's documentation gives them.
"""

import posixpath
from typing import Any

from bowerbird.surfaces.adapters.shared import (
    as_agent,
    at,
    below,
    fitting,
    key_in,
    key_of,
    metadata_in,
    missing,
    parts_of,
)

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError
except ImportError as error:
    raise missing("anthropic", "anthropic") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.memory import Memory
    from bowerbird.core.types import Entry

ROOT = "/memories"
_START = "anthropic"
# Characters of a file.
_LARGEST = 1_000_000
# Levels of folders that a listing shows.
_LEVELS = 2
_LINES = 999_999
_AROUND = 2


class BowerbirdMemoryTool(BetaAbstractMemoryTool):
    """The tool over a `Bowerbird`, or over a `Client` of a server."""

    def __init__(self, memory: "Memory", **how: "Any") -> None:
        super().__init__(**how)
        self._memory = as_agent(memory, "anthropic", reads=False)

    def view(self, command: "Any") -> str:
        """A file with line numbers, or the files of a folder."""
        path = _path(command.path)
        entry = self._file(path)
        if entry is None:
            return self._listing(path)
        lines = _content(entry).split("\n")
        if len(lines) > _LINES:
            raise ToolError(f"File {path} exceeds maximum line limit of {_LINES:,} lines.")
        first, last = command.view_range or (1, -1)
        shown = lines[max(first, 1) - 1 : len(lines) if last == -1 else last]
        return f"Here's the content of {path} with line numbers:\n{_numbered(shown, max(first, 1))}"

    def create(self, command: "Any") -> str:
        """A new file."""
        path = _path(command.path)
        if self._file(path) is not None:
            raise ToolError(f"File {path} already exists")
        self._write(path, command.file_text)
        return f"File created successfully at: {path}"

    def str_replace(self, command: "Any") -> str:
        """Another text in the place of one that stands in the file once."""
        path = _path(command.path)
        content, old = self._read(path), command.old_str
        if old not in content:
            raise ToolError(
                f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
            )
        where = _found(content, old)
        if len(where) > 1:
            raise ToolError(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines:"
                f" {', '.join(map(str, where))}. Please ensure it is unique"
            )
        changed = content.replace(old, command.new_str, 1)
        self._write(path, changed)
        first = max(1, where[0] - _AROUND)
        shown = changed.split("\n")[first - 1 : where[0] + _AROUND]
        told = "The memory file has been edited. Here is the snippet showing the change"
        return f"{told} (with line numbers):\n{_numbered(shown, first)}"

    def insert(self, command: "Any") -> str:
        """Lines after a line; 0: at the beginning."""
        path = _path(command.path)
        lines = _lines(self._read(path))
        if not 0 <= command.insert_line <= len(lines):
            raise ToolError(
                f"Invalid `insert_line` parameter: {command.insert_line}. It should be within the range"
                f" [0, {len(lines)}]."
            )
        lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
        self._write(path, "\n".join(lines) + "\n")
        return f"The file {path} has been edited."

    def delete(self, command: "Any") -> str:
        """A file, or a folder with all below it."""
        path = _path(command.path)
        if path == ROOT:
            raise ToolError(f"Cannot delete the {ROOT} directory itself")
        self._memory.forget_all([one.id for one in self._there(path)], "deleted by the agent")
        return f"Successfully deleted {path}"

    def rename(self, command: "Any") -> str:
        """A file or a folder under another path."""
        old, new = _path(command.old_path), _path(command.new_path)
        if old == ROOT:
            raise ToolError(f"Cannot rename the {ROOT} directory itself")
        moved = self._there(old)
        if self._file(new) is not None or any(self._below(new)):
            raise ToolError(f"The destination {new} already exists")
        for entry in moved:
            self._write(new + _path_in(entry)[len(old) :], _content(entry))
        self._memory.forget_all([one.id for one in moved], f"renamed to {new}")
        return f"Successfully renamed {old} to {new}"

    def clear_all_memory(self) -> str:
        """Forget all files."""
        if ids := [one.id for one in self._below(ROOT)]:
            self._memory.forget_all(ids, "cleared")
        return "All memory cleared"

    def _file(self, path: str) -> "Entry | None":
        return at(self._memory, _key(path))

    def _below(self, path: str) -> "Iterator[Entry]":
        return below(self._memory, f"{_key(path)}/")

    def _there(self, path: str) -> "list[Entry]":
        """The file at a path, or all files below it. Raises ToolError if there are none."""
        entry = self._file(path)
        found = [*self._below(path)] if entry is None else [entry]
        if not found:
            raise ToolError(f"The path {path} does not exist")
        return found

    def _read(self, path: str) -> str:
        entry = self._file(path)
        if entry is None:
            raise ToolError(f"The path {path} does not exist. Please provide a valid path.")
        return _content(entry)

    def _write(self, path: str, content: str) -> None:
        if len(content) > _LARGEST:
            raise ToolError(f"{path} would have {len(content):,} characters; {_LARGEST:,} fit")
        self._memory.remember(
            fitting(content, f"the empty file {path}"),
            key=_key(path),
            summary=f"{path} of an agent's memory",
            metadata={"content": content},
        )

    def _listing(self, path: str) -> str:
        sizes: dict[str, int] = {path: 0}
        found = [*self._below(path)]
        if not found and path != ROOT:
            raise ToolError(f"The path {path} does not exist. Please provide a valid path.")
        for entry in found:
            size, own = len(_content(entry).encode()), _path_in(entry)
            parts = own[len(path) + 1 :].split("/")
            for depth in range(min(len(parts), _LEVELS) + 1):
                at_depth = "/".join((path, *parts[:depth]))
                sizes[at_depth] = sizes.get(at_depth, 0) + size
        lines = [f"{_size(size)}\t{one}" for one, size in sorted(sizes.items())]
        about = f"Here're the files and directories up to {_LEVELS} levels deep in {path}"
        return "\n".join([f"{about}, excluding hidden items:", *lines])


def _path(given: str) -> str:
    """A path below /memories, without detours. Raises ToolError for any other."""
    if not given.startswith(ROOT):
        raise ToolError(f"Path must start with {ROOT}, got: {given}")
    path = posixpath.normpath(given)
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise ToolError(f"Path {given} would escape {ROOT} directory")
    return path


def _key(path: str) -> str:
    return "/".join((_START, *map(key_of, path.strip("/").split("/"))))


def _path_in(entry: "Entry") -> str:
    return "/" + "/".join(parts_of(key_in(entry))[1:])


def _content(entry: "Entry") -> str:
    return str(metadata_in(entry).get("content", entry.text))


def _lines(content: str) -> list[str]:
    lines = content.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(lines, first))


def _found(content: str, text: str) -> list[int]:
    """The lines in which a text begins."""
    starts, at_ = [], content.find(text)
    while at_ >= 0:
        starts.append(content.count("\n", 0, at_) + 1)
        at_ = content.find(text, at_ + len(text))
    return starts


def _size(size: float) -> str:
    units = "BKM"
    power = min((int(size).bit_length() - 1) // 10, len(units) - 1) if size else 0
    return f"{size / 1024**power:.1f}".removesuffix(".0") + units[power]
