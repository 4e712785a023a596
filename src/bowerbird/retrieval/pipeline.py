"""Query in, packed context out: the whole way of a question on one screen."""

from bowerbird.core.answers import Hit, Hits
from bowerbird.core.text import words
from bowerbird.core.trace import Trace
from bowerbird.retrieval import fuse
from bowerbird.retrieval.analyse import analyse
from bowerbird.retrieval.candidates.around import with_neighbours, with_voices
from bowerbird.retrieval.candidates.by_meaning import by_meaning, meaning_of
from bowerbird.retrieval.candidates.by_words import by_words
from bowerbird.retrieval.join import join
from bowerbird.retrieval.pack import pack
from bowerbird.retrieval.relevance import covered, relevance
from bowerbird.retrieval.snippet import matched_words, pattern, snippet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bowerbird.core.answers import Query
    from bowerbird.core.ports import Embedder, Store
    from bowerbird.retrieval.analyse import Question

# How many candidates of all signals together are looked at more closely.
POOL = 250


class Retrieval:
    """Answers queries over one store."""

    def __init__(self, store: "Store", embedder: "Callable[[], Embedder]") -> None:
        self._store = store
        self._embedder = embedder

    def answer(self, query: "Query") -> Hits:
        """The hits of a query, best first, with the trace of how they came about."""
        trace = Trace(explain=query.explain)
        find = self._store.candidates

        asked = tuple(dict.fromkeys(words(query.text)))
        entries, total_words = self._store.words.totals()
        question = analyse(query.text, self._store.words.counts(asked), entries, total_words)

        lexical = by_words(find, question, query.filter, trace)
        if query.fast:
            trace.skip("dense", "asked for words alone")
            meaning = None
        else:
            meaning = meaning_of(self._store, self._embedder, query.text, question, trace)
        cosines = by_meaning(find, meaning, lexical, query.filter, entries, trace)

        scores = fuse.best(fuse.own(lexical, cosines), POOL)
        trace.ran("own", len(scores), "words and meaning of each entry on one scale", scores)
        scores = with_neighbours(find, scores, cosines, meaning, trace)
        scores = with_voices(find, scores, lexical, question, trace)

        hits = self._hits(scores, question, lexical, cosines, query.limit)
        packed = pack(hits, query.limit, query.budget, query.min_score)
        trace.ran("pack", len(packed), "joined, above the floor, inside the budget")
        model = meaning.identity if meaning else "words"
        return Hits(query.text, packed, len(scores), trace.took_ms, model, trace)

    def _hits(
        self,
        scores: dict[int, float],
        question: "Question",
        lexical: "Mapping[int, float]",
        cosines: "Mapping[int, float]",
        limit: int,
    ) -> "Iterator[Hit]":
        """Hits in order, made one by one until the packer has enough."""
        # Four times the limit: joining, the floor and the budget leave some out.
        ranked = fuse.best(scores, 4 * limit)
        entries = self._store.entries.load(list(ranked))
        shown = pattern(question.terms)
        for entry in join(entries[row] for row in ranked if row in entries):
            matched = matched_words(entry.text, shown)
            share, cosine = lexical.get(entry.row, 0.0), cosines.get(entry.row, 0.0)
            own = fuse.own({entry.row: share}, {entry.row: cosine})[entry.row]
            yield Hit(
                entry=entry,
                score=scores[entry.row],
                relevance=relevance(scores[entry.row], covered(matched, question.information)),
                bm25=share,
                semantic=cosine,
                graph=scores[entry.row] - own,
                snippet=snippet(entry.text, matched),
                matched=matched,
            )
