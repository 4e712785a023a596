"""Time, injected wherever it matters, so that tests and replays own the clock; and how it is written."""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Clock = Callable[[], int]


def system_clock() -> int:
    """Now, in UTC milliseconds."""
    return time.time_ns() // 1_000_000


def iso(moment: int) -> str:
    """UTC milliseconds as ISO 8601."""
    seconds, ms = divmod(moment, 1000)
    fraction = f".{ms:03d}" if ms else ""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + fraction + "Z"
