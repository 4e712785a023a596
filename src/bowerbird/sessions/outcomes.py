"""What the outcomes of memories mean for the signals that proposed them."""

from bowerbird.sessions.levels import CONFIRMED, REJECTED, VERDICTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Outcome = dict[str, Any]

# The maximum of additional sessions required of a signal whose lessons were rejected.
_MOST_MORE = 3


def needed_more(outcomes: "Iterable[Outcome]") -> dict[str, int]:
    """Return how many more sessions a signal's lessons need, by signal, given its rejected ones."""
    left: dict[str, int] = {}
    for one in outcomes:
        signal = one.get("signal")
        if isinstance(signal, str) and signal and one.get("what") in VERDICTS:
            step = {REJECTED: 1, CONFIRMED: -1}.get(one["what"], 0)
            left[signal] = min(_MOST_MORE, max(0, left.get(signal, 0) + step))
    return left
