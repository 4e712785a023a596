"""The part that two messages of the same error share. Pure."""

import re

_NAMES = r"`[^`]*`|\"[^\"]*\"|'[^']*'|\b[\w./-]*\d[\w./-]*\b|\b\w+(?:[.:]\w+)+\b|\b[a-z]+[A-Z]\w*\b"


def fingerprint(what: str) -> str:
    """Return a message without names, numbers and locations."""
    return " ".join(re.findall(r"[a-z]+", re.sub(_NAMES, " ", what).lower()))
