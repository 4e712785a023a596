"""Detects contradictions by words alone: two texts with the same subject and different values.

A contradiction is only flagged: both memories are kept, linked, and shown to a person for review.
"""

from collections import Counter
from functools import lru_cache

from bowerbird.core.language import NEGATIONS
from bowerbird.core.memories import UNDECIDED, Verdict
from bowerbird.core.pattern import late
from bowerbird.core.text import sentences
from bowerbird.core.text import words as words_of
from bowerbird.lifecycle.dated import begins, without_dates
from bowerbird.lifecycle.duplicates import Statement, statement, tokens_of
from bowerbird.lifecycle.prepared import prepared
from bowerbird.lifecycle.reordering import shared as shared_words
from bowerbird.lifecycle.reordering import stem
from bowerbird.lifecycle.word_classes import (
    AUXILIARIES,
    BOUNDS,
    CALENDAR,
    FROM,
    MANNERS,
    NEGATING_SIGNS,
    NUMBER_WORDS,
    NUMBERS,
    OBLIGES,
    ONE_HOLDER,
    ONLY_ONE,
    OPENERS,
    OPPOSITES,
    PAST,
    PERMITS,
    PREPOSITIONS,
    PRONOUNS,
    SINGLE_VALUED,
    SMALL,
    TRANSITIVE,
    UNITS,
    USES,
)

# A value is at most this many words; texts that differ by more are about different things.
LONGEST_VALUE = 3
# At most this many pairs of sentences are compared: ten sentences with one.
MOST_PAIRS = 10
# Texts must begin with at least this many common words for their difference to be a value.
FEWEST_SHARED = 2
_PREFERENCE = frozenset("prefer prefers preferred bevorzugt".split())
_BE = frozenset("is are was were be been being gets get ist sind".split())
# Mark a negation as a bound, which is one value: “takes no longer than a day”.
THAN = frozenset("than als que di".split())
# Words of a text that negates: its contractions end in a “t”, or begin with an “n”.
_NEGATING = NEGATIONS | {"t", "n"}
# Part of a negation when they follow one: “no longer”, “kein … mehr”.
_ANY_MORE = frozenset("longer more anymore mehr".split())

# The words that mean something here, beside those of `word_classes` and what negates.
WORDS = _PREFERENCE | _BE | THAN | _ANY_MORE

_MANNERS_BY_FIRST = {
    first: [phrase for phrase in MANNERS if phrase[0] == first]
    for first in {phrase[0] for phrase in MANNERS}
}
_MANNERS_LAST = frozenset(phrase[-1] for phrase in MANNERS)


def contradicts(old: str, new: str, of_one_sort: float = 1.0) -> Verdict:
    """Returns whether `new` states a different value for the subject of `old`.

    `of_one_sort`: how near the words in which they differ are as sorts of things, a cosine
    (`Alignment`).
    """
    return _compared(read(old), read(new), of_one_sort)


def _compared(ours: "Read", theirs: "Read", of_one_sort: float) -> Verdict:
    left, right = ours.undated, theirs.undated
    if left.words == right.words:  # what differs is the date
        left, right = _lasting(ours.text), _lasting(theirs.text)
    elif theirs.begins:
        right = right.replace(words=_reordered(right.words, left.words))
    negates = ours.may_negate or theirs.may_negate
    return (
        (_negated(ours.bare(left), theirs.bare(right)) if negates else None)
        or _other_value(left, right, of_one_sort)
        or _other_location(left, right)
        or (_negated_sentence(ours.text, theirs.text) if negates else None)
        or UNDECIDED
    )


def contradicts_in_a_sentence(old: str, new: str) -> Verdict:
    """What `contradicts` returns on texts that say different things but for a sentence."""
    negates = _may_negate(old) or _may_negate(new)
    return (_negated_sentence(old, new) if negates else None) or UNDECIDED


def disagree(ours: "Read", theirs: "Read") -> bool:
    """Returns whether one of two texts contradicts the other, whichever of them is the newer.

    Only a date makes a difference to which of them is.
    """
    if _compared(ours, theirs, 1.0).relation:
        return True
    dated = ours.begins or theirs.begins
    return dated and bool(_compared(theirs, ours, 1.0).relation)


def negations(text: str) -> int:
    """How often a text negates."""
    if not _may_negate(text):
        return 0
    if text.isascii() and not _MAY_LOSE_ONE.search(text):
        return sum(map(_negating, text.split()))
    its = read(text)
    return its.bare(its.undated).negations.total() + sum(map(_is_elided, its.undated.words))


# “Nu” negates in some languages; an event since which a text holds is left out of what it states, and
# nothing else that may negate.
_MAY_LOSE_ONE = late(r"(?i)\bnu\b|\bsince\b")


@lru_cache(maxsize=8_192)
def _negating(word: str) -> int:
    """How many words negate in what stands between two blanks."""
    return sum(one in NEGATIONS or _is_elided(one) for one in tokens_of(word))


def _is_elided(word: str) -> bool:
    """Whether a word begins with the French “ne”: “il n'y a plus de file”."""
    return word[:2] == "n'" and word[2:3] in _ELIDES


# “Ne” loses its vowel before these; not “rock n'roll”.
_ELIDES = frozenset("aeiouyh")


class Read:
    """A text as a statement without the date since which it holds, and whether it has one.

    `may_negate`: whether a negation may be among its words. Most have none, and need no more reading.
    """

    __slots__ = ("_bare", "begins", "may_negate", "text", "undated")

    def __init__(self, text: str) -> None:
        self.text = text
        self.undated = _undated(text)
        self.begins = begins(text)
        self.may_negate = _may_negate(text)
        self._bare: _Bare | None = None

    def bare(self, stated: Statement) -> "_Bare":
        """The bare words of this text, `stated` as it is or with its words in another order."""
        if stated is not self.undated:
            return _bare(stated.words)
        if self._bare is None:
            self._bare = _bare(stated.words)
        return self._bare


read = prepared(Read)


@prepared
def _may_negate(text: str) -> bool:
    return not text.isascii() or not _NEGATING.isdisjoint(words_of(text))


def _negated_sentence(old: str, new: str) -> Verdict | None:
    """Returns a contradiction if one sentence of either text negates one of the other.

    It is not clear: what the other sentences say may still hold.
    """
    pairs = len(clauses(old)) * len(clauses(new))
    if not 1 < pairs <= MOST_PAIRS:
        return None
    for one in _bare_clauses(old):
        for other in _bare_clauses(new):
            found = _negated(one, other)
            if found is not None:
                return found.replace(reason="one sentence negates another", clear=False)
    return None


@prepared
def clauses(text: str) -> tuple[str, ...]:
    """Returns the sentences of a text, those with a semicolon in parts."""
    parts = (part.strip() for one in sentences(text) for part in one.replace("；", ";").split(";"))
    return tuple(part for part in parts if part)


@prepared
def _bare_clauses(text: str) -> "tuple[_Bare, ...]":
    """Returns the bare words of each of its clauses."""
    return tuple(_bare(_undated(part).words) for part in clauses(text))


@prepared
def _undated(text: str) -> Statement:
    """Returns a text as a statement without the date since which it holds, then in the present tense."""
    if begins(text):
        text = without_dates(text).replace(" has been ", " is ").replace(" have been ", " are ")
    return _lasting(text)


def _lasting(text: str) -> Statement:
    """Returns a text as a statement without “now” and the like, phrases of manner as single words."""
    stated = statement(text)
    words = _in_one_word(stated.lasting)
    return stated if words is stated.words else stated.replace(words=words)


def _reordered(new: tuple[str, ...], old: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the words after a date with the verb after the subject: of “seit März ist die Kasse zu”."""
    at = old.index(new[0]) if new[:1] and new[0] in old else 0
    return (*old[:at], *new[:1], *new[1 + at :]) if new[1 : 1 + at] == old[:at] else new


def _in_one_word(words: tuple[str, ...]) -> tuple[str, ...]:
    """Replaces phrases of manner by single words: “by hand” by “manually”."""
    if _MANNERS_LAST.isdisjoint(words) or _MANNERS_BY_FIRST.keys().isdisjoint(words):
        return words
    kept: list[str] = []
    at = 0
    while at < len(words):
        phrases = _MANNERS_BY_FIRST.get(words[at], ())
        found = next((one for one in phrases if words[at : at + len(one)] == one), ())
        kept.append(MANNERS[found] if found else words[at])
        at += len(found) or 1
    return tuple(kept)


class _Bare:
    """A statement's words without negations and modal verbs, and what those said.

    `waived`: it says that something is not required. `permitted`: that it is allowed.
    """

    __slots__ = ("negations", "permitted", "waived", "words")

    def __init__(self, words: tuple[str, ...]) -> None:
        negations: Counter[str] = Counter(word for word in words if word in NEGATIONS)
        negates = False
        self.waived = False
        kept = []
        skip = False
        for word, following in zip(words, (*words, "")[1:], strict=True):
            if skip:
                skip = False
            elif word in NEGATIONS:
                negates = True
            elif word in OBLIGES and (following == "to" or (following == "not" and word[0] == "n")):
                self.waived |= negates or following == "not"
                skip = following == "to"
            elif word not in AUXILIARIES and not (negates and word in _ANY_MORE):
                kept.append(stem(word) if word.isascii() else word)
        text = " ".join(kept[1:] if kept[:1] and kept[0] in PRONOUNS else kept)
        if not text.isascii():
            for sign in NEGATING_SIGNS:
                spaced = " ".join(sign)
                negations[sign] += text.count(spaced)
                text = " ".join(text.replace(spaced, " ").split())
        self.words = text
        self.negations = +negations
        self.permitted = not PERMITS.isdisjoint(words)


_bare = prepared(_Bare)


def _negated(ours: _Bare, theirs: _Bare) -> Verdict | None:
    """Returns a contradiction if the words are the same and exactly one text negates them."""
    if ours.words != theirs.words or " " not in ours.words:
        return None
    if bool(ours.negations - theirs.negations) == bool(theirs.negations - ours.negations):
        return None
    if (ours.waived and theirs.permitted) or (theirs.waived and ours.permitted):
        return None  # “not required” and “allowed” hold together
    return Verdict("contradicts", "one of the two negates the other", clear=True)


def _other_value(left: Statement, right: Statement, of_one_sort: float) -> Verdict | None:
    """Returns a contradiction if only a few words in the position of a value differ."""
    a, b = left.words, right.words
    if not _PREFERENCE.isdisjoint(a) and a != b and sorted(a) == sorted(b):
        return Verdict("contradicts", "it prefers the other of the two", clear=True)
    shared = shared_words(a, b)
    rest = shared_words(a[shared:][::-1], b[shared:][::-1])
    old, new = a[shared : len(a) - rest], b[shared : len(b) - rest]
    short = 0 < len(old) <= LONGEST_VALUE and 0 < len(new) <= LONGEST_VALUE
    if not (short or _only_numbers(old, new)):
        return None
    if _same_numbers(old, new) or _of_two_roles(old, new) or _of_two_subjects(old, new):
        return None
    quoted = f"“{' '.join(old)}” and “{' '.join(new)}”"
    prefix, suffix = a[:shared], a[len(a) - rest :] if rest else ()
    if shared and any(OPPOSITES.get(word) in new for word in old):
        both_hold = _unrelated(old, new) or _two_bounds(old, new)
        return None if both_hold else Verdict("contradicts", f"opposites: {quoted}", clear=True)
    holds = not shared and suffix and suffix[0] in ONE_HOLDER
    if (holds or _is_the_one(suffix)) and _both_names(left, right, old, new):
        return Verdict("contradicts", f"two for one place: {quoted}", clear=True)
    if shared < FEWEST_SHARED:
        return None
    why = _difference(left, right, prefix, suffix, old, new)
    if why == _OTHER and of_one_sort < SAME_SORT and _are_properties(left, right, prefix, old, new):
        return None
    return Verdict("contradicts", f"{why}: {quoted}", clear=True) if why else None


# Two properties of one subject below this cosine are of two attributes: “red”, “heavy”. Of 26 such pairs
# that did not choose it 23 are below, and of 22 of one attribute 4 (benchmarks/pairs.md).
SAME_SORT = 0.75
_OTHER = "another value"


def _is_the_one(suffix: tuple[str, ...]) -> bool:
    """Whether a verb after the subject says that there is only one such: “is the latest release”."""
    return suffix[:1] != () and suffix[0] in _BE and suffix[1:2] != () and suffix[1] in ONLY_ONE


def _are_properties(
    left: Statement, right: Statement, prefix: tuple[str, ...], *values: tuple[str, ...]
) -> bool:
    """Whether two values only say what the subject is like, so that both hold unless of one attribute.

    A name, and what a preposition leads to, take one place: “the linter is flake8”, “is kept in Vault”.
    """
    named = (left.names, right.names)
    plain = not any(names & set(value) for names, value in zip(named, values, strict=True))
    return plain and not _BE.isdisjoint(prefix) and prefix[-1] not in _OPENS


def _same_numbers(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether two values are the same number, written differently: “10”, “ten”."""
    return [NUMBERS.get(word, word) for word in old] == [NUMBERS.get(word, word) for word in new]


def _only_numbers(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether two values differ in numbers alone, with small words between: “2, 4, then 8”."""
    if len(old) != len(new):  # most: before each word is looked at
        return False
    ours, theirs = (tuple("" if _is_number(one) else one for one in some) for some in (old, new))
    return ours == theirs and SMALL.issuperset(filter(None, ours))


def _of_two_roles(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether only one of two values is a place, a time or an origin, so that both hold.

    “The office is in Berlin”, “the office is noisy”; “a nurse”, “from Cork”. “On Monday” and “Tuesday”
    are days both.
    """
    of_one_type = (_numbers(old) and _numbers(new)) or bool(_kinds(old) & _kinds(new))
    return not of_one_type and (old[0] in _OPENS) != (new[0] in _OPENS)


def _of_two_subjects(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether what differs surrounds a verb or preposition that both have, so that two things differ.

    “(The code of building) A is 4411”, “B is 9920”; “(ran on) 3 on Monday”, “5 on Friday”. “9 to 5” is
    one value.
    """
    between = set(old[1:-1]).intersection(new[1:-1])
    return not between.isdisjoint(SINGLE_VALUED | PREPOSITIONS)


# Prepositions: before a value that is no property.
_OPENS = OPENERS | FROM | PREPOSITIONS


def _kinds(words: tuple[str, ...]) -> set[str]:
    return {_calendar(word) for word in words} - {""}


def _difference(
    left: Statement,
    right: Statement,
    prefix: tuple[str, ...],
    suffix: tuple[str, ...],
    old: tuple[str, ...],
    new: tuple[str, ...],
) -> str:
    """Returns which kind of value differs after the same words, or an empty text if both can hold."""
    if not NEGATIONS.isdisjoint(prefix) and THAN.isdisjoint(prefix):
        return ""  # “we no longer support 11” and “we no longer support 3.7”: neither is one value
    valued = _valued(prefix)
    denied = NEGATIONS.isdisjoint(old) != NEGATIONS.isdisjoint(new)  # “paid 1”, “2 is not yet paid”
    numbers = _numbers(old) and _numbers(new) and not _unrelated(old, new) and not denied
    measured = _is_measure(suffix) and len(old) == len(new) == 1 and not _happened(prefix)
    alone = len(suffix) <= 1 and not _named_locations(prefix, old, new)
    comparable = valued or measured or alone
    if numbers and suffix and (suffix[0] in SINGLE_VALUED or _on_another_day(prefix, suffix)):
        return ""  # “locker 3 is open”, “was ill on 2 March”: the number says which one
    if numbers and not set(prefix) <= left.names and comparable:
        return "another number"
    named = _both_names(left, right, old, new)
    if named and prefix[-1] in USES and suffix[:1] in {("for",), ("as",)}:
        return "another one for the same"
    if len(suffix) > 1:
        return ""
    if _another_time(old, new) and not _happened(prefix):
        return "another time"
    if valued and (named or len(old) + len(new) <= LONGEST_VALUE):
        return _OTHER
    return ""


def _is_measure(suffix: tuple[str, ...]) -> bool:
    """Whether a unit follows a number, or what it counts and nothing else: “requests a minute”."""
    if suffix and suffix[0] in UNITS:
        return True  # “after 30 seconds when Redis is down”: a number before a unit names nothing
    counts = 0 < len(suffix) <= FEWEST_SHARED and not _numbers(suffix)
    return counts and suffix[-1] in UNITS


def _named_locations(prefix: tuple[str, ...], old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether two values name locations at which something happens: “on host h48”."""
    names = all(len(side) == 1 and side[0][0].isalpha() for side in (old, new))
    return names and prefix[-2] in PREPOSITIONS


def _both_names(
    left: Statement, right: Statement, old: tuple[str, ...], new: tuple[str, ...]
) -> bool:
    return len(set(old) - left.names) <= 1 and len(set(new) - right.names) <= 1


def _valued(prefix: tuple[str, ...]) -> bool:
    """Whether a subject has a single value; “always run …” has no subject."""
    at = next((at for at, word in enumerate(prefix) if word in SINGLE_VALUED), 0)
    no_subject = AUXILIARIES | PRONOUNS if prefix[at] in TRANSITIVE else AUXILIARIES
    return not no_subject.issuperset(prefix[:at])


def _unrelated(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether two values belong to different things: “3 in staging” and “5 in production”."""
    words = [{word for word in side if not _numbers((word,))} - UNITS for side in (old, new)]
    ours, theirs = words[0] - words[1], words[1] - words[0]
    ours = {word for word in ours if OPPOSITES.get(word) not in theirs}
    return bool(ours and {word for word in theirs if OPPOSITES.get(word) not in words[0]})


def _two_bounds(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether two values are different bounds, which hold together: “after five”, “before ten”."""
    return bool(BOUNDS & {*old} and BOUNDS & {*new}) and {*old} - BOUNDS != {*new} - BOUNDS


def _numbers(words: tuple[str, ...]) -> bool:
    return any(map(_is_number, words))


@lru_cache(maxsize=8_192)
def _is_number(word: str) -> bool:
    return word in NUMBER_WORDS or (not word.isalpha() and any(map(str.isdigit, word)))


def _another_time(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether two values differ only in a day, month or interval."""
    kinds = [[_calendar(word) for word in side] for side in (old, new)]
    others = [
        {word for word, kind in zip(side, one, strict=True) if not kind}
        for side, one in zip((old, new), kinds, strict=True)
    ]
    return any(kinds[0]) and set(kinds[0]) == set(kinds[1]) and others[0] == others[1]


def _calendar(word: str) -> str:
    """Returns a word's kind of time (day, month …), or an empty text; “montags” is a day."""
    return CALENDAR.get(word) or CALENDAR.get(word.removesuffix("s")) or ""


def _happened(prefix: tuple[str, ...]) -> bool:
    """Whether the words report a past event, which may have happened on several days."""
    return any(
        word in PAST or (word.endswith("ed") and word not in SINGLE_VALUED) for word in prefix
    )


def _on_another_day(prefix: tuple[str, ...], suffix: tuple[str, ...]) -> bool:
    """Whether the number between is the day on which something happened."""
    return bool(_calendar(suffix[0])) and _happened(prefix)


def _other_location(left: Statement, right: Statement) -> Verdict | None:
    """Returns a contradiction if the same words in active and passive voice end in different places.

    “We host …” and “… is hosted”.
    """
    (ours, after, here), (theirs, other, there) = _split(left.words), _split(right.words)
    if not here or after != other or here == there or ours != theirs or not ours & _ONE_VALUE:
        return None
    if len(ours) < FEWEST_SHARED or not _both_names(left, right, here, there):
        return None
    quoted = f"“{' '.join(here)}” and “{' '.join(there)}”"
    return Verdict("contradicts", f"another value: {quoted}", clear=True)


_ONE_VALUE = frozenset(stem(word) for word in SINGLE_VALUED - _BE - TRANSITIVE)


@prepared
def _split(words: tuple[str, ...]) -> tuple[frozenset[str], str, tuple[str, ...]]:
    """Splits words at their last place: the words before it, its preposition, and the place."""
    at = next((at for at in range(len(words) - 1, -1, -1) if words[at] in PREPOSITIONS), -1)
    if at < 0 or not 0 < len(words) - at - 1 <= LONGEST_VALUE:
        return frozenset(), "", ()
    rest = {stem(word) for word in words[:at] if word not in _BE | AUXILIARIES | PRONOUNS}
    return frozenset(rest), words[at], words[at + 1 :]
