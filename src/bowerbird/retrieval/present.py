"""From a ranking to hits: joined, with what matched and how sure we are. Pure."""

from bowerbird.core.answers import Hit
from bowerbird.core.value import Value
from bowerbird.retrieval import fuse
from bowerbird.retrieval.join import join
from bowerbird.retrieval.relevance import held_by
from bowerbird.retrieval.snippet import Finder, matched_words, snippet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bowerbird.core.types import Entry
    from bowerbird.retrieval.analyse import Question
    from bowerbird.retrieval.candidates.second_look import Look
    from bowerbird.retrieval.relevance import Yardstick


class Ranking(Value):
    """What is known of the rows of one question when the ranking ends; all by row.

    `near` are the best entries. `scores` order the answer; `said` is what they were before a
    memory's past was weighed, `first` before the second `look`, `own` what each entry says by itself,
    `lexical` and `cosines` the signals behind that.
    """

    __slots__ = ("cosines", "first", "lexical", "look", "near", "own", "said", "scores")

    def __init__(
        self,
        near: "Mapping[int, Entry]",
        scores: dict[int, float],
        said: dict[int, float],
        first: dict[int, float],
        own: "Mapping[int, float]",
        lexical: "Mapping[int, float]",
        cosines: "Mapping[int, float]",
        look: "Look",
    ) -> None:
        self.near = near
        self.scores = scores
        self.said = said
        self.first = first
        self.own = own
        self.lexical = lexical
        self.cosines = cosines
        self.look = look


def present(
    ranking: Ranking, question: "Question", yardstick: "Yardstick", *, joined: bool
) -> "Iterator[Hit]":
    """Hits in order, made one by one until the packer has enough."""
    shown = Finder(question.terms)
    ranked = fuse.best({row: ranking.scores[row] for row in ranking.near}, len(ranking.near))
    found = [ranking.near[row] for row in ranked]
    for entry in join(found) if joined else found:
        row = entry.row
        matched = matched_words(entry.text, shown)
        yield Hit(
            entry=entry,
            score=ranking.scores[row],
            relevance=_relevance(ranking, entry, yardstick),
            bm25=ranking.lexical.get(row, 0.0),
            semantic=ranking.cosines.get(row, 0.0),
            graph=ranking.said[row] - ranking.own.get(row, 0.0),
            snippet=snippet(entry.text, matched),
            matched=matched,
        )


def _relevance(ranking: Ranking, entry: "Entry", yardstick: "Yardstick") -> float:
    """By the first look or, where the second one saw the entry, by whichever is surer."""
    look, row = ranking.look, entry.row
    if row not in look.cosines:
        return yardstick.relevance(ranking.said[row], held_by(entry))
    score = ranking.first.get(row, 0.0)
    first = yardstick.relevance(score, held_by(entry))
    return max(first, yardstick.understood(score, look.cosines[row], look.usual, look.compared))
