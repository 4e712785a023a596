"""How sure we are that a hit answers the question: absolute, so that "nothing" can be an answer.

Pure. A logistic regression over answers, half of them to questions that the store cannot answer
(`benchmarks/relevance.py` repeats the fit, `bower bench nothing` measures what comes of it).
"""

import math

from bowerbird.core.excerpt import stem
from bowerbird.core.text import spaced
from bowerbird.core.types import MEMORY
from bowerbird.retrieval.analyse import SMALLEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from bowerbird.core.types import Entry

# Log-odds: at the start; for a score of 1, times ln(1 + words of the question); for a question held
# whole; for both, as their product; for a question that is guessed whole; for each factor e of the
# store's size. Fitted on LoCoMo, BEAM, XQuAD in English, and a conversation of LoCoMo among 37,000 other
# passages, the product with the others as they stood. The floor that keeps 90 % of true answers lets
# through .154, .152 and .106 of the questions without one (AUROC .94, .94 and .95; .154, .158 and .108
# without the product, as good from .7 to 1.4 of it). Without the size, what lets through .11 of them in a
# conversation of 629 passages lets through .73 once it stands among 37,000; with it, .23.
INTERCEPT = -2.9
SCORE = 5.1
COVERAGE = 5.4
BOTH = 1.0
GUESSED = -1.5
ENTRIES = -0.36
# The same of a memory, which is short, stands by itself and is asked for in other words. At the first
# look: at the start; for each factor e of the score, times ln(1 + words of the question), and LEAST, by
# which no score is no certainty; for each factor e of the store's size. At the second: at the start; for
# a score of 1 above the CROWD, the memories that come right after the best one, for its square, and for a
# score of 1 of the crowd itself: whoever asks what a project never wrote down finds many memories about
# equally near, an answer stands out; for a cosine of 1 with the words of the question that are met worst;
# for what the cosine lacks of STRANGE, below which a memory is about something else, however it stands
# out; for a question held whole, since the score counts words more than an answer does; for each factor e
# of the question's words, and of the memories compared. Fitted on the questions of fifteen projects by
# `benchmarks/memories.py`; `benchmarks/memories.md` has what comes of it.
KEPT, KEPT_SCORE, KEPT_ENTRIES = 4.2, 2.2, -0.44
LEAST = 0.02
LOOKED, LOOKED_ABOVE, LOOKED_SQUARE, LOOKED_CROWD, LOOKED_LEAST = -5.3, 4.12, 1.42, 0.33, 0.83
LOOKED_STRANGE, LOOKED_HELD, LOOKED_WORDS, COMPARED = -2.5, -0.6, 1.85, -0.05
STRANGE = 0.3
# The size of the crowd; each that a small store lacks counts as one that is about something else.
CROWD, STRANGER = 5, 0.2
# A question for a memory counts as one of at least this number of words: few of one word were measured.
FEWEST_WORDS = 3
# What it counts to hold another form of a word instead of the word itself.
FORM = 0.5
# An answer whose best hit stays below is no answer. A hit of no score and no word has .010. Where whole
# sessions are asked for, .05 emptied 25 of 997 answers and cost .008 R@10, and .002 on SciFact; .02 costs
# .001 on both. Of the questions without an answer either leaves most: whoever must not be wrong asks
# for a floor (`query.min_score`; .3 leaves .16 of them on LoCoMo).
NOTHING = 0.02
# The same where the best hit is a memory: .08 empties one of 381 answers that hold the right one, and 21
# of 48 to questions about something else; .07 none, and 15.
NOTHING_KEPT = 0.08


class Calibration:
    """Turns scores of one question into relevance; made once a question.

    The more words a question has, the more an equal score says: a share of many words is less easily
    reached by chance. The more entries a store has, the less it says: of many, some match by chance.
    """

    __slots__ = ("_kept", "_length", "_start", "_terms", "_wordy", "whole")

    def __init__(
        self, information: "Mapping[str, float]", guessed: "Collection[str]", entries: int
    ) -> None:
        """`information` by term, the terms that were `guessed` for misspelt ones, the store's size."""
        total = sum(information.values()) or 1.0
        # A blank before and after, as in a run of words: one search finds it, or a word that begins so.
        self._terms = [
            (term, f" {term} ", f" {stem(term)}", worth / total)
            for term, worth in information.items()
        ]
        # Whether it is a question, not a word or two to look up.
        self.whole = len(information) >= FEWEST_WORDS
        self._wordy = math.log(1 + max(len(information), FEWEST_WORDS))
        self._length = math.log(1 + len(information))
        unsure = sum(worth for term, *_, worth in self._terms if term in guessed)
        self._start = INTERCEPT + GUESSED * unsure + ENTRIES * math.log(max(entries, SMALLEST))
        self._kept = KEPT + GUESSED * unsure + KEPT_ENTRIES * math.log(max(entries, 1))

    def covered(self, text: str) -> float:
        """The share of the question's information that a run of words holds, 0 to 1."""
        found = 0.0
        for _, whole, beginning, worth in self._terms:
            if beginning in text:
                found += worth if whole in text else FORM * worth
        return found

    def relevance(self, score: float, text: str) -> float:
        """0 to 1 for a passage, from its score and its words (`words_of`)."""
        worth, held = self._length * score, self.covered(text)
        return _chance(self._start + SCORE * worth + COVERAGE * held + BOTH * worth * held)

    def remembered(self, score: float) -> float:
        """0 to 1 for a memory, from its score at the first look."""
        return _chance(self._kept + KEPT_SCORE * math.log(max(self._wordy * score, 0.0) + LEAST))

    def understood(
        self, score: float, crowd: float, least: float, cosine: float, text: str, compared: int
    ) -> float:
        """0 to 1 for a memory that the contextual model read too.

        `score` is that of the second look, `crowd` what others have there, `least` how the words of the
        question are met that are met worst, `cosine` that of the contextual model, `text` the memory's
        words (`words_of`), `compared` the number of memories that were compared.
        """
        above = score - crowd
        odds = LOOKED + LOOKED_ABOVE * above + LOOKED_SQUARE * above * above
        odds += LOOKED_CROWD * crowd + LOOKED_LEAST * least
        odds += LOOKED_STRANGE * max(STRANGE - cosine, 0.0) + LOOKED_HELD * self.covered(text)
        odds += LOOKED_WORDS * self._wordy + COMPARED * math.log(max(compared, 1))
        return _chance(odds)


def crowd(scores: "Iterable[float]") -> float:
    """The mean score of the memories that come right after the best one, by the second look."""
    after = sorted(scores, reverse=True)[1 : CROWD + 1]
    return (sum(after) + STRANGER * (CROWD - len(after))) / CROWD


def nothing(relevance: float, family: str, *, whole: bool = True) -> bool:
    """Whether an answer whose best hit is so relevant and of that family is no answer.

    `whole` as in `Calibration`: whoever looks up a word is shown what holds it.
    """
    return relevance < (NOTHING_KEPT if whole and family == MEMORY else NOTHING)


def words_of(entry: "Entry") -> str:
    """The words of an entry, of its tags, of what it stands under, and of who says it, in one run."""
    beside = " ".join((entry.context, entry.speaker, *entry.tags))
    return spaced(f"{beside}\n{entry.text}")


def coverage(entries: "Mapping[int, Entry]", calibration: Calibration) -> dict[int, float]:
    """The share of the question's information that each entry holds, whatever else it says.

    Else a passage that shares little with the question, but stands in a long document that shares
    much, comes before one that says it all. Turns of a conversation are left out: they are understood
    by the turns beside them.
    """
    return {
        row: calibration.covered(words_of(one))
        for row, one in entries.items()
        if one.family == MEMORY or not one.session
    }


def _chance(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))
