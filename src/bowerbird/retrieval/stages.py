"""The stages of ranking in order, as pure functions; what they need beyond candidates, `reads` reads."""

from itertools import groupby

from bowerbird.core.errors import UnknownName
from bowerbird.core.language import GLOSSED
from bowerbird.core.phases import phase
from bowerbird.core.places import is_test
from bowerbird.core.value import Value
from bowerbird.retrieval import fuse, speaker
from bowerbird.retrieval.analyse import life_told, period_told, together_told
from bowerbird.retrieval.candidates import second_look
from bowerbird.retrieval.life import lived
from bowerbird.retrieval.relevance import coverage

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

# Entries read for each hit that is wanted: joining, the floor and the budget leave some out.
SHORTLIST = 4
# How many of the best hits have their relations followed.
BEST = 5


class Reader(Value):
    """Reads for one question, inside one moment of the store, what stages need."""

    __slots__ = ("query", "source", "store", "trace", "understood")

    def __init__(
        self,
        store: "Store",
        source: "CandidateSource",
        understood: "second_look.Understood",
        query: "Query",
        trace: "Trace",
    ) -> None:
        self.store = store
        self.source = source
        self.understood = understood
        self.query = query
        self.trace = trace

    def entries(self, ranking: "Ranking", least: int = 0) -> "Ranking":
        """The best entries as they rank now; what was read before is not read again."""
        most = max(SHORTLIST * self.query.limit, least)
        known, best = ranking.entries, fuse.best(ranking.scores, most)
        if known.keys() == best.keys():
            return ranking
        if missing := [row for row in best if row not in known]:
            known = {**known, **self.store.entries.load(missing)}
        return ranking.replace(entries={row: known[row] for row in best if row in known})

    def second_look(self, ranking: "Ranking", question: "Question") -> "Ranking":
        """What the contextual model says, where none of the best entries is surely relevant."""
        if "second look" in self.query.without:
            return ranking
        ranking = self.entries(ranking)
        if not second_look.unsure(ranking.scores, ranking.entries, ranking.calibration):
            return ranking
        kept, understood = self.store.contextual, self.understood
        rows = second_look.passages(ranking.entries, ranking.scores)
        look = second_look.look(kept, understood, question, self.query, rows, self.trace)
        return ranking.replace(look=look)

    def definitions(self, ranking: "Ranking", _question: "Question") -> "Ranking":
        """What may define what the question names."""
        rows = [row for row in ranking.found.defined if row not in ranking.entries]
        known = self.store.entries.load(rows) if rows else {}
        return ranking.replace(entries={**ranking.entries, **known}) if known else ranking

    def relations(self, ranking: "Ranking", _question: "Question") -> "Ranking":
        """The relations of the best memories."""
        memories = set(ranking.memories)
        if not memories:
            return ranking
        starts = [row for row in fuse.best(ranking.scores, BEST) if row in memories]
        if not starts:
            return ranking
        return ranking.replace(relations=self.source.related(starts, self.query.filter))

    def edges(self, ranking: "Ranking", _question: "Question") -> "Ranking":
        """What the code of the best hits uses, and what uses it."""
        code = ranking.found.code
        starts = [row for row in fuse.best(ranking.scores, BEST) if row in code] if code else []
        return ranking.replace(edges=self.store.entries.touching(starts)) if starts else ranking

    def lives(self, ranking: "Ranking", _question: "Question") -> "Ranking":
        """What time and use made of the memories."""
        memories = ranking.memories
        if not memories or self.query.filter.now is None:
            return ranking
        return ranking.replace(lives=self.source.lives(memories))

    def files(self, ranking: "Ranking", question: "Question") -> "Ranking":
        """The pool, where a file is named."""
        return self.texts(ranking, question) if question.intent.files else ranking

    def code(self, ranking: "Ranking", question: "Question") -> "Ranking":
        """The best entries, where any may be code."""
        return self.texts(ranking, question) if ranking.found.code else ranking

    def texts(self, ranking: "Ranking", question: "Question") -> "Ranking":
        """The best entries; the pool where a file is named: others may speak of it more than itself."""
        ranking = self.entries(ranking, len(ranking.scores) if question.intent.files else 0)
        # Identical texts are one hit: others take the places of the rest.
        same = len(ranking.entries) - len({one.text for one in ranking.entries.values()})
        return self.entries(ranking, SHORTLIST * (self.query.limit + same)) if same else ranking


class Stage(Value):
    """One step of the ranking.

    `meaning` is what it counts, told in the trace; `instead` what stands in its place where it is left
    out (empty: it never is); `shown_as` the name under which the trace shows stages that belong together.
    """

    __slots__ = ("instead", "meaning", "name", "reads", "score", "shown_as")

    def __init__(
        self,
        name: str,
        meaning: "str | Callable[[Question], str]",
        score: "Score",
        instead: str = "",
        reads: "Callable[[Reader, Ranking, Question], Ranking] | None" = None,
        shown_as: str = "",
    ) -> None:
        self.name = name
        self.meaning = meaning
        self.score = score
        self.instead = instead
        self.reads = reads
        self.shown_as = shown_as or name


def rank(ranking: "Ranking", question: "Question", reader: Reader) -> "Ranking":
    """All stages in their order, but for those that the query leaves out."""
    trace, without = reader.trace, reader.query.without
    before: dict[str, Scores] = {}
    for name, group in groupby(STAGES, key=lambda stage: stage.shown_as):
        changed: Scores | None = None
        for stage in group:
            before[stage.name] = ranking.scores
            if stage.reads is not None:
                ranking = stage.reads(reader, ranking, question)
            if stage.name in without:
                trace.skip(stage.name, LEFT_OUT, kind="asked")
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
    return ranking.replace(before=before)


def left_out(names: "Collection[str]", trace: "Trace") -> None:
    """Tell what comes before or after the stages and is left out; of stages `rank` tells."""
    stages = {stage.name for stage in STAGES}
    for name in names:
        if name not in stages:
            trace.skip(name, LEFT_OUT, kind="asked")


def known_stages(names: "Collection[str]") -> None:
    """Raise UnknownName for a stage that there is not, or that no answer can do without."""
    for name in names:
        if name not in OPTIONAL:
            raise UnknownName.among("stage", name, list(OPTIONAL))


def _own(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores":
    return ranking.found.own


def _window(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    windows = ranking.found.windows
    if windows is None:
        return None
    code = [row for row in ranking.found.code if row in windows]
    above = {row: max(windows[row] - fuse.CODE_UNRELATED, 0.0) for row in code}
    return fuse.weighed(ranking.scores, {**windows, **above}, "window", code)


def _neighbours(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores":
    found = ranking.found
    return fuse.added(ranking.scores, fuse.lent(found.own, found.pairs, found.unfound, found.code))


def _curated(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    # It was written to be understood by itself; else the turns it was taken from would push it down.
    own, scores = ranking.found.own, ranking.scores
    return {row: scores[row] + fuse.SUPPORT * own[row] for row in ranking.memories} or None


def _document(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores":
    return fuse.weighed(ranking.scores, ranking.found.wholes, "whole", ranking.found.code)


def _asker(ranking: "Ranking", question: "Question", facts: "Facts") -> "Scores":
    scores = ranking.scores
    asker = speaker.by_asker(question, facts.speakers, scores)
    return fuse.added(scores, {row: fuse.ASKER + fuse.ASKER_SHARE * scores[row] for row in asker})


def _named(ranking: "Ranking", question: "Question", facts: "Facts") -> "Scores":
    named = speaker.by_name(question, facts.speakers, ranking.scores)
    return fuse.added(ranking.scores, dict.fromkeys(named, 1.0), fuse.NAMED)


def _together(ranking: "Ranking", question: "Question", _facts: "Facts") -> "Scores | None":
    if not question.intent.together:
        return None
    weight = fuse.IDENTIFIED if question.names_one else fuse.TOGETHER
    scores = ranking.scores
    return {row: scores[row] + weight for row in ranking.found.verbatim if row in scores}


def _defined(ranking: "Ranking", question: "Question", _facts: "Facts") -> "Scores | None":
    scores, read = ranking.scores, ranking.entries
    named = {row: read[row].context for row in ranking.found.defined if row in read}
    shares = question.definitions(named, fuse.OTHER_CASE).items()
    defined = {row: scores[row] + fuse.DEFINED * share for row, share in shares if row in scores}
    return defined if question.defining else None


def _users(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    found = {row: sure for row, sure in ranking.found.users.items() if row in ranking.scores}
    return {row: ranking.scores[row] + fuse.USING * sure for row, sure in found.items()} or None


def _edges(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    scores = ranking.scores
    lent = fuse.related(scores, ranking.edges, fuse.TOUCHING)
    return {row: scores[row] + share for row, share in lent.items() if row in scores} or None


def _file(ranking: "Ranking", question: "Question", _facts: "Facts") -> "Scores | None":
    files, named, read = question.intent.files, question.intent.names_file, ranking.entries.items()
    found = [row for row, one in read if files and one.path is not None and named(one.path)]
    weight = fuse.FILED_ALONE if question.names_one else fuse.FILED
    return {row: ranking.scores[row] + weight for row in found} or None


def _tests(ranking: "Ranking", question: "Question", _facts: "Facts") -> "Scores | None":
    if not fuse.TESTING.isdisjoint(question.words):
        return None
    read = {row: ranking.entries[row] for row in ranking.found.code if row in ranking.entries}
    found = [row for row, one in read.items() if is_test(one.context.partition(" | ")[0])]
    return {row: ranking.scores[row] * fuse.OF_TESTS for row in found}


def _period(ranking: "Ranking", question: "Question", facts: "Facts") -> "Scores | None":
    period, created, scores = question.intent.period, facts.created, ranking.scores
    if not period:
        return None
    found = [row for row in scores if row in created and created[row] in period]
    return {row: scores[row] + fuse.PERIOD for row in found}


def _answers(ranking: "Ranking", _question: "Question", facts: "Facts") -> "Scores | None":
    people = speaker.people(facts.speakers, ranking.scores)
    if not people:
        return None
    lent = speaker.answers(ranking.found.own, people, facts)
    return {row: ranking.scores[row] + lent.get(row, 0.0) for row in people}


def _turns(ranking: "Ranking", _question: "Question", facts: "Facts") -> "Scores | None":
    factors = speaker.by_length(facts, ranking.scores)
    return {row: ranking.scores[row] * factor for row, factor in factors.items()} or None


def _scale(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    if ranking.found.compared:
        return None
    return {row: score * fuse.WORDS_ALONE for row, score in ranking.scores.items()}


def _second_look(ranking: "Ranking", question: "Question", _facts: "Facts") -> "Scores | None":
    look, scores, code = ranking.look, ranking.scores, ranking.found.code
    glossed = question.intent.language in GLOSSED
    understood = fuse.understood(scores, look.cosines, look.met, glossed=glossed)
    return fuse.read(scores, look.passages, code) | understood or None


def _relations(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    lent = fuse.related(ranking.scores, ranking.relations)
    return {row: ranking.scores.get(row, 0.0) + share for row, share in lent.items()} or None


def _life(ranking: "Ranking", question: "Question", _facts: "Facts") -> "Scores | None":
    if not ranking.lives or question.now is None:
        return None
    weights = phase(question.phase).weights if question.phase else {}
    return lived(ranking.scores, ranking.lives, question.now, question.intent.kinds, weights)


def _coverage(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    shares = coverage(ranking.entries, ranking.calibration)
    held = {row: ranking.scores[row] + fuse.COVERED * share for row, share in shares.items()}
    scores = {**ranking.scores, **held}
    # All of them, not only what is covered: what reaches beyond 1 keeps its order.
    above = {row: fuse.bounded(score) for row, score in scores.items() if score > fuse.KNEE}
    return {**scores, **above} if above else scores


STAGES = (
    Stage("own", "words and meaning of each entry on one scale", _own),
    Stage("window", "meaning of the passages around", _window, "no meaning of the passages around"),
    Stage("neighbours", "scores of the passages around", _neighbours, "no scores of those around"),
    Stage("curated", "memories stand by themselves", _curated, "memories have none to lean on"),
    Stage("document", "words of the whole document", _document, "no words of the whole document"),
    Stage(
        "asker",
        "who speaks, against who asks and who is named",
        _asker,
        "whoever speaks, it counts the same",
        shown_as="voice",
    ),
    Stage(
        "named",
        "who speaks, against who asks and who is named",
        _named,
        "whoever is named, it counts the same",
        shown_as="voice",
    ),
    Stage("together", together_told, _together, "phrases and identifiers are loose words"),
    Stage(
        "defined",
        "the definition of what is named",
        _defined,
        "definitions count as what else speaks of the name",
        Reader.definitions,
    ),
    Stage("users", "what uses the thing that is named", _users, "no graph of code is asked"),
    Stage("period", period_told, _period, "time words are words"),
    Stage("answers", "what is said after somebody asked", _answers, "what was asked lends nothing"),
    Stage("turns", "turns by their length", _turns, "a turn counts the same, short or long"),
    Stage("scale", "words stand for the meaning too", _scale),
    Stage(
        "second look",
        "by a model that reads sentences",
        _second_look,
        "no contextual model is asked where words and meaning are unsure",
        Reader.second_look,
    ),
    Stage(
        "relations",
        "related to the best hits",
        _relations,
        "no memories by their relations",
        Reader.relations,
    ),
    Stage(
        "edges", "used by the best hits, or using them", _edges, "no edges of code", Reader.edges
    ),
    Stage("file", "in the file that is named", _file, "names of files are words", Reader.files),
    Stage(
        "tests",
        "tests behind what they test",
        _tests,
        "code of tests counts as what it tests",
        Reader.code,
    ),
    # How sure an answer is depends on what it says; what follows decides the order alone.
    Stage(
        "life", life_told, _life, "memories have no age, use, source or confidence", Reader.lives
    ),
    Stage(
        "held",
        "how much of the question a passage holds by itself",
        _coverage,
        "what a passage holds of the question counts by its words' scores alone",
        Reader.texts,
    ),
)
# What an answer can do without, to see what each is worth, and what stands in its place: of what finds
# the candidates, of the stages, and of what makes hits of them.
OPTIONAL = {
    "fuzzy": "words are taken as they are spelt",
    "beginnings": "words of every language are taken as whole, as English ones are",
    "lexical": "meaning alone",
    "common words": "what holds none of the rarer words is not found",
    "dense": "words alone",
    "nearest": "meaning weighs what the words found, and finds nothing itself",
    "rarity": "every word counts the same in the question's vector",
    "beside": "the pool is chosen by what each row says alone",
    "code weights": "code is weighed and compared like text",
    **{stage.name: stage.instead for stage in STAGES if stage.instead},
    "join": "pieces stay apart",
}
LEFT_OUT = "left out, as asked"
