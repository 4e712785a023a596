"""The nearest known name to a mistyped one; loaded only where one may be mistyped."""

import difflib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(name: str, known: "Iterable[str]") -> str | None:
    """The known name that looks most like this one, or None.

    The dashes of an option do not count: all options begin alike.
    """
    bare = {one.lstrip("-"): one for one in known}
    found = difflib.get_close_matches(name.lstrip("-"), list(bare), n=1)
    return bare[found[0]] if found else None
