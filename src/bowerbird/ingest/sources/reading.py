"""The input and output of readers."""

import json
import os
import re
from functools import cached_property
from itertools import islice

from bowerbird.core.value import Record
from bowerbird.ingest.bounds import CUT, MOST_VALUES
from bowerbird.ingest.contents import COMPRESSED
from bowerbird.ingest.sources.talk import Talk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Protocol

    from bowerbird.core.document import Piece
    from bowerbird.core.outline import Outline
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.links import Link
    from bowerbird.ingest.trail import Trail

    class Source(Protocol):
        """Reads one type of file, independently of store, models and earlier files."""

        name: str

        def accepts(self, material: "Material") -> bool:
            """Whether this is a file of its type."""
            ...

        def read(self, material: "Material", size: Size, /) -> "Reading":
            """The pieces of the file, in order. Never raises for a file's content."""
            ...


# Records that are inspected to detect a file's type: transcripts begin with bookkeeping.
_SAMPLE = 40
# Maximum characters of these records, which are in memory together.
_SAMPLE_CHARS = 2_000_000
# An escape of a printable ASCII character, which needs none.
_HIDING = r"\\u00[2-7]"
# Control characters inside a string are a writer's carelessness, not a broken line.
_decode = json.JSONDecoder(strict=False).decode


class Material:
    """The text of one file, with what readers need of it."""

    def __init__(
        self,
        path: str,
        text: str,
        safe: "Callable[[str], str]" = str,
        name: str = "",
        talk: "Callable[[], Talk] | None" = None,
        trail: "Trail | None" = None,
    ) -> None:
        """`safe` redacts what the reader decodes or reads from other files.

        `name` is the file's path within its project, else the path itself. `talk` creates the collector
        of turns and calls for readers of conversations. `trail` knows what a session had read.
        """
        self.trail = trail
        self.talk = talk or (lambda: Talk(trail))
        self.path = path
        self.name = name or path
        self.text = text
        self.safe = safe
        plain = os.path.splitext(path)[0] if path.endswith(COMPRESSED) else path
        self.suffix = os.path.splitext(plain)[1].lower()
        self.stem = os.path.splitext(os.path.basename(plain))[0]
        # The lines on which `records` found no JSON object.
        self.malformed: set[int] = set()

    def records(self) -> "Iterator[tuple[int, dict[str, Any] | None]]":
        """The JSON object on each line, with the line's number; None if there is none."""
        for number, line in enumerate(self._lines(), 1):
            if line and not line.isspace():
                record = self._record(line)
                if record is None:
                    self.malformed.add(number)
                yield number, record

    def _lines(self) -> "Iterator[str]":
        """Line by line: splitting the text would copy the whole file."""
        start = 0
        while (end := self.text.find("\n", start)) >= 0:
            yield self.text[start:end]
            start = end + 1
        yield self.text[start:]

    @property
    def _is_json(self) -> bool:
        return self.text[:100].lstrip()[:1] == "{"

    @cached_property
    def sample(self) -> "list[dict[str, Any]]":
        """The first objects of a JSON Lines file; empty for anything else."""
        found: list[dict[str, Any]] = []
        if not self._is_json:
            return found
        # Only for detection: `records` reads what is kept, and redaction is counted there.
        lines = (line for line in self._lines() if line and not line.isspace())
        left = _SAMPLE_CHARS
        for line in islice(lines, _SAMPLE):
            record = _record(line) if len(line) <= left else None
            left -= len(line) if record is not None else 0
            if record is not None:
                found.append(record)
        return found

    @cached_property
    def whole(self) -> "dict[str, Any]":
        """The file as one JSON object with messages; empty for anything else."""
        if not self._is_json or '"messages"' not in self.text:
            return {}
        return self._record(self.text) or {}

    def _record(self, line: str) -> "dict[str, Any] | None":
        record = _record(line)
        if record is None or not re.search(_HIDING, line):
            return record
        # Unescaped, so that a secret is detected before a reader shortens it.
        plain = json.dumps(record, ensure_ascii=False)
        safe = self.safe(plain)
        return record if safe == plain else _record(safe)


class LineFinder:
    """Finds the lines of successive marks in a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._line = 1
        self._missing: set[str] = set()

    def next(self, mark: str) -> int:
        """The line of the next occurrence of a quoted mark; if there is none, the last line found."""
        # A mark that was not found does not occur further on: one search to the end suffices.
        if not mark or mark in self._missing:
            return self._line
        found = self._text.find(f'"{mark}"', self._offset)
        if found < 0:
            self._missing.add(mark)
            return self._line
        self._line += self._text.count("\n", self._offset, found)
        self._offset = found
        return self._line


class Reading(Record):
    """The result of reading a file: its pieces in order, and the number of unknown records.

    `cut` says that the reader stopped early because the file is too large, `malformed` which lines could
    not be parsed, `rest` what else was left out and why. `tags` are the file's own tags, `aliases` its
    other names, `links` its links. `parts` are the documents of a collection, read one after the other.
    `outline` is the outline of source code.
    """

    pieces: "list[Piece]"
    title: str = ""
    session: str = ""
    unknown: int = 0
    cut: bool = False
    malformed: str = ""
    rest: str = ""
    tags: tuple[str, ...] = ()
    links: "tuple[Link, ...]" = ()
    aliases: tuple[str, ...] = ()
    parts: "Iterable[Part]" = ()
    outline: "Outline | None" = None

    @property
    def left_out(self) -> str:
        """Which parts of the file were not read, and why; empty if all were."""
        return "; ".join(filter(None, (CUT if self.cut else "", self.malformed, self.rest)))


class Part(Record):
    """One document of a collection: its id, the hash and size of its text, its reading."""

    key: str
    hash: bytes
    size: int
    reading: Reading


def parted_tags(said: str) -> tuple[str, ...]:
    """The tags of a text, separated by commas if it has any, else by blanks."""
    between = r"\s*[,;]\s*" if "," in said or ";" in said else r"\s+"
    return tuple(dict.fromkeys(tag for part in re.split(between, said) if (tag := part.strip("#"))))


def _record(line: str) -> "dict[str, Any] | None":
    # ValueError covers integers of thousands of digits, RecursionError deep nesting. The number of values
    # is checked first, because their memory would be noticed too late.
    if line.count(",") + line.count("[") + line.count("{") > MOST_VALUES:
        return None
    try:
        value = _decode(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
