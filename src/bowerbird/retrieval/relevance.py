"""Calibrated relevance: the probability that a hit answers the query, so that an answer may be empty.

Pure. A logistic regression on answers, half of them to queries that the store cannot answer
(`benchmarks/relevance.py` repeats the fit, `bower bench nothing` measures the result).
"""

import math

from bowerbird.core.excerpt import stem
from bowerbird.core.text import spaced
from bowerbird.core.types import MEMORY, NOTES
from bowerbird.retrieval.analyse import SMALLEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from bowerbird.core.answers import Hit
    from bowerbird.core.types import Entry

# Log-odds of a passage: intercept; per score of 1, times ln(1 + number of query terms); for full coverage
# of the query; for the product of both; if all of the query's terms were corrected; per factor e of the
# store's size. Fitted on LoCoMo, BEAM, XQuAD in English, and one LoCoMo conversation among 37,000 other
# passages; the product was added with the others fixed. The threshold that keeps 90 % of the right
# answers lets through .154, .152 and .106 of the unanswerable queries (AUROC .94, .94 and .95; without
# the product .154, .158 and .108; weights of .7 to 1.4 are as good). Without the size, a threshold that
# lets through .11 of them in a conversation of 629 passages lets through .73 when it is among 37,000;
# with it, .23.
INTERCEPT = -2.9
SCORE = 5.1
COVERAGE = 5.4
BOTH = 1.0
GUESSED = -1.5
ENTRIES = -0.36
# The same for a memory, which is short, self-contained, and queried in other words than its own. By its
# first score: intercept; per factor e of LEAST plus the score times ln(1 + number of query terms), where
# LEAST keeps the logarithm of a score of 0 finite; per factor e of the store's size. After the second
# look: intercept; per score of 1 above the CROWD (the mean of the memories after the best one), and for
# its square: a query that nothing answers finds many memories with similar scores, an answer stands out;
# per score of 1 of the crowd itself; per cosine of 1 of the worst-matched word of the query; per cosine
# of 1 below STRANGE, where a memory is about something else even if it stands out; for full coverage of
# the query, negative since the score overrates words; per factor e of the number of query terms; per
# factor e of the number of memories compared. Fitted on the questions of fifteen projects by
# `benchmarks/memories.py`; results in `benchmarks/memories.md`.
KEPT = 4.2
KEPT_SCORE = 2.2
KEPT_ENTRIES = -0.44
LEAST = 0.02
LOOKED = -5.3
LOOKED_ABOVE = 4.12
LOOKED_SQUARE = 1.42
LOOKED_CROWD = 0.33
LOOKED_LEAST = 0.83
LOOKED_STRANGE = -2.5
LOOKED_COVERED = -0.6
LOOKED_WORDS = 1.85
COMPARED = -0.05
STRANGE = 0.3
# Fewer than one in twenty hits below this relevance is relevant: beside better ones they are noise. So
# are memories, and passages of notes, below these shares of the best hit's relevance. Of the hits to a
# question (ten at most): 2 of 409 right memories and 1,037 of 3,656 others, of 240 that 540 questions
# are about; of notes 0 of 400 right ones and 1,383 of 2,093 others on XQuAD, 2 of 735 and 43 of 1,515
# on Cranfield. Turns and code are not: of LoCoMo's right turns 10 of 278 are below the lesser share.
WEAK = 0.05
BESIDE = 0.2
BESIDE_NOTE = 0.15
# The size of the crowd; a store with fewer memories is filled up with memories of the score STRANGER.
CROWD = 5
STRANGER = 0.2
# The same for a passage of a note that the contextual model has read: intercept; per cosine of 1 above
# the crowd (the mean cosine of the CROWD notes after the best one; missing ones count as UNRELATED); per
# score of 1; per cosine of 1. Fitted on 540 questions to notes of six projects, of 5 and of 40 passages,
# and on 120 real prompts that have nothing to do with them; what was fitted on five projects judges the
# sixth. The intercept is raised so that .35 is the threshold that brings the right one of 40 passages to
# .58 of the tasks, .85 of the questions that share a word with it and .21 of the paraphrases, with .13,
# .07 and .23 others, and a passage to .13 of the real prompts. With the number of the query's terms
# instead of the cosine: .57, .76, .24; .18, .08, .22; .20; in a project of seven passages .19 others, not
# .68. Of 5 passages the right one is brought to 5 instead of 6 of 13 tasks, 11 instead of 14 of 28
# paraphrases.
NOTED = -4.7
NOTED_ABOVE = 4.2
NOTED_SCORE = 13.4
NOTED_COSINE = 7.5
UNRELATED = 0.15
# What is less likely says nothing: the raised intercept alone would keep answers that nothing is close to
# from being empty (NOTHING).
NOTED_LEAST = 0.05
# Queries with fewer words count as this long: few shorter ones were measured.
FEWEST_WORDS = 3
# Terms from which on a longer query raises the relevance of a memory no further. The questions of the
# fit have three to eight terms; real prompts have more: without this limit .91 of 444 prompts of 21 to 60
# words reach .24 in stores of projects that they have nothing to do with, all of 342 longer ones, and .53
# of 576 of 8 to 20 words; with it .54, .54 and .41. The paraphrases and tasks of `benchmarks/memories.md`
# lose .01. With a limit of 6 it is .34, .34 and .30, and they lose .03 and .02.
MOST_WORDS = 7
# The coverage by another form of a word, as a share of that by the word itself.
FORM = 0.5
# If the best hit's relevance is below this, the answer is empty. A hit with score 0 and no word has .010.
# On LoCoMo by session, .05 would empty 25 of 997 answers and cost .008 R@10, on SciFact .002; .02 costs
# .001 on both. Either lets most unanswerable queries through: callers that must not be wrong set a
# threshold (`query.min_score`; .3 lets .16 of them through on LoCoMo).
NOTHING = 0.02
# The same if the best hit is a memory: .08 empties 1 of 381 right answers and 21 of 48 answers to
# unrelated queries; .07 none and 15.
NOTHING_KEPT = 0.08
# The least relevance of a memory about a file that the query names, whatever its words: where it is told
# with others (`sessions.inject.prompt`), the best one may be certain.
TIED = 0.4
_WORDIEST = math.log(1 + MOST_WORDS)


class Calibration:
    """Maps the scores of one query to relevance; constructed once per query.

    The same score means more for a longer query, since a share of many words is less easily reached
    by chance, and less in a larger store, since some of many entries match by chance.
    """

    __slots__ = ("_held", "_kept", "_length", "_start", "_terms", "_wordy", "whole")

    def __init__(
        self, information: "Mapping[str, float]", guessed: "Collection[str]", entries: int
    ) -> None:
        """`information` by term, `guessed` terms that replaced misspelt words, `entries` in the store."""
        self._held: dict[tuple[int, int], float] = {}
        total = sum(information.values()) or 1.0
        # Spaces around a term, as in normalised text: one search finds a whole word, or a word with that
        # stem.
        self._terms = [
            (term, f" {term} ", f" {stem(term)}", worth / total)
            for term, worth in information.items()
        ]
        # Whether it is a question rather than one or two words to look up.
        self.whole = len(information) >= FEWEST_WORDS
        self._wordy = math.log(1 + max(len(information), FEWEST_WORDS))
        self._length = math.log(1 + len(information))
        unsure = sum(worth for term, *_, worth in self._terms if term in guessed)
        self._start = INTERCEPT + GUESSED * unsure + ENTRIES * math.log(max(entries, SMALLEST))
        self._kept = KEPT + GUESSED * unsure + KEPT_ENTRIES * math.log(max(entries, 1))

    def covered(self, text: str) -> float:
        """The share of the query's information that normalised text contains, 0 to 1."""
        found = 0.0
        for _, whole, beginning, worth in self._terms:
            if beginning in text:
                found += worth if whole in text else FORM * worth
        return found

    def held(self, entry: "Entry") -> float:
        """The share of the query's information that an entry contains (`words_of`)."""
        # Asked for several times, and reading a text takes longer than the rest of a relevance.
        key = entry.row, len(entry.text)
        held = self._held.get(key)
        if held is None:
            held = self._held[key] = self.covered(words_of(entry))
        return held

    def held_beside(self, entry: "Entry") -> float:
        """The share that only its keywords, summary, files and tags contain, and not its text."""
        beside = entry.context or entry.tags
        return self.held(entry) - self.covered(spaced(entry.text)) if beside else 0.0

    def relevance(self, score: float, coverage: float) -> float:
        """The relevance of a passage, 0 to 1, from its score and the coverage of the query by it."""
        worth = self._length * score
        odds = self._start + SCORE * worth + COVERAGE * coverage + BOTH * worth * coverage
        return 1.0 / (1.0 + math.exp(-odds))

    def remembered(self, score: float) -> float:
        """The relevance of a memory, 0 to 1, from its score without the second look."""
        return _chance(self._kept + KEPT_SCORE * math.log(max(self._wordy * score, 0.0) + LEAST))

    def understood(
        self,
        score: float,
        crowd: float,
        least: float,
        cosine: float,
        coverage: float,
        compared: int,
    ) -> float:
        """The relevance of a memory, 0 to 1, after the second look.

        `score` is the memory's score after it, `crowd` the mean score of the memories after the best
        one, `least` the cosine of the worst-matched word of the query, `cosine` that of the whole
        texts in the contextual model, `coverage` that of the query by the memory, `compared` the
        number of memories compared.
        """
        above = score - crowd
        odds = LOOKED + LOOKED_ABOVE * above + LOOKED_SQUARE * above * above
        odds += LOOKED_CROWD * crowd + LOOKED_LEAST * least
        odds += LOOKED_STRANGE * max(STRANGE - cosine, 0.0) + LOOKED_COVERED * coverage
        odds += LOOKED_WORDS * min(self._wordy, _WORDIEST) + COMPARED * math.log(max(compared, 1))
        return _chance(odds)


def noted(score: float, above: float, cosine: float) -> float:
    """The relevance of a passage of a note, 0 to 1, after the second look.

    `cosine` is that in the contextual model, `above` how much it exceeds that of the crowd.
    """
    chance = _chance(NOTED + NOTED_ABOVE * above + NOTED_SCORE * score + NOTED_COSINE * cosine)
    return chance if chance >= NOTED_LEAST else 0.0


def crowd(scores: "Iterable[float]", stranger: float = STRANGER) -> float:
    """The mean score of the CROWD memories, or notes, after the best one, after the second look."""
    after = sorted(scores, reverse=True)[1 : CROWD + 1]
    return (sum(after) + stranger * (CROWD - len(after))) / CROWD


def decreasing(relevances: "Iterable[float]") -> list[float]:
    """The nearest series that never rises: each run of hits whose order contradicts it gets its mean.

    Isotonic regression by pooling adjacent violators. The order of hits counts more than their
    relevance does, which is why both can differ.
    """
    runs: list[tuple[float, int]] = []
    for relevance in relevances:
        mean, count = relevance, 1
        while runs and runs[-1][0] < mean:
            before, many = runs.pop()
            mean = (before * many + mean * count) / (many + count)
            count += many
        runs.append((mean, count))
    return [mean for mean, count in runs for _ in range(count)]


def nothing(relevance: float, family: str, *, whole: bool = True) -> bool:
    """Whether an answer is empty, given the relevance and the family of its best hit.

    `whole` as in `Calibration`: a query of one or two words returns whatever contains them.
    """
    return relevance < (NOTHING_KEPT if whole and family == MEMORY else NOTHING)


def is_weak(hit: "Hit", best: float) -> bool:
    """Whether a hit is noise beside one of the relevance `best`.

    A session that was asked for by its time is not.
    """
    entry = hit.entry
    share = BESIDE if entry.family == MEMORY else 0.0
    if entry.source in NOTES and not entry.session:
        share = BESIDE_NOTE
    return hit.relevance < max(WEAK, share * best) and not hit.recalled


def words_of(entry: "Entry") -> str:
    """The normalised words of an entry, its context, speaker and tags, separated by single spaces."""
    beside = " ".join((entry.context, entry.speaker, *entry.tags))
    return spaced(f"{beside}\n{entry.text}")


def coverage(entries: "Mapping[int, Entry]", calibration: Calibration) -> dict[int, float]:
    """The coverage of each entry: the share of the query's information that it contains, 0 to 1.

    It keeps a passage that matches little, but belongs to a long document that matches much, from
    ranking above one that contains the whole answer. Turns of a conversation are left out: they are
    understood by the turns around them.
    """
    return {
        row: calibration.held(one)
        for row, one in entries.items()
        if one.family == MEMORY or not one.session
    }


def _chance(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))
