"""The nearest known name to a mistyped one; loaded only where one may be mistyped."""

import difflib

from bowerbird.core.kinds import KINDS
from bowerbird.core.types import PASSAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def nearest(name: str, known: "Iterable[str]") -> str | None:
    """The known name that looks most like this one, or None."""
    found = difflib.get_close_matches(name, list(known), n=1)
    return found[0] if found else None


def unknown_kinds(kinds: "Sequence[str]") -> list[str]:
    """A remark on every kind that is not known here; a program may have registered it elsewhere."""
    known = (*KINDS, PASSAGE)
    found = []
    for kind in kinds:
        if kind not in known:
            near = nearest(kind, known)
            found.append(f"no kind {kind!r}" + (f"; did you mean {near}?" if near else ""))
    return found
