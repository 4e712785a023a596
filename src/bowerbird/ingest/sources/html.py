"""HTML: the visible text of a page, with line numbers of the file."""

import re
from html import unescape

from bowerbird.core.text import clean
from bowerbird.ingest.bounds import LONGEST_CONTEXT
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.sections import Outline
from bowerbird.ingest.sources.turns import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_SUFFIXES = {".html", ".htm", ".xhtml"}
# Not the standard library's parser: until 2025 it took quadratic time on comments that never end.
_NAME = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]{0,40})")
# The rest of a tag; quotes may contain ``>``. Longer tags, such as embedded images, end at the first
# ``>``, and so do all tags after this number of broken ones, because each further search would fail too.
_WITHIN = re.compile(r"(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+>")
_LONGEST_TAG = 8_192
_BROKEN = 1_000
# Elements that are not shown, or navigate away from the page, with their content.
_UNSEEN = frozenset("script style template svg math noscript iframe object nav select".split())
_BLOCKS = frozenset(
    "address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure"
    " footer form head header hr html li main ol p pre section summary table tbody tfoot thead tr ul"
    " caption h1 h2 h3 h4 h5 h6 title".split()
)
# Elements that are separated by a blank line, like paragraphs.
_APART = _BLOCKS - frozenset("dd dt li tbody tfoot thead tr summary".split())
_HEADINGS = {f"h{depth}": depth for depth in range(1, 7)}
_SPACES = re.compile(r"[ \t\u00a0]+")


class Html:
    """Web pages, saved or written: the headings above a text are its context."""

    name = "html"

    def accepts(self, material: "Material") -> bool:
        """Whether the suffix is one of HTML's."""
        return material.suffix in _SUFFIXES

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces within sections, in the order of the file, without tags, scripts and styles."""
        page = _Page(clean(material.text))
        page.read()
        title = shorten(page.title, LONGEST_CONTEXT)
        first = next((name for _, _, name in page.outline.headings), "")
        pieces = page.outline.pieces(size, title)
        return Reading(pieces, title=title or first, rest=page.outline.rest)


class _Page:
    """The state of one pass over a page, from tag to tag."""

    def __init__(self, text: str) -> None:
        self.outline = Outline()
        self.title = ""
        self._text = text
        self._offset = 0
        # The line number at the position up to which lines were counted.
        self._number, self._counted = 1, 0
        self._line: list[str] = []
        self._began = 1
        # Whether the line has text apart from a list item's mark.
        self._says = False
        self._in_pre = False
        self._heading = 0
        self._broken = 0
        # Marks that were searched to the end of the page and not found.
        self._missing: set[str] = set()

    def read(self) -> None:
        """Reads the page in one pass."""
        text = self._text
        while not self.outline.rest and (begin := text.find("<", self._offset)) >= 0:
            self._say(self._offset, begin)
            self._offset = self._after(begin)
        if not self.outline.rest:
            self._say(self._offset, len(text))
            self._end_line()

    def _after(self, begin: int) -> int:
        """Processes the markup at a ``<``; returns the position where the text continues."""
        text = self._text
        if text.startswith("<!--", begin):
            return self._past("-->", begin + 4)
        if text.startswith(("<!", "<?"), begin):
            return self._past(">", begin + 2)
        found = _NAME.match(text, begin)
        end = self._tag_end(found.end()) if found else begin
        if found is None or end == found.end():
            self._say(begin, begin + 1)
            return begin + 1
        closing, name = bool(found.group(1)), found.group(2).lower()
        if closing:
            self._close(name)
        elif name == "title" and not self.title:
            closed = self._past("</title", end, keep=True)
            self.title = " ".join(unescape(text[end:closed]).split())
            return closed
        elif name in _UNSEEN:
            return self._past(f"</{name}", end, keep=True)
        else:
            self._open(name)
        return end

    def _tag_end(self, at: int) -> int:
        """The position after the end of a tag, given the end of its name; unchanged if it has no end."""
        if self._broken < _BROKEN:
            found = _WITHIN.match(self._text, at, at + _LONGEST_TAG)
            if found is not None:
                return found.end()
            self._broken += 1
        return self._past(">", at)

    def _past(self, mark: str, at: int, *, keep: bool = False) -> int:
        """The position after the next mark, or with `keep` at it; unchanged if there is none."""
        if mark in self._missing:
            return at
        found = re.compile(re.escape(mark), re.IGNORECASE | re.ASCII).search(self._text, at)
        if found is None:
            self._missing.add(mark)
            return at
        return found.start() if keep else found.end()

    def _open(self, name: str) -> None:
        if name == "br":
            self._end_line()
        elif name in {"td", "th"}:
            if self._says:
                self._line.append(" | ")
        elif name in _BLOCKS:
            self._end_line()
            # Not between a list item's mark and its text.
            if name in _APART and not self._line:
                self.outline.part()
            self._heading = _HEADINGS.get(name, 0)
            self._in_pre = name == "pre" or self._in_pre
            if name == "li":
                self._line.append("- ")

    def _close(self, name: str) -> None:
        if name in _BLOCKS:
            self._end_line()
            if name in _APART:
                self.outline.part()
            self._heading = 0
            self._in_pre = self._in_pre and name != "pre"

    def _say(self, begin: int, end: int) -> None:
        """Adds the text between two positions, as one line for each nonblank line of the file."""
        if begin == end:
            return
        for row, part in enumerate(self._text[begin:end].split("\n")):
            if row:
                begin += 1
                self._end_line()
            said = unescape(part)
            if not self._in_pre:
                said = _SPACES.sub(" ", said)
            if said and not said.isspace() and not self._says:
                self._began, self._says = self._at(begin), True
            if self._says or (self._in_pre and said):
                self._line.append(said)
            begin += len(part)

    def _at(self, at: int) -> int:
        """The line number at a position; positions must ascend."""
        self._number += self._text.count("\n", self._counted, at)
        self._counted = max(self._counted, at)
        return self._number

    def _end_line(self) -> None:
        if not self._says:
            # A list item's mark is joined with its text on the next line of the file.
            return
        line = "".join(self._line)
        line = line.rstrip() if self._in_pre else line.strip()
        self._line.clear()
        self._says = False
        if self._heading:
            self.outline.head(self._heading, line)
            self._heading = 0
        self.outline.add(line, self._began)
