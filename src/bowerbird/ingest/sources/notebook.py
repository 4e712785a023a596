"""Jupyter notebooks: the cells with their text outputs; no images, no widgets."""

from bowerbird.core.text import clean
from bowerbird.ingest.bounds import LONGEST_CONTEXT
from bowerbird.ingest.fields import table_at, tables_at, text_at
from bowerbird.ingest.json_positions import LocatedText, located
from bowerbird.ingest.sources.markdown import fenced_lines, headings_of
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.sections import Outline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

# Deeper than any Markdown heading, so that a cell belongs to the last heading.
_CELL = 7
# Maximum lines and characters of a cell's output: the head of a table, the end of an error. More of a
# training log answers no query.
_OUTPUT_LINES = 30
_OUTPUT_CHARS = 2_000


class Notebook:
    """A notebook: each cell belongs to the last heading, with its number."""

    name = "notebook"

    def accepts(self, material: "Material") -> bool:
        """Whether the suffix is Jupyter's and the file contains JSON."""
        return material.suffix == ".ipynb" and material.text.lstrip()[:1] == "{"

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces within cells, with the lines of the file that contain their text."""
        book = located(material.text)
        if not isinstance(book, dict):
            return Reading([], rest="it is no JSON, or holds too many values")
        # Before version 4 the cells were in worksheets.
        sheets = tables_at(book, "worksheets")
        cells = [
            *tables_at(book, "cells"),
            *(c for sheet in sheets for c in tables_at(sheet, "cells")),
        ]
        outline = Outline()
        unknown = sum(
            not _read(outline, cell, number, material) for number, cell in enumerate(cells, 1)
        )
        first = (name for _, depth, name in outline.headings if depth < _CELL and name)
        title = text_at(table_at(book, "metadata"), "title") or next(first, "")
        pieces = outline.pieces(size)
        return Reading(pieces, title=title[:LONGEST_CONTEXT], unknown=unknown, rest=outline.rest)


def _read(outline: Outline, cell: "dict[str, Any]", number: int, material: "Material") -> bool:
    """Adds a cell; False for an unknown type of cell."""
    kind = text_at(cell, "cell_type")
    lines = list(_lines(cell.get("source", cell.get("input"))))
    if kind in {"markdown", "heading"}:
        texts = [line for line, _ in lines]
        level = cell.get("level")
        found = {
            line: (depth, name) for line, depth, name in headings_of(texts, fenced_lines(texts))
        }
        if kind == "heading" and lines:
            found[0] = (
                level if isinstance(level, int) and 0 < level < _CELL else 1,
                texts[0].strip(),
            )
    elif kind in {"code", "raw"}:
        found = {}
    else:
        return False
    outline.part()
    outline.head(_CELL, f"cell {number}")
    for index, (line, at) in enumerate(lines):
        if index in found:
            outline.head(*found[index])
            outline.head(_CELL, f"cell {number}")
        outline.add(line, at)
    for output in tables_at(cell, "outputs"):
        outline.part()
        for line, at in _output(output, material):
            outline.add(line, at)
    return True


def _output(output: "dict[str, Any]", material: "Material") -> "Iterator[tuple[str, int]]":
    """The first lines of a cell's output, if it is text."""
    said: Any = output.get("text")
    if text_at(output, "output_type") in {"error", "pyerr"}:
        name, value = output.get("ename"), output.get("evalue")
        if isinstance(name, LocatedText) and isinstance(value, LocatedText):
            yield from _lines([_at(f"{name}: {value}", name.line)])
        return
    if not said:
        said = table_at(output, "data").get("text/plain")
    left = _OUTPUT_CHARS
    for count, (line, at) in enumerate(_lines(said)):
        if count == _OUTPUT_LINES or left <= 0:
            return
        # Redacted before it is shortened: half a secret would not be detected.
        yield (material.safe(line)[:left] if len(line) > left else line), at
        left -= len(line)


def _lines(source: "Any") -> "Iterator[tuple[str, int]]":
    """The lines of a cell's text, which is a string or a list of strings, with their line numbers."""
    texts = source if isinstance(source, list) else [source]
    begun: list[str] = []
    at = 0
    for text in texts:
        if not isinstance(text, LocatedText):
            continue
        for row, line in enumerate(clean(text).split("\n")):
            if row:
                yield "".join(begun), at
                begun.clear()
            at = at if begun else text.line
            if line:
                begun.append(line)
    if begun:
        yield "".join(begun), at


def _at(text: str, line: int) -> LocatedText:
    found = LocatedText(text)
    found.line = line
    return found
