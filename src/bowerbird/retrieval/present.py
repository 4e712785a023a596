"""From a ranking to hits: joined, with what matched and how sure we are. Pure."""

from bowerbird.core.answers import Hit
from bowerbird.core.value import Value
from bowerbird.retrieval import fuse
from bowerbird.retrieval.join import join
from bowerbird.retrieval.relevance import words_of
from bowerbird.retrieval.snippet import Finder, matched_words, snippet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.query import Query
    from bowerbird.core.trace import Trace
    from bowerbird.core.types import Entry
    from bowerbird.retrieval.analyse import Question
    from bowerbird.retrieval.candidates.gather import Ranking


class Ranked(Value):
    """A question with its ranking, once the store is read: what hits are made of.

    `corrected` has the misspelt words and what they were read as, `model` names who compared meanings.
    """

    __slots__ = ("corrected", "model", "query", "question", "ranking", "trace")

    def __init__(
        self,
        query: "Query",
        question: "Question",
        ranking: "Ranking",
        trace: "Trace",
        corrected: dict[str, str],
        model: str,
    ) -> None:
        self.query = query
        self.question = question
        self.ranking = ranking
        self.trace = trace
        self.corrected = corrected
        self.model = model


def present(ranking: "Ranking", question: "Question", *, joined: bool) -> "Iterator[Hit]":
    """Hits in order, made one by one until the packer has enough."""
    shown, found, entries = Finder(question.terms), ranking.found, ranking.entries
    # What an entry says decides how sure an answer is; a memory's past the order alone.
    said = ranking.before["life"]
    best = fuse.best({row: ranking.scores[row] for row in entries}, len(entries))
    ranked = [entries[row] for row in best]
    for entry in join(ranked) if joined else ranked:
        row = entry.row
        matched = matched_words(entry.text, shown)
        yield Hit(
            entry=entry,
            score=ranking.scores[row],
            relevance=_relevance(ranking, entry),
            bm25=found.lexical.get(row, 0.0),
            semantic=found.cosines.get(row, 0.0),
            graph=said[row] - found.own.get(row, 0.0),
            snippet=snippet(entry.text, matched),
            matched=matched,
        )


def _relevance(ranking: "Ranking", entry: "Entry") -> float:
    """By the first look or, where the second one saw the entry, by whichever is surer."""
    look, row, calibration = ranking.look, entry.row, ranking.calibration
    if row not in look.cosines:
        return calibration.relevance(ranking.before["life"][row], words_of(entry))
    score = ranking.before["second look"].get(row, 0.0)
    first = calibration.relevance(score, words_of(entry))
    return max(first, calibration.understood(score, look.cosines[row], look.usual, look.compared))
