"""Which documents of pages are read by what. Loaded where one is met: most folders hold none."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    # The text of a file's bytes, and whether there was more.
    ToText = Callable[[bytes], tuple[str, bool]]

PAGED = (".pdf", ".docx")


def to_text(path: str) -> "ToText":
    """What makes text of the file at a path whose ending is one of `PAGED`."""
    if path.lower().endswith(".pdf"):
        from bowerbird.ingest.paged.pdf import pdf_text

        return pdf_text
    from bowerbird.ingest.paged.docx import docx_text

    return docx_text
