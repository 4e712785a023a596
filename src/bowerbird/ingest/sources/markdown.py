"""Markdown: sections by heading, cut at paragraphs, with fenced code kept in one piece."""

import re
from functools import partial

from bowerbird.core.kept_block import BEGINS, ENDS
from bowerbird.core.text import clean
from bowerbird.ingest.bounds import LONGEST_CONTEXT
from bowerbird.ingest.chunk import INSIDE_FENCE, PARAGRAPH, cut, prose_bounds
from bowerbird.ingest.dates import moment
from bowerbird.ingest.frontmatter import frontmatter
from bowerbird.ingest.links import links
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.sections import sectioned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.core.document import Piece
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_SUFFIXES = {".md", ".markdown", ".mdx", ".mdown", ".mkd", ".mdc", ".qmd", ".rmd"}

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:={3,}|-{3,})[ \t]*$")
_FENCES = {"```", "~~~"}
# No other backtick may follow the backticks: that would be inline code.
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$")
# Starts of an underlined line that make it no heading: quotes, lists, tables, HTML.
_NO_TITLE = re.compile(r"\s*(?:[-*+>|<#]|\d+[.)]\s|$)")


class Markdown:
    """Notes: the headings above a text are its context."""

    name = "markdown"

    def accepts(self, material: "Material") -> bool:
        """Whether the suffix is one of Markdown's."""
        return material.suffix in _SUFFIXES

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces within sections, in the order of the file."""
        lines = _without_block(clean(material.text).split("\n"))
        head = frontmatter(lines)
        when = moment(head.date)
        fenced = fenced_lines(lines, head.lines)
        headings = list(headings_of(lines, fenced, head.lines))
        title = head.title or next((name for _, _, name in headings if name), "")
        pieces: list[Piece] = []
        if not head.complete:
            # The block says more than the context can hold, so its text must be searchable.
            pieces += cut(lines[: head.lines], 1, size, context=title, occurred=when)
        bounds = partial(_bounds, fenced=fenced)
        pieces += sectioned(lines, headings, size, head.title, head.lines, bounds, occurred=when)
        return Reading(
            pieces, title=title, tags=head.tags, links=links(lines, fenced), aliases=head.aliases
        )


def _without_block(lines: "list[str]") -> "list[str]":
    """The lines with those empty that `bower export` keeps in a rules file: they are memories already."""
    inside, found = False, []
    for line in lines:
        inside = inside or line.startswith(BEGINS)
        found.append("" if inside else line)
        inside = inside and line != ENDS
    return found if not inside else lines


def headings_of(
    lines: "Sequence[str]", fenced: "dict[int, int]", begin: int = 0
) -> "Iterator[tuple[int, int, str]]":
    """Index, depth and title of each heading: marked with ``#`` or underlined with = or -."""
    for number in range(begin, len(lines)):
        mark = lines[number].lstrip(" ")[:1]
        if mark == "#":
            if number not in fenced and (found := _HEADING.match(lines[number])):
                yield number, len(found.group(1)), _title(lines[number][found.end() :])
        elif mark and mark in "=-" and _UNDERLINE.match(lines[number]) and number not in fenced:
            title = number - 1
            alone = title == begin or not lines[title - 1].strip() if title >= begin else False
            if alone and title not in fenced and not _NO_TITLE.match(lines[title]):
                yield title, 1 if mark == "=" else 2, lines[title][:LONGEST_CONTEXT].strip()


def _title(rest: str) -> str:
    """The text of a heading without the closing marks."""
    title = rest[:LONGEST_CONTEXT].strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else title


def fenced_lines(lines: "Sequence[str]", begin: int = 0) -> "dict[int, int]":
    """Lines of fenced code, each with the first line of its fence.

    A fence that is never closed does not count, else it would swallow the rest of the document.
    """
    marks = [
        (number, found.group(1), found.group(2).strip())
        for number in range(begin, len(lines))
        if lines[number].lstrip(" ")[:3] in _FENCES and (found := _FENCE.match(lines[number]))
    ]
    inside: dict[int, int] = {}
    # The length of the shortest unclosed fence of each character: longer ones are not closed either.
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
    """Bounds of prose, except inside fenced code; `first` is the index of the first line."""
    bounds = prose_bounds(lines)
    for offset in range(len(lines)):
        opening = fenced.get(first + offset)
        if opening is not None:
            bounds[offset] = PARAGRAPH if opening == first + offset else INSIDE_FENCE
    return bounds
