"""The ranking: its stages in order, what they read, and the loop that runs them."""

from itertools import groupby

from bowerbird.core.errors import UnknownName
from bowerbird.core.value import Record, Value
from bowerbird.retrieval import fuse, scoring
from bowerbird.retrieval.asking import FOLLOWING, answering, asking_the_same
from bowerbird.retrieval.candidates import second_look
from bowerbird.retrieval.merge import unsure
from bowerbird.retrieval.undamaged import SnapshotChanged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from bowerbird.core.ports.reading import CandidateSource
    from bowerbird.core.ports.store import Store
    from bowerbird.core.query import Query
    from bowerbird.core.trace import Trace
    from bowerbird.core.types import Facts
    from bowerbird.retrieval.analyse import Question
    from bowerbird.retrieval.candidates.gather import Ranking

    Scores = Mapping[int, float]
    Score = Callable[[Ranking, Question, Facts], Scores | None]

# Entries to read per requested hit: joining, the threshold and the budget leave some out.
SHORTLIST = 4
# The least number of entries to read, so that a small limit only shortens an answer: its first hits, with
# their relevance, are those of a larger one.
FEWEST = 40
# Memories about a file that a query names, and named files for which there may be any.
MOST_TIED = 5
MOST_FILES = 5
# Number of the best hits whose relations and edges are followed.
BEST = 5


class StageReader(Record):
    """Adds to the ranking of one query what a stage reads, within one snapshot of the store."""

    store: "Store"
    source: "CandidateSource"
    queries: "second_look.QueryVectors"
    query: "Query"
    trace: "Trace"

    def entries(self, ranking: "Ranking", least: int = 0) -> "Ranking":
        """Add the entries of the best rows, at least `least`; none is read twice."""
        most = max(SHORTLIST * self.query.limit, FEWEST, least)
        known, best = ranking.entries, fuse.best(ranking.scores, most)
        if known.keys() == best.keys():
            return ranking
        if missing := [row for row in best if row not in known]:
            known = {**known, **self.store.entries.load(missing)}
        return ranking.replace(entries={row: known[row] for row in best if row in known})

    def asked(self, ranking: "Ranking", question: "Question") -> "Ranking":
        """Add the turns that ask what the query asks, and the passages after them."""
        if not any(ranking.found.facts.speakers.values()):
            return ranking
        ranking = self.entries(ranking)
        asked = asking_the_same(ranking.entries, question, ranking.calibration)
        if not asked:
            return ranking
        after = self.store.entries.following(list(asked), FOLLOWING, self.query.filter)
        language = question.intent.language
        follow = answering(list(asked.values()), after.values(), language)
        found, new = ranking.found, [row for row in follow if row not in ranking.scores]
        if new:
            facts = self.source.facts(new)
            found = found.replace(facts=found.facts.joined(facts))
            follow = {
                row: to
                for row, to in follow.items()
                if row in ranking.scores or row in facts.documents
            }
        return ranking.replace(asked=asked, answering=follow, found=found)

    def second_look(self, ranking: "Ranking", question: "Question") -> "Ranking":
        """Add the contextual model's comparisons, if none of the best entries is certainly relevant."""
        query = self.query
        if "second look" in query.without or query.fast or not self.store.may_look():
            return ranking
        ranking = self.entries(ranking)
        if not unsure(ranking):
            return ranking
        contextual, queries = self.store.contextual, self.queries
        rows = second_look.passages(ranking.entries, ranking.scores)
        notes = second_look.notes_of(rows, ranking.entries)
        look = second_look.look(contextual, queries, question, query, rows, notes, self.trace)
        if not self.store.unchanged():
            raise SnapshotChanged
        return ranking.replace(look=look)

    def definitions(self, ranking: "Ranking", _question: "Question") -> "Ranking":
        """Add the entries that may define what the query names."""
        rows = [row for row in ranking.found.defined if row not in ranking.entries]
        known = self.store.entries.load(rows) if rows else {}
        return ranking.replace(entries={**ranking.entries, **known}) if known else ranking

    def histories(self, ranking: "Ranking", _question: "Question") -> "Ranking":
        """Add the relations of the memories among the best rows, and age and use of all memories."""
        memories = ranking.memories
        if not memories:
            return ranking
        best = fuse.best(ranking.scores, BEST)
        relations, lives = self.source.histories(memories, best, self.query.filter)
        return ranking.replace(relations=relations, lives=lives)

    def edges(self, ranking: "Ranking", _question: "Question") -> "Ranking":
        """Add the edges between the best rows' code and other code."""
        code = ranking.found.code
        starts = [row for row in fuse.best(ranking.scores, BEST) if row in code] if code else []
        return ranking.replace(edges=self.store.entries.touching(starts)) if starts else ranking

    def files(self, ranking: "Ranking", question: "Question") -> "Ranking":
        """Add the entries of the pool, and the memories about it, if the query names a file."""
        named = question.intent.files
        if not named:
            return ranking
        ranking = self.texts(ranking, question)
        if "file" in self.query.without:
            return ranking
        tied = self.source.about(named[:MOST_FILES], self.query.filter, MOST_TIED)
        known = ranking.entries
        known = {**known, **self.store.entries.load([row for row in tied if row not in known])}
        return ranking.replace(tied=[row for row in tied if row in known], entries=known)

    def code(self, ranking: "Ranking", question: "Question") -> "Ranking":
        """Add the best entries, if any row is code."""
        return self.texts(ranking, question) if ranking.found.code else ranking

    def texts(self, ranking: "Ranking", question: "Question") -> "Ranking":
        """Add the best entries; if the query names a file, all of the pool.

        Other files may mention a file more often than it does itself.
        """
        ranking = self.entries(ranking, len(ranking.scores) if question.intent.files else 0)
        # Identical texts become one hit, so more entries are read in place of the copies.
        same = len(ranking.entries) - len({one.text for one in ranking.entries.values()})
        return self.entries(ranking, SHORTLIST * (self.query.limit + same)) if same else ranking


class Stage(Value):
    """One step of the ranking.

    `meaning` says in the trace what the stage scores, `instead` in an ablation how the ranking works
    without it (empty: it cannot be omitted). `reads` adds to the ranking what `score` needs. The trace
    combines stages with the same `shown_as`.
    """

    __slots__ = ("instead", "meaning", "name", "reads", "score", "shown_as")

    def __init__(
        self,
        name: str,
        meaning: "str | Callable[[Question], str]",
        score: "Score",
        instead: str = "",
        reads: "Callable[[StageReader, Ranking, Question], Ranking] | None" = None,
        shown_as: str = "",
    ) -> None:
        self.name = name
        self.meaning = meaning
        self.score = score
        self.instead = instead
        self.reads = reads
        self.shown_as = shown_as or name


def rank(ranking: "Ranking", question: "Question", reader: StageReader) -> "Ranking":
    """Run all stages in order, except those that the query omits, and record them in the trace."""
    trace, without = reader.trace, reader.query.without
    before: dict[str, Scores] = {}
    ranking = ranking.replace(before=before)
    for name, group in groupby(STAGES, key=lambda stage: stage.shown_as):
        changed: Scores | None = None
        for stage in group:
            before[stage.name] = ranking.scores
            if stage.reads is not None:
                ranking = stage.reads(reader, ranking, question)
            if stage.name in without:
                trace.skip(stage.name, OMITTED, kind="asked")
                continue
            scores = stage.score(ranking, question, ranking.found.facts)
            if scores is None:
                continue
            if scores and scores is not ranking.scores:
                whole = scores.keys() == ranking.scores.keys()
                ranking = ranking.replace(scores=scores if whole else {**ranking.scores, **scores})
            changed = {**changed, **scores} if changed else scores
            meaning = stage.meaning if isinstance(stage.meaning, str) else stage.meaning(question)
        if changed is not None:
            trace.ran(name, len(changed), meaning, changed)
    return ranking


def trace_omitted(names: "Collection[str]", trace: "Trace") -> None:
    """Record in the trace the omitted steps that are not stages; `rank` records stages."""
    stages = {stage.name for stage in STAGES}
    for name in names:
        if name not in stages:
            trace.skip(name, OMITTED, kind="asked")


def check_optional(names: "Collection[str]") -> None:
    """Raise UnknownName for a stage that does not exist or cannot be omitted."""
    for name in names:
        if name not in OPTIONAL:
            raise UnknownName.among("stage", name, list(OPTIONAL))


def _phrases(question: "Question") -> str:
    return "side by side: " + "; ".join(question.intent.together)


def _period(question: "Question") -> str:
    return f"in the period: {question.intent.period.words if question.intent.period else ''}"


def _life(question: "Question") -> str:
    meaning = "age, use, source and confidence of memories"
    return f"{meaning}, for {question.phase.name}" if question.phase else meaning


STAGES = (
    Stage("own", "words and vector of each entry", scoring.own),
    Stage(
        "window", "vector of the neighbourhood", scoring.window, "no vector of the neighbourhood"
    ),
    Stage("neighbours", "scores of neighbours", scoring.neighbours, "no scores of neighbours"),
    Stage(
        "curated", "memories, which have no neighbours", scoring.curated, "nothing in their place"
    ),
    Stage("document", "words of the whole document", scoring.document, "no words of the document"),
    Stage(
        "asker",
        "the speaker is the asker, or named",
        scoring.asker,
        "the asker's turns count like others",
        shown_as="voice",
    ),
    Stage(
        "named",
        "the speaker is the asker, or named",
        scoring.named,
        "turns of people named count like others",
        shown_as="voice",
    ),
    Stage("together", _phrases, scoring.together, "phrases and identifiers are single words"),
    Stage(
        "defined",
        "definition of the named code",
        scoring.defined,
        "definitions count like other mentions",
        StageReader.definitions,
    ),
    Stage(
        "users", "users of the named code", scoring.users, "users are not looked up in the graph"
    ),
    Stage("period", _period, scoring.period, "time expressions are words"),
    Stage(
        "answers", "turns after a question", scoring.answers, "answers gain nothing by questions"
    ),
    Stage("turns", "length of turns", scoring.turns, "turns count the same, short or long"),
    Stage("scale", "words alone, scaled up", scoring.scale),
    Stage(
        "asked",
        "turns that ask the same, after what answers",
        scoring.asked,
        "turns that ask the same count like others",
        StageReader.asked,
    ),
    Stage(
        "second look",
        "contextual model",
        scoring.second_look,
        "the contextual model is not used",
        StageReader.second_look,
    ),
    Stage(
        "relations",
        "related to the best hits",
        scoring.relations,
        "relations are not followed",
        StageReader.histories,
    ),
    Stage(
        "edges",
        "code that the best hits use, or that uses them",
        scoring.edges,
        "edges are not followed",
        StageReader.edges,
    ),
    Stage(
        "file",
        "in the named file, or about it",
        scoring.file,
        "file names are words",
        StageReader.files,
    ),
    Stage(
        "tests",
        "tests, after the code they test",
        scoring.tests,
        "tests count like the code they test",
        StageReader.code,
    ),
    Stage(
        "generated",
        "generated and minified code, last",
        scoring.generated,
        "generated code counts like any other",
        StageReader.code,
    ),
    # Relevance follows from the scores so far, which depend on the text; the rest only affects the order.
    Stage("life", _life, scoring.life, "no age, use, source or confidence of memories"),
    Stage(
        "held",
        "share of the query's information that an entry contains",
        scoring.covered,
        "no coverage of the query",
        StageReader.texts,
    ),
    Stage("merged", "memories among passages, by relevance", scoring.merged),
)
# What a query can omit, for ablations, and how it then works: retrieval, the stages, presentation.
OPTIONAL = {
    "fuzzy": "no spelling correction",
    "beginnings": "no prefixes, in any language",
    "lexical": "vectors alone",
    "common words": "entries without one of the rarer words are not found",
    "dense": "words alone",
    "nearest": "vectors rank what words find, and find nothing themselves",
    "rarity": "all words have the same weight in the query vector",
    "beside": "the pool is chosen without the neighbour potential",
    "code weights": "code is weighted and compared like text",
    **{stage.name: stage.instead for stage in STAGES if stage.instead},
    "rerank": "the configured reranker is not asked",
    "join": "adjacent pieces are separate hits",
}
OMITTED = "omitted by the query"
