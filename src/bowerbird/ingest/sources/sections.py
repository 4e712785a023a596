"""A document as lines and headings, cut into pieces by section."""

from bowerbird.core.value import Record
from bowerbird.ingest.bounds import LINES_CUT, LONGEST_CONTEXT, MOST_LINES
from bowerbird.ingest.chunk import byte_size, cut, prose_bounds
from bowerbird.ingest.sources.turns import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bowerbird.core.document import Piece
    from bowerbird.ingest.chunk import Size

    # The index of a heading's line, its depth from 1 on, and its title.
    Heading = tuple[int, int, str]
    # Rates lines as the first of a piece; the number is the index of the first line.
    Bounds = Callable[[Sequence[str], int], list[int]]

# A shorter section says little alone: it shares a piece with the first section below it.
_SHORT_BYTES = 256
# Maximum depth of nested headings; a longer heading path adds nothing.
_DEEPEST = 12


class _Section(Record):
    """Lines from `start` to before `end`, under the headings of `path`; `level` is 0 without heading."""

    start: int
    end: int
    level: int
    path: tuple[str, ...]


class Outline:
    """Lines that a reader extracts from a file, each with its line or page number there."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.headings: list[Heading] = []
        self._numbers: list[int] = []
        # Why lines are left out, if any are: a line of a file may hold a million of these.
        self.rest = ""

    def add(self, line: str, number: int) -> None:
        """Adds a line with its number in the file, up to as many as a file may have."""
        if len(self.lines) >= MOST_LINES:
            self.rest = LINES_CUT
            return
        self.lines.append(line)
        self._numbers.append(number)

    def part(self) -> None:
        """Adds a blank line, unless the last one is blank."""
        if self.lines and self.lines[-1]:
            self.add("", self._numbers[-1])

    def head(self, depth: int, title: str) -> None:
        """Adds a heading: the lines added from here on are below it."""
        if self.rest:
            return
        self.headings.append((len(self.lines), depth, title))

    def pieces(self, size: "Size", title: str = "") -> "list[Piece]":
        """The pieces of all sections, with their numbers in the file."""
        pieces = sectioned(self.lines, self.headings, size, title)
        for piece in pieces:
            piece.start_line = self._numbers[piece.start_line - 1]
            piece.end_line = max(piece.start_line, self._numbers[piece.end_line - 1])
        return pieces


def sectioned(
    lines: "Sequence[str]",
    headings: "Iterable[Heading]",
    size: "Size",
    title: str = "",
    begin: int = 0,
    bounds: "Bounds | None" = None,
    occurred: int | None = None,
) -> "list[Piece]":
    """The pieces of the lines from the index `begin` on, each within a section, in order.

    Their context is the heading path. `bounds` is used if a section has to be cut.
    """
    pieces: list[Piece] = []
    for section in _joined(_sections(len(lines), begin, headings), lines):
        part = lines[section.start : section.end]
        within = _from(bounds, section.start) if bounds else prose_bounds
        context = _context(title, section.path)
        pieces += cut(part, section.start + 1, size, within, context, occurred)
    return pieces


def _from(bounds: "Bounds", first: int) -> "Callable[[Sequence[str]], list[int]]":
    return lambda lines: bounds(lines, first)


def _context(title: str, path: tuple[str, ...]) -> str:
    """The heading path of a section: ``Title > Heading > Heading``."""
    parts = (title, *path) if title else path
    way = " > ".join(dict.fromkeys(part for part in parts if part))
    return shorten(way, LONGEST_CONTEXT)


def _sections(end: int, begin: int, headings: "Iterable[Heading]") -> "Iterator[_Section]":
    """The document from heading to heading; lines before the first heading have level 0."""
    open_headings: list[tuple[int, str]] = []
    start, level = begin, 0
    for number, depth, title in headings:
        if number > start:
            yield _Section(start, number, level, tuple(name for _, name in open_headings))
        while open_headings and open_headings[-1][0] >= depth:
            open_headings.pop()
        if len(open_headings) < _DEEPEST:
            open_headings.append((depth, title[:LONGEST_CONTEXT].strip()))
        start, level = number, depth
    yield _Section(start, end, level, tuple(name for _, name in open_headings))


def _joined(sections: "Iterable[_Section]", lines: "Sequence[str]") -> "Iterator[_Section]":
    """Joins short sections that have a heading with the first section below them."""
    waiting: _Section | None = None
    for section in sections:
        if waiting is None:
            waiting = section
            continue
        text = lines[waiting.start : waiting.end]
        short = sum(map(byte_size, text)) + len(text) <= _SHORT_BYTES
        if short and section.level > waiting.level:
            waiting = _Section(waiting.start, section.end, section.level, section.path)
        else:
            yield waiting
            waiting = section
    if waiting is not None:
        yield waiting
