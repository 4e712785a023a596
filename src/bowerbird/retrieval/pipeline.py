"""Query in, packed context out: the whole way of a question on one screen."""

from bowerbird.core.answers import Hit, Hits
from bowerbird.core.trace import Trace
from bowerbird.retrieval import fuse
from bowerbird.retrieval.analyse import analyse
from bowerbird.retrieval.candidates.around import (
    with_neighbours,
    with_turns,
    with_voices,
    with_wording,
    worth_a_look,
)
from bowerbird.retrieval.candidates.by_meaning import by_meaning, meaning_of, of_code
from bowerbird.retrieval.candidates.by_words import asked_words, by_words, other_forms, standing
from bowerbird.retrieval.candidates.memories import with_lives, with_relations
from bowerbird.retrieval.intent import intent
from bowerbird.retrieval.join import join
from bowerbird.retrieval.pack import pack
from bowerbird.retrieval.relevance import Yardstick, held_by, with_held
from bowerbird.retrieval.snippet import Finder, matched_words, snippet
from bowerbird.retrieval.spelling import corrections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bowerbird.core.ports import Embedder, Store
    from bowerbird.core.query import Query
    from bowerbird.core.types import Entry
    from bowerbird.retrieval.analyse import Question

# For each hit that is wanted so many entries are read: joining, the floor and the budget leave some out.
SHORTLIST = 4


class Retrieval:
    """Answers queries over one store."""

    def __init__(self, store: "Store", embedder: "Callable[[], Embedder]") -> None:
        self._store = store
        self._embedder = embedder

    def answer(self, query: "Query") -> Hits:
        """The hits of a query, best first, with the trace of how they came about."""
        # Rows that one statement found mean nothing to the next one unless both see one moment.
        with self._store.reading():
            return self._answer(query)

    def _answer(self, query: "Query") -> Hits:
        trace = Trace(explain=query.explain, without=query.without)
        find = self._store.candidates

        question, corrected, entries = self._understand(query, trace)
        lexical = by_words(find, question, query, trace)
        meaning = meaning_of(self._store, self._embedder, question, query.text, query.fast, trace)
        cosines = by_meaning(find, meaning, lexical, query, entries, trace)

        code = set() if trace.leaves_out("code weights") else find.code(list(cosines))
        cosines |= of_code(find, meaning, code)
        own = worth_a_look(fuse.own(lexical, cosines, code), query, trace)
        scores = with_neighbours(find, own, cosines, meaning, code, trace)
        documents, speakers = find.voices(list(scores))
        scores = with_voices(find, scores, own, documents, speakers, lexical, code, question, trace)
        scores = with_wording(find, scores, question, query.filter, trace)
        scores = with_turns(find, scores, own, documents, speakers, code, trace)
        if meaning is None:
            scores = {row: score * fuse.WORDS_ALONE for row, score in scores.items()}
            trace.ran("scale", len(scores), "words stand for the meaning too", scores)
        # How sure an answer is depends on what it says; a memory's past decides the order alone.
        memories = {row for row, document in documents.items() if document is None}
        said, scores = self._remembered(scores, memories, question, query, trace)

        yardstick = Yardstick(question.information, set(corrected.values()), entries)
        near = self._store.entries.load(list(fuse.best(scores, SHORTLIST * query.limit)))
        scores = with_held(scores, near, yardstick, trace)
        hits = self._hits(near, scores, said, own, question, yardstick, lexical, cosines, query)
        packed = pack(hits, query.limit, query.budget, query.min_score)
        trace.ran("pack", len(packed), "joined, above the floor, inside the budget")
        model = meaning.identity if meaning else "words"
        return Hits(query.text, packed, len(scores), trace.took_ms, model, trace, corrected)

    def _understand(self, query: "Query", trace: Trace) -> "tuple[Question, dict[str, str], int]":
        """The question with misspelt words read right, what was corrected, and the store's size."""
        known = self._store.words
        asked = asked_words(known, query.text)
        counts = known.counts(asked)
        fuzzy = query.fuzzy and not trace.leaves_out("fuzzy")
        findable = standing(self._store.candidates, self._store.entries, query.filter)
        corrected = corrections(asked, counts, known, findable) if fuzzy else {}
        if corrected:
            asked = tuple(dict.fromkeys(corrected.get(word, word) for word in asked))
            counts = known.counts(asked)
            trace.ran("fuzzy", 0, ", ".join(f"{a} read as {b}" for a, b in corrected.items()))
        entries, total_words = known.totals()
        after = intent(query.text, query.filter.now)
        trace.ran("analyse", 0, str(after))
        forms = other_forms(known, asked, after.language, query.filter, trace)
        question = analyse(asked, counts, entries, total_words, after, forms)
        if trace.leaves_out("rarity"):
            question = question.replace(weights={})
        return question, corrected, entries

    def _remembered(
        self,
        scores: dict[int, float],
        memories: set[int],
        question: "Question",
        query: "Query",
        trace: Trace,
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Scores with related memories, and the same with the past of each memory weighed."""
        if not memories:
            return scores, scores
        find = self._store.candidates
        said = with_relations(find, scores, memories, query, trace)
        memories = memories | (said.keys() - scores.keys())
        return said, with_lives(find, said, memories, question, query, trace)

    def _hits(
        self,
        near: "Mapping[int, Entry]",
        scores: dict[int, float],
        said: dict[int, float],
        own: "Mapping[int, float]",
        question: "Question",
        yardstick: Yardstick,
        lexical: "Mapping[int, float]",
        cosines: "Mapping[int, float]",
        query: "Query",
    ) -> "Iterator[Hit]":
        """Hits in order, made one by one until the packer has enough."""
        shown = Finder(question.terms)
        ranked = fuse.best({row: scores[row] for row in near}, len(near))
        found = [near[row] for row in ranked]
        for entry in found if "join" in query.without else join(found):
            row = entry.row
            matched = matched_words(entry.text, shown)
            yield Hit(
                entry=entry,
                score=scores[row],
                relevance=yardstick.relevance(said[row], held_by(entry)),
                bm25=lexical.get(row, 0.0),
                semantic=cosines.get(row, 0.0),
                graph=said[row] - own.get(row, 0.0),
                snippet=snippet(entry.text, matched),
                matched=matched,
            )
