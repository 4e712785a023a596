"""The query pipeline: from a query to packed hits, all steps on one screen."""

from bowerbird.core.answers import Hits
from bowerbird.core.language import READ_IN_CONTEXT
from bowerbird.core.query import Filter
from bowerbird.core.text import together, words
from bowerbird.core.trace import Trace
from bowerbird.core.types import MEMORY
from bowerbird.retrieval.analyse import analyse, distinct_words
from bowerbird.retrieval.candidates.by_meaning import meaning_of
from bowerbird.retrieval.candidates.by_words import (
    by_words,
    contains_exactly,
    prefix_counts,
    query_words,
)
from bowerbird.retrieval.candidates.gather import Ranking, gather
from bowerbird.retrieval.candidates.second_look import QueryVectors
from bowerbird.retrieval.intent import QUOTED, expanded, intent
from bowerbird.retrieval.linked import IN_FORCE, may_relate, newest_first
from bowerbird.retrieval.pack import WEAK, in_order, left_out, pack
from bowerbird.retrieval.present import AS_RANKED, Ranked, holding_first, reranked
from bowerbird.retrieval.recollection import digests_first, recollected
from bowerbird.retrieval.relevance import Calibration
from bowerbird.retrieval.spelling import corrections
from bowerbird.retrieval.stages import StageReader, check_optional, rank, trace_omitted
from bowerbird.retrieval.undamaged import undamaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.core.ports import models
    from bowerbird.core.ports.reading import CandidateSource
    from bowerbird.core.ports.store import Store
    from bowerbird.core.ports.thinking import Expander, Reranker
    from bowerbird.core.query import Query
    from bowerbird.core.types import Entry, Link
    from bowerbird.retrieval.analyse import Question
    from bowerbird.retrieval.intent import Expansion


class Retrieval:
    """Answers queries over one store. Only `rank` reads it: `expand` and `hits` may be slow."""

    def __init__(
        self,
        store: "Store",
        embedder: "Callable[[], models.Embedder]",
        contextual: "Callable[[], models.Reader | None]" = lambda: None,
        is_word: "Callable[[str], bool]" = lambda _word: False,
        expander: "Expander" = QUOTED,
        reranker: "Reranker" = AS_RANKED,
    ) -> None:
        """`contextual` returns the second look's model, or None; `is_word` accepts correct spellings."""
        self._store = store
        self._embedder = embedder
        self._query_vectors = QueryVectors(store, contextual)
        self._is_word = is_word
        self._expander = expander
        self._reranker = reranker

    def answer(self, query: "Query") -> Hits:
        """The hits of a query, best first, with their trace.

        Raises UnknownName if `query.without` names an unknown stage.
        """
        return self.hits(self.rank(query, self.expand(query)))

    def expand(self, query: "Query") -> "Expansion":
        """What to search beside the words of a query. Does not read the store."""
        return expanded(self._expander, query.text)

    def rank(self, query: "Query", expansion: "Expansion") -> Ranked:
        """Read the store, on one snapshot, and rank the candidates."""
        check_optional(query.without)
        return undamaged(self._store, query, lambda query: self._rank(query, expansion))

    def hits(self, ranked: Ranked) -> Hits:
        """Make hits of a ranking: rerank, present, pack. Does not read the store."""
        query, trace, ranking = ranked.query, ranked.trace, reranked(ranked, self._reranker)
        whole = ranking.calibration.whole or bool(ranking.look.cosines)
        reordered = ranking is not ranked.ranking
        ranked = ranked.replace(ranking=holding_first(ranking, query), reordered=reordered)
        packed, left = pack(digests_first(ranked), query, whole=whole)
        reads = ranked.question.intent.language in READ_IN_CONTEXT
        packed = newest_first(in_order(packed, query), ranked.links, ranked.others, reads=reads)
        trace.ran("pack", len(packed), left_out(left))
        total, took, weak = len(ranking.scores), trace.took_ms, left[WEAK]
        return Hits(query.text, packed, total, took, ranked.model, trace, ranked.corrected, weak)

    def _rank(self, query: "Query", expansion: "Expansion") -> Ranked:
        trace = Trace(explain=query.explain)
        trace_omitted(query.without, trace)
        source, (phrases, failed) = self._store.candidates, expansion
        if failed is not None:
            trace.skip("expand", failed.message, "; ", failed.remedy)
        question, corrected = self._understand(source, query, phrases, trace)
        lexical = by_words(source, question, query, trace)
        meaning = meaning_of(self._store, self._embedder, question, query, trace)
        found = gather(source, question, lexical, meaning, query, trace)
        calibration = Calibration(question.information, set(corrected.values()), question.entries)
        reader = StageReader(self._store, source, self._query_vectors, query, trace)
        ranking = rank(Ranking(found, calibration), question, reader)
        model = meaning.identity if meaning else "words"
        links, others = self._about_the_same(ranking, query)
        digests = recollected(self._store, self._query_vectors, query, question, trace)
        return Ranked(query, question, ranking, trace, corrected, model, links, others, digests)

    def _about_the_same(
        self, ranking: Ranking, query: "Query"
    ) -> "tuple[list[Link], dict[int, Entry]]":
        """Links from the best memories to others on the same subject, and those entries, by row."""
        rows = [row for row, entry in ranking.entries.items() if entry.family == MEMORY]
        if not rows:
            return [], {}
        asked = query.filter
        # A filter on kinds or dates does not apply: it must not hide that a memory is out of date.
        filter = Filter(asked.projects, min_trust=asked.min_trust, now=asked.now, states=IN_FORCE)
        links = [one for one in self._store.entries.links(rows, filter) if may_relate(one)]
        missing = {one.other for one in links} - ranking.entries.keys()
        return links, {**ranking.entries, **self._store.entries.load([*missing])}

    def _understand(
        self, source: "CandidateSource", query: "Query", phrases: "Sequence[str]", trace: Trace
    ) -> "tuple[Question, dict[str, str]]":
        """The analysed query after spelling correction, and the corrected words."""
        known = self._store.words
        names, asked = together(query.text), distinct_words(query.text)
        counts, entries, total_words = known.counted((*names, *asked), query.filter)
        asked = query_words(known, asked, names, counts)
        wanted = intent(query.text, query.filter.now, phrases)
        # Time words are understood even if no entry contains them, so they are not corrected.
        of_time = set(words(wanted.period.words)) if wanted.period else ()
        corrected: dict[str, str] = {}
        if query.fuzzy is not False and "fuzzy" not in query.without:
            is_word = None if query.fuzzy else self._is_word
            stands, said = contains_exactly(source, query.filter), wanted.language
            doubted = [word for word in asked if word not in of_time]
            corrected, near = corrections(doubted, counts, known, stands, said, is_word)
            counts |= near
        if corrected:
            asked = tuple(dict.fromkeys(corrected.get(word, word) for word in asked))
            trace.ran("fuzzy", 0, ", ".join(f"{a} read as {b}" for a, b in corrected.items()))
        trace.ran("analyse", 0, str(wanted))
        forms = prefix_counts(known, asked, wanted.language, query, trace)
        question = analyse(asked, counts, entries, total_words, wanted, forms)
        question = question.replace(now=query.filter.now, phase=query.phase)
        return (question.replace(weights={}) if "rarity" in query.without else question), corrected
