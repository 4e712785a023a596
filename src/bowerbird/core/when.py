"""Moments and intervals as people write them: an ISO date or time, an age such as 7d, 2w, 12h, 10m.

In words, too: “1 March 2026”, “last week”, and what else a question may name as its time. A time
without a zone is local, and a day is as long as it was there: 23 hours where clocks go forward.
"""

from bowerbird.core.errors import BadInput
from bowerbird.core.pattern import late
from bowerbird.core.text import words

_AGE = late(r"(\d{1,5})\s*(min|mo|[smhdwy])")
_MINUTE = 60 * 1000
_DAY = 24 * 60 * _MINUTE
_UNITS = {
    "s": 1000,
    "m": _MINUTE,
    "min": _MINUTE,
    "h": 60 * _MINUTE,
    "d": _DAY,
    "w": 7 * _DAY,
    "mo": 30 * _DAY,
    "y": 365 * _DAY,
}
# What is done again after a longer time than days is done by a calendar.
_OF_INTERVALS = frozenset("smhd")
_DATE_ONLY = late(r"\d{4}-?\d{2}-?\d{2}")
# A day as forms have it. Not with slashes: 3/4 is March in one country and April in the next.
_DAY_FIRST = late(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})")
_YEAR_FIRST = late(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})")
# Days by their name, as days before this one.
_NAMED = {"today": 0, "yesterday": 1}


def moment(text: str, now: int, *, ahead: bool = False, end_of_day: bool = False) -> int:
    """UTC milliseconds. An age leads back from `now`, or `ahead`; a day or a month is its beginning.

    `end_of_day` takes them whole: their last millisecond. Raises ValueError for anything else.
    """
    text = text.strip()
    if form := _DAY_FIRST.fullmatch(text) or _YEAR_FIRST.fullmatch(text):
        text = f"{form['year']}-{form['month']:0>2}-{form['day']:0>2}"
    name = text.lower()
    age = _AGE.fullmatch(name)
    if age:
        span = int(age[1]) * _UNITS[age[2]]
        return now + span if ahead else now - span
    if name == "now":
        return now
    from datetime import datetime, timedelta  # start-up: most moments are ages

    try:
        if name in _NAMED:
            here = datetime.fromtimestamp(now / 1000)  # noqa: DTZ006 a local day
            found = here - timedelta(days=_NAMED[name])
            found = found.replace(hour=0, minute=0, second=0, microsecond=0)
        else:
            try:
                found = datetime.fromisoformat(text)
            except ValueError:
                named = None if ahead else _named(text, now)
                if named is None:
                    raise
                return named[end_of_day]
        if end_of_day and (name in _NAMED or _DATE_ONLY.fullmatch(text)):
            found = found.replace(hour=23, minute=59, second=59, microsecond=999_000)
        return round(found.timestamp() * 1000)
    except OverflowError as error:
        raise ValueError(text) from error


def _named(text: str, now: int) -> tuple[int, int] | None:
    """Beginning and end of a time in words, which are nothing else: “March 2026”, “3 weeks ago”."""
    from datetime import datetime, timedelta  # start-up: as above

    from bowerbird.core.period import DAY, period, since

    epoch = datetime(1970, 1, 1)  # noqa: DTZ001 days of the calendar, in whatever zone
    here = datetime.fromtimestamp(now / 1000)  # noqa: DTZ006 a local day
    calendar = round((here - epoch).total_seconds() * 1000)
    for said in (text, f"in {text}", f"on {text}"):
        found = period(said, words(said), calendar)
        if found is None or found.words != said.lower() or since(said.lower()):
            continue
        first, last = found.start, found.end
        if first % DAY and last != calendar:
            # So long ago, more or less.
            first = last = (first + last) // 2
        moments = [(epoch + timedelta(milliseconds=at)).timestamp() * 1000 for at in (first, last)]
        return round(moments[0]), round(moments[1])
    return None


def interval(option: str, text: str) -> float:
    """The seconds of an interval such as 15m. Raises BadInput, naming the option."""
    found = _AGE.fullmatch(text.strip())
    if found is None or not int(found[1]) or found[2] not in _OF_INTERVALS:
        raise BadInput(f"{option} cannot be {text!r}", "give it as 90s, 15m, 24h or 7d")
    return int(found[1]) * _UNITS[found[2]] / 1000
