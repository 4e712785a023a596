"""Tells checksums, which tools print beside names of files, from keys of the same form."""

from bowerbird.guard.automaton import pattern

_BEFORE = 160
_HEX = frozenset(b"0123456789abcdef")
# Digits of MD5, SHA-1, SHA-224, SHA-256, SHA-384 and SHA-512.
_LENGTHS = frozenset((32, 40, 56, 64, 96, 128))
# A checksum with the name of its algorithm, in which a rule found its form.
_NAMED = (
    r"(?i)(?:^|[^A-Za-z0-9])(?:sha-?\d{1,3}|md5|blake2[bs]?|h1)[=:-][\"']?[A-Za-z0-9_+/=-]{0,130}$"
)
# As `sha256sum` lists it, and behind the path of a file.
_BEGINS = r"(?:^|\n)\s*$"
_NAMES_FILE = r"^ [ *]\S"
_FILE = r"(?:^|\s)[\w.~-]*/[\w./+~-]+\s{1,4}$"


def checksum(data: bytes, begin: int, end: int) -> bool:
    """Whether a value is a checksum, or a part of one."""
    before = data[max(0, begin - _BEFORE) : begin]
    low = before.lower()
    # A third of the time of any(): this is asked of every value.
    by_name = b"sha" in low or b"md5" in low or b"blake2" in low or b"h1" in low
    if by_name and pattern(_NAMED).search(before):
        return True
    if end - begin not in _LENGTHS or not _HEX.issuperset(data[begin:end]):
        return False
    listed = pattern(_BEGINS).search(before) and pattern(_NAMES_FILE).search(data[end : end + 3])
    return bool(listed or pattern(_FILE).search(before))
