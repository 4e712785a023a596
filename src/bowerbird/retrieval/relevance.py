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
    from collections.abc import Collection, Mapping

    from bowerbird.core.types import Entry

# Log-odds: at the start; for a score of 1, times ln(1 + words of the question); for a question held
# whole; for one that is guessed whole; for each factor e of the store's size. Fitted on LoCoMo, BEAM,
# XQuAD in English, and a conversation of LoCoMo among 37,000 other passages. The floor that keeps 90 %
# of true answers lets through .17 of the questions without one (LoCoMo and BEAM, AUROC .94; fitted on
# the other sets alone .17 and .19). Without the size, what lets through .11 of them in a conversation
# of 629 passages lets through .73 once it stands among 37,000; with it, .23.
INTERCEPT = -2.9
SCORE = 5.1
COVERAGE = 5.4
GUESSED = -1.5
ENTRIES = -0.36
# The same of a memory at the second look: at the start; for a score of 1 at the first look; for a
# cosine that stands out by 1 from that of all memories; for each factor e of the question's words, and of
# the memories compared. Fitted on 450 questions of five English projects, each asked among its own 40
# memories and among all 200. With each project left out in turn, what .05 of the questions about
# something else reach is reached by .54 of the paraphrased ones, .87 of those that share a word with
# their memory and .67 of tasks (.41, .76 and .63 among 200).
LOOKED = -3.65
LOOKED_SCORE = 5.0
STANDS_OUT = 14.9
LOOKED_WORDS = 1.1
COMPARED = -0.78
# The mean cosine of a question with the memories of a project, and how many of these it counts as: of
# three memories, all about what is asked for, none stands out from the others.
USUAL, AS_MANY = 0.1, 20
# What it counts to hold another form of a word instead of the word itself.
FORM = 0.5
# An answer whose best hit stays below is no answer. A hit of no score and no word has .010. Where whole
# sessions are asked for, .05 emptied 25 of 997 answers and cost .008 R@10, and .002 on SciFact; .02 costs
# .001 on both. Of the questions without an answer either leaves most: whoever must not be wrong asks
# for a floor (`query.min_score`; .3 leaves .16 of them on LoCoMo).
NOTHING = 0.02


class Calibration:
    """Turns scores of one question into relevance; made once a question.

    The more words a question has, the more an equal score says: a share of many words is less easily
    reached by chance. The more entries a store has, the less it says: of many, some match by chance.
    """

    __slots__ = ("_start", "_terms", "_weight", "_words")

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
        self._words = math.log(1 + len(information))
        self._weight = SCORE * self._words
        unsure = sum(worth for term, *_, worth in self._terms if term in guessed)
        self._start = INTERCEPT + GUESSED * unsure + ENTRIES * math.log(max(entries, SMALLEST))

    def covered(self, text: str) -> float:
        """The share of the question's information that a run of words holds, 0 to 1."""
        found = 0.0
        for _, whole, beginning, worth in self._terms:
            if beginning in text:
                found += worth if whole in text else FORM * worth
        return found

    def relevance(self, score: float, text: str) -> float:
        """0 to 1 for a hit, from its score and its words (`words_of`)."""
        odds = self._start + self._weight * score + COVERAGE * self.covered(text)
        return 1.0 / (1.0 + math.exp(-odds))

    def understood(self, score: float, cosine: float, usual: float, compared: int) -> float:
        """0 to 1 for a memory that the contextual model read too.

        `score` is that of the first look, `usual` the mean cosine of all memories that were `compared`.
        """
        usual = (usual * compared + USUAL * AS_MANY) / (compared + AS_MANY)
        odds = LOOKED + LOOKED_SCORE * score + STANDS_OUT * (cosine - usual)
        odds += LOOKED_WORDS * self._words + COMPARED * math.log(max(compared, 1))
        return 1.0 / (1.0 + math.exp(-odds))


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
