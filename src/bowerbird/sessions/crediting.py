"""Which injected memories were of use, as nobody corrected them, and which earned trust by that."""

from bowerbird.core.errors import BowerbirdError
from bowerbird.sessions.levels import CORRECTIONS, UNDONE, USED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

# Sessions without a correction after which a memory's confidence rises, by how much, and up to what
# maximum: initial values, not measured yet.
_SESSIONS = 5
_RISE = 0.05
_HIGHEST = 0.95
_WHY = "injected in five sessions, corrected in none"


def due(outcomes: "Iterable[dict[str, Any]]", session: str, given: "Iterable[str]") -> list[str]:
    """Return the memories injected into a session whose confidence rises now, without duplicates.

    `outcomes` are those before this session's own.
    """
    seen: dict[str, set[str]] = {}
    raised: set[str] = set()
    for one in outcomes:
        id = one.get("id")
        if one.get("what") in CORRECTIONS and isinstance(id, str):
            seen.pop(id, None)
        elif one.get("what") == USED:
            for known in one["given"] if isinstance(one.get("given"), list) else ():
                sessions = seen.setdefault(str(known), set())
                sessions.add(str(one.get("session")))
                if len(sessions) >= _SESSIONS:
                    raised.add(str(known))
    return [
        id for id in given if id not in raised and len(seen.get(id, set()) | {session}) >= _SESSIONS
    ]


def uncorrected(
    outcomes: "Iterable[dict[str, Any]]", given: "Iterable[str]", since: int
) -> list[str]:
    """Return the memories injected into a session that nobody corrected since: they were of use.

    `since` is when the first of them was injected.
    """
    wrong: set[object] = set()
    for one in outcomes:
        if one["at"] >= since and one.get("what") in CORRECTIONS:
            wrong.add(one.get("id"))
        elif one.get("what") == UNDONE:
            wrong.discard(one.get("id"))
    return [id for id in given if id not in wrong]


def surer(confidence: float) -> float:
    """Return the confidence of a memory that earned trust; never lower than before."""
    return max(confidence, min(_HIGHEST, round(confidence + _RISE, 4)))


def raise_by_use(memory: "Any", id: str) -> None:
    """Raise the confidence of a memory, unless it was pruned or deleted meanwhile, or is verified."""
    try:
        entry = memory.get(id)
        if entry.details is not None:
            sure = surer(entry.details.fields.confidence)
            memory.edit(id, confidence=sure, reason=_WHY)
    except BowerbirdError:
        return
