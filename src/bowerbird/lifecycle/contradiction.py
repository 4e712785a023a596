"""Whether two texts cannot both hold, as far as words tell: the same subject, another value.

It only ever flags: both memories are kept, linked, and put before a person.
"""

from bowerbird.lifecycle.duplicates import UNDECIDED, Statement, Verdict, statement
from bowerbird.lifecycle.grammar import (
    LEAVES,
    MOVES,
    NEGATING_SIGNS,
    NEGATIONS,
    ONE_HOLDER,
    OPPOSITES,
    SINGLE_VALUED,
    STAYS,
    UNITS,
    USES,
)

# A value is a few words; what differs by more is about something else.
LONGEST_VALUE = 3
# So many words must agree before a difference can be one of value.
FEWEST_SHARED = 2
_AUXILIARIES = frozenset("do does did always every be any can may must should shall will".split())
# Who is told, where a text says so at all.
_PRONOUNS = frozenset("we you".split())
# What ends the name of what was left: “from Jenkins to …”, “REST for …”.
_ENDS = frozenset("to with by for in on because since and so as".split())
_PREFERENCE = frozenset("prefer prefers preferred bevorzugt".split())


def contradicts(old: str, new: str) -> Verdict:
    """Whether `new` says another thing of what `old` is about."""
    left, right = statement(old), statement(new)
    return (
        _negated(left, right)
        or _left(left.words, right.words)
        or _left(right.words, left.words)
        or _other_value(left, right)
        or UNDECIDED
    )


def _negated(left: Statement, right: Statement) -> Verdict | None:
    """The same words, one time with and one time without a negation."""
    bare = [_without_negation(side.words) for side in (left, right)]
    if bare[0][0] == bare[1][0] and bare[0][1] != bare[1][1] and len(bare[0][0]) > 1:
        return Verdict("contradicts", "one of the two negates the other")
    return None


def _without_negation(words: tuple[str, ...]) -> tuple[str, bool]:
    if words[:1] and words[0] in _PRONOUNS:
        words = words[1:]
    kept = [
        word
        for before, word in zip(("", *words), words, strict=False)
        if word not in NEGATIONS
        and word not in _AUXILIARIES
        and not (word == "longer" and before in NEGATIONS)
    ]
    negated = sum(word in NEGATIONS for word in words)
    text = " ".join(kept)
    if not text.isascii():
        for sign in NEGATING_SIGNS:
            spaced = " ".join(sign)
            negated += text.count(spaced)
            text = " ".join(text.replace(spaced, " ").split())
    return text, bool(negated)


def _left(stays: tuple[str, ...], goes: tuple[str, ...]) -> Verdict | None:
    """One says what is used or where somebody is, the other that this was left for something else."""
    shared = _shared(stays, goes)
    if not shared:
        return None
    place = stays[shared : shared + 2]
    if goes[shared : shared + 2] == ("moved", "to") and place in STAYS:
        return Verdict("contradicts", f"it moved to “{' '.join(goes[shared + 2 :])}”")
    used = [at for at, word in enumerate(stays[: shared + 1]) if word in USES]
    if not used:
        return None
    start = used[-1] + 1
    for at in range(1, len(goes)):
        name = _name(goes[at + 1 :]) if _leaves(goes, at) else ()
        if name and stays[start : start + len(name)] == name:
            return Verdict("contradicts", f"it left “{' '.join(name)}”")
    return None


def _leaves(words: tuple[str, ...], at: int) -> bool:
    """Whether what follows the word at `at` was left: “moved … from”, “instead of”, “dropped”."""
    before, word = words[at - 1], words[at]
    moved = word == "from" and not MOVES.isdisjoint(words[:at])
    return moved or word in LEAVES or (before, word) in {("instead", "of"), ("stopped", "using")}


def _name(words: tuple[str, ...]) -> tuple[str, ...]:
    """The first words, up to one that begins something else."""
    end = next((at for at, word in enumerate(words) if word in _ENDS), len(words))
    return words[:end]


def _other_value(left: Statement, right: Statement) -> Verdict | None:
    """The same words but for a few in the place of a value."""
    a, b = left.words, right.words
    if _PREFERENCE & set(a) and sorted(a) == sorted(b):
        return Verdict("contradicts", "it prefers the other of the two")
    shared = _shared(a, b)
    rest = _shared(a[shared:][::-1], b[shared:][::-1])
    old, new = a[shared : len(a) - rest], b[shared : len(b) - rest]
    if not (0 < len(old) <= LONGEST_VALUE and 0 < len(new) <= LONGEST_VALUE):
        return None
    told = f"“{' '.join(old)}” and “{' '.join(new)}”"
    prefix, suffix = a[:shared], a[len(a) - rest :] if rest else ()
    if shared and any(OPPOSITES.get(word) in new for word in old):
        return None if _apart(old, new) else Verdict("contradicts", f"opposites: {told}")
    if not shared and suffix and suffix[0] in ONE_HOLDER and _both_names(left, right, old, new):
        return Verdict("contradicts", f"two for one place: {told}")
    if shared < FEWEST_SHARED:
        return None
    valued = _valued(prefix)
    numbers = _numbers(old) and _numbers(new) and not _apart(old, new)
    if numbers and not set(prefix) <= left.names and (valued or len(suffix) <= 1):
        return Verdict("contradicts", f"another number: {told}")
    chosen = prefix[-1] in USES and suffix[:1] in {("for",), ("as",)}
    if chosen and _both_names(left, right, old, new):
        return Verdict("contradicts", f"another one for the same: {told}")
    if len(suffix) > 1:
        return None
    short = len(old) + len(new) <= LONGEST_VALUE or _both_names(left, right, old, new)
    if valued and short:
        return Verdict("contradicts", f"another value: {told}")
    return None


def _shared(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    """How many words two texts begin with together."""
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count


def _both_names(
    left: Statement, right: Statement, old: tuple[str, ...], new: tuple[str, ...]
) -> bool:
    return len(set(old) - left.names) <= 1 and len(set(new) - right.names) <= 1


def _valued(prefix: tuple[str, ...]) -> bool:
    """Whether somebody or something is told to have one value; “always run …” tells nobody."""
    at = next((at for at, word in enumerate(prefix) if word in SINGLE_VALUED), 0)
    return not _AUXILIARIES.issuperset(prefix[:at])


def _apart(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether two values are of different things: “3 in staging” and “5 in production”."""
    words = [{word for word in side if not _numbers((word,))} - UNITS for side in (old, new)]
    ours, theirs = words[0] - words[1], words[1] - words[0]
    ours = {word for word in ours if OPPOSITES.get(word) not in theirs}
    return bool(ours and {word for word in theirs if OPPOSITES.get(word) not in words[0]})


def _numbers(words: tuple[str, ...]) -> bool:
    return any(char.isdigit() for word in words for char in word)
