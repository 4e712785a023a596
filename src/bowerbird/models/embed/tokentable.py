"""The file format of a static model: word pieces with one int8 row each, memory-mapped.

Layout, little-endian, every section aligned to 64 bytes:

    0    8   magic ``BOWERTT1``
    8    4   uint32: length of the header
    12   n   header: JSON, ASCII
    ...      sections, at the offsets the header gives

Header: ``name``, ``dims``, ``rows``, ``slots``, ``revision`` (the first 12 hex digits of the
SHA-256 of all that follows the header) and ``sections``, name to [offset, size]:

    table    int8    (rows, dims)   row values
    scales   float32 (rows,)        a row is its values times its scale; its length is its weight
    slots    uint32  (slots,)       hash index: row + 1, or 0; linear probing from crc32(piece) % slots
    starts   uint32  (rows + 1,)    the offset of each piece in `text`
    text     UTF-8                  the pieces; those that continue a word begin with ``##``

Only the header is parsed when the file is opened. Looking up a piece takes about a microsecond, so a
short-lived process pays only for the words that it looks up.
"""

import json
import struct
from binascii import crc32

from bowerbird.core.errors import ModelError
from bowerbird.models.embed import REMEDY, mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

MAGIC = b"BOWERTT1"
_ALIGNMENT = 64


class TokenTable:
    """An open token table. Rows are numbered from 0; lookups are by the piece's text."""

    def __init__(self, path: "str | Path") -> None:
        """Map the file. Raises ModelError if it is missing, truncated or of another format."""
        self._map, header = mapped(path, MAGIC, "a token table")
        view = memoryview(self._map)
        sections = {}
        for name, (offset, length) in header["sections"].items():
            if offset + length > len(view):
                raise ModelError(f"{path} is cut short", REMEDY)
            sections[name] = view[offset : offset + length]
        self.name: str = header["name"]
        self.revision: str = header["revision"]
        self.dims: int = header["dims"]
        self.rows: int = header["rows"]
        self.table = sections["table"].cast("b")
        self.scales = sections["scales"].cast("f")
        self._slots = sections["slots"].cast("I")
        self._starts = sections["starts"].cast("I")
        self._text = sections["text"]

    def find(self, piece: bytes) -> int:
        """The row of a piece (UTF-8); -1 if there is none."""
        slots, mask = self._slots, len(self._slots) - 1
        slot = crc32(piece) & mask
        while row := slots[slot]:
            if self._text[self._starts[row - 1] : self._starts[row]] == piece:
                return row - 1
            slot = (slot + 1) & mask
        return -1

    def piece(self, row: int) -> str:
        """The text of a row's piece."""
        return bytes(self._text[self._starts[row] : self._starts[row + 1]]).decode()


def write_table(
    path: "str | Path",
    name: str,
    rows: "Mapping[str, Sequence[float]]",
) -> str:
    """Write a token table of pieces with their rows of floats, and return its revision.

    All rows must have the same length. Used by the script that builds the model, and by tests.
    """
    import array  # start-up: only writing needs it
    import hashlib  # start-up: only writing needs it

    slots = 1 << max(4, (2 * len(rows) - 1).bit_length())
    index = array.array("I", bytes(4 * slots))
    starts = array.array("I", [0])
    text, table, scales = bytearray(), bytearray(), array.array("f")
    dims = 0
    for number, (piece, row) in enumerate(rows.items(), 1):
        encoded = piece.encode()
        slot = crc32(encoded) & (slots - 1)
        while index[slot]:
            slot = (slot + 1) & (slots - 1)
        index[slot] = number
        text += encoded
        starts.append(len(text))
        dims = len(row)
        scale = max(map(abs, row)) / 127 or 1.0
        scales.append(scale)
        table += array.array("b", [round(value / scale) for value in row]).tobytes()
    sections = {
        "table": bytes(table),
        "scales": scales.tobytes(),
        "slots": index.tobytes(),
        "starts": starts.tobytes(),
        "text": bytes(text),
    }
    # Offsets are relative to a fixed position of the header, so its own length does not matter.
    room = 1024
    body, layout = bytearray(), {}
    for section, data in sections.items():
        layout[section] = [room + len(body), len(data)]
        body += data + bytes(-len(data) % _ALIGNMENT)
    revision = hashlib.sha256(body).hexdigest()[:12]
    header = json.dumps(
        {
            "name": name,
            "dims": dims,
            "rows": len(rows),
            "slots": slots,
            "revision": revision,
            "sections": layout,
        }
    ).encode()
    start = MAGIC + struct.pack("<I", len(header)) + header
    with open(path, "wb") as file:
        file.write(start + bytes(room - len(start)) + body)
    return revision
