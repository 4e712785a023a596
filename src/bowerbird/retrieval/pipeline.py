"""Query in, packed context out: the whole way of a question on one screen."""

from bowerbird.core.answers import Hit, Hits
from bowerbird.core.trace import Trace
from bowerbird.retrieval import fuse
from bowerbird.retrieval.analyse import analyse, distinct_words
from bowerbird.retrieval.candidates.around import with_neighbours, with_voices
from bowerbird.retrieval.candidates.by_meaning import by_meaning, meaning_of
from bowerbird.retrieval.candidates.by_words import by_words
from bowerbird.retrieval.join import join
from bowerbird.retrieval.pack import pack
from bowerbird.retrieval.relevance import covered, relevance
from bowerbird.retrieval.snippet import matched_words, pattern, snippet
from bowerbird.retrieval.spelling import corrections

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

        question, corrected, entries = self._understand(query, trace)
        lexical = by_words(find, question, query.filter, trace)
        if query.fast:
            trace.skip("dense", "asked for words alone")
            meaning = None
        else:
            meaning = meaning_of(self._store, self._embedder, question, trace)
        cosines = by_meaning(find, meaning, lexical, query.filter, entries, trace)

        code = find.code(list(cosines))
        own = fuse.best(fuse.own(lexical, cosines, code), POOL)
        trace.ran("own", len(own), "words and meaning of each entry on one scale", own)
        scores = with_neighbours(find, own, cosines, meaning, code, trace)
        scores = with_voices(find, scores, own, lexical, code, question, trace)
        if meaning is None:
            scores = {row: score * fuse.WORDS_ALONE for row, score in scores.items()}
            trace.ran("scale", len(scores), "words stand for the meaning too", scores)

        hits = self._hits(scores, own, question, lexical, cosines, query.limit)
        packed = pack(hits, query.limit, query.budget, query.min_score)
        trace.ran("pack", len(packed), "joined, above the floor, inside the budget")
        model = meaning.identity if meaning else "words"
        return Hits(query.text, packed, len(scores), trace.took_ms, model, trace, corrected)

    def _understand(self, query: "Query", trace: Trace) -> "tuple[Question, dict[str, str], int]":
        """The question with misspelt words read right, what was corrected, and the store's size."""
        known = self._store.words
        asked = distinct_words(query.text)
        counts = known.counts(asked)
        corrected = corrections(asked, counts, known) if query.fuzzy else {}
        if corrected:
            asked = tuple(dict.fromkeys(corrected.get(word, word) for word in asked))
            counts = known.counts(asked)
            trace.ran("fuzzy", 0, ", ".join(f"{a} read as {b}" for a, b in corrected.items()))
        entries, total_words = known.totals()
        return analyse(asked, counts, entries, total_words), corrected, entries

    def _hits(
        self,
        scores: dict[int, float],
        own: "Mapping[int, float]",
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
            about = matched_words(f"{entry.context} {entry.speaker}", shown)
            held = matched + about
            share, cosine = lexical.get(entry.row, 0.0), cosines.get(entry.row, 0.0)
            yield Hit(
                entry=entry,
                score=scores[entry.row],
                relevance=relevance(scores[entry.row], covered(held, question.information)),
                bm25=share,
                semantic=cosine,
                graph=scores[entry.row] - own[entry.row],
                snippet=snippet(entry.text, matched),
                matched=matched,
            )
