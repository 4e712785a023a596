"""Whether two texts cannot both hold, as far as words tell: the same subject, another value.

It only ever flags: both memories are kept, linked, and put before a person.
"""

from bowerbird.lifecycle.duplicates import UNDECIDED, Statement, Verdict, statement
from bowerbird.lifecycle.grammar import (
    NEGATING_SIGNS,
    NEGATIONS,
    ONE_HOLDER,
    OPPOSITES,
    SINGLE_VALUED,
)

# A value is a few words; what differs by more is about something else.
LONGEST_VALUE = 3
# So many words must agree before a difference can be one of value.
FEWEST_SHARED = 2
_AUXILIARIES = frozenset("do does did always every be any".split())
_PREFERENCE = frozenset("prefer prefers preferred bevorzugt".split())


def contradicts(old: str, new: str) -> Verdict:
    """Whether `new` says another thing of what `old` is about."""
    left, right = statement(old), statement(new)
    return _negated(left, right) or _other_value(left, right) or UNDECIDED


def _negated(left: Statement, right: Statement) -> Verdict | None:
    """The same words, one time with and one time without a negation."""
    bare = [_without_negation(side.words) for side in (left, right)]
    if bare[0][0] == bare[1][0] and bare[0][1] != bare[1][1] and len(bare[0][0]) > 1:
        return Verdict("contradicts", "one of the two negates the other")
    return None


def _without_negation(words: tuple[str, ...]) -> tuple[str, bool]:
    kept = [word for word in words if word not in NEGATIONS and word not in _AUXILIARIES]
    negated = sum(word in NEGATIONS for word in words)
    text = " ".join(kept)
    if not text.isascii():
        for sign in NEGATING_SIGNS:
            spaced = " ".join(sign)
            negated += text.count(spaced)
            text = " ".join(text.replace(spaced, " ").split())
    return text, bool(negated)


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
        return Verdict("contradicts", f"opposites: {told}")
    if not shared and suffix and suffix[0] in ONE_HOLDER and _both_names(left, right, old, new):
        return Verdict("contradicts", f"two for one place: {told}")
    if shared < FEWEST_SHARED or len(suffix) > 1:
        return None
    if _numbers(old) and _numbers(new) and not set(prefix) <= left.names:
        return Verdict("contradicts", f"another number: {told}")
    short = len(old) + len(new) <= LONGEST_VALUE or _both_names(left, right, old, new)
    if SINGLE_VALUED & set(prefix) and short:
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


def _numbers(words: tuple[str, ...]) -> bool:
    return any(char.isdigit() for word in words for char in word)
