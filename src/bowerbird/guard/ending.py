"""Finds the end of an unquoted value: passwords contain characters that elsewhere separate values."""

# After these a value may continue; after a comma, a quote, a backslash or a blank it does not.
_PARTS = b"&;<>()[]{}"
_STOPS = b" \t\r\n\"'`\\,|"
# Bytes in which the end of a value, or the beginning of an address, is searched.
_LONGEST = 256


def whole(data: bytes, begin: int, end: int) -> int:
    """The end of a value whose pattern ended at a bracket, ampersand or semicolon.

    The value continues unless another field (`&name=`), a command or a closing tag follows. Inside an
    address an ampersand always ends it.
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
    """Whether the word in which a value begins is an address or form data."""
    word = data[max(0, begin - _LONGEST) : begin].split()[-1:]
    return any(b"?" in part or b"://" in part or b"&" in part for part in word)
