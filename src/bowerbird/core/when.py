"""Moments as people write them: an ISO date or time, or an age such as 7d, 2w, 12h."""

import re
from datetime import datetime, timedelta

_AGE = re.compile(r"(\d{1,5})\s*(min|mo|h|d|w|y)")
_HOUR = 3_600_000
_UNITS = {
    "min": _HOUR // 60,
    "h": _HOUR,
    "d": 24 * _HOUR,
    "w": 7 * 24 * _HOUR,
    "mo": 30 * 24 * _HOUR,
    "y": 365 * 24 * _HOUR,
}
_DAYS = {"today": 0, "yesterday": 1}
_DATE_ONLY = re.compile(r"\d{4}-?\d{2}-?\d{2}")
_LAST_MOMENT = timedelta(days=1) - timedelta(milliseconds=1)


def moment(text: str, now: int, *, end_of_day: bool = False) -> int:
    """UTC milliseconds, as `now` is. A time without a zone is local; `end_of_day` takes a day whole.

    An age is time that went by: a day has 24 hours. A calendar day is one of the place, which has 23
    or 25 where the clocks change. Raises ValueError for anything else.
    """
    text = text.strip()
    lower = text.lower()
    if age := _AGE.fullmatch(lower):
        return now - int(age[1]) * _UNITS[age[2]]
    if lower == "now":
        return now
    # Without a zone, datetime counts on the wall's clock, and asks for the offset at the very end.
    if lower in _DAYS:
        here = datetime.fromtimestamp(now / 1000)  # noqa: DTZ006 the wall's clock is meant
        found = datetime(here.year, here.month, here.day)  # noqa: DTZ001 the same
        found -= timedelta(days=_DAYS[lower])
    else:
        found = datetime.fromisoformat(text)
    if end_of_day and (lower in _DAYS or _DATE_ONLY.fullmatch(text)):
        found += _LAST_MOMENT
    return round(found.timestamp() * 1000)
