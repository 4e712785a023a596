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
short-lived process pays only for the words that it looks up. `scripts/model_files.py` writes one.
"""

from binascii import crc32

from bowerbird.core.errors import ModelError
from bowerbird.models.embed import REMEDY, mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAGIC = b"BOWERTT1"
# Before the pieces that continue a word.
CONTINUES = "##"
# Characters by which the longest piece is known.
_BEGINNING = 2


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

    def pieces(self) -> "Iterator[tuple[str, int]]":
        """Every piece with its row."""
        text, starts = bytes(self._text), self._starts
        for row in range(len(starts) - 1):
            yield text[starts[row] : starts[row + 1]].decode(), row

    def piece(self, row: int) -> str:
        """The text of a row's piece."""
        return bytes(self._text[self._starts[row] : self._starts[row + 1]]).decode()


class Pieces:
    """All pieces in memory, for who looks up thousands of words."""

    def __init__(self, tokens: TokenTable) -> None:
        self._first = _Beginnings()
        self._further = _Beginnings()
        for piece, row in tokens.pieces():
            if piece.startswith(CONTINUES) and len(piece) > len(CONTINUES):
                self._further.add(piece[len(CONTINUES) :], row)
            else:
                self._first.add(piece, row)

    def cut(self, word: str) -> list[int]:
        """The rows of a word: greedy longest match from the left; what no piece covers is skipped."""
        rows: list[int] = []
        start, end = 0, len(word)
        known = self._first
        while start < end:
            longest = known.longest.get(word[start : start + _BEGINNING], 1)
            for stop in range(min(end, start + longest), start, -1):
                row = known.rows.get(word[start:stop])
                if row is not None:
                    rows.append(row)
                    start = stop
                    break
            else:
                start += 1
            known = self._further
        return rows


class _Beginnings:
    """Rows by piece, and the `longest` piece with each beginning: few of all lengths have to be tried.

    Of random letters or digits, a word takes a third to a fifth of the tries.
    """

    __slots__ = ("longest", "rows")

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}
        self.longest: dict[str, int] = {}

    def add(self, piece: str, row: int) -> None:
        self.rows[piece] = row
        beginning = piece[:_BEGINNING]
        if self.longest.get(beginning, 0) < len(piece):
            self.longest[beginning] = len(piece)
