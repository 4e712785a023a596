"""The lines of a document with the headings among them, cut into pieces by section."""

from bowerbird.core.value import Value
from bowerbird.ingest.bounds import LONGEST_CONTEXT
from bowerbird.ingest.chunk import byte_size, cut, prose_bounds
from bowerbird.ingest.sources.turns import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bowerbird.core.document import Piece
    from bowerbird.ingest.chunk import Size

    # The place of a heading's line among the lines, its depth from 1 on, and its title.
    Heading = tuple[int, int, str]
    # How good each of some lines is to begin a piece; the number is the place of the first of them.
    Bounds = Callable[[Sequence[str], int], list[int]]

# A section shorter than this says little without the first section below it: they share a piece.
_SHORT_BYTES = 256
# Headings that are open at once: a way of more than these says nothing more to anybody.
_DEEPEST = 12


class _Section(Value):
    """Lines from `start` to before `end`, under the headings of `path`; `level` 0 has none."""

    __slots__ = ("end", "level", "path", "start")

    def __init__(self, start: int, end: int, level: int, path: tuple[str, ...]) -> None:
        self.start = start
        self.end = end
        self.level = level
        self.path = path


class Outline:
    """Lines that a reader makes of a file, each with the line or page of the file where it stands."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.headings: list[Heading] = []
        self._numbers: list[int] = []

    def add(self, line: str, number: int) -> None:
        """A line, which stands on that line of the file."""
        self.lines.append(line)
        self._numbers.append(number)

    def part(self) -> None:
        """A blank line, unless the last one is."""
        if self.lines and self.lines[-1]:
            self.add("", self._numbers[-1])

    def head(self, depth: int, title: str) -> None:
        """A heading: what is added from here on stands below it."""
        self.headings.append((len(self.lines), depth, title))

    def pieces(self, size: "Size", title: str = "", occurred: int | None = None) -> "list[Piece]":
        """The pieces of all sections, where they stand in the file."""
        pieces = sectioned(self.lines, self.headings, size, title, occurred=occurred)
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
    """The pieces of the lines from the place `begin` on, each within a section, in order.

    Their context is the way there. What `bounds` says of lines holds when a section has to be cut.
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
    """The way to a section: ``Title > Heading > Heading``."""
    parts = (title, *path) if title else path
    way = " > ".join(dict.fromkeys(part for part in parts if part))
    return shorten(way, LONGEST_CONTEXT)


def _sections(end: int, begin: int, headings: "Iterable[Heading]") -> "Iterator[_Section]":
    """The document from heading to heading; what stands before the first has level 0."""
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
    """Sections with a heading that says little put together with the first one below it."""
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
