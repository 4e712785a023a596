"""Moments as people write them: an ISO date or time, or an age such as 7d, 2w, 12h."""

import re
from datetime import datetime, timedelta

_AGE = re.compile(r"(\d{1,5})\s*(min|mo|h|d|w|y)")
_UNITS = {
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "mo": timedelta(days=30),
    "y": timedelta(days=365),
}
_DATE_ONLY = re.compile(r"\d{4}-?\d{2}-?\d{2}")
_LAST_MOMENT = timedelta(days=1) - timedelta(milliseconds=1)


def moment(text: str, *, end_of_day: bool = False) -> int:
    """UTC milliseconds. A time without a zone is local; `end_of_day` takes a bare date whole.

    Raises ValueError for anything else.
    """
    text = text.strip()
    now = datetime.now().astimezone()
    age = _AGE.fullmatch(text.lower())
    if age:
        found = now - int(age[1]) * _UNITS[age[2]]
    elif text.lower() == "now":
        found = now
    elif text.lower() in ("today", "yesterday"):
        found = now.replace(hour=0, minute=0, second=0, microsecond=0)
        found -= timedelta(days=text.lower() == "yesterday")
        found += _LAST_MOMENT if end_of_day else timedelta()
    else:
        found = datetime.fromisoformat(text)
        if end_of_day and _DATE_ONLY.fullmatch(text):
            found += _LAST_MOMENT
    return int(found.timestamp() * 1000)
