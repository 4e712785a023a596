"""Tables as text: the column names and the first rows."""

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
# Maximum lines that are read: the head shows what a table is about, and further rows of measurements
# would be thousands of passages that answer no query.
_LINES = 1_000
_REST = f"the first {_LINES:,} lines of the table are read; {REMEDY}"


class Table:
    """Values separated by commas, semicolons or tabs: each row can be found by the column names."""

    name = "table"

    def accepts(self, material: "Material") -> bool:
        """Whether the suffix is one of a table's."""
        return material.suffix in _DELIMITERS

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces of whole rows, with the column names as context."""
        lines = clean(material.text).split("\n", _LINES)
        rest = lines[_LINES:]
        lines = lines[:_LINES]
        head = next((line for line in lines if line.strip()), "")
        context = shorten(", ".join(_columns(head, _DELIMITERS[material.suffix])), LONGEST_CONTEXT)
        more = _REST if any(part.strip() for part in rest) else ""
        return Reading(cut(lines, 1, size, context=context), rest=more)


def _columns(head: str, delimiters: str) -> list[str]:
    """The names in the first row; empty if it has a single value, or numbers as data rows do."""
    delimiter = max(delimiters, key=head.count)
    try:
        names = next(csv.reader([head[: 8 * LONGEST_CONTEXT]], delimiter=delimiter), [])
    except csv.Error:
        return []
    names = [name.strip() for name in names]
    numbers = sum(name.replace(".", "", 1).lstrip("-").isdigit() for name in names)
    return [name for name in names if name] if len(names) > 1 and not numbers else []
