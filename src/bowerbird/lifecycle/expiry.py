"""The day from which a memory is not believed any more, as people write it."""

import re

from bowerbird.core.errors import BadInput

_AGE = re.compile(r"(\d{1,5})\s*(min|mo|h|d|w|y)")
_MINUTE = 60 * 1000
_DAY = 24 * 60 * _MINUTE
# The end of the year 9999, as ISO dates know it: far within what a store can write.
_LATEST = 253_402_300_799_999
_UNITS = {
    "min": _MINUTE,
    "h": 60 * _MINUTE,
    "d": _DAY,
    "w": 7 * _DAY,
    "mo": 30 * _DAY,
    "y": 365 * _DAY,
}
_REMEDY = "give a date to come such as 2030-01-31, or an age: 12h, 30d, 2w, 3mo, 1y"


def expiry(given: "str | int | None", now: int) -> int | None:
    """UTC milliseconds of an ISO date or time, an age from `now`, or milliseconds; None: never.

    A date without a time counts to its end; a time without a zone is local. Raises BadInput for
    anything else, and for what has passed.
    """
    if given is None:
        return None
    found = given if isinstance(given, int) else _moment(given.strip(), now)
    if found > _LATEST:
        raise BadInput(f"expires {given!s:.40} is no time", _REMEDY)
    if found <= now:
        raise BadInput(f"expires {given} has passed already", _REMEDY)
    return found


def _moment(text: str, now: int) -> int:
    age = _AGE.fullmatch(text.lower())
    if age:
        return now + int(age[1]) * _UNITS[age[2]]
    from datetime import datetime, timedelta  # start-up: few memories expire on a date

    try:
        found = datetime.fromisoformat(text)
        if re.fullmatch(r"\d{4}-?\d{2}-?\d{2}", text):
            # On the wall's clock: the day that the clocks change has 23 or 25 hours.
            found += timedelta(days=1) - timedelta(milliseconds=1)
        return round(found.timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise BadInput(f"{text!r} is no time", _REMEDY) from error
