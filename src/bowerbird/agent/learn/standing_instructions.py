"""Classifies sentences that state a lasting rule in passing, and requests for this task. Pure.

A sentence is scored by weighted signs: whether it is about a kind of thing or one thing, every time or
this time, the team or the program, and so on; and by its length and that of its prompt, as most of a long
prompt of several lines is pasted. The weights are those of a logistic regression on prompts that were
written for it (`tests/data`), with recorded prompts as counter-examples (`benchmarks/said.py` computes
them, and reports precision and recall on prompts of writers that were left out).
"""

import re

from bowerbird.agent.learn.instruction_features import BEGIN, SIGNS

# Verbs of instructions to an agent.
DO = (
    r"(?:add|answer|ask|avoid|branch|build|call|change|check|commit|create|deploy|delete|do|edit"
    r"|ensure|explain"
    r"|fix|follow|format|give|go|ignore|implement|import|include|install|keep|leave|let|link|list"
    r"|look|make"
    r"|merge|mock|name|open|place|prefer|prefix|push|put|read|rebase|refactor|remove|rename|reply|respond"
    r"|return|review|revert|rewrite|run|save|send|show|skip|squash|start|stop|store|tell|test|touch"
    r"|treat|try"
    r"|update|use|validate|verify|wait|wrap|write)"
)
# A requirement for the task at hand: what one thing must always or never do.
_SPEC = re.compile(
    r"^(?:the|it|this|that|each|if\b.*, (?:it|the \w+)|if there\b.* (?:it"
    r"|the \w+)) ?(?:[\w-]+ ){0,3}?(?<!s )(?:must|should|shall|has to|needs to|will)\b",
    re.IGNORECASE,
)
# Score added if a sentence has the form of a standing command (`sentences.py`), otherwise per 500
# characters of its prompt, and if that has several lines; per ten of its words; and the threshold. Of the
# prompts of the fit 24 % state a rule, in real work far fewer, so a sentence needs more than even odds.
# Sentences of that form have 1.0 more than the fit gave: explicit rules are rare but certain. Precision
# and recall of four writers, each left out, pooled: .86 and .33, and false positives in 2 of 904 recorded
# prompts. At 0, without the 1.0: .86 and .48 of three, 14 of 904, and of the fourth .53 and .45.
RULED, BY_WORDS, BY_LENGTH, BY_LINES = 2.3, 0.4, -1.3, -1.3
LEAST = 1.0
_TEN, _MOST_WORDS, _LONG = 10, 25, 500
# Tolerance for sums of tenths in another order.
_TINY = 1e-9
# Questions, hypotheses, reports of what somebody else said or was told, retractions, and remarks on
# something that has just happened or on one thing (“…, it's a quote”).
_NO = re.compile(
    r"\?|^(?:can|could|would|should|do(?! not\b|n)|does|did|is|are|was|were|why|what(?! i)"
    r"|which|where|who|how|have|has|let me|find out|find|check|explain|warum|wieso|pourquoi"
    r"|you think|any (?:ideas?|thoughts?|suggestions?)|¿)\b"
    r"|^(?:if i (?:told|asked)|suppose|imagine|would you|earlier|my (?:old|last|former)|haha|oh sure)"
    r"|\b(?:lol|haha\w*|jaja\w*|take (?:that|it) back|forget (?:it|that)|never mind|insisted"
    r"|used to say|i told (?!you\b)|just (?:\w+ed|hung|broke|went))\b|, it'?s an? \w+[.!]?$|🙄|😂",
    re.IGNORECASE,
)
# A reference to something named before: such a sentence is not self-contained.
_LEANS = re.compile(
    r"^(?:(?:please|always|never|don'?t|do not|just|next time|and)\s+)*(?!hate|love|like)\w+ "
    r"(?:it|them|that|this|these|those)\b(?! (?:when|way|project|repo))",
    re.IGNORECASE,
)
# Quoted words of others.
_QUOTED = re.compile(r"[\"“„«][^\"”“»]*[\"”“»]")
_FEW_WORDS = 3


def own_words(text: str) -> str:
    """Return a sentence without longer quotations."""
    return _QUOTED.sub(lambda one: one[0] if len(one[0].split()) <= _FEW_WORDS else '"x"', text)


def form(text: str, prompt: str, *, ruled: bool) -> tuple[float, float, float, float]:
    """Return the scores for a sentence's form, its length, and the length and lines of its prompt.

    Long prompts of several lines may list rules, too: a sentence of that form is not penalised.
    """
    words = min(len(text.split()), _MOST_WORDS) / _TEN
    if ruled:
        return 1.0, words, 0.0, 0.0
    return 0.0, words, len(prompt) / _LONG, float("\n" in prompt.strip())


def states_rule(text: str, prompt: str, *, ruled: bool) -> bool:
    """Return whether a sentence of a prompt states a lasting rule, by its words and its place."""
    weights = (RULED, BY_WORDS, BY_LENGTH, BY_LINES)
    scores = form(text, prompt, ruled=ruled)
    total = BEGIN + sum(one * by for one, by in zip(scores, weights, strict=True))
    own = own_words(text)
    for more, weight, sign in _BY_WEIGHT:
        if total + more < LEAST - _TINY:
            return False  # no remaining sign can make up for it
        if sign.search(own):
            total += weight
    return total >= LEAST - _TINY


def _by_weight() -> "list[tuple[float, float, re.Pattern[str]]]":
    """Return the signs with the maximum that each and all after it can add, positive ones first."""
    signs = sorted((one for one in SIGNS if one[0]), key=lambda one: (one[0] < 0, -abs(one[0])))
    adding = [max(0.0, weight) for weight, _ in signs]
    return [(sum(adding[at:]), *one) for at, one in enumerate(signs)]


_BY_WEIGHT = _by_weight()


def leads_off(text: str) -> bool:
    """Return whether a sentence asks, supposes, reports others' words, or refers to earlier text."""
    return bool(_NO.search(text) or _LEANS.search(text))


def to_be_built(text: str) -> bool:
    """Return whether a sentence is a requirement on one thing, for the task at hand."""
    return bool(_SPEC.search(text))
