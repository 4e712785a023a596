"""Time expressions in German, French, Spanish, Italian, Portuguese, and Dutch, as English says them.

`core.period` reads what comes of it. Patterns match lower case without accents.
"""

import re

from bowerbird.core.calendar import (
    ENGLISH_DAYS,
    ENGLISH_MONTHS,
    FURTHER_MONTHS,
    FURTHER_WEEKDAYS,
    MONTHS,
    WEEKDAYS,
)
from bowerbird.core.language import language
from bowerbird.core.text import fold, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COUNTS = {
    word: number
    for number, row in enumerate(
        (
            "ein eine einem einer un une una uno um uma een",
            "zwei deux dos due dois duas twee",
            "drei trois tres tre drie",
            "vier quatre cuatro quattro quatro",
            "funf cinq cinco cinque vijf",
            "sechs six seis sei zes",
            "sieben sept siete sette sete zeven",
            "acht huit ocho otto oito",
            "neun neuf nueve nove negen",
            "zehn dix diez dieci dez tien",
            "elf onze once undici",
            "zwolf douze doce dodici doze twaalf",
        ),
        1,
    )
    for word in row.split()
}
_UNITS = {
    "hour": r"stunden?|heures?|horas?|or[ae]|uur|uren",
    "day": r"tag(?:en?)?|jours?|dias?|giorn[oi]|dag(?:en)?",
    "week": r"wochen?|semaines?|semanas?|settiman[ae]|week|weken",
    "month": r"monat(?:en?|s)?|mois|mes(?:es|[ei])?|maand(?:en)?",
    "year": r"jahr(?:en?|es)?|annees?|ans?|anos?|ann[oi]|jaar|jaren",
}
_NUMBERS = {
    word: name
    for names, *tables in (
        (ENGLISH_MONTHS, MONTHS, FURTHER_MONTHS),
        (ENGLISH_DAYS, WEEKDAYS, FURTHER_WEEKDAYS),
    )
    for table in tables
    for name, row in zip(names, table, strict=True)
    for word in row.split()
}  # fmt: skip


def _any(*names: str) -> str:
    return "|".join(sorted(" ".join(names).split(), key=len, reverse=True))


_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(_COUNTS)})"
_UNIT = "".join((r"(?:", "|".join(rf"(?P<{name}>{said})" for name, said in _UNITS.items()), r")\b"))
_MONTH = rf"(?P<name>{_any(*MONTHS, *FURTHER_MONTHS)})\b"
_WEEKDAY = rf"(?P<name>{_any(*WEEKDAYS, *FURTHER_WEEKDAYS)})\b(?:-feira)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_LAST = (
    r"(?:letzte[nrsm]?|vergangene[nrsm]?|vorige[nrsm]?|vorig|afgelopen|laatste|dernier(?:e?s|e)?"
    r"|passee?s?|ultim(?:[oaie]|[oa]s)|pasad[oa]s?|scors[oaie]|passat[oaie]|passad[oa]s?)"
)
_THIS = r"(?:diese[nrsm]?|cette|cet|ce|n?est[ea]|quest[oa']|deze|dit)"
_SINCE = r"(?:seit|depuis|desde|d?all?a|da|dal|sinds)"
# Most exact first; a form of two orders stands twice. The English names what the pattern's groups hold.
_FORMS = (
    (rf"\b(?P<count>[0-3]?\d)(?:\.|er)? (?:de )?{_MONTH}(?:,? (?:de )?{_YEAR}\b)?",
     "on {count} {name} {year}"),
    (rf"\b{_MONTH} (?:de )?{_YEAR}\b", "in {name} {year}"),
    (
        (
            r"\b(?:heute|aujourd'?hui|ce matin|cet apres-midi|ce soir|hoy|esta manana|oggi|stamattina"
            r"|hoje|vandaag|vanmorgen|vanochtend|vanmiddag)\b"
        ),
        "today",
    ),
    (
        r"\b(?:vorgestern|avant-?hier|anteayer|antes de ayer|(?:l')?altro ?ieri|anteontem|eergisteren)\b",
        "the day before yesterday",
    ),
    (r"\b(?:gestern|hier soir|ayer|anoche|ieri|ontem|gisteren)\b", "yesterday"),
    (rf"\b(?:vor|il y a|hace) {_COUNT} {_UNIT}", "{count} {unit} ago"),
    (rf"\bha {_COUNT} (?:(?P<day>dias?)|(?P<week>semanas?)|(?P<month>mes(?:es)?)|(?P<year>anos?))\b",
     "{count} {unit} ago"),
    (rf"\b{_COUNT} {_UNIT} (?:fa|geleden|atras)\b", "{count} {unit} ago"),
    (rf"\b{_LAST} {_COUNT} {_UNIT}", "last {count} {unit}"),
    (rf"\b{_COUNT} {_LAST} {_UNIT}", "last {count} {unit}"),
    (rf"\b{_UNIT} {_LAST}\b", "last {unit}"),
    (rf"\b{_LAST} {_UNIT}", "last {unit}"),
    (rf"\b{_THIS} ?{_UNIT}", "this {unit}"),
    (rf"\b(?:am|el|op|na|{_LAST}|{_SINCE}(?: el| la)?) {_WEEKDAY}", "on {name}"),
    (rf"\b{_WEEKDAY} {_LAST}\b", "on {name}"),
    (rf"\b(?:im|en|em|a|in(?! mars\b)|{_LAST}|{_SINCE}) {_MONTH}", "in {name}"),
    (rf"\b(?:im jahre?|en|em|nel|in|{_SINCE}) {_YEAR}\b", "in {year}"),
    ((r"\b(?:kurzlich|neulich|recemment|ces derniers (?:jours|temps)|recientemente|ultimamente"
      r"|di recente|recentemente|onlangs)\b"), "recently"),
)  # fmt: skip
_HIER = r"\bhier\b"


def in_english(text: str) -> "Iterator[tuple[int, int, str]]":
    """Yield the spans of a text that may name a time, each with its English, most exact first."""
    flat = _flat(text)
    for pattern, english in _FORMS:
        for match in re.finditer(pattern, flat):
            yield *match.span(), english.format(**_said(match)).strip()
    # In German and Dutch, it means here.
    if language(text, tuple(words(text))) == "fr" or flat.strip() == "hier":
        for match in re.finditer(_HIER, flat):
            yield *match.span(), "yesterday"


def _said(match: "re.Match[str]") -> dict[str, str]:
    """What the groups of a match hold, in English."""
    found = {name: said or "" for name, said in match.groupdict().items()}
    unit = next((name for name in _UNITS if found.get(name)), "")
    count = found.get("count", "")
    return {
        "count": str(_COUNTS.get(count, count)),
        "unit": unit,
        "name": _NUMBERS.get(found.get("name", ""), ""),
        "year": found.get("year", ""),
    }


def _flat(text: str) -> str:
    """The text in lower case without accents, each character where it was."""
    text = text.lower().replace("’", "'").replace("\u00a0", " ")
    if text.isascii():
        return text
    return "".join(flat if len(flat := fold(one)) == 1 else one for one in text)
