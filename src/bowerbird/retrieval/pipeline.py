"""Query in, packed hits out: the whole way of a question on one screen."""

from bowerbird.core.answers import Hits
from bowerbird.core.query import Filter
from bowerbird.core.text import words
from bowerbird.core.trace import Trace
from bowerbird.core.types import MEMORY
from bowerbird.retrieval.analyse import analyse
from bowerbird.retrieval.candidates.by_meaning import meaning_of
from bowerbird.retrieval.candidates.by_words import asked_words, by_words, other_forms, standing
from bowerbird.retrieval.candidates.gather import Ranking, gather
from bowerbird.retrieval.candidates.second_look import LANGUAGES, Understood
from bowerbird.retrieval.intent import intent
from bowerbird.retrieval.pack import in_order, pack
from bowerbird.retrieval.present import Ranked, newest_first, present
from bowerbird.retrieval.relevance import Calibration
from bowerbird.retrieval.spelling import corrections
from bowerbird.retrieval.stages import Reader, known_stages, left_out, rank
from bowerbird.retrieval.undamaged import undamaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.errors import StoreMissing
    from bowerbird.core.ports import models
    from bowerbird.core.ports.reading import CandidateSource
    from bowerbird.core.ports.store import Store
    from bowerbird.core.query import Query
    from bowerbird.core.types import Entry, Link
    from bowerbird.retrieval.analyse import Question

    Rerank = Callable[["Ranked"], Ranking]

# What stands, and what stood until something took its place.
IN_FORCE = ("active", "superseded")


def as_ranked(ranked: Ranked) -> Ranking:
    """The ranking as the stages left it: nothing reranks yet."""
    return ranked.ranking


class Retrieval:
    """Answers queries over one store: `rank` reads it, what follows does not.

    A reranker may take its time: no transaction is open any more when it runs.
    """

    def __init__(
        self,
        store: "Store",
        embedder: "Callable[[], models.Embedder]",
        contextual: "Callable[[], models.Reader | None]" = lambda: None,
        rerank: "Rerank" = as_ranked,
        is_word: "Callable[[str], bool]" = lambda _word: False,
    ) -> None:
        """`contextual` gives the model of the second look, if any; `is_word` what is spelt right."""
        self._store = store
        self._embedder = embedder
        self._understood = Understood(store, contextual)
        self._rerank = rerank
        self._is_word = is_word

    def answer(self, query: "Query") -> Hits:
        """The hits of a query, best first, with the trace of how they came about.

        Raises UnknownName for a stage to leave out that there is not.
        """
        return self.hits(self.rank(query))

    def rank(self, query: "Query") -> Ranked:
        """All that the store is read for, at one moment."""
        known_stages(query.without)
        return undamaged(self._store, query, self._rank)

    def hits(self, ranked: Ranked) -> Hits:
        """Ranked entries as hits: reranked, presented, packed. Reads nothing."""
        query, question, trace = ranked.query, ranked.question, ranked.trace
        ranking = self._rerank(ranked)
        found = present(ranking, question, joined="join" not in query.without)
        whole = ranking.calibration.whole or bool(ranking.look.cosines)
        packed, weak = pack(found, query, whole=whole)
        packed = in_order(packed, query, trace)
        reads = question.intent.language in LANGUAGES
        packed = newest_first(packed, ranked.links, ranked.others, reads=reads)
        trace.ran("pack", len(packed), "joined, above the floor, inside the budget")
        total, took = len(ranking.scores), trace.took_ms
        return Hits(query.text, packed, total, took, ranked.model, trace, ranked.corrected, weak)

    def _rank(self, query: "Query") -> Ranked:
        trace = Trace(explain=query.explain)
        left_out(query.without, trace)
        source = self._store.candidates
        question, corrected = self._understand(source, query, trace)
        lexical = by_words(source, question, query, trace)
        meaning = meaning_of(self._store, self._embedder, question, query, trace)
        found = gather(source, question, lexical, meaning, query, trace)
        calibration = Calibration(question.information, set(corrected.values()), question.entries)
        reader = Reader(self._store, source, self._understood, query, trace)
        ranking = rank(Ranking(found, calibration), question, reader)
        model = meaning.identity if meaning else "words"
        links, others = self._about_the_same(source, ranking, query)
        return Ranked(query, question, ranking, trace, corrected, model, links, others)

    def _about_the_same(
        self, source: "CandidateSource", ranking: Ranking, query: "Query"
    ) -> "tuple[list[Link], dict[int, Entry]]":
        """What else is said about the same as the best memories say, in whatever words."""
        rows = [row for row, entry in ranking.entries.items() if entry.family == MEMORY]
        if not rows:
            return [], {}
        asked = query.filter
        # Whoever narrows an answer to some kinds or days is still told that it is out of date.
        filter = Filter(asked.projects, min_trust=asked.min_trust, now=asked.now, states=IN_FORCE)
        links = source.linked(rows, filter)
        missing = {link.other for link in links} - ranking.entries.keys()
        others = self._store.entries.load(list(missing)) if missing else {}
        return links, {**ranking.entries, **others}

    def _understand(
        self, source: "CandidateSource", query: "Query", trace: Trace
    ) -> "tuple[Question, dict[str, str]]":
        """The question with misspelt words read right, and what was corrected."""
        known = self._store.words
        asked = asked_words(known, query.text)
        counts, entries, total_words = known.counted(asked)
        after = intent(query.text, query.filter.now)
        # Words of time are understood, whether anything holds them or not.
        of_time = set(words(after.period.words)) if after.period else ()
        corrected: dict[str, str] = {}
        if query.fuzzy and "fuzzy" not in query.without:
            findable = standing(source, self._store.entries, query.filter)
            doubted = [word for word in asked if word not in of_time]
            corrected = corrections(doubted, counts, known, findable, after.language, self._is_word)
        if corrected:
            asked = tuple(dict.fromkeys(corrected.get(word, word) for word in asked))
            counts = known.counts(asked)
            trace.ran("fuzzy", 0, ", ".join(f"{a} read as {b}" for a, b in corrected.items()))
        trace.ran("analyse", 0, str(after))
        forms = other_forms(known, asked, after.language, query, trace)
        question = analyse(asked, counts, entries, total_words, after, forms)
        question = question.replace(now=query.filter.now, phase=query.phase)
        return (question.replace(weights={}) if "rarity" in query.without else question), corrected


def nothing_yet(query: "Query", missing: "StoreMissing") -> Hits:
    """The answer of a store that does not exist yet: nothing, and why."""
    trace = Trace(explain=query.explain)
    trace.skip("store", missing.message, "; ", missing.remedy, kind="missing")
    return Hits(query.text, (), 0, 0.0, "", trace)
