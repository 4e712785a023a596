"""Parses dates and times, in whichever format a file uses."""

import re
from datetime import UTC, datetime
from functools import lru_cache

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
_MONTH = re.compile(r"(?<![a-z])(" + "|".join(_MONTHS) + r")[a-z]*(?![a-z])")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DAY = re.compile(r"(?<![\d:.])(\d{1,2})(?:st|nd|rd|th)?(?![\d:]|\.\d|\s*[ap]\.?m)")
_TIME = re.compile(r"(?<!\d)(\d{1,2}):(\d\d)(?::(\d\d))?(?!\d)")
_HALF = re.compile(r"\d\s*([ap])\.?m\b")
_YEAR_FIRST = re.compile(r"((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
# Only day.month.year: with slashes, 3/4 is March in one country and April in the next.
_DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)(?!\d)")

# Numbers below each limit are seconds, milliseconds, microseconds or nanoseconds since 1970; unambiguous
# up to the year 5138.
_UNITS = ((1e11, 1000.0), (1e14, 1.0), (1e17, 1e-3), (1e20, 1e-6))
# Smaller numbers count something else, such as turns, or seconds since the first turn; a transcript from
# before March 1973 is less likely.
_SMALLEST = 1e8
# The day in a file's name, as diaries and minutes have it.
_NAMED = re.compile(r"(?<!\d)((?:19|20)\d\d)([-_.])(\d\d)(\2)(\d\d)(?!\d)")
# Longer texts are not searched for a date.
_LONGEST = 64


def moment(value: object) -> int | None:
    """Parses a date in any common form to UTC milliseconds; None if it is ambiguous or not a date.

    Numbers count from 1970 in the unit that their size suggests; texts may be ISO 8601 or free forms such
    as ``March-15-2024`` and ``1:56 pm on 8 May, 2023``. Without a zone, UTC is assumed.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return _from_number(float(value)) if abs(value) < _UNITS[-1][0] else None
    if isinstance(value, str) and len(value) <= _LONGEST:
        return _from_text(value.strip())
    return None


def of_name(name: str) -> int | None:
    """The day that a file is named after (``2026-11-24.md``, ``2026_11_24 stand-up``); None if none."""
    found = _NAMED.search(name)
    return None if found is None else _from_text("-".join(found.groups()[::2]))


def _from_number(number: float) -> int | None:
    for below, factor in _UNITS:
        if _SMALLEST <= number < below:
            return int(number * factor)
    return None


# A conversation repeats its dates turn by turn.
@lru_cache(maxsize=4096)
def _from_text(text: str) -> int | None:
    try:
        if text.isascii() and text.isdigit() and len(text) > len("20240315"):
            return _from_number(float(text))
        return _milliseconds(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        pass
    try:
        return _milliseconds(_free_form(text.lower()))
    except (ValueError, OverflowError):
        return None


def _milliseconds(when: datetime) -> int | None:
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    stamp = round(when.timestamp() * 1000)
    return stamp if stamp > 0 else None


def _free_form(text: str) -> datetime:
    """Parses a date with a month's name, or with digits in an unambiguous order. Raises ValueError."""
    hour, minute, second = _clock_time(text)
    if found := _YEAR_FIRST.search(text):
        year, month, day = (int(part) for part in found.groups())
    elif found := _DAY_FIRST.search(text):
        day, month, year = (int(part) for part in found.groups())
    else:
        named, dated = _MONTH.search(text), _YEAR.search(text)
        if named is None or dated is None:
            raise ValueError(text)
        rest = text[: dated.start()] + " " + text[dated.end() :]
        numbered = _DAY.search(rest)
        year, month = int(dated.group()), _MONTHS[named.group(1)]
        day = int(numbered.group(1)) if numbered else 1
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC)


def _clock_time(text: str) -> tuple[int, int, int]:
    found = _TIME.search(text)
    half = _HALF.search(text)
    if found is None:
        return 0, 0, 0
    hour = int(found.group(1))
    if half:
        hour = hour % 12 + (12 if half.group(1) == "p" else 0)
    return hour, int(found.group(2)), int(found.group(3) or 0)
