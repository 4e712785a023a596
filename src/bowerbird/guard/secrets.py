"""Finds secrets in a text: first a cheap filter that loads nothing, then the table of rules.

For a text with neither a long word nor a word about secrets, the filter is a few substring tests. The
table and RE2 (some milliseconds) are loaded for the first text that passes it, or after so much text that
scanning for their own keywords is the faster filter: until then a text costs that .4 ms and more.
"""

from bowerbird.guard import registry
from bowerbird.guard.suspicion import suspicious

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.guard.detection import Detection

# From this number of characters on in one process, loading costs less than the tests that it saves.
_WORTH_LOADING = 65_536
_read = {"plainly": 0}


def find(text: str) -> "list[Detection]":
    """The secrets in a text, in order, none overlapping another."""
    _read["plainly"] += len(text)
    if _read["plainly"] <= _WORTH_LOADING and not suspicious(text):
        return []
    return registry.scan(text)
