"""What people say in passing and mean for good; and what they want built now. Pure.

A sentence is weighed by what it shows of some signs: whether it speaks of a kind of thing or of one, of
every time or of this one, of us or of the program, and so on; and by how long it and its prompt are: in
long prompts of several lines most is pasted. The weights are those of a logistic regression on prompts
that were written for it (`tests/data`), with recorded prompts as counter-examples (`benchmarks/said.py`
works them out and tells how right they are on prompts of writers that they were not worked out by).
"""

import re

from bowerbird.agent.learn.signs import BEGIN, SIGNS

# What an agent is told to do.
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
# What is to be built now: the one thing that must always or never.
_SPEC = re.compile(
    r"^(?:the|it|this|that|each|if\b.*, (?:it|the \w+)|if there\b.* (?:it"
    r"|the \w+)) ?(?:[\w-]+ ){0,3}?(?<!s )(?:must|should|shall|has to|needs to|will)\b",
    re.IGNORECASE,
)
# What is to be added where a sentence commands for good by its form (`sentences.py`), and otherwise for
# 500 characters of its prompt, and where that has several lines; for ten of its words; and the least that
# it must weigh: at 0, precision and recall of three writers, each left out, are .97 and .57, .88 and .49,
# .78 and .42; what is heard waits for a review, so that a miss costs more than a false one.
RULED, BY_WORDS, BY_LENGTH, BY_LINES = 1.3, 0.5, -1.5, -1.3
LEAST = 0.0
_TEN, _MOST_WORDS, _LONG = 10, 25, 500
# Sums of tenths in another order differ by so little.
_TINY = 1e-9
# What asks, what only might be, what somebody else said or was told, what takes back, and what is said
# for something that has just happened or for one thing (“…, it's a quote”).
_NO = re.compile(
    r"\?|^(?:can|could|would|should|do(?! not\b|n)|does|did|is|are|was|were|why|what(?! i)"
    r"|which|where|who|how|have|has|let me|find out|find|check|explain|warum|wieso|pourquoi"
    r"|you think|any (?:ideas?|thoughts?|suggestions?)|¿)\b"
    r"|^(?:if i (?:told|asked)|suppose|imagine|would you|earlier|my (?:old|last|former)|haha|oh sure)"
    r"|\b(?:lol|haha\w*|jaja\w*|take (?:that|it) back|forget (?:it|that)|never mind|insisted"
    r"|used to say|i told (?!you\b)|just (?:\w+ed|hung|broke|went))\b|, it'?s an? \w+[.!]?$|🙄|😂",
    re.IGNORECASE,
)
# What was named before: such a sentence does not stand alone.
_LEANS = re.compile(
    r"^(?:(?:please|always|never|don'?t|do not|just|next time|and)\s+)*(?!hate|love|like)\w+ "
    r"(?:it|them|that|this|these|those)\b(?! (?:when|way|project|repo))",
    re.IGNORECASE,
)
# Words of others, in quotes.
_QUOTED = re.compile(r"[\"“„«][^\"”“»]*[\"”“»]")
_FEW_WORDS = 3


def own_words(text: str) -> str:
    """A sentence without what somebody else said."""
    return _QUOTED.sub(lambda one: one[0] if len(one[0].split()) <= _FEW_WORDS else '"x"', text)


def place(text: str, prompt: str, *, ruled: bool) -> tuple[float, float, float, float]:
    """Whether a sentence commands by its form, and how long it and its prompt are, as they are weighed.

    Rules are listed in long prompts of several lines, too.
    """
    words = min(len(text.split()), _MOST_WORDS) / _TEN
    if ruled:
        return 1.0, words, 0.0, 0.0
    return 0.0, words, len(prompt) / _LONG, float("\n" in prompt.strip())


def holds(text: str, prompt: str, *, ruled: bool) -> bool:
    """Whether a sentence of a prompt holds for good by its words and its place."""
    weights = (RULED, BY_WORDS, BY_LENGTH, BY_LINES)
    placed = place(text, prompt, ruled=ruled)
    total = BEGIN + sum(one * by for one, by in zip(placed, weights, strict=True))
    own = own_words(text)
    for more, weight, sign in _BY_WEIGHT:
        if total + more < LEAST - _TINY:
            return False  # nothing that is still to be looked for makes up for it
        if sign.search(own):
            total += weight
    return total >= LEAST - _TINY


def _by_weight() -> "list[tuple[float, float, re.Pattern[str]]]":
    """The signs with what all from each one on add at most: first those for it, the weightiest first."""
    signs = sorted((one for one in SIGNS if one[0]), key=lambda one: (one[0] < 0, -abs(one[0])))
    adding = [max(0.0, weight) for weight, _ in signs]
    return [(sum(adding[at:]), *one) for at, one in enumerate(signs)]


_BY_WEIGHT = _by_weight()


def leads_off(text: str) -> bool:
    """Whether a sentence asks, supposes, tells of others, or leans on what was said before it."""
    return bool(_NO.search(text) or _LEANS.search(text))


def to_be_built(text: str) -> bool:
    """Whether a sentence tells what one thing must always or never do: it is to be built so."""
    return bool(_SPEC.search(text))
