"""The same statement in another order of words: turned round, inverted, or in the passive voice."""

from bowerbird.lifecycle.grammar import OPENERS

_BE = frozenset("is are was were gets get".split())
_IDENTITY = ("is", "called"), ("is", "named"), ("is",)


def turned(left: tuple[str, ...], right: tuple[str, ...], *, definite: bool) -> str:
    """How two texts of different words in a row say the same, or nothing where they do not.

    `definite`: they speak of somebody or something with a name; of classes, “a square is a
    rectangle” does not hold the other way round.
    """
    if sorted(left) == sorted(right):
        for cut in range(1, len(left)):
            moved = left[cut:] + left[:cut] == right
            if moved and (left[cut] in OPENERS or left[0] in OPENERS):
                return "the same words, turned round"
    if definite and (_inverted(left, right) or _inverted(right, left)):
        return "the same words, turned round"
    if _passive(left, right) or _passive(right, left):
        return "the same words, in the passive voice"
    return ""


def _inverted(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """``our designer is called Ines``, ``Ines is our designer``; a plural would be a class."""
    if left.count("is") != 1 or right.count("is") != 1:
        return False
    at = right.index("is")
    subject, told = right[:at], right[at + 1 :]
    return bool(subject and told) and any(left == told + verb + subject for verb in _IDENTITY)


def _passive(passive: tuple[str, ...], active: tuple[str, ...]) -> bool:
    """``tokens are cached for an hour by the gateway``, ``the gateway caches tokens for an hour``."""
    if "by" not in passive:
        return False
    by = len(passive) - 1 - passive[::-1].index("by")
    doer = passive[by + 1 :]
    for at in range(1, by - 1):
        if passive[at] not in _BE:
            continue
        done, rest = passive[:at], passive[at + 2 : by]
        verb = active[len(doer) : len(doer) + 1]
        if verb and active == doer + verb + done + rest and stem(verb[0]) == stem(passive[at + 1]):
            return True
    return False


def stem(verb: str) -> str:
    """A regular verb without its ending: owns and owned, drops and dropped."""
    if not verb.isalpha():
        return verb
    for ending in ("ed", "es", "s", "e"):
        if verb.endswith(ending) and len(verb) > len(ending) + 1:
            verb = verb[: -len(ending)]
            break
    return verb[:-1] if len(verb) > 1 and verb[-1] == verb[-2] else verb
