"""How sure we are that a hit answers the question: absolute, so that "nothing" can be an answer."""

import math

# Logistic regression on LoCoMo and BEAM questions, half asked where their answer is, half in another
# conversation's store with the names swapped.
INTERCEPT = -3.0
LEXICAL = 5.0
DENSE = 3.0


def relevance(lexical: float, cosine: float) -> float:
    """0 to 1 from a hit's own share of the achievable BM25 and its cosine; monotone in both."""
    return 1.0 / (1.0 + math.exp(-(INTERCEPT + LEXICAL * lexical + DENSE * max(cosine, 0.0))))
