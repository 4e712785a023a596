"""Hybrid logical clock: stamps that sort in the order of events, across the copies of a store.

A stamp is text that compares as text: milliseconds, a counter within them, and the replica.
"""

# A peer whose clock is further ahead is taken to be wrong, so that it cannot move the stamps of all
# replicas into the future. Local stamps always ascend, whatever the clock does.
MOST_AHEAD_MS = 5 * 60 * 1000
_LAST_COUNT = 0xFFFF


def tick(last: str | None, now: int, replica: str) -> str:
    """The stamp of an event at `now` (UTC milliseconds) that comes after the stamp `last`."""
    milliseconds, count = now, 0
    if last:
        seen, seen_count = parts(last)
        if not last.endswith(f"-{replica}") and seen > now + MOST_AHEAD_MS:
            seen, seen_count = now + MOST_AHEAD_MS, 0
        if seen >= now:
            milliseconds, count = seen, seen_count + 1
            if count > _LAST_COUNT:
                milliseconds, count = seen + 1, 0
    return f"{milliseconds:013d}-{count:04x}-{replica}"


def following(stamp: str, replica: str = "") -> str:
    """The stamp right after another one, of the same replica or a given one."""
    milliseconds, count = parts(stamp)
    if count == _LAST_COUNT:
        milliseconds, count = milliseconds + 1, -1
    return f"{milliseconds:013d}-{count + 1:04x}-{replica or replica_of(stamp)}"


def preceding(stamp: str) -> str:
    """The stamp that another one is `following`."""
    milliseconds, count = parts(stamp)
    if not count:
        milliseconds, count = milliseconds - 1, _LAST_COUNT + 1
    return f"{milliseconds:013d}-{count - 1:04x}-{replica_of(stamp)}"


def parts(stamp: str) -> tuple[int, int]:
    """The milliseconds and the counter of a stamp."""
    milliseconds, count, _ = stamp.split("-", 2)
    return int(milliseconds), int(count, 16)


def replica_of(stamp: str) -> str:
    """The replica that gave a stamp."""
    return stamp.split("-", 2)[2]
