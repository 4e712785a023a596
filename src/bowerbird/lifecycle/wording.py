"""Prepares a text for comparison: its words, normalised, each with its grammatical properties.

It uses closed word classes (of the languages in `word_classes.py`) and spelling, and no lists of topics.
"""

from functools import cached_property, lru_cache

from bowerbird.core.language import NEGATIONS, NOW, NU, nu_says_now
from bowerbird.core.pattern import late
from bowerbird.core.text import fold
from bowerbird.core.value import Value
from bowerbird.guard.redact import without_marks
from bowerbird.lifecycle.prepared import prepared
from bowerbird.lifecycle.word_classes import (
    CALENDAR,
    CHANGED,
    CHANGES,
    HAPPENED,
    NUMBERS,
    PERFECT,
    SMALL,
    WAS,
)

_WORD = late(r"[^\W_]+(?:[.,:'’/_-][^\W_]+)*|[%€£$]")
_SENTENCE = late(r"[.!?:]\s")
_CLAUSE = late(r"[.;:!?](?:\s|$)|,\s|\s[—–-]\s")
_NOT_OF_NUMBER = late(r"[^\d.:]")
_ENDINGS = tuple("ingly edly ings ing ies ied es ed en er s e n t".split())
# Identifiers: quoted code, codes (G104, LH-42), paths, names with inner capitals or underscores.
_IDENTIFIER = late(
    r"`([^`]+)`|(?<![\w.])([A-Z]{1,6}-?\d{2,6})(?![\w.])"
    r"|(?<![\w./])((?:[\w.-]+/)+[\w.-]*\w|\w+_\w+|[a-z]+(?:[A-Z][a-z0-9]*)+)(?![\w/])"
)
# The shortest stem, in letters.
_ROOT = 3
# Words that are remembered: as many different ones as some thousand notes have.
_KNOWN = 8_192
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
        if not text.isalpha() and any(char.isdigit() for char in text):
            self.number = _NOT_OF_NUMBER.sub("", text.replace(",", "")) or text
        elif text in NUMBERS:
            self.number = NUMBERS[text]
        self.day = CALENDAR.get(text) or CALENDAR.get(text.removesuffix("s")) or ""
        self.is_name = is_name and not self.day and not self.number and not small
        self.small = small
        self.past = past and not self.number
        self.negates = text in NEGATIONS
        self.root = root(text)


class Wording:
    """The words of a text in order, and by clause.

    What each comparison asks of a text is computed once, and not before it is asked: of long texts, which
    are not weighed, that is little.
    """

    def __init__(self, clauses: "tuple[tuple[Word, ...], ...]") -> None:
        self.clauses = clauses
        self.words = tuple(word for clause in clauses for word in clause)

    @cached_property
    def texts(self) -> frozenset[str]:
        """The words as they are written."""
        return frozenset(word.text for word in self.words)

    @cached_property
    def content(self) -> "tuple[Word, ...]":
        """The words that are no function words."""
        return tuple(word for word in self.words if not word.small)

    @cached_property
    def content_roots(self) -> frozenset[str]:
        """The roots of those."""
        return frozenset(word.root for word in self.content)

    @cached_property
    def roots(self) -> frozenset[str]:
        """The roots of all words."""
        return frozenset(word.root for word in self.words)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers, in digits."""
        return frozenset(word.number for word in self.words if word.number)

    @cached_property
    def names(self) -> frozenset[str]:
        """The roots of the names."""
        return frozenset(word.root for word in self.words if word.is_name)

    @cached_property
    def cues(self) -> int:
        """The number of words that state a change."""
        return cues(self.words)

    @cached_property
    def past(self) -> int:
        """The number of words that report an event."""
        return _events(self.clauses)

    @cached_property
    def changing(self) -> tuple[bool, ...]:
        """Whether a clause states a change, of each clause."""
        return tuple(
            bool(cues(clause)) or any(word.text in CHANGED for word in clause)
            for clause in self.clauses
        )

    @cached_property
    def changes(self) -> tuple[tuple[int, ...], ...]:
        """The places of the words that state it, of each clause."""
        return tuple(
            tuple(
                at for at, word in enumerate(clause) if word.text in CHANGED or _cue_at(clause, at)
            )
            for clause in self.clauses
        )

    @cached_property
    def clause_roots(self) -> tuple[frozenset[str], ...]:
        """The roots of the content words of each clause."""
        return tuple(
            frozenset(word.root for word in clause if not word.small) for clause in self.clauses
        )


def cues(words: "tuple[Word, ...]") -> int:
    """The number of words or phrases that state a change, each counted once."""
    texts = [word.text for word in words]
    said = f" {' '.join(texts)} "
    # “No longer than an hour” compares, and what “stopped after an hour” happened once.
    found = sum(
        f" {cue} " in said and f" {cue} than " not in said and f" {cue} after " not in said
        for first in _CUES_BY_FIRST.keys() & texts
        for cue in map(" ".join, _CUES_BY_FIRST[first])
    )
    # Cues in two parts: “ne … plus”, “kein … mehr”.
    return found + any(
        not first.isdisjoint(texts) and last in texts for first, last in _APART if last in texts
    )


_CUES_BY_FIRST: "dict[str, list[list[str]]]" = {}
for _cue in (cue.split() for cue in CHANGES):
    _CUES_BY_FIRST.setdefault(_cue[0], []).append(_cue)
_APART = (
    (frozenset({"ne", "n"}), "plus"),
    (frozenset({"kein", "keine", "keinen", "keinem", "keiner"}), "mehr"),
    (frozenset({"no"}), "mas"),
    (frozenset({"non"}), "piu"),
    (frozenset({"niet", "geen"}), "meer"),
    (frozenset({"nao"}), "mais"),
    (frozenset({"nie"}), "juz"),
)


def _cue_at(clause: "tuple[Word, ...]", at: int) -> bool:
    """Whether a word or phrase that states a change begins at that position."""
    return any(
        all(word.text == part for word, part in zip(clause[at:], cue, strict=False))
        for cue in _CUES_BY_FIRST.get(clause[at].text, ())
        if len(cue) <= len(clause) - at
    )


def _events(clauses: "tuple[tuple[Word, ...], ...]") -> int:
    """The number of words that report an event: “has moved” are two, “has two nurses” none."""
    found = 0
    for clause in clauses:
        behind = False
        for word in reversed(clause):
            if word.past or word.text in WAS or (behind and word.text in PERFECT):
                found += 1
            behind = behind or word.past
    return found


@prepared
def wording(text: str) -> Wording:
    """Splits a text into clauses and words, without the marks of redacted secrets."""
    text = without_marks(text)
    folded = fold(text).split()
    german = len(_GERMAN.intersection(folded)) >= FEWEST_GERMAN
    now = NU in folded and nu_says_now(folded)
    clauses = []
    begins, start = True, 0
    for end in [*(match.end() for match in _CLAUSE.finditer(text)), len(text)]:
        clause = text[start:end]
        words: list[Word] = []
        last = 0
        for match in _WORD.finditer(clause):
            begins = begins or bool(_SENTENCE.search(clause, last, match.start()))
            raw = match.group()
            raw = NOW if now and raw.lower() == NU else raw
            words += _words(raw, begins=begins, german=german)
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


@lru_cache(_KNOWN)
def _words(raw: str, *, begins: bool, german: bool) -> "tuple[Word, ...]":
    """Returns the words of one token: “isn't” is two, “Mum's” is one."""
    text = fold(raw).replace("’", "'")
    negated = text.endswith("n't")
    text = text.removesuffix("n't").removesuffix("'s")
    inside = not raw[1:].islower() and any(char.isupper() for char in raw[1:])
    is_name = inside or (raw[:1].isupper() and not begins and not german)
    whole = not text.isalpha() and any(char.isdigit() for char in text)
    found = [
        Word(
            part,
            is_name=is_name,
            small=part in SMALL and not (raw.isupper() and len(raw) > 1),
            past=_past(part, raw),
        )
        for part in ([text] if whole else text.replace("-", "'").split("'"))
        if part
    ]
    if negated:
        found.append(Word("not", is_name=False, small=True))
    return tuple(found)


def _past(word: str, raw: str) -> bool:
    """Whether a word looks like a verb in the past tense."""
    if word in HAPPENED:
        return True
    if raw.lower().endswith(_ACCENTED) and len(word) > _ROOT:
        return True
    regular = word.endswith("ed") and len(word) > len("need")
    # The literals first: they are cheaper than to compile an expression for a text without one.
    german = word.endswith(("t", "en")) and "ge" in word and bool(_PARTICIPLE.match(word))
    return regular or german


# “Gekauft”, “abgeschaltet”, “umgezogen”.
_PARTICIPLE = late("(?:ab|an|auf|aus|ein|um|weg|zuruck|uber|vor|nach|los|zusammen)?ge.{4}")


# “Pasó”, “changé”.
_ACCENTED = ("ó", "é", "ée", "és", "ées")


@lru_cache(_KNOWN)
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
