"""Detects the same statement with other word order: parts swapped, inverted, or in the passive."""

from functools import lru_cache
from itertools import compress, count
from operator import ne

from bowerbird.lifecycle.word_classes import OPENERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_BE = frozenset("is are was were gets get".split())
_IDENTITY = ("is", "called"), ("is", "named"), ("is",)


def reordered(left: tuple[str, ...], right: tuple[str, ...], *, definite: bool) -> str:
    """Returns how one text reorders the words of the other, or an empty text if it does not.

    `definite`: they name a particular person or thing. Statements about classes cannot be inverted: “a
    square is a rectangle”.
    """
    # If the two parts are swapped, `right` begins with the opening word of the second part of `left`.
    opened = left[:1] + right[:1]
    if len(left) == len(right) and not OPENERS.isdisjoint(opened):
        cut = position_in(right, left[1:] + left)
        if 0 <= cut < len(left) - 1:
            return "the same words, turned round"
    if definite and (_inverted(left, right) or _inverted(right, left)):
        return "the same words, turned round"
    if _passive(left, right) or _passive(right, left):
        return "the same words, in the passive voice"
    return ""


def position_in(short: tuple[str, ...], long: tuple[str, ...]) -> int:
    """Returns the position at which `long` contains the words of `short` in a row, or -1.

    Searches in joined text: comparing slices takes the product of both lengths if words repeat.
    """
    row = f" {' '.join(long)} "
    start = row.find(f" {' '.join(short)} ")
    return start if start < 0 else row.count(" ", 0, start)


def _inverted(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether subject and predicate are swapped: “our boss is called Ines”, “Ines is our boss”."""
    if left.count("is") != 1 or right.count("is") != 1:
        return False
    at = right.index("is")
    subject, predicate = right[:at], right[at + 1 :]
    return bool(subject and predicate) and any(
        left == predicate + verb + subject for verb in _IDENTITY
    )


def _passive(passive: tuple[str, ...], active: tuple[str, ...]) -> bool:
    """Whether one text is the other's passive voice.

    ``tokens are cached for an hour by the gateway``, ``the gateway caches tokens for an hour``.
    """
    if "by" not in passive:
        return False
    by = len(passive) - 1 - passive[::-1].index("by")
    doer = passive[by + 1 :]
    verb, predicate = active[len(doer) : len(doer) + 1], active[len(doer) + 1 :]
    if not verb or active[: len(doer)] != doer or len(predicate) != by - 2:
        return False
    # `predicate` is the words before “are cached”, then those after it.
    first = by - 2 - shared(predicate[::-1], passive[:by][::-1])
    last = shared(predicate, passive)
    positions = range(max(first, 1), min(last, by - 2) + 1)
    does = stem(verb[0])
    return any(passive[at] in _BE and stem(passive[at + 1]) == does for at in positions)


def shared(a: "Sequence[str]", b: "Sequence[str]") -> int:
    """Returns the number of words that two texts have in common at their beginning."""
    return next(compress(count(), map(ne, a, b)), min(len(a), len(b)))


@lru_cache(maxsize=8_192)
def stem(verb: str) -> str:
    """Returns a regular verb without its ending: the same for owns and owned, drops and dropped."""
    if not verb.isalpha():
        return verb
    for ending in ("ed", "es", "s", "e"):
        if verb.endswith(ending) and len(verb) > len(ending) + 1:
            verb = verb[: -len(ending)]
            break
    return verb[:-1] if len(verb) > 1 and verb[-1] == verb[-2] else verb
