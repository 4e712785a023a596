"""How important a new memory is: a sum of fixed start values, nothing of which is learnt."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.kinds import Kind

LENGTH_WEIGHT, FULL_LENGTH = 0.10, 500
ENTITY_WEIGHT, FULL_ENTITIES = 0.15, 10
CONFIDENCE_WEIGHT = 0.20
PRIORITY_WEIGHTS = {"critical": 0.30, "high": 0.20, "normal": 0.0, "low": -0.10}
# The threshold of pruning is .05 too, and takes what is below: what starts at the bottom
# is not below it when it is written, and is after any time without use, however short. The numbers
# leave no room to lift it (a plain fact has no bonus, and only a confidence that was stated counts),
# so pruning spares what is young: see QUIET_DAYS in lifecycle/prune.py.
LOWEST, HIGHEST = 0.05, 1.0

# Numbers and dates, identifiers and paths, and capitalised words that do not begin a sentence.
_WORD = re.compile(r"[^\s\"'`()\[\]{}<>,;!?]+")
_INNER = re.compile(r"\d|[a-z][A-Z]|[A-Z]{2}|\w[_/.:@#-]\w")


def importance(text: str, kind: "Kind", priority: str | None, confidence: float | None) -> float:
    """Importance from 0.05 to 1, by length, entities, kind, priority and stated confidence.

    It starts at nothing: a short plain fact that nobody vouched for stays at the bottom, which says
    that nothing is known in its favour, not that it is of no use. Uses raise it.
    """
    score = (
        LENGTH_WEIGHT * min(len(text) / FULL_LENGTH, 1.0)
        + ENTITY_WEIGHT * min(len(entities(text)) / FULL_ENTITIES, 1.0)
        + kind.importance
        + PRIORITY_WEIGHTS[priority or "normal"]
        + CONFIDENCE_WEIGHT * (confidence or 0.0)
    )
    return round(min(max(score, LOWEST), HIGHEST), 4)


def entities(text: str) -> set[str]:
    """The distinct names, numbers, dates and identifiers of a text."""
    found = set()
    start = True
    for match in _WORD.finditer(text):
        word = match.group().rstrip(".:")
        if word and (_INNER.search(word) or (word[0].isupper() and not start)):
            found.add(word)
        start = match.group()[-1] in ".:"
    return found
