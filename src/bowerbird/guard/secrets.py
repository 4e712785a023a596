"""Where secrets stand in a text: a first look that loads nothing, then the table of rules.

A text that holds neither a long word nor a word that speaks of secrets costs substring tests; the
table and RE2 (some milliseconds) are loaded for the first text that does, or when so much was
read that their own keywords are the faster first look.
"""

from bowerbird.guard import registry
from bowerbird.guard.suspicion import suspicious

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.guard.detection import Detection

# From this number of characters on, in one process, loading costs less than the tests it saves.
_WORTH_LOADING = 65_536
_read = {"plainly": 0}


def find(text: str) -> "list[Detection]":
    """The secrets in a text, in order, none overlapping another."""
    if _read["plainly"] <= _WORTH_LOADING:
        _read["plainly"] += len(text)
        if not suspicious(text):
            return []
        _read["plainly"] = _WORTH_LOADING + 1
    return registry.scan(text)
