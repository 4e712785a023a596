"""Scores of different signals on one absolute scale, added up. Pure functions over rows.

Reciprocal-rank fusion loses to full text alone on conversations (LoCoMo R@10 .573 against .608);
what each signal says in absolute terms does not. Weights are shares of a score that lies in 0 to 1.
"""

import math

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping


class Weights(Value):
    """What counts of one entry: its words, its meaning, the meaning around it, its document's words."""

    __slots__ = ("dense", "lexical", "whole", "window")

    def __init__(self, lexical: float, dense: float, window: float, whole: float) -> None:
        self.lexical = lexical
        self.dense = dense
        self.window = window
        self.whole = whole


# Halved, so that a score lies between 0 and 1. Chosen on the other sets, each set stays within .010
# R@10 of its own best (benchmarks/README.md has the ablation). With .20 and .30 for the meaning of a
# passage and around it sessions are found for .949 of LoCoMo instead of .953, turns as now.
SCALE = 0.5
TEXT = Weights(0.70 * SCALE, 0.15 * SCALE, 0.35 * SCALE, 0.30 * SCALE)
# Code is asked for in other words than it is written in, and a file holds more than what is asked
# for. On CoSQA, R@10 is .648 with the weights of text, .716 with these; it stays within .006 with .32
# to .65 for the words, and however meaning is shared with what stands around. Words of the whole file
# cost .018 there and gain nothing on the questions of benchmarks/code_questions.md. Weighing code by its
# length (.07, the shorter the more) gained .012 on CoSQA, where all are functions, and there cost a
# third of the first answers: what tests a thing is shorter than the thing.
CODE = Weights(0.60 * SCALE, 0.45 * SCALE, 0.45 * SCALE, 0.0)
# What the neighbourhood of code has to any question, and counts above. To questions of LoCoMo, SciFact
# and XQuAD about nothing in it, the code of three repositories has .03 to .15, and as meaning weighs
# more in code, its best five passages scored 1.1 to 1.6 times what the best five of the pages beside it
# did. Without this, in a folder of ten notes and one file of code, four of 18 questions go to the code.
CODE_UNRELATED = 0.18
# What a neighbour lends of its own score, at no distance; what it adds that somebody whom the question
# names said it.
SUPPORT = 0.3
NAMED = 0.07 * SCALE
# What the asker's own turns gain: a sum, and a share of their scores. A sum alone lifts turns that have
# nothing to do with the question over the notes beside them. On ten of BEAM's talks and on the other
# ten, R@10 is .009 and .004 better than with a sum of .075, nDCG@10 .004 and .004 (shares from .2 to .8,
# without a sum or with the double one, differ by .003 and less).
ASKER = 0.075 * SCALE
ASKER_SHARE = 0.3
# What it adds to hold a phrase or identifier of the question as it was written: no set asks by them,
# and .10 costs SciFact .001 nDCG@10 for hyphens and slashes, .04 nothing.
TOGETHER = 0.04 * SCALE
# The same where the identifier is what is asked for: of 100 identifiers of a Python package, the first
# hit is the definition for 54 instead of 32, one of five for 94 instead of 72.
IDENTIFIED = 0.2
# What it adds to be the definition of what the question names: of 150 names of a Python package, asked by
# themselves, the first hit is the definition for 102 instead of 75, one of five for 134 instead of 109;
# .40 puts one more first.
DEFINED = 0.2
# The share of it for one whose name differs in case, where another is named just as it was written.
OTHER_CASE = 0.5
# What it adds to stand in the file that the question names, more than to hold an identifier that is
# asked for: else pages that refer to the file come before it. With .2 a page that lists this project's
# pages comes before each of them; of 131 questions about repositories none is answered otherwise.
FILED = 0.3
# The same where little is asked but the file: of such pages .37 is what the strictest lacks.
FILED_ALONE = 0.5
# What it adds that the code of a passage uses what the question names, where it asks who does; what the
# score of a passage of tests is multiplied by, unless the question speaks of tests. On two repositories
# by which they were chosen, and on two others: benchmarks/code_questions.md.
USING = 0.3
OF_TESTS = 0.85
TESTING = frozenset("test tests testing tested spec specs fixture fixtures".split())
# What code of the best hits lends of its score to what it uses, and to what uses it. Chosen on two
# repositories, of whose 64 questions one more is answered first; of 30 about this project 14 instead of
# 11, of 67 about two others as many. With .15 to .2 two less of the 64 (benchmarks/code_questions.md).
TOUCHING = 0.1
# From here on what a score has more counts ever less, so that none reaches 1 and all keep their order.
KNEE = 0.8
# What it adds to be of the time that the question speaks of: LoCoMo R@10 .800 to .805; .20 is no
# better, and where no moment is known nothing changes.
PERIOD = 0.10 * SCALE
# What it adds to a passage that stands by itself to hold the whole question: of 45 questions about this
# project's own code and pages, 33 find a right file among the first three instead of 30, of 40 about
# Flask's 38 instead of 37, and hits that say little stand before ones that say much 12 and 3 times
# instead of 22 and 12. SciFact nDCG@10 .712 to .717 and CoSQA .479 to .483, the others within .002; from
# .08 to .20 it is much the same. Turns of conversations would lose by it (BEAM R@10 .576 to .570).
COVERED = 0.12 * SCALE
# How many rows are looked at more closely, and how many more for each hit that is wanted. Of ten hits,
# 150 rows lose .002 R@10 on BEAM against 250 and nothing elsewhere; 100 lose .007.
POOL, FOR_A_HIT = 120, 3
# What the best of those beside a row counts where it is decided who is looked at more closely, for they
# will lend it some of their scores: else what stands beside the answer is left out before it is lent
# anything. Of 250 rows LoCoMo shows .923 of the evidence inside 2,000 tokens instead of .910 (R@10 .834
# and .827), BEAM .654 instead of .639; of 150 as much as of 400 chosen without it. From .3 to .9 alike.
BESIDE = 0.6
# What a memory lends of its score to one that is related to it, at full strength.
RELATED = 0.3
# What a memory gains by its cosine to the question in the contextual model, above what memories of one
# subject have to any question of it. Of 180 paraphrased questions (benchmarks/README.md) the right
# memory is the first for .41 and among three for .64 with 1.0, .38 and .61 with .5, .43 and .63 with 2.0.
UNDERSTOOD, UNRELATED = 1.0, 0.1
# The same by how the words of the question are met there one by one, above what most memories of the same
# project meet. With it the right memory is the first for .42 of 180 paraphrased questions instead of .40
# and for .95 of 84 that share one telling word instead of .92; from .3 to 1.0 alike.
MET, UNMET = 0.8, 0.2
# What the first look still counts at the second: common words must not outrank meaning. Of 84 tasks one
# more has its memory among three with .5 to .75 than with 1, of paraphrases and halves as many.
FIRST = 0.75
# The same where the question is read by glosses: what its words are in English says less than the words
# themselves. A regression over five German, French, Spanish and mixed projects, each left out, gives 1.7
# to 1.8 (benchmarks/memories.md, "Other languages"); English ones .75.
FIRST_GLOSSED = 1.75
# What the cosine of a passage in the contextual model counts, above the usual one: of text, and of code,
# which is asked for in other words than it is written in (benchmarks/memories.md).
READ, READ_CODE = 0.1, 0.3
# Without vectors the words stand for the meaning too, so that a score means the same.
WORDS_ALONE = (TEXT.lexical + TEXT.whole + TEXT.dense + TEXT.window) / (TEXT.lexical + TEXT.whole)


def shares(found: "Iterable[tuple[int, float]]", achievable: float) -> dict[int, float]:
    """BM25 as the share of what a perfect entry would reach, 0 to 1: the same for every store."""
    if achievable <= 0:
        return {}
    # Compared rather than clamped by calls: a question brings hundreds of rows.
    return {
        row: (bm25 / achievable if bm25 > 0.0 else 0.0) if bm25 < achievable else 1.0
        for row, bm25 in found
    }


def own(
    lexical: "Mapping[int, float]", dense: "Mapping[int, float]", code: "Collection[int]" = ()
) -> dict[int, float]:
    """What each row says by itself: its words and its meaning."""
    weight = TEXT.lexical
    scores = {row: weight * share for row, share in lexical.items()}
    said, weight = scores.get, TEXT.dense
    for row, cosine in dense.items():
        scores[row] = said(row, 0.0) + (weight * cosine if cosine > 0.0 else 0.0)
    for row in code:
        if row in scores:
            words, meaning = lexical.get(row, 0.0), max(dense.get(row, 0.0), 0.0)
            scores[row] = CODE.lexical * words + CODE.dense * meaning
    return scores


def lent(
    scores: "Mapping[int, float]",
    pairs: "Iterable[tuple[int, int, float]]",
    others: "Mapping[int, float]",
    code: "Collection[int]" = (),
) -> dict[int, float]:
    """What each row is lent by those around it: a share of what they say by themselves, by closeness.

    `pairs` of a row, a neighbour and their closeness; `others` is the meaning of those around a row
    that have no score, summed by closeness. Code is lent nothing: a function stands by itself, and
    what stands around a short one is as close as the turns of a talk.
    """
    weight = TEXT.dense
    result = {
        row: SUPPORT * (weight * meaning) for row, meaning in others.items() if row not in code
    }
    for row, neighbour, closeness in pairs:
        if row not in code:
            result[row] = result.get(row, 0.0) + SUPPORT * closeness * scores[neighbour]
    return result


def understood(
    scores: "Mapping[int, float]",
    cosines: "Mapping[int, float]",
    met: "Mapping[int, tuple[float, float]]",
    *,
    glossed: bool = False,
) -> dict[int, float]:
    """The scores of memories with what the contextual model says, found by the first look or not.

    `glossed` says that it read the question word by word, in English.
    """
    first = FIRST_GLOSSED if glossed else FIRST
    said = {
        row: first * scores.get(row, 0.0) + UNDERSTOOD * max(cosine - UNRELATED, 0.0)
        for row, cosine in cosines.items()
    }
    for row, (mean, _) in met.items():
        said[row] += MET * max(mean - UNMET, 0.0)
    return said


def read(
    scores: "Mapping[int, float]", cosines: "Mapping[int, float]", code: "Collection[int]"
) -> dict[int, float]:
    """The scores of passages that the contextual model has read, by how they stand to one another."""
    usual = sum(cosines.values()) / max(len(cosines), 1)
    return {
        row: max(scores[row] + (READ_CODE if row in code else READ) * (cosine - usual), 0.0)
        for row, cosine in cosines.items()
    }


def related(
    scores: "Mapping[int, float]",
    relations: "Iterable[tuple[int, int, float]]",
    weight: float = RELATED,
) -> dict[int, float]:
    """What each row is lent by the strongest of its relations to rows with a score."""
    lent: dict[int, float] = {}
    for row, other, strength in relations:
        share = weight * strength * scores.get(row, 0.0)
        lent[other] = max(share, lent.get(other, 0.0))
    return lent


def bounded(score: float) -> float:
    """A score below 1, in the order of the scores: as it is up to the knee, bent above."""
    if score <= KNEE:
        return score
    room = 1.0 - KNEE
    return 1.0 - room * math.exp((KNEE - score) / room)


def added(
    scores: "Mapping[int, float]", extra: "Mapping[int, float]", weight: float = 1.0
) -> "Mapping[int, float]":
    """Each row's score plus `weight` times what another signal gives it; rows keep to `scores`."""
    if not extra:
        return scores
    given = extra.get
    return {row: score + weight * given(row, 0.0) for row, score in scores.items()}


def weighed(
    scores: "Mapping[int, float]",
    values: "Mapping[int, float]",
    signal: str,
    code: "Collection[int]",
) -> "Mapping[int, float]":
    """Scores plus what a signal of that name says of each row, by its weight.

    `code` are rows of program code, where it weighs otherwise.
    """
    result = added(scores, values, getattr(TEXT, signal))
    if not code:
        return result
    weight = getattr(CODE, signal)
    return {
        **result,
        **{row: scores[row] + weight * values[row] for row in code if row in values},
    }


def neighbour_potential(
    scores: "Mapping[int, float]", positions: "Mapping[int, int]"
) -> "Mapping[int, float]":
    """Scores plus a share of the best neighbour's: an upper estimate of what a row may be lent."""
    rows = dict(zip(positions.values(), positions, strict=True))
    best: dict[int, float] = {}
    for step in (1, 2):
        # Most have no neighbour here: asking that first takes half of the time.
        for position in [position for position in rows if position + step in rows]:
            row, other = rows[position], rows[position + step]
            best[row] = max(best.get(row, 0.0), scores[other] / step)
            best[other] = max(best.get(other, 0.0), scores[row] / step)
    return {**scores, **{row: scores[row] + BESIDE * score for row, score in best.items()}}


def best(scores: "Mapping[int, float]", count: int) -> dict[int, float]:
    """The rows with the highest scores; equal scores go by row, so that an answer repeats."""
    # Rows first, then their scores: half of the time of sorting pairs.
    ranked = sorted(sorted(scores), key=scores.__getitem__, reverse=True)
    return {row: scores[row] for row in ranked[:count]}
