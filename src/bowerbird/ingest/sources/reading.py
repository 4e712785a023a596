"""What a reader is given and what it hands back."""

import json
import os
import re
from functools import cached_property
from itertools import islice

from bowerbird.core.value import Value
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

    class Source(Protocol):
        """Reads one kind of file. Knows nothing of stores, models or what was read before."""

        name: str

        def accepts(self, material: "Material") -> bool:
            """Whether this is a file of its kind."""
            ...

        def read(self, material: "Material", size: Size, /) -> "Reading":
            """The pieces of the file, in order. Never raises for what the file holds."""
            ...


# Records of a file that are looked at to tell what it is: transcripts begin with bookkeeping.
_SAMPLE = 40
# Characters of them, which are all held at once; a record beyond is not looked at.
_SAMPLE_CHARS = 2_000_000
# An escape for what needs none: plain letters, digits and signs.
_HIDING = r"\\u00[2-7]"
# Control characters inside a string are a careless writer's, not a broken line.
_decode = json.JSONDecoder(strict=False).decode


class Material:
    """The text of one file, with what readers ask of it."""

    def __init__(
        self,
        path: str,
        text: str,
        safe: "Callable[[str], str]" = str,
        name: str = "",
        talk: "Callable[[], Talk]" = Talk,
    ) -> None:
        """`safe` takes the secrets out of what the reader finds beside the text, or decodes.

        `name` is the part of the path that tells the file from others, else the path itself. `talk`
        makes what a reader of conversations collects turns and calls in.
        """
        self.talk = talk
        self.path = path
        self.name = name or path
        self.text = text
        self.safe = safe
        plain = os.path.splitext(path)[0] if path.endswith(COMPRESSED) else path
        self.suffix = os.path.splitext(plain)[1].lower()
        self.stem = os.path.splitext(os.path.basename(plain))[0]
        # The lines that `records` found no JSON object on.
        self.malformed: set[int] = set()

    def records(self) -> "Iterator[tuple[int, dict[str, Any] | None]]":
        """The JSON object on each line, with the line's number; None for a line that holds none."""
        for number, line in enumerate(self._lines(), 1):
            if line and not line.isspace():
                record = self._record(line)
                if record is None:
                    self.malformed.add(number)
                yield number, record

    def _lines(self) -> "Iterator[str]":
        """Line by line: all at once would be the file once more."""
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
        """The first objects of a file of JSON lines; empty for anything else."""
        found: list[dict[str, Any]] = []
        if not self._is_json:
            return found
        # Only looked at: what is kept is read by `records`, and secrets are counted there.
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
        # Written plainly, a secret is seen, before a reader cuts it short.
        plain = json.dumps(record, ensure_ascii=False)
        safe = self.safe(plain)
        return record if safe == plain else _record(safe)


class LineFinder:
    """Tells on which line of a text marks stand that come one after the other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._line = 1
        self._missing: set[str] = set()

    def next(self, mark: str) -> int:
        """The line of the next place where a quoted mark stands; where it does not, the last one."""
        # What was not found once is not found further on: one search to the end is enough.
        if not mark or mark in self._missing:
            return self._line
        found = self._text.find(f'"{mark}"', self._place)
        if found < 0:
            self._missing.add(mark)
            return self._line
        self._line += self._text.count("\n", self._place, found)
        self._place = found
        return self._line


class Reading(Value):
    """A file as it was read: its pieces in order, and records that the reader does not know.

    `cut` says that the reader gave up before the end, for there was too much, `malformed` which lines
    could not be read, `rest` what else of the file was left and why. `tags` are what the file says that
    it is about, `aliases` its other names, `links` what it leads to. `parts` are the documents that the
    file holds, where it is a collection: they are read one after the other. `outline` is what
    source code says of itself.
    """

    __slots__ = (
        "aliases",
        "cut",
        "links",
        "malformed",
        "outline",
        "parts",
        "pieces",
        "rest",
        "session",
        "tags",
        "title",
        "unknown",
    )

    def __init__(
        self,
        pieces: "list[Piece]",
        title: str = "",
        session: str = "",
        unknown: int = 0,
        *,
        cut: bool = False,
        malformed: str = "",
        rest: str = "",
        tags: tuple[str, ...] = (),
        links: "tuple[Link, ...]" = (),
        aliases: tuple[str, ...] = (),
        parts: "Iterable[Part]" = (),
        outline: "Outline | None" = None,
    ) -> None:
        self.cut = cut
        self.rest = rest
        self.tags = tags
        self.links = links
        self.aliases = aliases
        self.parts = parts
        self.outline = outline
        self.malformed = malformed
        self.pieces = pieces
        self.title = title
        self.session = session
        self.unknown = unknown

    @property
    def left_out(self) -> str:
        """What of the file was not read, and why; empty where all of it was."""
        return "; ".join(filter(None, (CUT if self.cut else "", self.malformed, self.rest)))


class Part(Value):
    """One document of a collection: what tells it apart, its text's hash and size, its reading."""

    __slots__ = ("hash", "key", "reading", "size")

    def __init__(self, key: str, hash: bytes, size: int, reading: Reading) -> None:
        self.size = size
        self.key = key
        self.hash = hash
        self.reading = reading


def parted_tags(said: str) -> tuple[str, ...]:
    """The tags of a text that has commas between them, else spaces, as written."""
    between = r"\s*[,;]\s*" if "," in said or ";" in said else r"\s+"
    return tuple(dict.fromkeys(tag for part in re.split(between, said) if (tag := part.strip("#"))))


def text_at(record: "dict[str, Any]", *keys: str) -> str:
    """The first of these fields that holds a text, or an empty one."""
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def table_at(record: "dict[str, Any]", key: str) -> "dict[str, Any]":
    """The object in a field, or an empty one."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def tables_at(record: "dict[str, Any]", key: str) -> "list[dict[str, Any]]":
    """The objects of the list in a field; what is not an object is left out."""
    value = record.get(key)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _record(line: str) -> "dict[str, Any] | None":
    # ValueError covers integers of thousands of digits, RecursionError nesting by the thousand.
    # As many values as that at the most; counted, for what they take is seen too late.
    if line.count(",") + line.count("[") + line.count("{") > MOST_VALUES:
        return None
    try:
        value = _decode(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
