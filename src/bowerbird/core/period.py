"""Time expressions of a query as a range of moments. Pure: the caller passes the clock.

Moments are UTC milliseconds, days are UTC days. Uses `time` only: importing `datetime` costs a cold
command 2 ms.
"""

import time

from bowerbird.core.calendar import (
    ENGLISH_DAYS,
    ENGLISH_MONTHS,
    FURTHER_MONTHS,
    FURTHER_WEEKDAYS,
    MONTHS,
    WEEKDAYS,
)
from bowerbird.core.pattern import re
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Reading = Callable[[re.Match[str], int], tuple[int, int] | None]

SECOND = 1_000
DAY = 86_400 * SECOND
_UNITS = {"hour": DAY // 24, "day": DAY, "week": 7 * DAY, "month": 30 * DAY, "year": 365 * DAY}
# The range of "recently".
RECENTLY = 14 * DAY
_MONTH = r"(?P<month>" + "|".join(rf"{m[:3]}(?:{m[3:]})?" for m in ENGLISH_MONTHS) + r")\.?"
_DAY_OF_MONTH = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th|\.)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_COUNTS = "one two three four five six seven eight nine ten eleven twelve".split()
_COUNT = rf"(?P<count>\d{{1,3}}|an?|{'|'.join(_COUNTS)})"
_UNIT = rf"(?P<unit>{'|'.join(_UNITS)})s?"
# No pattern is tried without one of these words: compiling the patterns costs a cold command 6 ms.
CALENDAR = frozenset(ENGLISH_MONTHS + ENGLISH_DAYS)
_TIME_WORDS = frozenset(
    f"{' '.join(CALENDAR)} {' '.join(m[:3] for m in ENGLISH_MONTHS)} today yesterday night morning"
    f" afternoon evening recently lately"
    f" {' '.join(_UNITS)} {' '.join(unit + 's' for unit in _UNITS)}".split()
) | {f"{day}{suffix}" for day in range(1, 32) for suffix in ("st", "nd", "rd", "th")}
# Nor one of `core.period_languages` without one of these, or the name of a month or a day.
_TIMES_ELSEWHERE = frozenset(
    (
        f"{' '.join(WEEKDAYS + FURTHER_WEEKDAYS)} {' '.join(MONTHS + FURTHER_MONTHS)}"
        " heute gestern vorgestern stunde stunden tag tage tagen woche wochen monat monate monaten jahr"
        " jahre jahren neulich kurzlich"
        " aujourd hui hier matin soir apres jour jours heures semaine semaines mois annee annees ans il"
        " dernier derniere derniers passe passee recemment"
        " hoy ayer anteayer anoche manana dia dias hora horas semana semanas mes meses ano anos"
        " ultimo ultima ultimos ultimas recientemente ultimamente"
        " oggi ieri altro stamattina giorno giorni ore settimana settimane mese mesi anno anni"
        " recente recentemente hoje ontem anteontem"
        " vandaag gisteren eergisteren vanmorgen vanochtend vanmiddag dag dagen week weken maand maanden"
        " jaar jaren uur uren onlangs"
    ).split()
)
_SINCE = (
    "since ", "seit ", "depuis ", "depuis la ", "depuis le ", "depuis l'", "desde ", "desde la ",
    "desde el ", "da ", "dal ", "dalla ", "sinds ", "seit der ", "seit dem ",
)  # fmt: skip
# The weekday of 1 January 1970, Monday = 0: a Thursday.
_EPOCH_WEEKDAY = 3
_MONTHS_OF_YEAR = 12


class Period(Record):
    """A range of UTC milliseconds, both ends inclusive, and the words that expressed it."""

    start: int
    end: int
    words: str = ""

    def __contains__(self, moment: int) -> bool:
        return self.start <= moment <= self.end


def period(text: str, words: "Sequence[str]", now: int) -> Period | None:
    """The range that a query names, or None; of several the most exact one.

    `words` are the folded words of `text`; most queries contain no time word.
    """
    dated = any(word[:2] in ("19", "20") for word in words)
    lower = text.lower()
    found = None
    if dated or not _TIME_WORDS.isdisjoint(words):
        found = _read(lower, now)
    if found is None and (dated or not _TIMES_ELSEWHERE.isdisjoint(words)):
        from bowerbird.core.period_languages import in_english  # start-up: few name such a time

        for begin, end, english in in_english(lower):
            read = _read(english, now)
            if read is not None:
                found = (*read[:2], begin, end)
                break
    return None if found is None else _until_now(lower, *found, now)


def _read(text: str, now: int) -> tuple[int, int, int, int] | None:
    """Beginning and end of the most exact time that an English text names, and of its words."""
    for pattern, reading in _READINGS:
        for match in re.finditer(pattern, text):
            found = reading(match, now)
            if found is not None:
                return (*found, *match.span())
    return None


def _until_now(text: str, start: int, end: int, first: int, last: int, now: int) -> Period:
    """The range with the words that name it, extended to now if the text says "since"."""
    said = text[first:last].strip()
    before = [word for word in _SINCE if text[:first].endswith(word)]
    if before:
        said = max(before, key=len) + said
    if said.startswith(_SINCE):
        end = max(end, now)
    return Period(start, end, said)


def since(words: str) -> bool:
    """Whether the words of a period say that it goes on until now."""
    return words.startswith(_SINCE)


def days(year: int, month: int, day: int) -> int:
    """Days from 1 January 1970 to a date of the Gregorian calendar (Hinnant, days_from_civil)."""
    year -= month <= 2  # noqa: PLR2004 the year of this count begins in March
    era, of_era = divmod(year, 400)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


def _span(first: int, after: int) -> tuple[int, int]:
    """The range from the start of day `first` to the last millisecond before day `after`."""
    return first * DAY, after * DAY - 1


def _today(now: int) -> int:
    return now // DAY


def _month_of(now: int, back: int) -> tuple[int, int]:
    """The year and the month that was `back` months ago."""
    today = time.gmtime(now // SECOND)
    year, month = divmod(today.tm_year * _MONTHS_OF_YEAR + today.tm_mon - 1 - back, _MONTHS_OF_YEAR)
    return year, month + 1


def _whole_month(year: int, month: int) -> tuple[int, int]:
    after = (year + 1, 1) if month == _MONTHS_OF_YEAR else (year, month + 1)
    return _span(days(year, month, 1), days(*after, 1))


def _whole_year(year: int) -> tuple[int, int]:
    return _span(days(year, 1, 1), days(year + 1, 1, 1))


def _number(month: str) -> int:
    return [name[:3] for name in ENGLISH_MONTHS].index(month[:3]) + 1


def _date(match: "re.Match[str]", now: int) -> tuple[int, int] | None:
    """A date; without a year, the latest such date that is not in the future."""
    named = match["month"]
    month = int(named) if named.isdigit() else _number(named)
    day = int(match["day"])
    if not (1 <= month <= _MONTHS_OF_YEAR and 1 <= day <= 31):  # noqa: PLR2004 days of a month
        return None
    year = int(match["year"]) if match["year"] else time.gmtime(now // SECOND).tm_year
    first = days(year, month, day)
    after = (year + 1, 1) if month == _MONTHS_OF_YEAR else (year, month + 1)
    if first >= days(*after, 1):
        return None
    if not match["year"] and first > _today(now):
        first = days(year - 1, month, day)
    return _span(first, first + 1)


def _month(match: "re.Match[str]", now: int) -> tuple[int, int] | None:
    """A month; without a year, the latest such month that is not in the future."""
    named = match["month"]
    month = int(named) if named.isdigit() else _number(named)
    if not 1 <= month <= _MONTHS_OF_YEAR:
        return None
    today = time.gmtime(now // SECOND)
    year = int(match["year"] or today.tm_year)
    if not match["year"] and month > today.tm_mon:
        year -= 1
    return _whole_month(year, month)


def _weekday(match: "re.Match[str]", now: int) -> tuple[int, int]:
    """The latest such weekday before today."""
    wanted = ENGLISH_DAYS.index(match["weekday"])
    back = (_today(now) + _EPOCH_WEEKDAY - wanted) % 7 or 7
    return _span(_today(now) - back, _today(now) - back + 1)


def _calendar(match: "re.Match[str]", now: int) -> tuple[int, int]:
    """This or the last calendar week, month or year."""
    back = 0 if match["which"] in ("this", "current") else 1
    if match["unit"] == "week":
        monday = _today(now) - (_today(now) + _EPOCH_WEEKDAY) % 7 - 7 * back
        return _span(monday, monday + 7)
    if match["unit"] == "month":
        return _whole_month(*_month_of(now, back))
    return _whole_year(time.gmtime(now // SECOND).tm_year - back)


def _count(text: str) -> int:
    if text.isdigit():
        return int(text)
    return _COUNTS.index(text) + 1 if text in _COUNTS else 1


def _ago(match: "re.Match[str]", now: int) -> tuple[int, int]:
    """A number of units ago, plus or minus half a unit; for days, that calendar day."""
    count, unit = _count(match["count"]), match["unit"]
    if unit == "day":
        return _span(_today(now) - count, _today(now) - count + 1)
    middle, half = now - count * _UNITS[unit], _UNITS[unit] // 2
    return middle - half, middle + half


def _last(match: "re.Match[str]", now: int) -> tuple[int, int]:
    return now - _count(match["count"]) * _UNITS[match["unit"]], now


def _year(match: "re.Match[str]", _: int) -> tuple[int, int]:
    return _whole_year(int(match["year"]))


def _recently(_: "re.Match[str]", now: int) -> tuple[int, int]:
    return now - RECENTLY, now


def _day(back: int) -> "Callable[[re.Match[str], int], tuple[int, int]]":
    return lambda _, now: _span(_today(now) - back, _today(now) - back + 1)


# Most exact first.
_READINGS: "tuple[tuple[str, Reading], ...]" = (
    (rf"\b{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)\b", _date),
    (rf"\b{_DAY_OF_MONTH}(?: of)? {_MONTH}\b(?:,? {_YEAR}\b)?", _date),
    (rf"\b{_MONTH} {_DAY_OF_MONTH}\b(?:,? {_YEAR}\b)?", _date),
    (rf"\b{_YEAR}-(?P<month>\d\d)\b", _month),
    (rf"\b{_MONTH},?(?: of)? {_YEAR}\b", _month),
    (r"\b(?:today|this (?:morning|afternoon|evening))\b", _day(0)),
    (r"\bthe day before yesterday\b", _day(2)),
    (r"\b(?:yesterday|last night)\b", _day(1)),
    (rf"\b{_COUNT} {_UNIT} ago\b", _ago),
    (rf"\b(?:last|past|previous) {_COUNT} {_UNIT}\b", _last),
    (r"\b(?P<which>last|past|previous|this|current) (?P<unit>week|month|year)\b", _calendar),
    (rf"\b(?:on|last|since|this) (?P<weekday>{'|'.join(ENGLISH_DAYS)})\b", _weekday),
    (rf"\b(?:in|during|since|last|of|by) {_MONTH}(?P<year>)(?![\w-])", _month),
    (rf"\b(?:in|during|since|of|from) {_YEAR}(?![\w-])", _year),
    (r"\b(?:recently|lately)\b", _recently),
)
