"""Query in, packed context out: the whole way of a question on one screen."""

from time import perf_counter

from bowerbird.core.errors import ModelError
from bowerbird.core.neighbourhood import WIDTH, closeness
from bowerbird.core.text import words
from bowerbird.core.trace import Trace
from bowerbird.core.types import Hit, Hits
from bowerbird.retrieval import fuse
from bowerbird.retrieval.analyse import SATURATION, analyse, inverse_frequency
from bowerbird.retrieval.pack import pack
from bowerbird.retrieval.relevance import relevance
from bowerbird.retrieval.snippet import matched_words, snippet
from bowerbird.retrieval.voice import by_asker, by_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.ports import Embedder, Store
    from bowerbird.core.types import Query, Vector
    from bowerbird.retrieval.analyse import Question

# Candidates of each signal, and how many of both together are looked at more closely.
LEXICAL_POOL = 400
DENSE_POOL = 200
POOL = 250


class Retrieval:
    """Answers queries over one store."""

    def __init__(self, store: "Store", embedder: "Callable[[], Embedder]") -> None:
        self._store = store
        self._embedder = embedder
        self._started = 0.0

    def answer(self, query: "Query") -> Hits:
        """The hits of a query, best first, with the trace of how they came about."""
        begin = self._started = perf_counter()
        trace = Trace(explain=query.explain)
        question = self._analyse(query, trace)
        lexical = self._by_words(question, query, trace)
        vector, model = self._vector(question, query, trace)
        cosines = self._by_meaning(vector, model, lexical, query, trace)
        scores = fuse.best(fuse.own(lexical, cosines), POOL)
        self._note(trace, "own", scores, "words and meaning of each entry, on one scale")
        scores = self._with_neighbours(scores, cosines, vector, model, trace)
        scores = self._with_voices(scores, question, lexical, trace)
        hits = self._hits(scores, question, lexical, cosines, query)
        packed = pack(hits, query.limit, query.budget, query.min_score)
        self._note(trace, "pack", {}, f"{len(packed)} of {len(hits)} shown")
        took = (perf_counter() - begin) * 1000
        name = str(self._embedder().identity) if vector else "words"
        return Hits(query.text, packed, len(scores), round(took, 3), name, trace)

    def _note(self, trace: Trace, stage: str, scores: "dict[int, float]", note: str) -> None:
        """Tell the trace that a stage has ended."""
        now = perf_counter()
        trace.ran(stage, len(scores), (now - self._started) * 1000, note)
        trace.scored(stage, scores)
        self._started = now

    def _analyse(self, query: "Query", trace: Trace) -> "Question":
        asked = tuple(dict.fromkeys(words(query.text)))
        entries, total = self._store.words.totals()
        question = analyse(query.text, self._store.words.counts(asked), entries, total)
        self._note(trace, "analyse", {}, "looked for: " + " ".join(question.terms))
        return question

    def _by_words(self, question: "Question", query: "Query", trace: Trace) -> dict[int, float]:
        if not question.terms:
            trace.skip("lexical", "the question holds no word")
            return {}
        found = self._store.candidates.lexical(question.match, query.filter, LEXICAL_POOL)
        lexical = fuse.shares(found, question.achievable)
        self._note(trace, "lexical", {}, f"{len(lexical)} entries hold one of the words")
        return lexical

    def _vector(
        self, question: "Question", query: "Query", trace: Trace
    ) -> "tuple[Vector | None, int]":
        if query.fast:
            trace.skip("dense", "asked for words alone")
            return None, 0
        try:
            embedder = self._embedder()
        except ModelError as error:
            trace.skip("dense", f"{error.message}; {error.remedy}")
            return None, 0
        model = self._store.model_row(embedder.identity)
        if model is None:
            trace.skip("dense", f"no vectors of {embedder.identity} in this store")
            return None, 0
        vector = embedder.embed_query(query.text, question.weight)
        if not vector.norm:
            trace.skip("dense", "the model knows no word of the question")
            return None, 0
        return vector, model

    def _by_meaning(
        self,
        vector: "Vector | None",
        model: int,
        lexical: dict[int, float],
        query: "Query",
        trace: Trace,
    ) -> dict[int, float]:
        if vector is None:
            return {}
        entries, _ = self._store.words.totals()
        find = self._store.candidates
        cosines = dict(find.dense(vector, model, query.filter, DENSE_POOL, entries))
        cosines |= find.cosines(vector, model, [row for row in lexical if row not in cosines])
        self._note(trace, "dense", {}, f"{len(cosines)} entries near in meaning")
        return cosines

    def _with_neighbours(
        self,
        scores: dict[int, float],
        cosines: dict[int, float],
        vector: "Vector | None",
        model: int,
        trace: Trace,
    ) -> dict[int, float]:
        find = self._store.candidates
        pairs = [(a, b, closeness(chars)) for a, b, chars in find.neighbours(list(scores), WIDTH)]
        own = dict(scores)
        if vector is not None:
            around = list({b for _, b, _ in pairs} - cosines.keys())
            near = cosines | find.cosines(vector, model, around)
            own |= fuse.own({}, {row: near[row] for row in around if row in near})
            lengths = find.lengths(model, list(scores.keys() | {b for _, b, _ in pairs}))
            meaning = fuse.windows(scores, near, lengths, pairs)
            scores = fuse.added(scores, meaning, fuse.WINDOW)
            self._note(trace, "window", scores, "meaning of the passages around")
        supported = fuse.surrounded(own, pairs)
        support = {row: supported[row] - own[row] for row in scores}
        scores = fuse.added(scores, support, 1.0)
        self._note(trace, "neighbours", scores, "own scores of the passages around")
        return scores

    def _with_voices(
        self,
        scores: dict[int, float],
        question: "Question",
        lexical: dict[int, float],
        trace: Trace,
    ) -> dict[int, float]:
        voices = self._store.candidates.voices(list(scores))
        found, counts, total = self._store.candidates.wholes(question.terms)
        achievable = SATURATION * sum(inverse_frequency(count, total) for count in counts)
        whole = fuse.shares(found, achievable)
        by_document = {
            row: whole.get(document, lexical.get(row, 0.0)) if document else lexical.get(row, 0.0)
            for row, (document, _) in voices.items()
        }
        scores = fuse.added(scores, by_document, fuse.WHOLE)
        self._note(trace, "document", scores, "words of the whole document")
        speakers = {row: speaker for row, (_, speaker) in voices.items()}
        scores = fuse.added(scores, by_asker(question, speakers), fuse.ASKER)
        scores = fuse.added(scores, by_name(question, speakers), fuse.NAMED)
        self._note(trace, "voice", scores, "who speaks, against who asks and who is named")
        return scores

    def _hits(
        self,
        scores: dict[int, float],
        question: "Question",
        lexical: dict[int, float],
        cosines: dict[int, float],
        query: "Query",
    ) -> list[Hit]:
        # Three times the limit: the floor and the budget may leave some out.
        ranked = fuse.best(scores, 3 * query.limit)
        entries = self._store.entries.load(list(ranked))
        hits = []
        for row, score in ranked.items():
            if row not in entries:
                continue
            entry = entries[row]
            matched = matched_words(entry.text, question.terms)
            words_share, cosine = lexical.get(row, 0.0), cosines.get(row, 0.0)
            hits.append(
                Hit(
                    entry=entry,
                    score=score,
                    relevance=relevance(words_share, cosine),
                    bm25=words_share,
                    semantic=cosine,
                    graph=score - fuse.own({row: words_share}, {row: cosine})[row],
                    snippet=snippet(entry.text, matched),
                    matched=matched,
                )
            )
        return hits
