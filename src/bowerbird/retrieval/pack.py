"""From ranked rows to the hits that are shown: floor, budget, limit. Pure."""

from bowerbird.core.text import count_tokens
from bowerbird.core.types import MEMORY
from bowerbird.core.value import Note
from bowerbird.retrieval.relevance import nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.core.answers import Hit
    from bowerbird.core.query import Query
    from bowerbird.core.trace import Trace

# Less than one in twenty of such hits is relevant: beside better ones they are noise.
WEAK = 0.05
# A turn that holds one of these asks, and what somebody else says next is kept beside it, however little
# that shares with the question: of 222 such turns on LoCoMo 17 were the evidence, of the 710 behind any
# turn that is shown 22. R@10 of what is shown .807 to .814, .08 hits more.
_ASKING = "?？؟"
# A memory that stands so far below a less relevant one is told of: 7 of 180 answers, 55 from .05 on.
SURER = 0.1


def in_order(hits: "tuple[Hit, ...]", query: "Query", trace: "Trace") -> "tuple[Hit, ...]":
    """The hits as the query wants them sorted; where that is not by relevance, the trace says why."""
    if query.sort == "recency":
        return tuple(sorted(hits, key=lambda hit: hit.entry.created, reverse=True))
    least = 1.0
    for hit in hits:
        if hit.entry.family == MEMORY:
            if hit.relevance > least + SURER:
                trace.remark("order", Note("order", _SURER))
                break
            least = min(least, hit.relevance)
    return hits


_SURER = (
    "a memory further down is the surer answer: the order counts relations, age and use too,"
    " the relevance what is said alone"
)


def pack(
    hits: "Iterable[Hit]", query: "Query", *, whole: bool = True
) -> "tuple[tuple[Hit, ...], int]":
    """As many hits as the query wants, of its floor at least, whose texts fit into its budget.

    A hit that does not fit is left out and smaller ones after it may still come; the budget is
    never exceeded. Where even the most relevant hit says nothing, nothing is the answer; `whole` says
    that a question was asked, not a word or two, or that it was read as one. Where the query wants no
    weak ones, those that hardly answer make room for all that may, and for what answers a turn that
    asks; how many did, comes second.
    """
    chosen, strong = _Room(query), _Room(query)
    for hit in hits:
        if hit.relevance < query.min_score:
            continue
        chosen.take(hit)
        if hit.relevance >= WEAK or _answers(hit, strong.hits):
            strong.take(hit)
        if (chosen if query.weak else strong).full:
            break
    if all(nothing(hit.relevance, hit.entry.family, whole=whole) for hit in chosen.hits):
        return (), 0
    if query.weak or not strong.hits:
        return tuple(chosen.hits), 0
    left_out = sum(hit not in strong.hits for hit in chosen.hits if hit.relevance < WEAK)
    return tuple(strong.hits), left_out


def _answers(hit: "Hit", shown: "list[Hit]") -> bool:
    """Whether a turn is said by somebody else right after one that is shown and asks."""
    turn = hit.entry
    return bool(turn.speaker) and any(
        (one.entry.document, one.entry.ordinal + 1) == (turn.document, turn.ordinal)
        and one.entry.speaker not in ("", turn.speaker)
        and any(mark in one.text for mark in _ASKING)
        for one in shown
    )


class _Room:
    """What a query has room for: so many hits, of so many tokens together."""

    def __init__(self, query: "Query") -> None:
        self.hits: list[Hit] = []
        self._limit, self._left = query.limit, query.budget

    @property
    def full(self) -> bool:
        return len(self.hits) == self._limit

    def take(self, hit: "Hit") -> None:
        """Add a hit, if it fits."""
        if self.full:
            return
        if self._left is not None:
            cost = count_tokens(hit.text)
            if cost > self._left:
                return
            self._left -= cost
        self.hits.append(hit)
