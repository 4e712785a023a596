"""DOCX: the paragraphs of a Word file, parsed from its XML without building a tree.

A document of 400 pages takes .09 s and 16 MB so; with python-docx, which builds the tree and does not
report pages, .20 s and 35 MB.
"""

import io
import zipfile
import zlib
from xml.parsers import expat

from bowerbird.ingest.paged.pages import HEADING, MOST_CHARS, PAGE_END, BrokenError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main "
# The same namespace in the strict form of the standard.
_STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main "
# Maximum bytes that are decompressed, and their maximum ratio to the file: the text of a document of 400
# pages shrinks to a sixth, a bomb to a thousandth.
_MOST_BYTES = 200_000_000
_MOST_TIMES = 200
_LEAST_BYTES = 5_000_000
_PART = 1 << 16
# Maximum open elements: a paragraph in a table has ten above it, and each table around that four more.
_DEEPEST = 2_000
_DEEPEST_HEADING = 9
# Elements with deleted text or field codes.
_UNSEEN = frozenset(("del", "moveFrom", "instrText", "delText", "Fallback"))
_SIGNS = {"tab": "\t", "ptab": "\t", "noBreakHyphen": "-", "cr": " "}


def docx_text(data: bytes, most: int = MOST_CHARS) -> tuple[str, bool]:
    """The text of a Word file, with marks for headings and pages, and whether it was cut off.

    Raises BrokenError.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = set(packed.namelist())
            document = "word/document.xml"
            if document not in names:
                raise BrokenError("no Word document")
            budget = _Budget(min(_MOST_BYTES, max(_LEAST_BYTES, len(data) * _MOST_TIMES)))
            styles = _Styles()
            if "word/styles.xml" in names:
                _parse(packed, "word/styles.xml", styles, budget)
            body = _Body(styles.depths, most)
            _parse(packed, document, body, budget)
    # The library raises many exceptions for a broken file: from struct, zlib, its own lists.
    except (
        zipfile.BadZipFile,
        zlib.error,
        expat.ExpatError,
        EOFError,
        OSError,
        ValueError,
        KeyError,
        IndexError,
        NotImplementedError,
        RuntimeError,
        OverflowError,
    ) as error:
        raise BrokenError("a broken or locked Word file") from error
    return body.text(), body.cut


class _Budget:
    """The number of bytes that may still be decompressed."""

    def __init__(self, left: int) -> None:
        self._left = left

    def take(self, size: int) -> None:
        """Raises BrokenError if that is too much."""
        self._left -= size
        if self._left < 0:
            raise BrokenError(f"unpacked it is over {_MOST_TIMES} times as large")


class _Handler:
    """Receives the elements of an XML part; `done` ends parsing."""

    done = False

    def begin(self, name: str, attributes: "Mapping[str, str]") -> None:
        """Called when an element begins."""

    def end(self, name: str) -> None:
        """Called when an element ends."""

    def say(self, text: str) -> None:
        """Called for text."""


def _parse(packed: zipfile.ZipFile, name: str, handler: _Handler, budget: _Budget) -> None:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise BrokenError("nested too deep")
        handler.begin(_local(name), {_local(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        handler.end(_local(name))

    def refuse(*_: object) -> None:
        raise BrokenError("it declares a document type, as no Word file does")

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = handler.say
    # Entities, which can expand without limit, can only be declared there.
    parser.StartDoctypeDeclHandler = refuse
    with packed.open(name) as stream:
        while not handler.done and (part := stream.read(_PART)):
            budget.take(len(part))
            parser.Parse(part)
    if not handler.done:
        parser.Parse(b"", True)  # noqa: FBT003 it takes no names


def _local(name: str) -> str:
    """A name in Word's namespace without it, other names with theirs."""
    return name.removeprefix(_WORD).removeprefix(_STRICT)


class _Styles(_Handler):
    """The heading depth of each style, below the title: by its level, its name, or its base style."""

    def __init__(self) -> None:
        self.depths: dict[str, int] = {}
        self._id = ""

    def begin(self, name: str, attributes: "Mapping[str, str]") -> None:
        if name == "style":
            self._id = attributes.get("styleId", "")
        value = attributes.get("val", "")
        if name == "basedOn" and value in self.depths:
            self.depths.setdefault(self._id, self.depths[value])
        elif name == "name":
            kind, _, number = value.lower().partition(" ")
            if kind == "heading" and number.isdigit():
                self.depths[self._id] = 1 + int(number[:2])
            elif value.lower() == "title":
                self.depths[self._id] = 1
        elif name == "outlineLvl" and value.isdigit() and len(value) == 1:
            self.depths[self._id] = int(value) + 2


class _Body(_Handler):
    """The paragraphs of a document."""

    def __init__(self, depths: dict[str, int], most: int) -> None:
        self.cut = False
        self._depths = depths
        self._left = most
        self._lines: list[str] = []
        self._line: list[str] = []
        self._depth = 0
        self._unseen = 0
        self._in_text = False
        # For each open table, the number of cells in the current row.
        self._cells: list[int] = []
        self._in_properties = 0
        # The lines that begin a page: where Word last rendered a break, and where the author set one.
        self._rendered: set[int] = set()
        self._explicit: set[int] = set()

    def begin(self, name: str, attributes: "Mapping[str, str]") -> None:
        value = attributes.get("val", "")
        if name in _UNSEEN:
            self._unseen += 1
        elif name == "t":
            self._in_text = True
        elif name == "pPr":
            self._in_properties += 1
        elif self._in_properties:
            self._property(name, value)
        elif name in _SIGNS:
            self._line.append(_SIGNS[name])
        elif name == "lastRenderedPageBreak":
            self._break(self._rendered)
        elif name == "br" and attributes.get("type") == "page":
            self._break(self._explicit)
        elif name == "br":
            self._end_line()
        else:
            self._table(name)

    def _property(self, name: str, value: str) -> None:
        """Handles a property of the current paragraph."""
        if name == "pStyle":
            self._depth = self._depths.get(value, 0)
        elif name == "outlineLvl":
            self._depth = int(value) + 2 if value in set("012345678") else 0
        elif name == "pageBreakBefore" and value not in {"0", "false", "off"}:
            self._explicit.add(len(self._lines))

    def _table(self, name: str) -> None:
        if name == "tr":
            self._cells.append(0)
        elif name == "tc" and self._cells:
            if self._cells[-1]:
                self._line.append(" | ")
            self._cells[-1] += 1

    def end(self, name: str) -> None:
        if name in _UNSEEN:
            self._unseen -= 1
        elif name == "pPr":
            self._in_properties -= 1
        elif name == "t":
            self._in_text = False
        elif name == "tr":
            if self._cells:
                self._cells.pop()
            self._end_line()
        elif name == "p":
            if self._cells:
                # The paragraphs of a cell are joined to the row's line.
                self._line.append(" ")
                self._depth = 0
            else:
                self._end_line()
                self._lines.append("")
                self._depth = 0

    def say(self, text: str) -> None:
        if self._in_text and not self._unseen and not self.done:
            self._line.append(text[: self._left])
            self._left -= len(text)
            if self._left <= 0:
                self.cut = self.done = True
                self._end_line()

    def text(self) -> str:
        """The whole text: pages by Word's rendered breaks, else by the author's."""
        breaks = self._rendered or self._explicit
        lines: list[str] = []
        for number, line in enumerate(self._lines):
            if number in breaks and number:
                lines.append(PAGE_END)
            lines.append(line)
        return "\n".join(lines).replace(f"\n{PAGE_END}\n", PAGE_END)

    def _break(self, breaks: set[int]) -> None:
        # Within a table row the page begins with the next row.
        if "".join(self._line).strip() and not self._cells:
            self._end_line()
        breaks.add(len(self._lines))

    def _end_line(self) -> None:
        line = " ".join(
            "".join(self._line).replace(PAGE_END, " ").replace(HEADING, " ").split("\n")
        )
        self._line.clear()
        if not line.strip():
            return
        if self._depth:
            depth = min(self._depth, _DEEPEST_HEADING)
            line = f"{depth}{HEADING}{line.strip()}"
        self._lines.append(line.rstrip())
