"""Where a value ends that no quote encloses: passwords hold what elsewhere parts values."""

# Behind these a value may go on; behind a comma, a quote, a backslash or a blank it does not.
_PARTS = b"&;<>()[]{}"
_STOPS = b" \t\r\n\"'`\\,|"
# So far a value is followed, and so far back the beginning of an address is looked for.
_LONGEST = 256


def whole(data: bytes, begin: int, end: int) -> int:
    """The end of a value that a pattern ended at a bracket, ampersand or semicolon.

    It goes on where something follows that is no further field (`&name=`), no further command and
    no closing tag; inside an address, where an ampersand always parts, it does not.
    """
    limit = min(len(data), end + _LONGEST)
    while end < limit and data[end] in _PARTS:
        stop = end + 1
        while stop < limit and data[stop] not in _STOPS and data[stop] not in _PARTS:
            stop += 1
        rest = data[end + 1 : stop]
        if not rest or b"=" in rest or b":" in rest or rest[:1] in (b"/", b".", b"-"):
            break
        if data[end] in b"&;" and _in_address(data, begin):
            break
        end = stop
    return end


def _in_address(data: bytes, begin: int) -> bool:
    """Whether the word in which a value begins is an address or the fields of a form."""
    word = data[max(0, begin - _LONGEST) : begin].split()[-1:]
    return any(b"?" in part or b"://" in part or b"&" in part for part in word)
