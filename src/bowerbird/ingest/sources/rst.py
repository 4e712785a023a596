"""reStructuredText: sections by underlined titles, as docutils parses them."""

import re

from bowerbird.core.text import clean
from bowerbird.ingest.bounds import LONGEST_CONTEXT
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.sections import sectioned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_SUFFIXES = {".rst", ".rest"}
# A line of one repeated punctuation mark; docutils takes shorter ones as text too.
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*$")
_SHORTEST = 4


class Rst:
    """Pages of Sphinx and docutils: the titles above a text are its context."""

    name = "restructuredtext"

    def accepts(self, material: "Material") -> bool:
        """Whether the suffix is one of reStructuredText's."""
        return material.suffix in _SUFFIXES

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces within sections, in the order of the file."""
        lines = clean(material.text).split("\n")
        headings = list(_headings(lines))
        title = next((name for _, _, name in headings), "")
        return Reading(sectioned(lines, headings, size), title=title)


def _headings(lines: "Sequence[str]") -> "Iterator[tuple[int, int, str]]":
    """Index, depth and title of each section: the first style of adornment is the outermost."""
    depths: dict[tuple[str, bool], int] = {}
    number = 0
    while number < len(lines) - 1:
        line = lines[number]
        over = _adorned(line)
        if over and number + 2 < len(lines) and _adorned(lines[number + 2]) == over:
            title, size, taken = lines[number + 1], min(len(line), len(lines[number + 2])), 3
        elif not over and (under := _adorned(lines[number + 1])):
            title, size, taken, over = line, len(lines[number + 1]), 2, ""
            # An indented line, or one that follows a line of text, is no title.
            if title[:1].isspace() or (number and lines[number - 1].strip()):
                title = ""
        else:
            number += 1
            continue
        bare = title.strip()
        if not bare or size < min(len(bare), _SHORTEST) or _adorned(title):
            number += 1
            continue
        kind = (over or under, bool(over))
        yield number, depths.setdefault(kind, len(depths) + 1), bare[:LONGEST_CONTEXT]
        number += taken


def _adorned(line: str) -> str:
    """The mark that a line consists of; empty for any other line."""
    found = _ADORNMENT.match(line)
    return found.group(1) if found else ""
