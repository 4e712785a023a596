"""Finds the lines of private keys, which no single-line rule covers."""

from bowerbird.guard.automaton import pattern
from bowerbird.guard.detection import PRIVATE_KEY
from bowerbird.guard.heuristics import any_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

KEYWORD = b"private key"
# From the header line to two dashes, which do not occur in a body.
_BLOCK = r"-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----((?:[^-]|-[^-])*)"
_END = b"-----END "
_RUN = r"(?:\\[nr])*([A-Za-z0-9+/=]{4,})"
# A line of a private key has 64 or 76 characters; less than half a line is no key.
_LINE = 32
# Maximum characters beside a key's line: indentation, diff or quotation marks, quotes.
_LEAD = 100
_LEADS = b" \t\r+>|-\"'\\"
_TAILS = (b"", b"\n", b"\r", b"\\", b'"', b"'", b" ")


def key_spans(data: bytes) -> "Iterator[tuple[int, int, str]]":
    """Yields the lines of private keys. Without an end marker, as many lines as are long enough."""
    for block in pattern(_BLOCK).finditer(data):
        begin, end = block.span(1)
        runs = [run.span(1) for run in pattern(_RUN).finditer(data, begin, end)]
        long = [(start, stop) for start, stop in runs if stop - start >= _LINE]
        whole = long and data.startswith(_END, end)
        for start, stop in runs if whole else long:
            is_line = stop - start >= _LINE or _alone(data, start, stop)
            if is_line and any_value(data[start:stop].decode("utf-8", "replace")):
                yield start, stop, PRIVATE_KEY


def _alone(data: bytes, start: int, stop: int) -> bool:
    """Whether a short run is the last line of a key, not a word of a header such as Proc-Type."""
    before = data[max(0, start - _LEAD) : start].replace(b"\\n", b"\n")
    lead = before.rpartition(b"\n")[2].strip(_LEADS)
    return not lead and (data[stop : stop + 1] in _TAILS or data.startswith(b"-----", stop))
