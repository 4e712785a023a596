"""PDF and DOCX, as converted to text by `contents`: pages end with a form feed."""

from bowerbird.core.text import clean
from bowerbird.ingest.paged.pages import HEADING, PAGE_END
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.sections import Outline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.document import Piece
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material


_DEPTHS = frozenset("123456789")


class _Paged:
    name: str
    suffix: str
    # Whether pieces end at page ends.
    parted: bool

    def accepts(self, material: "Material") -> bool:
        """Whether the suffix is that of the format."""
        return material.suffix == self.suffix

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces within headings, numbered by page instead of line; the context says so."""
        outline = Outline()
        pages = material.text.split(PAGE_END)
        # Without page ends, lines of the text are counted instead.
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
        return Reading(pieces, title=title, rest=outline.rest)


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
    """Text of Word files, by heading, and by page as far as the file tells."""

    name = "docx"
    suffix = ".docx"
    # Its pages end where the paper did, not where the sense does.
    parted = False
