"""Prepares a text for comparison: its words, normalised, each with its grammatical properties.

It uses closed word classes (of the languages in `word_classes.py`) and spelling, and no lists of topics.
"""

from bowerbird.core.language import NEGATIONS
from bowerbird.core.pattern import late
from bowerbird.core.text import fold
from bowerbird.core.value import Value
from bowerbird.lifecycle.prepared import prepared
from bowerbird.lifecycle.word_classes import CALENDAR, HAPPENED, NUMBERS, SMALL

_WORD = late(r"[^\W_]+(?:[.,:'’/_-][^\W_]+)*|[%€£$]")
_SENTENCE = late(r"[.!?:]\s")
_CLAUSE = late(r"[.;:!?](?:\s|$)|,\s|\s[—–-]\s")
_PARTS = late("['’-]")
_NOT_OF_NUMBER = late(r"[^\d.:]")
_ENDINGS = tuple("ingly edly ings ing ies ied es ed en er s e n t".split())
# Identifiers: quoted code, codes (G104, LH-42), paths, names with inner capitals or underscores.
_IDENTIFIER = late(
    r"`([^`]+)`|(?<![\w.])([A-Z]{1,6}-?\d{2,6})(?![\w.])"
    r"|(?<![\w./])((?:[\w.-]+/)+[\w.-]*\w|\w+_\w+|[a-z]+(?:[A-Z][a-z0-9]*)+)(?![\w/])"
)
# The shortest stem, in letters.
_ROOT = 3
# German capitalises every noun: in a text with this many of its function words, capitals mark no names.
_GERMAN = frozenset("der die das dem den und ist nicht wir ein eine im bei mit von auf fur".split())
FEWEST_GERMAN = 2


class Word(Value):
    """One word, folded, with its `root` (the stem) and its properties.

    `number` is a number's value in digits, `day` the kind of a day or month, `small` whether it is a
    function word, `past` whether it looks like a past tense, `negates` whether it is a negation.
    """

    __slots__ = ("day", "is_name", "negates", "number", "past", "root", "small", "text")

    def __init__(self, text: str, *, is_name: bool, small: bool, past: bool = False) -> None:
        self.text = text
        self.number = ""
        if any(char.isdigit() for char in text):
            self.number = _NOT_OF_NUMBER.sub("", text.replace(",", "")) or text
        elif text in NUMBERS:
            self.number = NUMBERS[text]
        self.day = CALENDAR.get(text) or CALENDAR.get(text.removesuffix("s")) or ""
        self.is_name = is_name and not self.day and not self.number and not small
        self.small = small
        self.past = past and not self.number
        self.negates = text in NEGATIONS
        self.root = root(text)


class Wording(Value):
    """The words of a text in order, and by clause; `content` are those that are no function words."""

    __slots__ = ("clauses", "content", "roots", "texts", "words")

    def __init__(self, clauses: "tuple[tuple[Word, ...], ...]") -> None:
        self.clauses = clauses
        self.words = tuple(word for clause in clauses for word in clause)
        self.texts = frozenset(word.text for word in self.words)
        self.content = tuple(word for word in self.words if not word.small)
        self.roots = frozenset(word.root for word in self.words)


@prepared
def wording(text: str) -> Wording:
    """Splits a text into clauses and words."""
    german = len(_GERMAN.intersection(fold(text).split())) >= FEWEST_GERMAN
    clauses = []
    begins, start = True, 0
    for end in [*(match.end() for match in _CLAUSE.finditer(text)), len(text)]:
        clause = text[start:end]
        words: list[Word] = []
        last = 0
        for match in _WORD.finditer(clause):
            begins = begins or bool(_SENTENCE.search(clause, last, match.start()))
            words += _words(match.group(), begins=begins, german=german)
            begins, last = False, match.end()
        begins = begins or bool(_SENTENCE.search(clause, last))
        if words:
            clauses.append(tuple(words))
        start = end
    return Wording(tuple(clauses))


@prepared
def identifiers(text: str) -> frozenset[str]:
    """Returns the identifiers in a text, in lower case."""
    return frozenset("".join(found).lower() for found in _IDENTIFIER.findall(text))


def _words(raw: str, *, begins: bool, german: bool) -> "list[Word]":
    """Returns the words of one token: “isn't” is two, “Mum's” is one."""
    text = fold(raw).replace("’", "'")
    negated = text.endswith("n't")
    text = text.removesuffix("n't").removesuffix("'s")
    inside = any(char.isupper() for char in raw[1:])
    is_name = inside or (raw[:1].isupper() and not begins and not german)
    whole = any(char.isdigit() for char in text)
    found = [
        Word(
            part,
            is_name=is_name,
            small=part in SMALL and not (raw.isupper() and len(raw) > 1),
            past=_past(part, raw),
        )
        for part in ([text] if whole else _PARTS.split(text))
        if part
    ]
    if negated:
        found.append(Word("not", is_name=False, small=True))
    return found


def _past(word: str, raw: str) -> bool:
    """Whether a word looks like a verb in the past tense."""
    if word in HAPPENED:
        return True
    if raw.lower().endswith(_ACCENTED) and len(word) > _ROOT:
        return True
    regular = word.endswith("ed") and len(word) > len("need")
    german = bool(_PARTICIPLE.match(word)) and word.endswith(("t", "en"))
    return regular or german


# “Gekauft”, “abgeschaltet”, “umgezogen”.
_PARTICIPLE = late("(?:ab|an|auf|aus|ein|um|weg|zuruck|uber|vor|nach|los|zusammen)?ge.{4}")


# “Pasó”, “changé”.
_ACCENTED = ("ó", "é", "ée", "és", "ées")


def root(word: str) -> str:
    """Returns an approximate stem, enough to match inflected forms of a word."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _ROOT:
            word = word[: -len(ending)]
            break
    if len(word) > _ROOT:
        word = word[:-1] if word[-1] == word[-2] else word
        word = word[:-1] if word[-1] in "yi" and len(word) > _ROOT else word
    return word
