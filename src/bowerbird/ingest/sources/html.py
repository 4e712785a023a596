"""HTML: the text that a reader of the page sees, each line where it stands in the file."""

import re
from html import unescape

from bowerbird.core.text import clean
from bowerbird.ingest.bounds import LONGEST_CONTEXT
from bowerbird.ingest.sources.outline import Outline
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.turns import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_SUFFIXES = {".html", ".htm", ".xhtml"}
# Not the standard library's parser: until 2025 it took quadratic time on comments that never end.
_NAME = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]{0,40})")
# What stands in a tag: quotes may hold ``>``. Longer ones, as images written into the page, end at the
# first ``>``, and so do all after this number of broken ones: each further search would be in vain.
_WITHIN = re.compile(r"(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+>")
_LONGEST_TAG = 8_192
_BROKEN = 1_000
# What is not shown, or leads away from the page, with all that it holds.
_UNSEEN = frozenset("script style template svg math noscript iframe object nav select".split())
_BLOCKS = frozenset(
    "address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure"
    " footer form head header hr html li main ol p pre section summary table tbody tfoot thead tr ul"
    " caption h1 h2 h3 h4 h5 h6 title".split()
)
# Those between which a blank line stands, as between paragraphs.
_APART = _BLOCKS - frozenset("dd dt li tbody tfoot thead tr summary".split())
_HEADINGS = {f"h{depth}": depth for depth in range(1, 7)}
_SPACES = re.compile(r"[ \t\u00a0]+")


class Html:
    """Pages of the web, saved or written: headings are the context of what stands below them."""

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
        return Reading(page.outline.pieces(size, title), title=title or first)


class _Page:
    """A page while it is read, from one tag to the next."""

    def __init__(self, text: str) -> None:
        self.outline = Outline()
        self.title = ""
        self._text = text
        self._place = 0
        # The line of the file up to the place that was counted.
        self._number, self._counted = 1, 0
        self._line: list[str] = []
        self._began = 1
        # Whether the line says anything yet but for an item's mark.
        self._says = False
        self._in_pre = False
        self._heading = 0
        self._broken = 0
        # What was looked for once and not found stands nowhere further on.
        self._missing: set[str] = set()

    def read(self) -> None:
        """All of it, in one pass."""
        text = self._text
        while (begin := text.find("<", self._place)) >= 0:
            self._say(self._place, begin)
            self._place = self._after(begin)
        self._say(self._place, len(text))
        self._end_line()

    def _after(self, begin: int) -> int:
        """Do what a ``<`` says; the place where the text goes on."""
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
        """Behind the end of a tag whose name ends here; the same place where none comes."""
        if self._broken < _BROKEN:
            found = _WITHIN.match(self._text, at, at + _LONGEST_TAG)
            if found is not None:
                return found.end()
            self._broken += 1
        return self._past(">", at)

    def _past(self, mark: str, at: int, *, keep: bool = False) -> int:
        """Behind the next such mark, or at it to `keep` it; where there is none, the same place."""
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
            # Not between an item's mark and its text.
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
        """The text between two places, a line for each line of the file that says anything."""
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
        """The number of the line at a place; places come in order."""
        self._number += self._text.count("\n", self._counted, at)
        self._counted = max(self._counted, at)
        return self._number

    def _end_line(self) -> None:
        if not self._says:
            # The mark of an item whose text stands on the next line of the file goes with that.
            return
        line = "".join(self._line)
        line = line.rstrip() if self._in_pre else line.strip()
        self._line.clear()
        self._says = False
        if self._heading:
            self.outline.head(self._heading, line)
            self._heading = 0
        self.outline.add(line, self._began)
