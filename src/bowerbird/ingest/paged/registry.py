"""The converters of paged documents. Loaded on demand: most folders have none."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    # Converts a file's bytes to text, and tells whether it was cut off.
    ToText = Callable[[bytes], tuple[str, bool]]

PAGED = (".pdf", ".docx")


def to_text(path: str) -> "ToText":
    """The converter for a path whose extension is one of `PAGED`."""
    if path.lower().endswith(".pdf"):
        from bowerbird.ingest.paged.pdf import pdf_text

        return pdf_text
    from bowerbird.ingest.paged.docx import docx_text

    return docx_text
