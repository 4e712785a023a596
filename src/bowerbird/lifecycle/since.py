"""Since when a text says that it holds: “since March the port is 6432”, “seit dem 3. Mai 2025 …”.

Pure: the caller says when it was said. A day without a year is the last one up to then.
"""

import time

from bowerbird.core.normal import tokens
from bowerbird.core.pattern import late
from bowerbird.core.when import moment
from bowerbird.lifecycle.word_classes import SINCE

_MONTHS = (
    "january januar janvier enero",
    "february februar fevrier febrero",
    "march marz mars marzo",
    "april avril abril",
    "may mai mayo",
    "june juni juin junio",
    "july juli juillet julio",
    "august aout agosto",
    "september septembre septiembre",
    "october oktober octobre octubre",
    "november novembre noviembre",
    "december dezember decembre diciembre",
)
_NUMBERS = {word: number for number, month in enumerate(_MONTHS, 1) for word in month.split()}
_LINKS = frozenset("the of dem den le el de first am im".split())
_DAY = r"([0-3]?\d)(?:st|nd|rd|th|er)?"
_YEAR = r"((?:19|20)\d\d)"
# Year, month and day; or day, month, day and year; or a year alone.
_DATE = late(
    rf"{_YEAR}-([01]\d)(?:-([0-3]\d))?|(?:{_DAY} )?({'|'.join(_NUMBERS)})(?: {_DAY})?(?: {_YEAR})?\b"
    rf"|{_YEAR}\b"
)
# End a date within a sentence.
_ENDS = frozenset(",;:")
# The words of a date: “the 3rd of March 2025”.
_LONGEST = 5


def since(text: str, said: int) -> int | None:
    """The day, as UTC milliseconds, since which a text says that it holds; None if it names none."""
    if SINCE.isdisjoint(tokens(text)) and "as of" not in text.lower():
        return None
    words = text.split()
    plain = [tokens(word) for word in words]
    for at, word in enumerate(plain):
        if SINCE.intersection(word) or (word == ("of",) and plain[max(at - 1, 0)] == ("as",)):
            found = _date(words[at + 1 : at + 1 + _LONGEST], said)
            if found is not None:
                return found
    return None


def _date(words: list[str], said: int) -> int | None:
    """The date that some words begin with; None if it is none, or after it was said."""
    if not words:
        return None
    # A comma ends a date, unless a year follows: “May 3, 2025”.
    following = [*words[1:], ""]
    ends = (
        word[-1:] in _ENDS and not after[:4].isdecimal()
        for word, after in zip(words, following, strict=True)
    )
    end = next((at for at, over in enumerate(ends, 1) if over), len(words))
    of_date = [one for one in tokens(" ".join(words[:end])) if one not in _LINKS]
    match = _DATE.match(" ".join(of_date))
    if match is None:
        return None
    year, number, iso_day, before, month, after, of_month, alone = match.groups()
    number = number or _NUMBERS.get(month, 1)
    day = iso_day or before or after or 1
    year = year or of_month or alone
    if not year:
        today = time.localtime(said // 1000)
        year = today.tm_year - ((int(number), int(day)) > (today.tm_mon, today.tm_mday))
    try:
        found = moment(f"{int(year):04}-{int(number):02}-{int(day):02}", said)
    except ValueError:
        return None
    return found if found <= said else None
