"""Orders what is one's own beside what is everybody's. Pure."""

from bowerbird.core.answers import Hit
from bowerbird.core.types import MEMORY
from bowerbird.retrieval.linked import ANSWERS_TOO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def shared_first(hits: "Sequence[Hit]", sure: "Mapping[int, float]") -> tuple[Hit, ...]:
    """The hits with each personal memory behind the team's that answer too, which all stay.

    It keeps its place before one than which it is newer and surer; `sure` has the confidence of memories
    by row. The relevance still never rises from one hit to the next.
    """
    ordered = list(hits)
    for at in range(len(ordered) - 1, -1, -1):
        own = ordered[at]
        if not own.entry.audience:
            continue
        behind = [
            place
            for place in range(at + 1, len(ordered))
            if _goes_before(ordered[place], own, sure)
        ]
        if behind:
            end = behind[-1] + 1
            moved = [
                one.replace(relevance=max(one.relevance, own.relevance))
                for one in ordered[at + 1 : end]
            ]
            ordered[at:end] = [*moved, own]
    return tuple(ordered)


def _goes_before(one: Hit, own: Hit, sure: "Mapping[int, float]") -> bool:
    """Whether a hit is everybody's, answers too, and is not outdone by a personal one."""
    shared = one.entry.family == MEMORY and not one.entry.audience
    if not shared or one.relevance < ANSWERS_TOO * own.relevance:
        return False
    newer = (own.entry.created, own.entry.id) > (one.entry.created, one.entry.id)
    return not (newer and sure.get(own.entry.row, 0.0) > sure.get(one.entry.row, 0.0))
