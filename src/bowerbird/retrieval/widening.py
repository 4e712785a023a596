"""Joins the answers to one question in several wordings. Pure.

A model's wordings may miss the point: what was asked counts twice as much as each of them, in the score
and in the relevance, so that they add what was not found rather than reorder what was.
"""

from bowerbird.core.query import ORDERS
from bowerbird.core.text import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.answers import Hit, Hits
    from bowerbird.core.query import Query

# The weight of another wording beside the question's own.
WEIGHT = 0.5
# An answer is imagined if fewer hits than this are relevant by at least so much.
FEW = 3
RELEVANT = 0.5


def is_poor(hits: "Hits") -> bool:
    """Whether so few hits are relevant that an imagined answer may find better ones."""
    return sum(hit.relevance > RELEVANT for hit in hits) < FEW


def joined(hits: "Hits", others: "Sequence[Hits]", query: "Query") -> "tuple[Hits, int]":
    """A question's hits with those of other wordings, and how many came by these."""
    found: dict[str, Hit] = {}
    for hit in (hit for some in others for hit in some):
        lowered = hit.replace(score=hit.score * WEIGHT, relevance=hit.relevance * WEIGHT)
        known = found.get(hit.id)
        if lowered.relevance >= query.min_score and (known is None or known.score < lowered.score):
            found[hit.id] = lowered
    own = {hit.id: hit for hit in hits}
    for id, hit in own.items():
        other = found.get(id)
        if other is not None and other.score > hit.score:
            relevance = max(hit.relevance, other.relevance)
            own[id] = hit.replace(score=other.score, relevance=relevance)
    new = [hit for id, hit in found.items() if id not in own]
    ranked = sorted((*own.values(), *new), key=lambda hit: -hit.score)
    if query.sort != ORDERS[0]:
        ranked.sort(key=lambda hit: -hit.entry.created)
    shown = _within(ranked[: query.limit], query.budget)
    kept = {hit.id for hit in shown}
    total = max(hits.total_found, *(some.total_found for some in others))
    return hits.replace(hits=shown, total_found=total), sum(hit.id in kept for hit in new)


def _within(ranked: "list[Hit]", budget: int | None) -> "tuple[Hit, ...]":
    """The first hits whose texts fit into a budget of tokens."""
    if budget is None:
        return tuple(ranked)
    shown: list[Hit] = []
    for hit in ranked:
        budget -= count_tokens(hit.text)
        if budget < 0 and shown:
            break
        shown.append(hit)
    return tuple(shown)
