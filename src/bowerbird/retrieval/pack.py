"""From ranked rows to the hits that are shown: floor, budget, limit. Pure."""

from bowerbird.core.text import count_tokens
from bowerbird.retrieval.relevance import nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.core.answers import Hit
    from bowerbird.core.query import Query

# Less than one in twenty of such hits is relevant: beside better ones they are noise.
WEAK = 0.05


def pack(
    hits: "Iterable[Hit]", query: "Query", *, whole: bool = True
) -> "tuple[tuple[Hit, ...], int]":
    """As many hits as the query wants, of its floor at least, whose texts fit into its budget.

    A hit that does not fit is left out and smaller ones after it may still come; the budget is
    never exceeded. Where even the most relevant hit says nothing, nothing is the answer; `whole` says
    that a question was asked, not a word or two, or that it was read as one. Where the query wants no
    weak ones, those that hardly answer are left out beside one that may; how many, comes second.
    """
    budget = query.budget
    chosen: list[Hit] = []
    spent = 0
    for hit in hits:
        if hit.relevance < query.min_score:
            continue
        cost = count_tokens(hit.text) if budget is not None else 0
        if budget is not None and spent + cost > budget:
            continue
        spent += cost
        chosen.append(hit)
        if len(chosen) == query.limit:
            break
    if all(nothing(hit.relevance, hit.entry.family, whole=whole) for hit in chosen):
        return (), 0
    strong = [hit for hit in chosen if hit.relevance >= WEAK]
    if query.weak or not strong:
        return tuple(chosen), 0
    return tuple(strong), len(chosen) - len(strong)
