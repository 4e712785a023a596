"""AsciiDoc: sections by title, with listings and other blocks kept whole."""

import re

from bowerbird.core.text import clean
from bowerbird.ingest.dates import moment
from bowerbird.ingest.sources.reading import Reading, parted_tags
from bowerbird.ingest.sources.sections import sectioned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_SUFFIXES = {".adoc", ".asciidoc", ".asc"}
_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)$")
# Blocks whose lines cannot be titles: listings, literals, passthroughs and comments.
_BLOCK = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|```)(?:[a-z]*)[ \t]*$")
_ATTRIBUTE = re.compile(r":([\w-]{1,40}):[ \t]+(.*)$")
_TAGS = ("tags", "keywords", "page-tags")
_DATES = ("revdate", "date", "docdate")


class AsciiDoc:
    """Pages of Asciidoctor and Antora: the titles above a text are its context."""

    name = "asciidoc"

    def accepts(self, material: "Material") -> bool:
        """Whether the suffix is one of AsciiDoc's; ``.asc`` is not, as keys and signatures use it."""
        return material.suffix in _SUFFIXES and not material.text.startswith("-----BEGIN PGP")

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces within sections, in the order of the file."""
        lines = clean(material.text).split("\n")
        headings = list(_headings(lines))
        said = _attributes(lines)
        tags = parted_tags(next((said[name] for name in _TAGS if name in said), ""))
        when = moment(next((said[name] for name in _DATES if name in said), ""))
        title = next((name for _, _, name in headings), "")
        pieces = sectioned(lines, headings, size, occurred=when)
        return Reading(pieces, title=title, tags=tags)


def _headings(lines: "Sequence[str]") -> "Iterator[tuple[int, int, str]]":
    """Index, depth and title of each section."""
    closing = _closings(lines)
    number = 0
    while number < len(lines):
        if number in closing:
            number = closing[number]
        elif found := _HEADING.match(lines[number]):
            yield number, len(found.group(1)), found.group(2).strip()
        number += 1


def _closings(lines: "Sequence[str]") -> dict[int, int]:
    """The last line of each block by its first; a block that is never closed does not count."""
    closing: dict[int, int] = {}
    marks = [
        (number, line.rstrip())
        for number, line in enumerate(lines)
        if line[:1] in "-.+/`" and _BLOCK.match(line)
    ]
    # How often each delimiter is still to come: the last one cannot be closed.
    left: dict[str, int] = {}
    for _, mark in marks:
        left[_end(mark)] = left.get(_end(mark), 0) + 1
    opened: tuple[int, str] | None = None
    for number, mark in marks:
        left[_end(mark)] -= 1
        if opened is None:
            opened = (number, _end(mark)) if left[_end(mark)] else None
        elif mark == opened[1]:
            closing[opened[0]] = number
            opened = None
        elif not left[opened[1]]:
            opened = None
    return closing


def _end(mark: str) -> str:
    """The line that ends a block: the delimiter, for a fence without the language."""
    return "```" if mark.startswith("```") else mark


def _attributes(lines: "Sequence[str]") -> dict[str, str]:
    """The attributes in the document header, which ends with its first blank line."""
    said: dict[str, str] = {}
    for line in lines:
        if not line.strip():
            break
        if found := _ATTRIBUTE.match(line):
            said.setdefault(found.group(1).lower(), found.group(2).strip())
    return said
