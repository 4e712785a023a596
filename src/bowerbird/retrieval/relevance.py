"""How sure we are that a hit answers the question: absolute, so that "nothing" can be an answer.

Pure. Logistic regression over LoCoMo and BEAM questions: evidence where a question belongs, against
the first three hits of another conversation's store with the names swapped.
"""

import math

from bowerbird.retrieval.snippet import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

# AUROC .899 on LoCoMo and .878 on BEAM; the score alone reaches .890 and .878.
INTERCEPT = -3.94
SCORE = 10.52
COVERAGE = 3.47
# An answer whose best hit stays below is no answer. Of true answers all
# stay, and questions of another domain fall under it. A higher floor is the asker's choice: .4 keeps
# .87 and .95 and leaves .27 and .48 of the questions that have no answer.
NOTHING = 0.1


def relevance(score: float, coverage: float) -> float:
    """0 to 1 from a hit's score and the share of the question's information that it holds."""
    return 1.0 / (1.0 + math.exp(-(INTERCEPT + SCORE * score + COVERAGE * coverage)))


def covered(held: "Collection[str]", information: "Mapping[str, float]") -> float:
    """The share of a question's information whose terms are among the words of an entry, 0 to 1."""
    total = sum(information.values())
    if not total:
        return 0.0
    run = " " + " ".join(held)
    found = sum(worth for term, worth in information.items() if f" {stem(term)}" in run)
    return found / total
