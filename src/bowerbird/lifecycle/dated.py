"""When a text says that it holds: “since March”, “in May 2026 we moved …”, “until the end of June”.

Pure: the caller says when it was said. A date without a year is the nearest that its words allow:
“since” looks back, “until” ahead. Dates that only belong to a noun (“the report of May”) date nothing.
"""

from functools import lru_cache

from bowerbird.core.calendar import (
    AMBIGUOUS_DAYS,
    AMBIGUOUS_MONTHS,
    ENGLISH_DAYS,
    ENGLISH_MONTHS,
    FURTHER_MONTHS,
    FURTHER_WEEKDAYS,
    MONTHS,
    WEEKDAYS,
)
from bowerbird.core.pattern import late
from bowerbird.core.text import fold
from bowerbird.core.value import Record
from bowerbird.lifecycle.duplicates import statement
from bowerbird.lifecycle.prepared import prepared
from bowerbird.lifecycle.word_classes import CHANGED, HAPPENED, WAS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from datetime import date  # start-up: only texts with a date need it

_NUMBERS = {
    word: number
    for table in (FURTHER_MONTHS, MONTHS)
    for number, names in enumerate(table, 1)
    for word in names.split()
}
_NUMBERS |= {names[:3]: number for number, names in enumerate(MONTHS, 1)} | {"sept": 9}
_DAYS = {
    word: number
    for table in (WEEKDAYS, FURTHER_WEEKDAYS)
    for number, day in enumerate(table)
    for word in day.split()
}
# Days from the one on which it is said.
_NEAR = {
    "yesterday": -1, "gestern": -1, "hier": -1, "ayer": -1, "ieri": -1, "ontem": -1, "gisteren": -1,
    "today": 0, "heute": 0, "aujourd'hui": 0, "hoy": 0, "oggi": 0, "hoje": 0, "vandaag": 0,
    "tomorrow": 1, "morgen": 1, "demain": 1, "manana": 1, "domani": 1, "amanha": 1,
}  # fmt: skip
_STEPS = {"last": -1, "this": 0, "next": 1}
_ENDS = {"jahresende": "year", "monatsende": "month"}

# A unit of time, in the forms in which it is counted, or stands after “end of”.
_UNITS = {
    form: unit
    for unit, forms in {
        "day": "day days tag tage tagen jour jours dia dias giorno giorni dag dagen",
        "week": "week weeks woche wochen semaine semaines semana semanas settimana settimane weken",
        "month": "month months monat monats monate monaten mois mes meses mese mesi maand maanden",
        "year": "year years jahr jahres jahre jahren an ans annee annees ano anos anno anni jaar jaren",
    }.items()
    for form in forms.split()
}
_COUNTS = {
    form: number
    for number, forms in enumerate(
        (
            "two zwei deux dos due dois duas twee", "three drei trois tres tre drie",
            "four vier quatre cuatro quattro quatro", "five funf cinq cinco cinque vijf",
            "six sechs seis sei zes", "seven sieben sept siete sette sete zeven",
            "eight acht huit ocho otto oito", "nine neun neuf nueve nove negen",
            "ten zehn dix diez dieci dez tien",
        ),
        2,
    )
    for form in forms.split()
}  # fmt: skip

_MONTH = "|".join(_NUMBERS)
_ENGLISH_MONTH = "|".join((*ENGLISH_MONTHS, *(name[:3] for name in ENGLISH_MONTHS), "sept"))
_OF = r"(?:of |del? |du |di )?"
# Behind the number of a day.
_TH = r"(?:st|nd|rd|th|er|ste|de|e|o|°|\.)?"
# A date in figures alone: `_figures` tells which it is.
_FIGURES = (
    r"(?P<figures>(?:[0-3]?\d(?P<mark>[/.-])[0-3]?\d(?P=mark)(?:19|20)\d\d"
    r"|(?:19|20)\d\d(?P<other>[/.])[01]?\d(?P=other)[0-3]?\d)(?![\w/-]|\.\d))"
)
_DATE = (
    r"(?:the |dem |den |der |le |el |am |im |il |(?:[od]o? )?dia |l')?"
    r"(?P<end>(?:the )?end of (?:the )?|ende (?:des )?|(?:la )?fin d(?:e l'|u |el |e |')"
    r"|(?:el )?finale?s? del? |(?:la )?fine (?:d[ei]l?(?:l')? ?)?|(?:o )?fim d[eo] "
    r"|(?:het )?eind(?:e van)? (?:het |de )?)?"
    r"(?:the |dem |den )?"
    r"(?:(?P<iso>(?:19|20)\d\d-[01]\d(?:-[0-3]\d)?)(?![\d-])"
    r"|" + _FIGURES + r"|(?:(?P<before>[0-3]?\d)" + _TH + " " + _OF + r")?"
    # Behind its month a day stands in English alone: “seit Januar 20 Prozent” gives none.
    rf"(?P<english>(?=(?:{_ENGLISH_MONTH})\b))?(?P<month>{_MONTH})\b\.?"
    r"(?(english)(?: (?P<after>[0-3]?\d)(?:st|nd|rd|th)?\b(?!:| ?%| percent| prozent))?)"
    r"(?:,? " + _OF + r"(?P<of>(?:19|20)\d\d)\b)?"
    r"|q(?P<quarter>[1-4]),? (?P<of_quarter>(?:19|20)\d\d)\b"
    r"|(?P<step>last |this |next |kommenden |nachsten )?"
    rf"(?P<weekday>{'|'.join(_DAYS)})s?\b(?P<fair>-feira)?"
    r"|(?P<whole>last|this|next) (?P<unit>week|month|year)\b"
    r"|(?P<last>letzte[rnm]?|vorige?|afgelopen|nachste[rnm]?|volgende?) (?P<named>"
    rf"{'|'.join(_UNITS)})\b"
    rf"|(?:la |a |o )?(?P<one>{'|'.join(_UNITS)}) (?P<gone>(?:scors|passad|pasad|prossim|proxim)[oa])\b"
    # The end of the one in which it is said: “until the end of the year”.
    rf"|(?(end)(?P<present>{'|'.join(_UNITS)})\b|(?P<ends>jahresende|monatsende)\b)"
    rf"|(?P<near>{'|'.join(_NEAR)})\b"
    r"|(?P<year>(?:19|20)\d\d)\b(?![-:/.]\d))"
)
# English words too, where English dates follow: “he ate Friday's cake”, “to a Monday release”.
_ENGLISH_NAMES = "|".join((*(names[:3] for names in ENGLISH_MONTHS), *ENGLISH_DAYS))
_FOREIGN = rf"(?! (?:the )?(?:{_ENGLISH_NAMES}))"
_SINCE = r"since|seit|depuis|desde|sinds|со?"
# “Da März noch Ferien sind” (German): before these words it says why.
_DA = rf"dal|dall'|da(?! (?:{'|'.join(names.split()[1] for names in (*MONTHS, *WEEKDAYS))})\b)"
_AHEAD = (
    r"(?:effective|starting|beginning)(?: (?:from|on|in|as of|as from))?|with effect from|from"
    r"|ab|von|a partir d[euo]l?|des|a (?:partire|decorrere) dal(?:l')?|vanaf|met ingang van"
    rf"|van{_FOREIGN}|per(?= [0-3]?\d\.? )"
)


class _Led:
    """An expression whose matches have one of some words, compiled for a text that has one.

    Each has all forms of a date, and takes 4 of 100 instructions of a cold `remember` to compile.
    """

    __slots__ = ("_pattern", "_words")

    def __init__(self, words: str, pattern: str) -> None:
        self._words = frozenset(words.split())
        self._pattern = late(pattern)

    def finditer(self, folded: str) -> "Iterator[re.Match[str]]":
        """Its matches in a folded text."""
        return iter(()) if self._words.isdisjoint(_said(folded)) else self._pattern.finditer(folded)


@lru_cache(maxsize=8)
def _said(folded: str) -> frozenset[str]:
    """The words of a folded text, with the parts of those that a hyphen or an apostrophe joins."""
    whole = _without_marks(folded).replace("'", " ")
    return frozenset((*whole.split(), *whole.replace("-", " ").split()))


_FROM = _Led(
    "since seit depuis desde sinds с со as effective starting beginning with from ab von a des vanaf met"
    " van per da dal dall",
    rf"(?<![\w-])(?:(?P<since>{_SINCE})|(?P<asof>as of|as from)"
    rf"|(?P<ahead>{_AHEAD}|(?P<either>{_DA})))(?: |(?<=')){_DATE}",
)
_TO = late(
    r" ?(?:to|until|till|through|and|und|et|y|bis(?: zum)?|au|jusqu'au|hasta|(?:fino )?al?|ate|e|ao"
    rf"|en|tot(?: en met)?|t/m|-|–) {_DATE}"
)
_UNTIL = _Led(
    "until till through bis jusqu hasta fino ate tot t до end ends ending expire expires closes runs"
    " lauft endet termine termina caduca scade finisce expira vence verloopt eindigt",
    r"(?<![\w-])(?:until|till|through|bis(?: zum| zu)?|jusqu'(?:a|au|en)|hasta|fino (?:al?|alla)"
    rf"|ate(?: ao)?{_FOREIGN}|tot(?: en met)?|t/m|до"
    r"|(?:ends?|ending|expires?|closes|runs out|lauft aus|endet|expire|termine|termina|caduca"
    r"|scade|finisce|expira|vence|verloopt|eindigt)"
    rf"(?: on| in| at| am| im| zum| le| en| il| em| op)?) {_DATE}",
)
# “Del 3 de marzo al 5 de abril”: without its second date the first belongs to a noun.
_BETWEEN = _Led(
    "between zwischen entre tra fra tussen de del do du vom",
    rf"(?<![\w-])(?:between|zwischen|entre|tra|fra|tussen|del?|do{_FOREIGN}|du|vom) {_DATE}",
)
# Days of one month: “from 24 to 26 December”.
_RUN = _Led(
    "from between vom von zwischen du entre de del do da dal dall tra fra van tussen",
    r"(?<![\w-])(?:from|between|vom|von|zwischen|du|entre|del?|do|dall?|tra|fra|van|tussen)"
    r"(?: |(?<='))(?:the |dem |le |el |il |dia )?(?P<opens>[0-3]?\d)" + _TH + " "
    r"(?:to|until|till|through|and|bis(?: zum)?|und|au|et|al?|ao|y|e|en|ate|tot(?: en met)?|t/m|-|–)"
    rf" {_DATE}",
)
# All of a time: “during December”.
_DURING = _Led(
    "during throughout wahrend pendant durant durante tijdens",
    rf"(?<![\w-])(?:during|throughout|wahrend(?: des)?|pendant|durant|durante|tijdens) {_DATE}",
)
# From the day after: “after 15 January”.
_AFTER = _Led("after nach apres despues", rf"(?<![\w-])(?:after|nach|apres|despues del?) {_DATE}")
_NEXT = r"(?:next|coming|nachsten|kommenden|prochaine?s|proxim[oa]s)"
_COUNT = rf"(?:\d{{1,2}}|{'|'.join(_COUNTS)})"
_FOR = _Led(
    "for during over fur wahrend pendant durante",
    r"(?<![\w-])(?:for|during|over|fur|wahrend|pendant|durante) (?:the |die |den |der |les |las |los )?"
    rf"(?:{_NEXT} (?P<count>{_COUNT})|(?P<first>{_COUNT}) {_NEXT}) (?P<unit>{'|'.join(_UNITS)})\b",
)
_REST = _Led(
    "rest reste resto",
    r"(?<![\w-])(?:the rest of (?:the|this)|den rest des|le reste d(?:e l'|u )|el resto del)"
    rf" ?(?P<unit>{'|'.join(_UNITS)})\b",
)
# A day or a month in which something changed, if the clause says that something did.
_IN = late(
    rf"(?<![\w-])(?:(?P<on>in|on|im|am|en|el|em|le|il|nel|op|a(?= [a-z]){_FOREIGN}) )?{_DATE}"
)
# What holds again and again has no beginning.
# Chinese, Japanese and Korean count their months, and say “since” behind them: “3月から”, “三月起”.
_COUNTS_OF_MONTHS = ("", *"一二三四五六七八九十", "十一", "十二")
_COUNTED = late(
    r"(?<!\d)(?:(?P<of>(?:19|20)\d\d) ?[年년] ?)?(?P<month>1?\d|十[一二]?|[一二三四五六七八九])[月월]"
    r"(?: ?(?P<day>[0-3]?\d)[日일号號])?"
    r" ?(?:から|以降|以来|以來|より|起|开始|開始|부터|이후)"
)
_RECURS = frozenset(
    "every each always usually whenever jede jeden jeder jedem jedes immer chaque toujours cada siempre"
    " ogni sempre elke ieder iedere altijd".split()
)
_WILL = late(
    r"\b(?:will|shall|going to|wird|werden|va|vamos a|planned|plan to|sara|zal|zullen|vai)\b"
)
_SENTENCE = late(r"(?<=[\w)\"'”]{3})[.!?] +(?=[A-ZÄÖÜÉÈ¿¡])")
_CLAUSE_ENDS = frozenset(",;:.!?)")
_ONWARDS = ("on", "onward", "onwards", "an", "forward", "en adelante")
# A date without a year that looks ahead lies at most so many days ahead: “from January”, said in June.
_FAR = 270
_A_YEAR = 366
# An event since which it holds, or a season: it names no day.
_VAGUE = late(
    r"(?i)^since (?:the|our|my) [\w-]+,? |,? (?:ever )?since (?:the|our|my) [\w-]+(?: [\w-]+)?(?=[.!;]?$)"
    r"|\b(?:last|this) (?:spring|summer|autumn|fall|winter)\b"
)
_DECEMBER = 12
_MONTHS_A_QUARTER = 3


class Dated(Record):
    """From when until when a text says that it holds, in UTC milliseconds; None where it does not say.

    `start` is the beginning of the first day, `end` that of the day after the last one.
    """

    start: int | None = None
    end: int | None = None


UNDATED = Dated()


class _Span(Record):
    """A date in a text: where it stands, its first and last day, and whether it begins or ends there."""

    left: int
    right: int
    first: "date | None"
    last: "date | None"


def dated(text: str, said: int) -> Dated:
    """When a text, said at a moment, says that it holds.

    Of several sentences each is about its own: only a beginning in the past dates all of them.
    """
    spans = _spans(text, said)
    if not spans:
        return UNDATED
    start = next((one.first for one in spans if one.first is not None), None)
    end = next((one.last for one in spans if one.last is not None), None)
    begins = None if start is None else _midnight(start)
    ends = None if end is None else _midnight(end, 1)
    if ends is not None and begins is not None and ends <= begins:
        ends = None
    if len(_SENTENCE.split(text)) > 1:
        ends = None
        begins = None if begins is not None and begins > said else begins
    return Dated(begins, ends)


@prepared
def begins(text: str) -> bool:
    """Whether a text says since when, or from when on, it holds."""
    return _is_vague(text) or any(one.first is not None for one in _phrases(text))


def impossible(text: str) -> str:
    """The first date in a text that is none, such as “2027-02-30”; empty if there is none such."""
    from datetime import date  # start-up: only texts with a date need it

    if len(text) > _MOST or not _may_name_a_date(text):
        return ""
    for match in _ISO.finditer(text):
        try:
            date(*map(int, match.groups()))
        except ValueError:
            return match.group()
    for match in _DAY_OR_MONTH.finditer(text):
        try:
            _figures(match.group(), day_first=False)
        except ValueError:
            return match.group()
    folded, places = _folded(text)
    for match in _NAMED.finditer(folded):
        day, month = int(match["day"] or match["after"]), _NUMBERS[match["month"]]
        try:
            date(int(match["year"]), month, day)
        except ValueError:
            return text[places[match.start()] : places[match.end()]]
    return ""


def unclear(text: str, said: int) -> str:
    """Of a date in figures that has two readings, which one dates a text; empty if it has none such."""
    if len(text) > _MOST or not _may_name_a_date(text):
        return ""
    for match in _DAY_OR_MONTH.finditer(text):
        written, left, right = match.group(), int(match[1]), int(match[3])
        if left == right or max(left, right) > _DECEMBER or not left or not right:
            continue
        by_day, by_month = f"{match[4]}-{match[3]}-{match[1]}", f"{match[4]}-{match[1]}-{match[3]}"
        as_day = dated(text.replace(written, by_day), said)
        if as_day == dated(text.replace(written, by_month), said):
            continue  # it dates nothing in either reading
        if as_day == dated(text, said):
            return f"{written} was read as {by_day}"
        return f"{written} may be {by_day} or {by_month}, and dates nothing: write one of these"
    return ""


_DAY_OR_MONTH = late(r"(?<![\w/.-])([0-3]\d)([/.-])([0-3]\d)\2((?:19|20)\d\d)(?![\w/-]|\.\d)")
_ISO = late(r"(?<![\w-])((?:19|20)\d\d)-(\d\d)-(\d\d)(?![\w-])")
_NAMED = late(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of |de )?)?\b(?P<month>{_MONTH})\b\.?"
    r"(?(day),?| (?P<after>\d{1,2})(?:st|nd|rd|th)?,?) (?:of |de )?(?P<year>(?:19|20)\d\d)\b"
)


def without_dates(text: str) -> str:
    """A text without the phrases that say from when on it holds; when it ends stays its content."""
    kept, at = [], 0
    opening = [one for one in _phrases(text) if one.last is None]
    for span in sorted(opening, key=lambda span: span.left):
        if span.left >= at:
            kept.append(text[at : span.left])
            at = span.right
    kept.append(text[at:])
    rest = "".join(kept)
    return " ".join((_VAGUE.sub(" ", rest) if _is_vague(rest) else rest).split())


def may_be_dated(text: str) -> bool:
    """Whether a text may say since when or until when it holds: it names a date, or what may be one."""
    return "since" in text.lower() or _is_vague(text) or _may_name_a_date(text)


def _is_vague(text: str) -> bool:
    folded = text.lower()
    if not ("since" in folded or "last" in folded or "this" in folded):
        return False  # most: their words need not be parted
    words = folded.split()
    return ("since" in words or "last" in words or "this" in words) and bool(_VAGUE.search(text))


@prepared
def _phrases(text: str) -> tuple[_Span, ...]:
    """The phrases that date a text, whenever it was said."""
    return _spans(text, _ANY_TIME)


def _spans(text: str, said: int) -> tuple[_Span, ...]:
    """The phrases that date a text."""
    if len(text) > _MOST or not _may_name_a_date(text):
        return ()
    folded, places = _folded(text)
    if not _RECURS.isdisjoint(_said(folded)):
        return ()
    from datetime import datetime  # start-up: only texts with a date need it

    today = datetime.fromtimestamp(said / 1000).date()  # noqa: DTZ006 a local day
    found = [*_runs(folded, today), *_counted(folded, today)]
    weekly = _is_weekly(folded)
    for match in _FROM.finditer(folded):
        if not _inside(match, found) and not (weekly and match["weekday"]):
            found += _beginning(match, folded, today)
    found += _between(folded, today)
    for match in _UNTIL.finditer(folded):
        if match["weekday"] and weekly:
            continue
        last = _last_before(match, today) or _last(match, today)
        if last is not None and not _inside(match, found):
            found.append(_Span(match.start(), match.end(), None, last))
    if not found:
        found += _changed(folded, today)
    return tuple(one.replace(left=places[one.left], right=places[one.right]) for one in found)


def _is_weekly(folded: str) -> bool:
    """Whether a period is from one weekday until another, of no week in particular.

    “Van maandag tot vrijdag”, “from Friday noon until Monday”; not “from this Friday until Monday”.
    """
    for match in _UNTIL.finditer(folded):
        clause = _clause(folded[: match.start()], match.start())
        names = {*clause.split()}
        if match["weekday"] and not _DAYS.keys().isdisjoint(names):
            return not match["step"] and _OF_A_WEEK.isdisjoint(names)
    return False


# Say which week or day is meant.
_OF_A_WEEK = frozenset(
    "since seit depuis desde dal sinds this next last coming diesen dieser diesem nachsten kommenden"
    " ce cette prochain este esta proximo questo questa prossimo deze komende".split()
) | {*_NEAR, *_NUMBERS}

# Whether a phrase dates a text does not depend on when it is said; dates that look back lie before this.
_ANY_TIME = 4_102_444_800_000
# Longer texts state more than one thing.
_MOST = 600


def _may_name_a_date(text: str) -> bool:
    """Whether a word of a text is part of a date; compiling the expressions costs more than most need."""
    stated = statement(text)
    # Figures are among the names, which are few.
    return (
        not _WORDS.isdisjoint(stated.words)
        or "월" in text
        or any(
            (word[:2] in _CENTURIES or (word[-4:-2] in _CENTURIES and word[0].isdigit()))
            and _YEAR.search(word)
            for word in stated.names
        )
    )


# Of a longer number the first or last digits are no year.
_YEAR = late(r"(?:19|20)\d\d(?!\d)")


_FAIRS = (f"{day}-feira" for day in AMBIGUOUS_DAYS)
_WORDS = frozenset((*_NUMBERS, *_DAYS, *_FAIRS, *_NEAR, *_UNITS, *_ENDS, "l'annee", "月"))
_CENTURIES = frozenset(("19", "20"))


# Signs that are kept between and within words.
_IN_WORDS = "' -"
_MARKS = {at: " " for at in range(128) if not chr(at).isalnum() and chr(at) not in _IN_WORDS}
_BLANKS = {at: " " for at in range(128) if chr(at).isspace()}


def _folded(text: str) -> tuple[str, list[int]]:
    """A text folded, and for each of its characters, and for its end, the place in the text."""
    if text.isascii():
        return text.lower().translate(_BLANKS), [*range(len(text) + 1)]
    parts, places = [], []
    # By its cedilla the month (Portuguese) differs from the name Marco.
    for at, char in enumerate(text.replace("arço", "arzo")):
        part = "'" if char == "’" else fold(char) if not char.isspace() else " "
        parts.append(part)
        places += [at] * len(part)
    return "".join(parts), [*places, len(text)]


def _beginning(match: "re.Match[str]", folded: str, today: "date") -> list[_Span]:
    """What “since”, “as of” or “from” and a date say, and the end that may follow."""
    right = match.end()
    until = _TO.match(folded, right) if match["ahead"] else None
    rest = folded[right:].lstrip(" ")
    if until is None and match["ahead"] and not match["since"]:
        opens = (
            not folded[: match.start()].strip(" -–")
            or folded[: match.start()].rstrip()[-1] in ",;:"
        )
        onwards = rest.startswith(_ONWARDS)
        # “Logs from March are on the old host”: the date belongs to a noun.
        if (
            not (opens or onwards or not rest or rest[0] in _CLAUSE_ENDS)
            and match["ahead"] in _OF_NOUNS
        ):
            return []
        back = not (opens or onwards) and not (
            match["of"] or match["iso"] or match["before"] or match["after"]
        )
    else:
        back = False
    clause = _clause(folded, match.start())
    back = back or bool(match["since"]) or (_is_past(clause) and not _WILL.search(clause))
    first = _first(match, today, back=back, neutral=_is_neutral(match))
    if first is None or (match["since"] and first > today):
        return []
    if until is not None and match["weekday"] and until["weekday"]:
        return []  # every week: “open from Monday to Friday”
    if until is not None and (ended := _ended(match, until, first)) is not None:
        return [ended]
    if rest.startswith(_ONWARDS):
        word = next(one for one in _ONWARDS if rest.startswith(one))
        if not rest[len(word) : len(word) + 1].isalnum():
            right += len(folded[right:]) - len(rest) + len(word)
    if folded[right : right + 1] == ",":
        right += 1
    return [_Span(match.start(), right, first, None)]


def _is_neutral(match: "re.Match[str]") -> bool:
    """Whether the nearest date is meant, before or after: “dal 3 marzo”, but “da lunedì” the next one."""
    return bool(match["asof"] or (match["either"] and not match["weekday"]))


# Before a date that belongs to a noun as well: “logs from March”.
_OF_NOUNS = frozenset(("from", "von", "des", "vanaf", "van", "dal", "dall'", "da"))


def _runs(folded: str, today: "date") -> list[_Span]:
    """Whole times: days of one month, a month or a year, some weeks from now, and what is left of one."""
    from datetime import timedelta  # start-up: only texts with a date need it

    found = []
    for match in _RUN.finditer(folded):
        read = _days(match, today, back=False, neutral=False) if match["before"] else None
        opens = int(match["opens"])
        if read is not None and 0 < opens <= read[0].day:
            first = read[0].replace(day=opens)
            found.append(_Span(match.start(), match.end(), first, read[1]))
    for match in _DURING.finditer(folded):
        read = _days(match, today, back=False, neutral=False) if match["month"] else None
        if read is not None and read[1] >= today and not _inside(match, found):
            found.append(_Span(match.start(), match.end(), *read))
    for match in _AFTER.finditer(folded):
        rest = folded[match.end() :].lstrip(" ")
        whole = match["iso"] or match["before"] or match["after"]
        # “After Friday” at the end of a clause, not “after the March report”.
        if not whole and not (
            (match["weekday"] or match["of"]) and rest[:1] in ("", *_CLAUSE_ENDS)
        ):
            continue
        read = _days(match, today, back=False, neutral=False)
        if read is not None and not _is_past(_clause(folded, match.start())):
            found.append(_Span(match.start(), match.end(), read[1] + timedelta(days=1), None))
    for match in _FOR.finditer(folded):
        counted = match["count"] or match["first"]
        number = int(counted) if counted.isdigit() else _COUNTS[counted]
        last = today + timedelta(days=number * _DAYS_OF[_UNITS[match["unit"]]])
        found.append(_Span(match.start(), match.end(), today, last))
    for match in _REST.finditer(folded):
        last = _unit(today, _UNITS[match["unit"]], 0)[1]
        found.append(_Span(match.start(), match.end(), None, last))
    return found


_DAYS_OF = {"day": 1, "week": 7, "month": 30, "year": 365}


def _between(folded: str, today: "date") -> list[_Span]:
    for match in _BETWEEN.finditer(folded):
        until = _TO.match(folded, match.end())
        if until is None or match["weekday"]:
            continue
        # “O relatório de março e abril”: dates of a noun. “De março a abril” is one time.
        if match.group().startswith("d") and until.group().split()[0] in _AND:
            continue
        first = _first(match, today, back=False, neutral=False)
        ended = None if first is None else _ended(match, until, first)
        if ended is not None:
            return [ended]
    return []


def _ended(match: "re.Match[str]", until: "re.Match[str]", first: "date") -> "_Span | None":
    """A time with its end; the year of that is the year of both: “from March until June 2026”."""
    last = _last(until, first)
    begins = first
    if last is not None and first > last:
        begins = _first(match, last, back=True, neutral=False) or first
    if last is None or begins > last:
        return None
    return _Span(match.start(), until.end(), begins, last)


_AND = frozenset("and und et y e en".split())


def _changed(folded: str, today: "date") -> list[_Span]:
    """The day or month of a change: “in May 2026 we moved to Hetzner”."""
    said = _without_marks(folded)
    if (CHANGED.isdisjoint(said.split()) and not _WILL.search(said)) or _CLOCK.search(folded):
        return []  # most texts with a month or a unit; each of their words may begin a date
    for match in _IN.finditer(folded):
        relative = match["near"] or match["whole"] or match["last"] or match["gone"]
        if not match["on"] and not relative and not match["step"]:
            continue
        clause = _clause(folded, match.start())
        words = clause.split()
        if CHANGED.isdisjoint(words) and not _WILL.search(clause):
            continue
        if _WILL.search(clause) and not (_SHIFTS & {*words} or not CHANGED.isdisjoint(words)):
            continue
        ahead = bool(_WILL.search(clause))
        first = _first(match, today, back=not ahead, neutral=False)
        if first is None or (first > today and not ahead):
            continue
        return [_Span(match.start(), match.end(), first, None)]
    return []


# A time of the day: “the flight leaves at 9:30 on 2 April” is an event, and a change is dated by its day.
_CLOCK = late(r"\b\d{1,2}(?::\d\d| ?(?:[ap]m|uhr|heures?)|h\d{0,2})\b")
# Verbs of change as they follow “will”.
_SHIFTS = frozenset(
    "move switch migrate replace rename change become rise fall increase raise lower drop close"
    " open".split()
)


def _clause(folded: str, at: int) -> str:
    """The clause in which a position lies, its words without punctuation."""
    left = max((folded.rfind(mark, 0, at) for mark in (". ", "; ", ": ")), default=-1)
    rights = [one for one in (folded.find(mark, at) for mark in ("; ", ": ")) if one >= 0]
    return _without_marks(folded[left + 1 : min(rights, default=len(folded))])


def _without_marks(folded: str) -> str:
    """A folded text with blanks for its punctuation."""
    if folded.isascii():
        return folded.translate(_MARKS)
    return "".join(char if char.isalnum() or char in _IN_WORDS else " " for char in folded)


def _is_past(clause: str) -> bool:
    words = {*clause.split()}
    if not words.isdisjoint(_IS):
        return False  # “invoices are sent”
    return not (words - _BEGINS).isdisjoint(CHANGED | HAPPENED | WAS)


# What changes something in the present: “from January on Jonas takes over”.
_BEGINS = frozenset(
    "becomes changes drops leaves moves passes renames replaces retires supersedes switches takes"
    " entfallt ubernimmt verschiebt wechselt weicht zieht wordt reprend".split()
)
_IS = frozenset("is are ist sind wird werden est sont es son e sono sao zijn".split())


def _inside(match: "re.Match[str]", found: list[_Span]) -> bool:
    return any(one.left <= match.start() < one.right for one in found)


def _first(match: "re.Match[str]", today: "date", *, back: bool, neutral: bool) -> "date | None":
    """The first day of a date: `back`, the last one; `neutral`, the nearest; else the next one."""
    read = _days(match, today, back=back, neutral=neutral)
    if read is None:
        return None
    return read[1] if match["end"] else read[0]


def _last(match: "re.Match[str]", today: "date") -> "date | None":
    """The last day of a date, which lies ahead of a day."""
    read = _days(match, today, back=False, neutral=False, far=_A_YEAR)
    return None if read is None else read[1]


def _last_before(match: "re.Match[str]", today: "date") -> "date | None":
    """The day before a month, a week or a year until which a text holds; None for a day, or its end."""
    read = _days(match, today, back=False, neutral=False, far=_A_YEAR)
    if read is None or match["end"] or match["ends"] or not _SHORT_OF.match(match.group()):
        return None
    first, last = read
    from datetime import timedelta  # start-up: only texts with a date need it

    return first - timedelta(1) if today < first < last else None


# Before a time that is left out: “till January”, not “jusqu'en janvier”, “tot en met januari”.
_SHORT_OF = late(r"(?:until|till|bis|hasta|fino|tot(?! en met)) ")


def _days(
    match: "re.Match[str]", today: "date", *, back: bool, neutral: bool, far: int = _FAR
) -> "tuple[date, date] | None":
    """The first and the last day that a date names; None if there is none such."""
    if _is_another_word(match) or _is_an_event(match):
        return None
    if match["month"] and not match["of"]:
        named = match["before"] or match["after"]
        month, day = _NUMBERS[match["month"]], int(named) if named else None
        try:
            return _nearest(month, day, today, back=back, neutral=neutral, far=far)
        except ValueError:
            return None
    return _written(match) or _relative(match, today, back=back, neutral=neutral)


def _relative(
    match: "re.Match[str]", today: "date", *, back: bool, neutral: bool
) -> "tuple[date, date] | None":
    """The days that are named from today: “yesterday”, “next week”, “Monday”."""
    from datetime import timedelta  # start-up: only texts with a date need it

    if match["near"]:
        day = today + timedelta(days=_NEAR[match["near"]])
        return day, day
    if match["present"] or match["ends"]:
        unit = _UNITS[match["present"]] if match["present"] else _ENDS[match["ends"]]
        return _unit(today, unit, 0)
    if match["whole"]:
        return _unit(today, match["unit"], _STEPS[match["whole"]])
    if match["last"] or match["gone"]:
        step = 1 if (match["last"] or match["gone"]).startswith(_COMING) else -1
        return _unit(today, _UNITS[match["named"] or match["one"]], step)
    if match["weekday"]:
        ahead = (_DAYS[match["weekday"]] - today.weekday()) % 7
        which = (match["step"] or "").strip()
        if which == "last" or (back and which not in {"this", "next"}):
            ahead = ahead - 7 if ahead or which == "last" else 0
        elif neutral and not which:
            ahead -= 7 if ahead else 0
        elif which != "this" and not ahead:
            ahead = 7
        day = today + timedelta(days=ahead)
        return day, day
    return None


def _is_another_word(match: "re.Match[str]") -> bool:
    """Whether what could be a month or a weekday is another word: “desde Marco”, “até segunda ordem”."""
    if match["month"] in AMBIGUOUS_MONTHS:
        return not (match["before"] or match["after"] or match["of"])
    rest = match.string[match.end() :].lstrip(" ")
    return match["weekday"] in AMBIGUOUS_DAYS and not (
        match["fair"] or rest[:1] in ("", *_CLAUSE_ENDS)
    )


def _counted(folded: str, today: "date") -> "Iterator[_Span]":
    """The first days of months that stand as numbers, without a year the last such month."""
    if "月" not in folded and "월" not in folded:
        return
    for match in _COUNTED.finditer(folded):
        said, day = match["month"], int(match["day"]) if match["day"] else None
        month = int(said) if said.isdecimal() else _COUNTS_OF_MONTHS.index(said)
        try:
            if match["of"]:
                first, _ = _month(int(match["of"]), month, day)
            else:
                first, _ = _nearest(month, day, today, back=True, neutral=False, far=_FAR)
        except (ValueError, IndexError):
            continue
        yield _Span(match.start(), match.end(), first, None)


def _is_an_event(match: "re.Match[str]") -> bool:
    """Whether a month or a year only says which event is meant: “since the March release”."""
    left = match.start("month") if match["month"] else match.start("year")
    if left < 0 or match["before"] or match["after"]:
        return False
    behind = match.string[match.end() : match.end() + 2]
    return match.string[:left].endswith(" the ") and behind[:1] in " -" and behind[1:].isalpha()


def _figures(said: str, *, day_first: bool) -> "date | None":
    """The day of a date in figures; None if there is none, or two while `day_first` does not decide.

    With points the day comes first, with a year in front the month second; else 13 and more is the day.
    """
    from datetime import date  # start-up: only texts with a date need it

    left, middle, right = (int(one) for one in _MARK.split(said))
    if left > _MOST_DAYS:
        return date(left, middle, right)
    if "." in said or left > _DECEMBER or day_first or left == middle:
        return date(right, middle, left)
    return date(right, left, middle) if middle > _DECEMBER else None


_MARK = late(r"[/.-]")
_MOST_DAYS = 31
# What stands before dates in English, where 03/04 is April to some and March to others.
_ENGLISH = frozenset(
    "since as effective starting beginning with from until till through ends end ending expires expire"
    " closes runs between during throughout after on in to and the - –".split()
)


# As “next” begins in other languages: nächste, volgende, prossima, próxima.
_COMING = ("na", "vol", "pr")


def _written(match: "re.Match[str]") -> "tuple[date, date] | None":
    """The days of a date that is written with its year; None if it is none."""
    from datetime import date  # start-up: only texts with a date need it

    try:
        if match["iso"]:
            year, month, *rest = map(int, match["iso"].split("-"))
            return _month(year, month, rest[0] if rest else None)
        if match["figures"]:
            read = _figures(match["figures"], day_first=match.group().split()[0] not in _ENGLISH)
            return None if read is None else (read, read)
        if match["quarter"]:
            month = _MONTHS_A_QUARTER * (int(match["quarter"]) - 1) + 1
            year = int(match["of_quarter"])
            return date(year, month, 1), _month(year, month + _MONTHS_A_QUARTER - 1, None)[1]
        if match["year"]:
            year = int(match["year"])
            return date(year, 1, 1), date(year, _DECEMBER, 31)
        if match["of"]:
            named = match["before"] or match["after"]
            day = int(named) if named else None
            return _month(int(match["of"]), _NUMBERS[match["month"]], day)
    except ValueError:
        pass
    return None


def _nearest(
    month: int, day: int | None, today: "date", *, back: bool, neutral: bool, far: int
) -> "tuple[date, date]":
    """A date without a year."""
    years = [_month(year, month, day) for year in (today.year - 1, today.year, today.year + 1)]
    past = [one for one in years if one[0] <= today][-1]
    ahead = next((one for one in years if one[1] >= today), past)
    if back:
        return past
    if neutral:
        return min(past, ahead, key=lambda one: abs((one[0] - today).days))
    return ahead if (ahead[0] - today).days <= far else past


def _month(year: int, month: int, day: int | None) -> "tuple[date, date]":
    from datetime import date, timedelta  # start-up: only texts with a date need it

    if day is not None:
        return (date(year, month, day),) * 2
    following = date(year + month // _DECEMBER, month % _DECEMBER + 1, 1)
    return date(year, month, 1), following - timedelta(days=1)


def _unit(today: "date", unit: str, step: int) -> "tuple[date, date]":
    """A whole day, week, month or year, `step` of them away."""
    from datetime import date, timedelta  # start-up: only texts with a date need it

    if unit == "day":
        return (today + timedelta(days=step),) * 2
    if unit == "week":
        first = today - timedelta(days=today.weekday() - 7 * step)
        return first, first + timedelta(days=6)
    if unit == "month":
        number = today.year * _DECEMBER + today.month - 1 + step
        return _month(number // _DECEMBER, number % _DECEMBER + 1, None)
    return date(today.year + step, 1, 1), date(today.year + step, _DECEMBER, 31)


def _midnight(day: "date", later: int = 0) -> int:
    """The beginning of a local day, or of one `later`, in UTC milliseconds."""
    from datetime import datetime, timedelta  # start-up: only texts with a date need it

    begins = datetime.combine(day + timedelta(days=later), datetime.min.time())
    return round(begins.timestamp() * 1000)
