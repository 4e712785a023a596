"""Tables as text: what the columns are called, and the first rows."""

import csv

from bowerbird.core.text import clean
from bowerbird.ingest.bounds import LONGEST_CONTEXT, REMEDY
from bowerbird.ingest.chunk import cut
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.turns import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_DELIMITERS = {".csv": ",;\t|", ".tsv": "\t", ".tab": "\t"}
# Lines that are read: what a table is about shows at its head, and further rows of measurements would be
# passages by the thousand that answer nothing.
_LINES = 1_000
_REST = f"the first {_LINES:,} lines of the table are read; {REMEDY}"


class Table:
    """Values between commas, semicolons or tabs: the names of the columns are found with each row."""

    name = "table"

    def accepts(self, material: "Material") -> bool:
        """Whether the suffix is one of a table's."""
        return material.suffix in _DELIMITERS

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces of whole rows, whose context is the columns' names."""
        lines = clean(material.text).split("\n", _LINES)
        rest = lines[_LINES:]
        lines = lines[:_LINES]
        head = next((line for line in lines if line.strip()), "")
        context = shorten(", ".join(_columns(head, _DELIMITERS[material.suffix])), LONGEST_CONTEXT)
        more = _REST if any(part.strip() for part in rest) else ""
        return Reading(cut(lines, 1, size, context=context), rest=more)


def _columns(head: str, delimiters: str) -> list[str]:
    """The names in the first row; none where it holds a single value, or numbers as data does."""
    delimiter = max(delimiters, key=head.count)
    try:
        names = next(csv.reader([head[: 8 * LONGEST_CONTEXT]], delimiter=delimiter), [])
    except csv.Error:
        return []
    names = [name.strip() for name in names]
    numbers = sum(name.replace(".", "", 1).lstrip("-").isdigit() for name in names)
    return [name for name in names if name] if len(names) > 1 and not numbers else []
