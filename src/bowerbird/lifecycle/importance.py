"""The initial importance of a memory: a sum of fixed weights, none of them learned."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.kinds import Kind

LENGTH_WEIGHT = 0.10
FULL_LENGTH = 500
ENTITY_WEIGHT = 0.15
FULL_ENTITIES = 10
CONFIDENCE_WEIGHT = 0.20
PRIORITY_WEIGHTS = {"critical": 0.30, "high": 0.20, "normal": 0.0, "low": -0.10}
# The pruning threshold is .05 as well, so a memory that starts at the minimum falls below it after any
# time without use. The weights leave no room for a higher minimum (a plain fact has no bonus, and only
# a stated confidence counts), so pruning spares young memories instead: see QUIET_DAYS in
# lifecycle/prune.py.
LOWEST = 0.05
HIGHEST = 1.0

# Entities: numbers, dates, identifiers, paths, and capitalised words within a sentence.
_WORD = re.compile(r"[^\s\"'`()\[\]{}<>,;!?]+")
_INNER = re.compile(r"\d|[a-z][A-Z]|[A-Z]{2}|\w[_/.:@#-]\w")


def importance(text: str, kind: "Kind", priority: str | None, confidence: float | None) -> float:
    """Returns an importance of 0.05 to 1, by length, entities, kind, priority and stated confidence.

    A short plain fact without any of these gets the minimum: nothing is known in its favour yet. Uses
    raise it.
    """
    score = (
        LENGTH_WEIGHT * min(len(text) / FULL_LENGTH, 1.0)
        + ENTITY_WEIGHT * len(entities(text)) / FULL_ENTITIES
        + kind.importance
        + PRIORITY_WEIGHTS[priority or "normal"]
        + CONFIDENCE_WEIGHT * (confidence or 0.0)
    )
    return round(min(max(score, LOWEST), HIGHEST), 4)


def entities(text: str) -> set[str]:
    """Returns the first distinct names, numbers, dates and identifiers in a text, as many as count."""
    found: set[str] = set()
    start = True
    for match in _WORD.finditer(text):
        word = match.group().rstrip(".:")
        if word and (_INNER.search(word) or (word[0].isupper() and not start)):
            found.add(word)
            if len(found) == FULL_ENTITIES:
                break
        start = match.group()[-1] in ".:"
    return found
