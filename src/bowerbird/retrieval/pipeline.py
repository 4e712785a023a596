"""Query in, packed context out: the whole way of a question on one screen."""

from bowerbird.core.answers import Hits
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
from bowerbird.retrieval.candidates.memories import remembered
from bowerbird.retrieval.candidates.second_look import NONE, Look, second_look, unsure
from bowerbird.retrieval.intent import intent
from bowerbird.retrieval.pack import pack
from bowerbird.retrieval.present import Ranking, present
from bowerbird.retrieval.relevance import Yardstick, with_held
from bowerbird.retrieval.spelling import corrections
from bowerbird.retrieval.undamaged import undamaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bowerbird.core.errors import StoreMissing
    from bowerbird.core.ports import Embedder, Store
    from bowerbird.core.query import Query
    from bowerbird.core.types import Entry
    from bowerbird.retrieval.analyse import Question

# For each hit that is wanted so many entries are read: joining, the floor and the budget leave some out.
SHORTLIST = 4


class Retrieval:
    """Answers queries over one store."""

    def __init__(
        self,
        store: "Store",
        embedder: "Callable[[], Embedder]",
        contextual: "Callable[[], Embedder | None]" = lambda: None,
    ) -> None:
        """`contextual` gives the model of the second look, if there is one."""
        self._store = store
        self._embedder = embedder
        self._contextual = contextual

    def answer(self, query: "Query") -> Hits:
        """The hits of a query, best first, with the trace of how they came about."""
        # Rows that one statement found mean nothing to the next one unless both see one moment.
        with self._store.reading():
            return undamaged(self._store, query, self._answer)

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
        yardstick = Yardstick(question.information, set(corrected.values()), entries)
        near = self._store.entries.load(list(fuse.best(scores, SHORTLIST * query.limit)))
        look = self._second_look(scores, near, yardstick, question, query, trace)
        first = scores
        if look.cosines:
            scores = fuse.understood(scores, look.cosines)
            note = "memories by a model that reads sentences"
            trace.ran("second look", len(look.cosines), note, scores)
        # How sure an answer is depends on what it says; a memory's past decides the order alone.
        memories = {row for row, document in documents.items() if document is None}
        memories |= look.cosines.keys()
        said, scores = remembered(find, scores, memories, question, query, trace)

        best = fuse.best(scores, SHORTLIST * query.limit)
        if missing := [row for row in best if row not in near]:
            near = {**near, **self._store.entries.load(missing)}
        near = {row: near[row] for row in best if row in near}
        scores = with_held(scores, near, yardstick, trace)
        ranking = Ranking(near, scores, said, first, own, lexical, cosines, look)
        hits = present(ranking, question, yardstick, joined="join" not in query.without)
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

    def _second_look(
        self,
        scores: dict[int, float],
        near: "Mapping[int, Entry]",
        yardstick: Yardstick,
        question: "Question",
        query: "Query",
        trace: Trace,
    ) -> Look:
        """Memories by the contextual model, where the first look found nothing sure."""
        if not unsure(scores, near, yardstick):
            return NONE
        return second_look(self._store.contextual, self._contextual, question, query, trace)


def nothing_yet(query: "Query", missing: "StoreMissing") -> Hits:
    """The answer of a store that does not exist yet: nothing, and why."""
    trace = Trace(explain=query.explain)
    trace.skip("store", missing.message, "; ", missing.remedy, kind="missing")
    return Hits(query.text, (), 0, 0.0, "", trace)
