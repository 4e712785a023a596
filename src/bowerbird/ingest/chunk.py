"""Cuts text into passages: pure functions from lines to pieces with exact line numbers."""

import re
import sys

from bowerbird.core.document import Piece
from bowerbird.core.text import BYTES_PER_TOKEN
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# How well a line suits as the first of a piece; only the order of these numbers matters.
PARAGRAPH = 2
ITEM = 1
LINE = 0
INSIDE_FENCE = -1
_SENTENCE = -2
_WORD = -3

# Maximum characters of the pieces of a conversation's turn.
TURN_CHARS = 600
# Pieces of one text are made equally long; this factor over the mean leaves room to choose a cut.
_SLACK = 1.15
# A cut is searched in the last part of the window, so that no piece is shorter than this share of it.
_SHORTEST = 0.5

_SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_ITEM_START = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")


class Size(Value):
    """Maximum length of a piece and overlap of neighbours, in tokens; `lines` is the maximum of lines."""

    __slots__ = ("limit", "lines", "overlap")

    def __init__(self, limit: int, overlap: int, lines: int = sys.maxsize) -> None:
        self.limit = limit
        self.overlap = min(overlap, limit // 2)
        self.lines = lines


class _Unit:
    """A line, or a part of an over-long line; it is never cut. `size` is in bytes."""

    __slots__ = ("bound", "line", "opens", "size", "text")

    def __init__(self, text: str, line: int, bound: int, *, opens: bool) -> None:
        self.text = text
        self.line = line
        self.bound = bound
        self.opens = opens
        self.size = byte_size(text) + opens


def byte_size(text: str) -> int:
    """UTF-8 bytes of a text."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def prose_bounds(lines: "Sequence[str]") -> list[int]:
    """Rates each line as the first of a piece: after a blank line, at a list item, elsewhere."""
    bounds = []
    blank = True
    for line in lines:
        if blank:
            bounds.append(PARAGRAPH)
        else:
            bounds.append(ITEM if _ITEM_START.match(line) else LINE)
        blank = not line or line.isspace()
    return bounds


def cut(
    lines: "Sequence[str]",
    first: int,
    size: Size,
    bounds: "Callable[[Sequence[str]], list[int]]" = prose_bounds,
    context: str = "",
    occurred: int | None = None,
) -> list[Piece]:
    """Cuts consecutive lines into pieces; `first` is the number of the first line.

    A piece has at most `size.limit` tokens and `size.lines` whole lines, and no blank lines at its ends;
    a longer line is cut at sentences, else words. Neighbours share whole lines or sentences up to
    `size.overlap`. `bounds` is called only for texts that have to be cut.
    """
    start, end = 0, len(lines)
    while start < end and (not lines[start] or lines[start].isspace()):
        start += 1
    while start < end and (not lines[end - 1] or lines[end - 1].isspace()):
        end -= 1
    if start == end:
        return []
    kept, number = lines[start:end], first + start
    text = "\n".join(kept)
    limit = size.limit * BYTES_PER_TOKEN
    if byte_size(text) <= limit and len(kept) <= size.lines:
        return [Piece(text, number, number + len(kept) - 1, context, "", occurred)]
    units = list(_units(kept, number, limit, bounds(lines)[start:end]))
    pieces = []
    for begin, finish in _windows(units, limit, size.overlap * BYTES_PER_TOKEN, size.lines):
        piece = _piece(units, begin, finish, context, occurred)
        if piece is not None:
            pieces.append(piece)
    return pieces


def _units(
    lines: "Sequence[str]", first: int, limit: int, bounds: "Sequence[int]"
) -> "Iterator[_Unit]":
    for number, (line, bound) in enumerate(zip(lines, bounds, strict=True), first):
        if byte_size(line) < limit:
            yield _Unit(line, number, bound, opens=True)
            continue
        opens = True
        for part, inner in _parts(line, limit):
            yield _Unit(part, number, bound if opens else inner, opens=opens)
            opens = False


def _parts(line: str, limit: int) -> "Iterator[tuple[str, int]]":
    """Splits an over-long line into sentences, and these into words; joined, they give the line."""
    start = 0
    for end in [match.end() for match in _SENTENCE_ENDS.finditer(line)] + [len(line)]:
        bound = _SENTENCE
        while end - start >= limit or byte_size(line[start:end]) >= limit:
            stop = _last_word_end(line, start, limit)
            yield line[start:stop], bound
            start, bound = stop, _WORD
        if start < end:
            yield line[start:end], bound
            start = end


def _last_word_end(line: str, start: int, limit: int) -> int:
    """The end of a part of a line that begins at `start`: after a blank if there is one."""
    stop = start + limit - 1
    while byte_size(line[start:stop]) >= limit:
        # A character takes at most four bytes, so two or three rounds suffice.
        stop = start + max(1, (stop - start) * (limit - 1) // byte_size(line[start:stop]))
    blank = line.rfind(" ", start + 1, stop)
    return blank + 1 if blank > start + (stop - start) // 2 else stop


def _windows(
    units: "list[_Unit]", limit: int, overlap: int, most: int
) -> "Iterator[tuple[int, int]]":
    """Ranges of at most `limit` units that together cover all of them."""
    ends = [0]
    for unit in units:
        ends.append(ends[-1] + unit.size)
    begin = reached = 0
    while reached < len(units):
        left = ends[-1] - ends[begin]
        count = max(-(-left // limit), -(-(len(units) - begin) // most))
        if count == 1:
            yield begin, len(units)
            return
        even = left / count * _SLACK
        window = max(min(limit, even), ends[reached + 1] - ends[begin])
        stop = reached + 1
        last = min(len(units), begin + most)
        while stop < last and ends[stop + 1] - ends[begin] <= window:
            stop += 1
        stop = _best_cut(units, ends, begin, reached, stop)
        yield begin, stop
        begin, reached = _step_back(units, ends, stop, limit, overlap), stop


def _best_cut(units: "list[_Unit]", ends: list[int], begin: int, reached: int, stop: int) -> int:
    """The best end of a piece in the last part of its window; of equally good ones the last."""
    if stop == len(units):
        return stop
    shortest = ends[begin] + (ends[stop] - ends[begin]) * _SHORTEST
    best = stop
    for line in range(stop - 1, reached, -1):
        if ends[line] < shortest and units[best].bound != INSIDE_FENCE:
            break
        if units[line].bound > units[best].bound:
            best = line
    return best


def _step_back(units: "list[_Unit]", ends: list[int], stop: int, limit: int, overlap: int) -> int:
    """The start of the next piece: as far back as the overlap and the next unit allow."""
    begin = stop
    while (
        begin > 0
        and ends[stop] - ends[begin - 1] <= overlap
        and ends[min(stop + 1, len(units))] - ends[begin - 1] <= limit
    ):
        begin -= 1
    return begin


def _piece(
    units: "list[_Unit]", start: int, end: int, context: str, occurred: int | None
) -> Piece | None:
    while start < end and (not units[start].text or units[start].text.isspace()):
        start += 1
    while start < end and (not units[end - 1].text or units[end - 1].text.isspace()):
        end -= 1
    if start == end:
        return None
    kept = units[start:end]
    text = "".join("\n" + unit.text if unit.opens else unit.text for unit in kept)
    text = text.removeprefix("\n") if kept[0].opens else text.lstrip()
    if end < len(units) and not units[end].opens:
        text = text.rstrip()
    return Piece(text, kept[0].line, kept[-1].line, context, "", occurred)


def cut_message(text: str, limit: int = TURN_CHARS) -> list[str]:
    """Cuts a turn into parts of at most `limit` characters, without overlap.

    Cuts at paragraphs, else lines, sentences, words; the parts have about equal length.
    """
    text = text.strip()
    parts = []
    start = 0
    while len(text) - start > limit:
        left = len(text) - start
        window = min(limit, int(left / -(-left // limit) * _SLACK))
        stop = _message_cut(text, start + int(window * _SHORTEST), start + window)
        parts.append(text[start:stop].strip())
        start = stop
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def _message_cut(text: str, shortest: int, longest: int) -> int:
    for mark in ("\n\n", "\n"):
        at = text.rfind(mark, shortest, longest)
        if at > 0:
            return at
    ends = [match.end() for match in _SENTENCE_ENDS.finditer(text, shortest, longest)]
    if ends:
        return ends[-1]
    at = text.rfind(" ", shortest, longest)
    return at if at > 0 else longest
