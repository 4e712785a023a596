"""What two texts are compared by: the part that messages of the same error share, a branch's print."""

import re
from binascii import crc32

_NAMES = r"`[^`]*`|\"[^\"]*\"|'[^']*'|\b[\w./-]*\d[\w./-]*\b|\b\w+(?:[.:]\w+)+\b|\b[a-z]+[A-Z]\w*\b"


def fingerprint(what: str) -> str:
    """Return a message without names, numbers and locations."""
    return " ".join(re.findall(r"[a-z]+", re.sub(_NAMES, " ", what).lower()))


def branch_print(name: str) -> str:
    """Return a print of a branch, which tells nothing of its name; empty for none."""
    return f"{crc32(name.encode('utf-8', 'replace')):08x}" if name else ""
