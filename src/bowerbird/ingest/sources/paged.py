"""Documents of pages, as `contents` made text of them: pages end with a form feed."""

from bowerbird.core.text import clean
from bowerbird.ingest.paged.pages import HEADING, PAGE_END
from bowerbird.ingest.sources.outline import Outline
from bowerbird.ingest.sources.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.document import Piece
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material


_DEPTHS = frozenset("123456789")


class _Paged:
    name: str
    suffix: str
    # Whether no piece reaches from one page to the next.
    parted: bool

    def accepts(self, material: "Material") -> bool:
        """Whether the suffix is that of the format."""
        return material.suffix == self.suffix

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces within headings, whose lines are the numbers of their pages; the context says so."""
        outline = Outline()
        pages = material.text.split(PAGE_END)
        # Where nothing tells of pages, the lines of the text are counted.
        by_page = self.parted or len(pages) > 1
        for number, page in enumerate(pages if by_page else material.text.split("\n"), 1):
            if self.parted:
                outline.head(1, "")
            for line in page.split("\n"):
                depth, mark, title = line.partition(HEADING)
                if mark and depth in _DEPTHS:
                    outline.head(int(depth), clean(title))
                    outline.add(clean(title), number)
                else:
                    outline.add(clean(line), number)
        title = next((name for _, _, name in outline.headings if name), "")
        pieces = outline.pieces(size)
        if by_page:
            for piece in pieces:
                piece.context = " · ".join(filter(None, (piece.context, _page(piece))))
        return Reading(pieces, title=title)


def _page(piece: "Piece") -> str:
    if piece.start_line == piece.end_line:
        return f"page {piece.start_line}"
    return f"pages {piece.start_line}-{piece.end_line}"


class Pdf(_Paged):
    """Text of PDF files, by page."""

    name = "pdf"
    suffix = ".pdf"
    parted = True


class Docx(_Paged):
    """Text of Word's files, by page as far as they tell where one ended, and by heading."""

    name = "docx"
    suffix = ".docx"
    # Its pages end where paper did, its sections by their sense.
    parted = False
