"""The clock, injected wherever time matters, so that tests and replays control it."""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Clock = Callable[[], int]


def system_clock() -> int:
    """Now, in UTC milliseconds."""
    return time.time_ns() // 1_000_000
