"""What two messages share that tell of the same error. Pure."""

import re

_NAMES = r"`[^`]*`|\"[^\"]*\"|'[^']*'|\b[\w./-]*\d[\w./-]*\b|\b\w+(?:[.:]\w+)+\b|\b[a-z]+[A-Z]\w*\b"


def fingerprint(what: str) -> str:
    """A message without names, numbers and places."""
    return " ".join(re.findall(r"[a-z]+", re.sub(_NAMES, " ", what).lower()))
