"""An experiment of the user's own: which sessions are told what, to see what memory is good for. Pure.

Sessions that are told nothing are recorded and learned from like any other.
"""

from zlib import crc32

from bowerbird.core.events import COMPACTING, PROMPTED, STARTED

NONE, PASSIVE, FULL = ARMS = ("none", "passive", "full")
# Of a hundred sessions, those that are told nothing, and those that are told nothing between their steps.
_NOTHING, _PASSIVE = 5, 10
_HUNDRED = 100


def arm(session: str, project: str) -> str:
    """The arm of a session, the same whenever it is asked."""
    number = crc32(f"{session}:{project}".encode("utf-8", "surrogatepass")) % _HUNDRED
    return NONE if number < _NOTHING else PASSIVE if number < _NOTHING + _PASSIVE else FULL


def speaks(arm: str, what: str) -> bool:
    """Whether memory speaks in an arm at such an event."""
    return arm == FULL or (arm == PASSIVE and what in (STARTED, PROMPTED, COMPACTING))
