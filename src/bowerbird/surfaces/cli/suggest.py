"""The nearest known name to a mistyped one; loaded only after a mistake."""

import difflib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(name: str, known: "Iterable[str]") -> str | None:
    """The known name that looks most like this one, or None."""
    found = difflib.get_close_matches(name, list(known), n=1)
    return found[0] if found else None
