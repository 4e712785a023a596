"""Markdown: sections by heading, cut at paragraphs, with fenced code kept in one piece."""

import re
from functools import partial

from bowerbird.core.text import clean
from bowerbird.core.value import Value
from bowerbird.ingest.bounds import LONGEST_CONTEXT
from bowerbird.ingest.chunk import INSIDE_FENCE, PARAGRAPH, byte_size, cut, prose_bounds
from bowerbird.ingest.frontmatter import frontmatter
from bowerbird.ingest.moment import moment
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.turns import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.core.types import Piece
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_SUFFIXES = {".md", ".markdown", ".mdx", ".mdown", ".mkd", ".mdc", ".qmd", ".rmd"}
# A section shorter than this says little without the first section below it: they share a piece.
_SHORT_BYTES = 256

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:={3,}|-{3,})[ \t]*$")
_FENCES = {"```", "~~~"}
# After backticks no other backtick: that would be code within a line.
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$")
# What a line that is underlined must not begin with to be a heading: quotes, lists, tables, HTML.
_NO_TITLE = re.compile(r"\s*(?:[-*+>|<#]|\d+[.)]\s|$)")


class _Section(Value):
    """Lines from `start` to before `end`, under the headings of `path`; `level` 0 has none."""

    __slots__ = ("end", "level", "path", "start")

    def __init__(self, start: int, end: int, level: int, path: tuple[str, ...]) -> None:
        self.start = start
        self.end = end
        self.level = level
        self.path = path


class Markdown:
    """Notes: headings are the context of what stands below them."""

    name = "markdown"

    def accepts(self, material: "Material") -> bool:
        """Whether the suffix is one of Markdown's."""
        return material.suffix in _SUFFIXES

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces within sections, in the order of the file."""
        lines = clean(material.text).split("\n")
        head = frontmatter(lines)
        when = moment(head.date)
        fenced = _fenced(lines, head.lines)
        sections = list(_sections(lines, head.lines, fenced))
        title = head.title or next((name for part in sections for name in part.path if name), "")
        pieces: list[Piece] = []
        if not head.told:
            # It says more than the context can carry: it has to be found by its words.
            pieces += cut(lines[: head.lines], 1, size, context=title, occurred=when)
        for section in _joined(sections, lines):
            context = _context(head.title, section.path, head.tags)

            part = lines[section.start : section.end]
            bounds = partial(_bounds, first=section.start, fenced=fenced)
            pieces += cut(part, section.start + 1, size, bounds, context, when)
        return Reading(pieces, title=title)


def _context(title: str, path: tuple[str, ...], tags: tuple[str, ...]) -> str:
    """The way to a section: ``Title > Heading > Heading #tag``."""
    parts = (title, *path) if title else path
    way = " > ".join(dict.fromkeys(part for part in parts if part))
    return shorten(" ".join([way, *(f"#{tag}" for tag in tags)]), LONGEST_CONTEXT)


def _sections(lines: "Sequence[str]", begin: int, fenced: "dict[int, int]") -> "Iterator[_Section]":
    """The document from heading to heading; what stands before the first has level 0."""
    open_headings: list[tuple[int, str]] = []
    start, level = begin, 0
    for place, depth, title in _headings(lines, begin, fenced):
        if place > start:
            yield _Section(start, place, level, tuple(name for _, name in open_headings))
        while open_headings and open_headings[-1][0] >= depth:
            open_headings.pop()
        open_headings.append((depth, title))
        start, level = place, depth
    yield _Section(start, len(lines), level, tuple(name for _, name in open_headings))


def _headings(
    lines: "Sequence[str]", begin: int, fenced: "dict[int, int]"
) -> "Iterator[tuple[int, int, str]]":
    """Place, depth and title of each heading: marked with ``#`` or underlined with = or -."""
    for place in range(begin, len(lines)):
        mark = lines[place].lstrip(" ")[:1]
        if mark == "#":
            if place not in fenced and (found := _HEADING.match(lines[place])):
                yield place, len(found.group(1)), _title(lines[place][found.end() :])
        elif mark and mark in "=-" and _UNDERLINE.match(lines[place]) and place not in fenced:
            title = place - 1
            alone = title == begin or not lines[title - 1].strip() if title >= begin else False
            if alone and title not in fenced and not _NO_TITLE.match(lines[title]):
                yield title, 1 if mark == "=" else 2, lines[title][:LONGEST_CONTEXT].strip()


def _title(rest: str) -> str:
    """The text of a heading without the marks that may close it."""
    title = rest[:LONGEST_CONTEXT].strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else title


def _joined(sections: "list[_Section]", lines: "Sequence[str]") -> "Iterator[_Section]":
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


def _fenced(lines: "Sequence[str]", begin: int) -> "dict[int, int]":
    """Lines of fenced code, each with the first line of its fence.

    A fence that is never closed is none: taking it for one would swallow the rest of the document.
    """
    marks = [
        (place, found.group(1), found.group(2).strip())
        for place in range(begin, len(lines))
        if lines[place].lstrip(" ")[:3] in _FENCES and (found := _FENCE.match(lines[place]))
    ]
    inside: dict[int, int] = {}
    # The shortest run of each character that nothing below closes: looking again would be in vain.
    unclosed = {"`": 1 << 30, "~": 1 << 30}
    index = 0
    while index < len(marks):
        opening, run, _ = marks[index]
        index += 1
        if len(run) >= unclosed[run[0]]:
            continue
        for later in range(index, len(marks)):
            closing, other, info = marks[later]
            if other[0] == run[0] and len(other) >= len(run) and not info:
                inside.update(dict.fromkeys(range(opening, closing + 1), opening))
                index = later + 1
                break
        else:
            unclosed[run[0]] = len(run)
    return inside


def _bounds(lines: "Sequence[str]", first: int, fenced: "dict[int, int]") -> list[int]:
    """Bounds of prose, except inside fenced code; `first` is the place of the first line."""
    bounds = prose_bounds(lines)
    for offset in range(len(lines)):
        opening = fenced.get(first + offset)
        if opening is not None:
            bounds[offset] = PARAGRAPH if opening == first + offset else INSIDE_FENCE
    return bounds
