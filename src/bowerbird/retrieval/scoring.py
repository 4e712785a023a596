"""The score functions of the ranking stages. Pure.

Each returns the new scores of the rows that it changes, or None if it does not apply to the query.
"""

import math

from bowerbird.core.language import GLOSSED
from bowerbird.core.life import BOUND
from bowerbird.core.types import GENERATED
from bowerbird.host.places import is_test
from bowerbird.retrieval import fuse, merge, speaker
from bowerbird.retrieval.asking import ASKED, LENT
from bowerbird.retrieval.relevance import coverage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bowerbird.core.life import Life
    from bowerbird.core.types import Facts
    from bowerbird.retrieval.analyse import Question
    from bowerbird.retrieval.candidates.gather import Ranking

    Scores = Mapping[int, float]

# Weights of relevance (always 1 here), recency and frequency; not measured.
RELEVANT = 0.60
RECENT = 0.25
FREQUENT = 0.15
IMPORTANT = 0.05
# Factors by the memory's source; 1.0 for others. A verified memory counts as taught by the user.
SOURCES = {"user_taught": 1.4, "agent_explicit": 1.2, "qa_auto": 1.1, "observer_inferred": 0.85}
# Without a phase, all kinds have the same weight.
_EVEN: "Mapping[str, float]" = {}
# The factor for a memory of a kind that the query's wording asks for.
WANTED = 1.15


def own(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores":
    """Each row's own words and vector."""
    return ranking.found.own


def window(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    """Plus the cosine of the neighbourhood; of code only what exceeds that of unrelated code."""
    windows = ranking.found.windows
    if windows is None:
        return None
    code = [row for row in ranking.found.code if row in windows]
    above = {row: max(windows[row] - fuse.CODE_UNRELATED, 0.0) for row in code}
    return fuse.weighed(ranking.scores, {**windows, **above}, "window", code)


def neighbours(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores":
    """Plus a share of the neighbours' scores."""
    found = ranking.found
    received = fuse.from_neighbours(found.own, found.pairs, found.unfound, found.code)
    return fuse.added(ranking.scores, received)


def curated(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    """Memories count as their own neighbour.

    A memory is self-contained; without this it would rank below the turns that it was taken from.
    """
    own, scores = ranking.found.own, ranking.scores
    return {row: scores[row] + fuse.SUPPORT * own[row] for row in ranking.memories} or None


def document(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores":
    """Plus the BM25 share of the row's whole document."""
    return fuse.weighed(ranking.scores, ranking.found.wholes, "whole", ranking.found.code)


def asker(ranking: "Ranking", question: "Question", facts: "Facts") -> "Scores":
    """Plus a bonus for the asker's own turns, if the query is in the first person."""
    scores = ranking.scores
    rows = speaker.by_asker(question, facts.speakers, scores)
    return fuse.added(scores, {row: fuse.ASKER + fuse.ASKER_SHARE * scores[row] for row in rows})


def named(ranking: "Ranking", question: "Question", facts: "Facts") -> "Scores":
    """Plus a bonus for what was said by a person whom the query names."""
    rows = speaker.by_name(question, facts.speakers, ranking.scores)
    return fuse.added(ranking.scores, dict.fromkeys(rows, 1.0), fuse.NAMED)


def together(ranking: "Ranking", question: "Question", _facts: "Facts") -> "Scores | None":
    """Plus a bonus for containing a phrase or identifier of the query verbatim."""
    if not question.intent.together:
        return None
    weight = fuse.IDENTIFIED if question.asks_identifier else fuse.TOGETHER
    scores = ranking.scores
    return {row: scores[row] + weight for row in ranking.found.verbatim if row in scores}


def defined(ranking: "Ranking", question: "Question", _facts: "Facts") -> "Scores | None":
    """Plus a bonus for defining what the query names."""
    scores, read = ranking.scores, ranking.entries
    contexts = {row: read[row].context for row in ranking.found.defined if row in read}
    shares = question.definitions(contexts, fuse.OTHER_CASE).items()
    changed = {row: scores[row] + fuse.DEFINED * share for row, share in shares if row in scores}
    return changed if question.defining else None


def users(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    """Plus a bonus for using what the query names, by the confidence of the edge."""
    found = {row: sure for row, sure in ranking.found.users.items() if row in ranking.scores}
    return {row: ranking.scores[row] + fuse.USING * sure for row, sure in found.items()} or None


def period(ranking: "Ranking", question: "Question", facts: "Facts") -> "Scores | None":
    """Plus a bonus for lying in the period that the query names."""
    named, created, scores = question.intent.period, facts.created, ranking.scores
    if not named:
        return None
    found = [row for row in scores if row in created and created[row] in named]
    return {row: scores[row] + fuse.PERIOD for row in found}


def answers(ranking: "Ranking", _question: "Question", facts: "Facts") -> "Scores | None":
    """Plus a share of the preceding turn's score, if that is another person's question."""
    people = speaker.people(facts.speakers, ranking.scores)
    if not people:
        return None
    found = ranking.found
    received = speaker.answers(found.own, people, found.adjacent, facts)
    return {row: ranking.scores[row] + received.get(row, 0.0) for row in people}


def turns(ranking: "Ranking", _question: "Question", facts: "Facts") -> "Scores | None":
    """Times a factor for the length of a turn."""
    factors = speaker.by_length(facts, ranking.scores)
    return {row: ranking.scores[row] * factor for row, factor in factors.items()} or None


def scale(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    """Scaled up if no vectors were compared, so that scores mean the same."""
    if ranking.found.compared:
        return None
    return {row: score * fuse.WORDS_ALONE for row, score in ranking.scores.items()}


def asked(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    """Times a factor below 1 for turns that ask what the query asks; what follows gets a share of it."""
    scores, asking = ranking.scores, ranking.asked
    lent = {row: LENT**step * scores[turn] for row, (turn, step) in ranking.answering.items()}
    later = {row: max(scores.get(row, 0.0), share) for row, share in lent.items()}
    return later | {row: ASKED * later.get(row, scores[row]) for row in asking} or None


def second_look(ranking: "Ranking", question: "Question", _facts: "Facts") -> "Scores | None":
    """Plus the contextual model's cosines and alignment of memories and passages."""
    look, scores, code = ranking.look, ranking.scores, ranking.found.code
    glossed = question.intent.language in GLOSSED
    memories = fuse.contextual_memories(scores, look.cosines, look.met, glossed=glossed)
    return fuse.contextual_passages(scores, look.passages, code) | memories or None


def relations(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    """Plus a share of the score of the best memories that a memory is related to."""
    received = fuse.from_related(ranking.scores, ranking.relations)
    return {row: ranking.scores.get(row, 0.0) + share for row, share in received.items()} or None


def edges(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    """Plus a share of the score of the best hits' code that uses a row's code, or that it uses."""
    scores = ranking.scores
    received = fuse.from_related(scores, ranking.edges, fuse.TOUCHING)
    return {row: scores[row] + share for row, share in received.items() if row in scores} or None


def file(ranking: "Ranking", question: "Question", _facts: "Facts") -> "Scores | None":
    """Plus a bonus for being in a file that the query names, or for a memory about it."""
    files, names, read = question.intent.files, question.intent.names_file, ranking.entries.items()
    found = [row for row, one in read if files and one.path is not None and names(one.path)]
    weight = fuse.FILED_ALONE if question.asks_identifier else fuse.FILED
    return {row: ranking.scores.get(row, 0.0) + weight for row in (*found, *ranking.tied)} or None


def tests(ranking: "Ranking", question: "Question", _facts: "Facts") -> "Scores | None":
    """Times a factor below 1 for test code, unless the query mentions tests."""
    if not fuse.TESTING.isdisjoint(question.words):
        return None
    read = {row: ranking.entries[row] for row in ranking.found.code if row in ranking.entries}
    found = [row for row, one in read.items() if is_test(one.context.partition(" | ")[0])]
    return {row: ranking.scores[row] * fuse.OF_TESTS for row in found}


def generated(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    """Times a factor below 1 for generated and minified code."""
    read = {row: ranking.entries[row] for row in ranking.found.code if row in ranking.entries}
    found = [row for row, one in read.items() if GENERATED in one.tags]
    return {row: ranking.scores[row] * fuse.OF_GENERATED for row in found} or None


def life(ranking: "Ranking", question: "Question", _facts: "Facts") -> "Scores | None":
    """Times a bounded factor for a memory's age, use, source and confidence."""
    if not ranking.lives or question.now is None:
        return None
    weights = question.phase.weights if question.phase else {}
    return lived(ranking.scores, ranking.lives, question.now, question.intent.kinds, weights)


def covered(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    """Plus a bonus for coverage, compressed below 1."""
    shares = coverage(ranking.entries, ranking.calibration)
    raised = {row: ranking.scores[row] + fuse.COVERED * share for row, share in shares.items()}
    scores = {**ranking.scores, **raised}
    # Every row is compressed, not only covered ones, so that scores above 1 keep their order.
    above = {row: fuse.bounded(score) for row, score in scores.items() if score > fuse.KNEE}
    return {**scores, **above} if above else scores


def merged(ranking: "Ranking", _question: "Question", _facts: "Facts") -> "Scores | None":
    """The scores of the entries in the order that their relevance gives them."""
    if not ranking.memories and not ranking.look.passages:
        return None
    rows = merge.merged(ranking)
    return dict(zip(rows, sorted((ranking.scores[row] for row in rows), reverse=True), strict=True))


def factor(
    life: "Life", now: int, wanted: "Collection[str]" = (), phase: "Mapping[str, float]" = _EVEN
) -> float:
    """The factor on a memory's score; it increases with each of its properties."""
    worth = RELEVANT + RECENT * life.recency(now) + FREQUENT * life.frequency
    worth *= SOURCES.get(life.source, 1.0) * life.current_confidence(now)
    worth *= WANTED if life.kind in wanted else 1.0
    worth *= phase.get(life.kind, 1.0)
    worth += IMPORTANT * life.importance
    return 1.0 + BOUND * math.tanh((worth - 1.0) / (2 * BOUND))


def lived(
    scores: "Mapping[int, float]",
    lives: "Mapping[int, Life]",
    now: int,
    wanted: "Collection[str]" = (),
    phase: "Mapping[str, float]" = _EVEN,
) -> dict[int, float]:
    """The scores of memories times their factors."""
    return {
        row: scores[row] * factor(life, now, wanted, phase)
        for row, life in lives.items()
        if row in scores
    }
