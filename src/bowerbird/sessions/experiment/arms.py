"""The user's own experiment: which sessions get which injections, to measure their benefit. Pure.

Sessions without injections are recorded and learned from like any other.
"""

from zlib import crc32

from bowerbird.core.events import COMPACTING, PROMPTED, STARTED

NONE, PASSIVE, FULL = ARMS = ("none", "passive", "full")
# Of a hundred sessions, those without injections, and those without injections between their steps.
_NOTHING = 5
_PASSIVE = 10
_HUNDRED = 100


def arm(session: str, project: str) -> str:
    """Return the arm of a session; deterministic."""
    number = crc32(f"{session}:{project}".encode("utf-8", "surrogatepass")) % _HUNDRED
    return NONE if number < _NOTHING else PASSIVE if number < _NOTHING + _PASSIVE else FULL


def speaks(arm: str, what: str) -> bool:
    """Return whether memory injects in an arm at such an event."""
    return arm == FULL or (arm == PASSIVE and what in (STARTED, PROMPTED, COMPACTING))
