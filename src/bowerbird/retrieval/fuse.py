"""Weighted sum of the signals' scores, on one absolute scale. Pure functions on rows.

Reciprocal rank fusion is worse than full text alone on conversations (LoCoMo R@10 .573 against .608); a
sum of absolute scores is better. Weights are shares of a score between 0 and 1.
"""

import math

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping


class Weights(Record):
    """Weights of one entry's words, its vector, its neighbourhood's vector, and its document's words."""

    lexical: float
    dense: float
    window: float
    whole: float


# Halves the weights, so that scores lie between 0 and 1. Weights chosen on all sets but one stay within
# .010 R@10 of that set's best ones (benchmarks/ablation.md: each stage). With .20 for the vector of a
# passage and .30 for its neighbourhood's, session recall on LoCoMo is .949 instead of .953; turn recall
# is the same.
SCALE = 0.5
TEXT = Weights(0.70 * SCALE, 0.15 * SCALE, 0.35 * SCALE, 0.30 * SCALE)
# Queries for code use other words than the code, and a file contains more than what is asked for. R@10 on
# CoSQA is .648 with the weights of text and .716 with these; it stays within .006 for word weights of .32
# to .65 and for any split between the passage's and the neighbourhood's vector. Words of the whole file
# cost .018 there and gain nothing on benchmarks/code_questions.md. Preferring shorter code (power .07)
# gained .012 on CoSQA, where every candidate is a function, but lost a third of the first answers on
# benchmarks/code_questions.md, because tests are shorter than what they test.
CODE = Weights(0.60 * SCALE, 0.45 * SCALE, 0.45 * SCALE, 0.0)
# The cosine of a neighbourhood of code with an unrelated query; only what exceeds it counts. Unrelated
# queries (LoCoMo, SciFact, XQuAD) have cosines of .03 to .15 with the code of three repositories. As
# vectors weigh more in code, its five best passages scored 1.1 to 1.6 times the five best of the
# documentation next to it. Without this, in a folder of ten notes and one code file 4 of 18 queries
# return the code first.
CODE_UNRELATED = 0.18
# The share of its own score that a neighbour at distance 0 contributes; and the bonus for a passage whose
# speaker the query names.
SUPPORT = 0.3
NAMED = 0.07 * SCALE
# The bonus of the asker's own turns: a constant, and a share of their score. A constant alone lifts
# unrelated turns above notes. Compared with a constant of .075 alone, on the development and the held-out
# half of BEAM R@10 gains .009 and .004, nDCG@10 .004 and .004 (shares from .2 to .8, with a constant of 0
# or of twice this one, are within .003).
ASKER = 0.075 * SCALE
ASKER_SHARE = 0.3
# The bonus for containing a phrase or identifier of the query verbatim. No development set has such
# queries; .10 costs SciFact .001 nDCG@10 (hyphens and slashes), .04 nothing.
TOGETHER = 0.04 * SCALE
# The same if the query asks for the identifier itself: for 100 identifiers of a Python package the
# definition comes first 54 times instead of 32, among the first five 94 times instead of 72.
IDENTIFIED = 0.2
# The bonus for defining what the query names: for 150 names of a Python package as queries the definition
# comes first 102 times instead of 75, among the first five 134 times instead of 109; .40 gains one more.
DEFINED = 0.2
# The share of that bonus if the name differs in case and another definition has exactly the query's case.
OTHER_CASE = 0.5
# The bonus for being in the file that the query names. It exceeds the one for containing an identifier,
# else pages that refer to the file rank above it: with .2, an index page of this project ranks above each
# page that it lists. No answer to 131 queries about repositories changes.
FILED = 0.3
# The same if the query asks for little but the file; the largest gap to close on such pages was .37.
FILED_ALONE = 0.5
# The bonus for using the code that the query names, if it asks for users; and the factor on the score of
# test code, unless the query mentions tests. Chosen on two repositories and verified on two others:
# benchmarks/code_questions.md.
USING = 0.3
OF_TESTS = 0.85
# The factor on the score of generated and minified code, which repeats the names of what it was made
# from in more places: it ranks behind that even if it contains twice as much of the question.
OF_GENERATED = 0.5
TESTING = frozenset("test tests testing tested spec specs fixture fixtures".split())
# The share of a best hit's score that code which it uses, or which uses it, receives. Chosen on two
# repositories: of their 64 questions one more has its answer first; of 30 about this project 14 instead
# of 11, of 67 about two others the same number. With .15 to .2, two fewer of the 64
# (benchmarks/code_questions.md).
TOUCHING = 0.1
# Scores above this are compressed so that they stay below 1 and keep their order.
KNEE = 0.8
# The bonus for lying in the period that the query names: LoCoMo R@10 rises from .800 to .805; .20 is no
# better. Nothing changes for entries without a time.
PERIOD = 0.10 * SCALE
# The bonus of a self-contained passage for full coverage of the query's information. Of 45 questions
# about this project's code and pages, 33 have a right file among the first three instead of 30; of 40
# about Flask's, 38 instead of 37; hits with little coverage rank above ones with much 12 and 3 times
# instead of 22 and 12. nDCG@10 rises on SciFact from .712 to .717, on CoSQA from .479 to .483; other sets
# stay within .002; .08 to .20 is similar. Turns of conversations are left out: BEAM R@10 would fall from
# .576 to .570.
COVERED = 0.12 * SCALE
# Size of the pool: a constant, and rows per requested hit. For ten hits, 150 rows lose .002 R@10 on BEAM
# against 250 and nothing on other sets; 100 rows lose .007.
POOL = 120
FOR_A_HIT = 3
# The share of the best neighbour's score in the neighbour potential, by which the pool is chosen; without
# it a row that neighbours will lift is left out before they can. With a pool of 250, passages within
# 2,000 tokens contain .923 of LoCoMo's evidence instead of .910 (R@10 .834 and .827) and .654 of BEAM's
# instead of .639; a pool of 150 with it equals one of 400 without it. Values from .3 to .9 are
# equivalent.
BESIDE = 0.6
# The share of its score that a memory contributes to a related memory at strength 1.
RELATED = 0.3
# The weight of a memory's cosine with the query in the contextual model, above the cosine that memories
# of one subject have with any query about it. Of 180 paraphrased queries (benchmarks/memories.md) the
# right memory is first for .41 and among three for .64 with 1.0; .38 and .61 with .5; .43 and .63 with
# 2.0.
UNDERSTOOD = 1.0
UNRELATED = 0.1
# The same for the word alignment (how well each word of the query is matched by one of the memory), above
# the alignment that most memories of the project have. With it the right memory is first for .42 of 180
# paraphrased queries instead of .40, and for .95 of 84 queries that share one rare word with it instead
# of .92; from .3 to 1.0 alike.
MET = 0.8
UNMET = 0.2
# The weight of the first score after the second look; common words must not outrank meaning. With .5 to
# .75 one more of 84 tasks has its memory among the first three than with 1; paraphrases and
# half-overlapping queries do not change.
FIRST = 0.75
# The same for a query that the model reads by glosses, since a word-by-word translation says less than
# the words themselves. A regression on five projects in German, French, Spanish and mixed languages,
# each held out in turn, gives 1.7 to 1.8 (benchmarks/memories.md, "Other languages"); on English ones
# .75.
FIRST_GLOSSED = 1.75
# The weight of a passage's cosine in the contextual model relative to the mean of the passages compared:
# for text, and for code, whose queries use other words than it does (benchmarks/memories.md).
READ = 0.1
READ_CODE = 0.3
# Without vectors the words' scores are scaled up to the same range, so that scores mean the same.
WORDS_ALONE = (TEXT.lexical + TEXT.whole + TEXT.dense + TEXT.window) / (TEXT.lexical + TEXT.whole)


def shares(found: "Iterable[tuple[int, float]]", achievable: float) -> dict[int, float]:
    """BM25 by row, divided by `achievable` and clamped to 0..1: comparable across stores."""
    if achievable <= 0:
        return {}
    # Comparisons instead of min() and max(): a query brings hundreds of rows.
    return {
        row: (bm25 / achievable if bm25 > 0.0 else 0.0) if bm25 < achievable else 1.0
        for row, bm25 in found
    }


def own(
    lexical: "Mapping[int, float]", dense: "Mapping[int, float]", code: "Collection[int]" = ()
) -> dict[int, float]:
    """The score of each row by its own words and its own vector, without its surroundings."""
    weight = TEXT.lexical
    scores = {row: weight * share for row, share in lexical.items()}
    weight = TEXT.dense
    for row, cosine in dense.items():
        meaning = weight * cosine if cosine > 0.0 else 0.0
        scores[row] = scores[row] + meaning if row in scores else meaning
    for row in code:
        if row in scores:
            words, meaning = lexical.get(row, 0.0), max(dense.get(row, 0.0), 0.0)
            scores[row] = CODE.lexical * words + CODE.dense * meaning
    return scores


def from_neighbours(
    scores: "Mapping[int, float]",
    pairs: "Iterable[tuple[int, int, float]]",
    others: "Mapping[int, float]",
    code: "Collection[int]" = (),
) -> dict[int, float]:
    """The score that each row receives from its neighbours: a share of theirs, weighted by closeness.

    `pairs` are (row, neighbour, closeness); `others` is the sum of cosine times closeness over the
    neighbours of a row that have no score. Code receives nothing: a function is self-contained, and
    neighbours of a short one are as near as turns of a conversation.
    """
    weight = TEXT.dense
    result = {
        row: SUPPORT * (weight * meaning) for row, meaning in others.items() if row not in code
    }
    for row, neighbour, closeness in pairs:
        if row not in code:
            share = SUPPORT * closeness * scores[neighbour]
            result[row] = result[row] + share if row in result else share
    return result


def contextual_memories(
    scores: "Mapping[int, float]",
    cosines: "Mapping[int, float]",
    met: "Mapping[int, tuple[float, float]]",
    *,
    glossed: bool = False,
) -> dict[int, float]:
    """Scores of memories with the contextual model's cosines and alignment, retrieved before or not.

    `glossed` is whether the model read the query by a word-by-word translation.
    """
    first = FIRST_GLOSSED if glossed else FIRST
    said = {
        row: first * scores.get(row, 0.0) + UNDERSTOOD * max(cosine - UNRELATED, 0.0)
        for row, cosine in cosines.items()
    }
    for row, (mean, _) in met.items():
        said[row] += MET * max(mean - UNMET, 0.0)
    return said


def contextual_passages(
    scores: "Mapping[int, float]", cosines: "Mapping[int, float]", code: "Collection[int]"
) -> dict[int, float]:
    """Scores of passages plus their weighted contextual cosine, relative to the mean of these cosines."""
    usual = sum(cosines.values()) / max(len(cosines), 1)
    return {
        row: max(scores[row] + (READ_CODE if row in code else READ) * (cosine - usual), 0.0)
        for row, cosine in cosines.items()
    }


def from_related(
    scores: "Mapping[int, float]",
    relations: "Iterable[tuple[int, int, float]]",
    weight: float = RELATED,
) -> dict[int, float]:
    """What each row receives over the strongest of its relations to rows that have a score."""
    lent: dict[int, float] = {}
    for row, other, strength in relations:
        share = weight * strength * scores.get(row, 0.0)
        lent[other] = max(share, lent.get(other, 0.0))
    return lent


def bounded(score: float) -> float:
    """A score compressed below 1, in the same order: unchanged up to KNEE, exponential above."""
    if score <= KNEE:
        return score
    room = 1.0 - KNEE
    return 1.0 - room * math.exp((KNEE - score) / room)


def added(
    scores: "Mapping[int, float]", extra: "Mapping[int, float]", weight: float = 1.0
) -> "Mapping[int, float]":
    """`scores` plus `weight` times `extra`, for the rows of `scores`."""
    if not extra:
        return scores
    # Without a call a row: a query brings hundreds of them, five times.
    result = {**scores}
    for row, value in extra.items():
        if row in result:
            result[row] += weight * value
    return result


def weighed(
    scores: "Mapping[int, float]",
    values: "Mapping[int, float]",
    signal: str,
    code: "Collection[int]",
) -> "Mapping[int, float]":
    """`scores` plus the values of a signal, multiplied by the weight of that name.

    Rows in `code` use the weights of code.
    """
    result = added(scores, values, getattr(TEXT, signal))
    if not code:
        return result
    weight = getattr(CODE, signal)
    return {**result, **{row: scores[row] + weight * values[row] for row in code if row in values}}


def neighbour_potential(
    scores: "Mapping[int, float]", adjacent: "Iterable[tuple[int, int, int]]"
) -> "Mapping[int, float]":
    """Scores plus a share of the best neighbour's score: an upper bound of what a row may receive."""
    best = dict.fromkeys(scores, 0.0)
    for row, later, steps in adjacent:
        if (share := scores[later] / steps) > best[row]:
            best[row] = share
        if (share := scores[row] / steps) > best[later]:
            best[later] = share
    return {row: score + BESIDE * best[row] for row, score in scores.items()}


def best(scores: "Mapping[int, float]", count: int) -> dict[int, float]:
    """The `count` rows with the highest scores; ties are broken by row, so answers are reproducible."""
    # Sorting rows by score takes half the time of sorting pairs.
    ranked = sorted(sorted(scores), key=scores.__getitem__, reverse=True)
    return {row: scores[row] for row in ranked[:count]}
