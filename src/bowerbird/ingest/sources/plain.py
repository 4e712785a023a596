"""Any text of no known format: cut at paragraphs and lines."""

from bowerbird.core.text import clean
from bowerbird.ingest.chunk import cut
from bowerbird.ingest.sources.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material


class Plain:
    """Plain text, logs, data: whatever no other reader accepts."""

    name = "text"

    def accepts(self, material: "Material") -> bool:
        """True for every text."""
        return material is not None

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces without context."""
        return Reading(cut(clean(material.text).split("\n"), 1, size))
