"""Whether a text says by itself that what an older one tells is over, or changed to something else.

“No longer”, “moved from … to”, “instead of”, “ya no”: a few words of each language announce it. They
count only where what they end is what the older text states, and both are about the same: “no longer
than an hour”, “instead of arguing” and “from Hamburg to Berlin by train” end nothing.
"""

import re
from itertools import pairwise

from bowerbird.core.normal import tokens
from bowerbird.core.value import Value
from bowerbird.lifecycle.duplicates import UNDECIDED, Verdict
from bowerbird.lifecycle.grammar import (
    AUXILIARIES,
    CALENDAR,
    FILLERS,
    MEANS,
    NEGATIONS,
    NUMBER_WORDS,
    ONCE,
    OPENERS,
    PAST,
    PERFECT,
    PLACES,
    PRONOUNS,
    TIMELESS,
    USES,
)
from bowerbird.lifecycle.turning import shared, stem

# About the same by the contextual model, where fewer words are shared: as strict as for a link.
ALIKE = 0.57
# So many words must agree around a value that is no number or time.
FEWEST_SHARED = 2
# A value is a few words; more that differ are about something else.
LONGEST_VALUE = 2
# So near, the words may stand in any order.
NEARLY_SAME = 0.7
# A text of no more words that tell something says what was left, and for what: “we replaced … with …”.
SHORT = 4
# What is read of a text: an announcement is short, and each of its parts is looked for in the other.
MOST_WORDS = 60

_CLAUSE = re.compile(r"[,;:.!?—–](?=\s|$)|\s-\s")
# What begins another part of a sentence: what was, and what is instead.
_TURNS = frozenset("but sondern mais sino pero aber".split())
_SMALL = (
    FILLERS | NEGATIONS | OPENERS | PLACES | PRONOUNS | PERFECT | AUXILIARIES | TIMELESS
) | frozenset(
    "was were is are am be been being it its they them he she his her their this that these those of"
    " a an some there here and or than more plus mas mehr no not n't longer any anymore again"
    " es sie er sich wurde wurden worden war waren sein ihr il elle ils elles se sa son ses cette ce"
    " ete fue fueron ser se su sus lo una unos unas del al du des d l nous vous as do did used over"
    " now then so too only".split()
)
# It is not so yet, or not known.
_NOT_YET = frozenset(
    "? might would should could will if whether maybe perhaps planned want wants consider"
    " considering soon propose never konnte sollte vielleicht wird peut-etre quiza quizas si ob falls"
    " wenn".split()
)
# Behind them stands what was left.
_INSTEAD = (
    ("instead", "of"), ("rather", "than"), ("in", "place", "of"), ("took", "over", "from"),
    ("takes", "over", "from"), ("statt",), ("anstatt",), ("anstelle", "von"), ("au", "lieu", "de"),
    ("a", "la", "place", "de"), ("en", "lugar", "de"), ("en", "vez", "de"),
)  # fmt: skip
# In a clause that tells of what is no more.
_OVER = (
    ("no", "longer"), ("any", "more"), ("anymore",), ("any", "longer"), ("used", "to"), ("stopped",),
    ("ceased",), ("gone",), ("gave", "up"), ("given", "up"), ("previously",), ("formerly",),
    ("until", "recently"), ("nicht", "mehr"), ("bisher",), ("auparavant",), ("ya", "no"), ("dejo", "de"),
)  # fmt: skip
_COMPARES = frozenset("than als que".split())
# Verbs of change, by how they begin: what stands behind “from” is left.
_CHANGES = (
    "mov", "switch", "migrat", "chang", "renam", "convert", "rais", "lower", "increas", "reduc",
    "relocat", "transfer", "transition", "upgrad", "shift", "replac", "rewritten", "ported", "extended",
    "umgezogen", "gezogen", "gewechselt", "umgestiegen", "umbenannt", "verlegt", "verschoben", "erhoht",
    "gesenkt", "umgestellt", "passe", "demenag", "migre", "renomm", "cambi", "paso", "pasa", "mud",
    "traslad", "renombr",
)  # fmt: skip
_FROM = frozenset("from von vom de du desde".split())
_TO = frozenset("to auf zu nach zum a vers au en".split())
# Verbs that leave their object, by how they begin.
_LEAVES = (
    "replac", "drop", "abandon", "retir", "ditch", "discontinu", "ersetzt", "abgelost", "abgeschafft",
    "remplac", "reemplaz", "sustitu", "supplant", "supersed",
)  # fmt: skip
_BE = frozenset("is are was were been being be got wurde wurden worden ete fue fueron sido".split())
_PASSIVE = _BE | {"was", "were", "got"}
_BY = frozenset(
    "with by for in on as because since and durch par por pour para con avec from".split()
)
# Say from when on something is so, with or without a time behind.
_SINCE = frozenset("since seit depuis desde".split())
_FROM_NOW = (
    ("from", "now", "on"), ("as", "of"), ("starting",), ("ab", "sofort"), ("now",), ("nowadays",),
    ("again",), ("jetzt",), ("nun",), ("neuerdings",), ("mittlerweile",), ("desormais",), ("maintenant",),
    ("ahora",), ("a", "partir", "de"), ("wieder",),
)  # fmt: skip


_BEFORE_VALUE = MEANS | PLACES | USES | {"is", "are", "by"}
# Beside them both hold.
_ALSO = frozenset("also too additionally another auch zusatzlich aussi egalement tambien".split())


class _Told(Value):
    """The words of one text, cut into clauses, with those that tell something in one form."""

    __slots__ = ("clauses", "content", "order", "words")

    def __init__(self, text: str) -> None:
        self.clauses = tuple(
            part for piece in _CLAUSE.split(text) for part in _parts(tokens(piece))
        )
        self.words = tuple(word for part in self.clauses for word in part if _tells(word))
        self.order = tuple(_form(word) for word in self.words)
        self.content = frozenset(self.order)


def announced(old: str, new: str, understood: float) -> Verdict:
    """Whether `new` says that what `old` states is over, or is another now.

    `understood` is how near they are by the contextual model, 0 where unknown: words decide then.
    """
    words, known = tokens(new), tokens(old)
    if max(len(words), len(known)) > MOST_WORDS or not _NOT_YET.isdisjoint(words):
        return UNDECIDED
    left, right = _Told(old), _Told(new)
    if not _so_now(left, known):
        return UNDECIDED
    for clause in right.clauses:
        gone = _gone(clause)
        if (
            gone
            and {_form(word) for word in gone} <= left.content
            and _same_subject(gone, left, right, understood)
        ):
            return Verdict("supersedes", f"it says that “{' '.join(gone)}” was left")
        if _over(clause, left) and _shared(left, right, understood):
            return Verdict("supersedes", f"it says that this is over: “{' '.join(clause)}”")
    changed = _changed(left, right, understood)
    return Verdict("supersedes", f"it says since when it is {changed}") if changed else UNDECIDED


def _so_now(left: _Told, words: tuple[str, ...]) -> bool:
    """Whether a text tells what is so: not what was, is not, or was left for something else.

    Where both tell of a change, which of them came last is not sure.
    """
    if not (ONCE | NEGATIONS).isdisjoint(words):
        return False
    if any(
        word in PAST and not {before} & _BE
        for before, word in zip(("", *words), words, strict=False)
    ):
        return False
    return not any(_gone(clause) or _find(clause, _OVER)[0] >= 0 for clause in left.clauses)


def _parts(words: tuple[str, ...]) -> "list[tuple[str, ...]]":
    """A clause, cut where it turns to what is instead."""
    cut = [at for at, word in enumerate(words) if word in _TURNS]
    edges = [0, *cut, len(words)]
    return [words[a:b] for a, b in pairwise(edges) if b > a]


def _tells(word: str) -> bool:
    return word not in _SMALL and not word.startswith(("'", "n'"))


def _form(word: str) -> str:
    """A word in one form for singular and plural, and the forms of a regular verb."""
    word = word.removesuffix("'s")
    word = word[:-3] if word.endswith("ing") and len(word) > 5 else word  # noqa: PLR2004 - what is left
    word = stem(word) if word.isascii() else word
    return word[:-1] if word.endswith("y") and len(word) > 3 else word.removesuffix("i")  # noqa: PLR2004


def _find(clause: tuple[str, ...], cues: "tuple[tuple[str, ...], ...]") -> tuple[int, int]:
    """Where the first of some cues begins and ends, or -1 twice."""
    for at in range(len(clause)):
        for cue in cues:
            if clause[at : at + len(cue)] == cue:
                return at, at + len(cue)
    return -1, -1


def _value(words: tuple[str, ...], ends: frozenset[str]) -> tuple[str, ...]:
    """The words that tell something up to one that begins another part."""
    end = next((at for at, word in enumerate(words) if at and word in ends), len(words))
    return tuple(word for word in words[:end] if _tells(word))


def _gone(clause: tuple[str, ...]) -> tuple[str, ...]:
    """What a clause says was left for something else, or nothing."""
    return _instead(clause) or _from(clause) or _leaves(clause)


def _instead(clause: tuple[str, ...]) -> tuple[str, ...]:
    """What stands behind “instead of” and the like."""
    at, end = _find(clause, _INSTEAD)
    return () if at < 0 else _value(clause[end:], _BY | _TO | AUXILIARIES | _LEADS)


# A small verb or a pronoun behind the name, in languages that put it there.
_LEADS = frozenset({"ist", "we", "wir", "nous"})


def _from(clause: tuple[str, ...]) -> tuple[str, ...]:
    """What stands between “from” and “to” where a word of the clause tells of a change."""
    if not any(word.startswith(_CHANGES) for word in clause):
        return ()
    for at, word in enumerate(clause):
        if word in _FROM:
            end = next((to for to in range(at + 2, len(clause)) if clause[to] in _TO), -1)
            if end > 0:
                return tuple(word for word in clause[at + 1 : end] if _tells(word))
    return ()


def _leaves(clause: tuple[str, ...]) -> tuple[str, ...]:
    """What was replaced, dropped or given up."""
    # The present tells what is done each time: "the login page drops its form".
    left = [word.startswith(_LEAVES) and not word.endswith("s") for word in clause]
    if True not in left:
        return ()
    at = left.index(True)
    passive = not _PASSIVE.isdisjoint(clause[max(at - 2, 0) : at])
    behind = _value(clause[at + 1 :], _BY)
    if passive or not behind or clause[at + 1] in _BY:
        return _value(clause[:at], _BY)
    return behind


def _over(clause: tuple[str, ...], left: _Told) -> bool:
    """Whether a clause tells that what the older text states is no more."""
    at, end = _find(clause, _OVER)
    if at < 0:
        at, end = _apart(clause)
    if at < 0 or not _COMPARES.isdisjoint(clause[end:]) or _serves(clause, at, end):
        return False
    told = [place for place, word in enumerate(clause) if not at <= place < end and _tells(word)]
    missing = [place for place in told if _form(clause[place]) not in left.content]
    known = {_form(clause[place]) for place in told} & left.content
    # “No longer uses”, “we no longer send”: another verb for it may stand beside the cue.
    verb = len(known) > 1 and (clause[0] in PRONOUNS or USES.issuperset(clause[end : end + 1]))
    beside = [place for place in missing if place == end]
    # More than who it is told of must be over.
    return (not missing or (verb and missing == beside)) and bool(known - {left.order[0]})


def _serves(clause: tuple[str, ...], at: int, end: int) -> bool:
    """“Is used to” says what for, not what was."""
    return (
        clause[at:end] == ("used", "to")
        and bool(at)
        and clause[at - 1] in _PASSIVE | {"get", "gets"}
    )


def _apart(clause: tuple[str, ...]) -> tuple[int, int]:
    """“Ne … plus”, “kein … mehr”, “no … más”: where the last of the two stands."""
    for first, last in (
        ("ne", "plus"),
        ("kein", "mehr"),
        ("keinen", "mehr"),
        ("keine", "mehr"),
        ("no", "mas"),
    ):
        if first in clause and last in clause[clause.index(first) :]:
            at = clause.index(last, clause.index(first))
            return at, at + 1
    at = next((at for at, word in enumerate(clause) if word.startswith("n'")), -1)
    if at >= 0 and "plus" in clause[at:]:
        place = clause.index("plus", at)
        return place, place + 1
    return -1, -1


def _same_subject(gone: tuple[str, ...], left: _Told, right: _Told, understood: float) -> bool:
    forms = {_form(word) for word in gone}
    if (left.content & right.content) - forms:
        return True
    used = any(
        before in _BEFORE_VALUE and _form(word) in forms
        for clause in left.clauses
        for before, word in pairwise(clause)
    )
    return (
        used and left.order[0] not in forms and (understood >= ALIKE or len(right.order) <= SHORT)
    )


def _shared(left: _Told, right: _Told, understood: float) -> bool:
    together = left.content & right.content
    return len(together) > 1 or (bool(together) and understood >= ALIKE)


def _changed(left: _Told, right: _Told, understood: float) -> str:
    """What is another than in the older text, where the new one says since when it is."""
    for clause in right.clauses:
        kept = _without_time(clause)
        if kept == clause or not _ALSO.isdisjoint(clause):
            continue
        said = tuple(word for word in kept if _tells(word))
        ours = tuple(_form(word) for word in said)
        start = shared(left.order, ours)
        rest = shared(left.order[start:][::-1], ours[start:][::-1])
        away = left.words[start : len(left.words) - rest]
        fresh = said[start : len(said) - rest]
        if understood >= NEARLY_SAME:
            away = tuple(word for word in left.words if _form(word) not in ours)
            fresh = tuple(word for word in said if _form(word) not in left.content)
            start, rest = len(left.order) - len(away), 0
        if not (0 < len(away) <= LONGEST_VALUE and 0 < len(fresh) <= LONGEST_VALUE):
            continue
        if start + rest >= FEWEST_SHARED or (start + rest and _measures(away) and _measures(fresh)):
            return f"“{' '.join(fresh)}” and no longer “{' '.join(away)}”"
    return ""


def _without_time(clause: tuple[str, ...]) -> tuple[str, ...]:
    """A clause without the words that say from when on it holds; as it was where none does."""
    since = next((at for at, word in enumerate(clause) if word in _SINCE), -1)
    if since >= 0:
        # In front, one word names the time; behind, all the rest does.
        return clause[:since] if since else clause[2:]
    at, end = _find(clause, _FROM_NOW)
    if clause[at:end] == ("as", "of"):
        if at:
            return clause[:at]
        end += 2 if clause[end : end + 1] == ("this",) else 1
    return clause if at < 0 else clause[:at] + clause[end:]


def _measures(words: tuple[str, ...]) -> bool:
    """Whether a value is a number, a day or another time."""
    return any(_form(word) in _TIMES or any(char.isdigit() for char in word) for word in words)


_TIMES = frozenset(_form(word) for word in (*CALENDAR, *NUMBER_WORDS))
