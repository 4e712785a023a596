"""What people say in passing and mean for good; and what they want built now. Pure.

A sentence is weighed by what it shows of some signs: whether it speaks of a kind of thing or of one, of
every time or of this one, of us or of the program, and so on. The weights are those of a logistic
regression on the sentences of `tests/data/said.tsv`, which were written for it (`benchmarks/said.py`
works them out and tells how right they are on sentences that they were not worked out by).
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
# What is to be added where a sentence commands for good by its form (`sentences.py`), the least that a
# sentence must weigh, and where the scale begins.
RULED, LEAST = 1.4, 0.8
# What asks, what only might be, what somebody else said or was told, and what takes back.
_NO = re.compile(
    r"\?|^(?:can|could|would|should|do(?! not\b|n)|does|did|is|are|was|were|why|what(?! i)"
    r"|which|where|who|how|have|has|let me|find out|find|check|explain|warum|wieso|pourquoi"
    r"|¿)\b|^(?:if i (?:told|asked)|suppose|imagine|would you|earlier|my (?:old|last"
    r"|former)|haha|oh sure)|\b(?:lol|haha\w*|jaja\w*|take (?:that|it) back|forget (?:it"
    r"|that)|never mind|insisted|used to say|i told (?!you\b))\b|🙄|😂",
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


def weight(text: str) -> float:
    """How much a sentence holds for good by its words; what somebody else said does not count."""
    own = _QUOTED.sub(lambda one: one[0] if len(one[0].split()) <= _FEW_WORDS else '"x"', text)
    return BEGIN + sum(weight for weight, sign in SIGNS if sign.search(own))


def leads_off(text: str) -> bool:
    """Whether a sentence asks, supposes, tells of others, or leans on what was said before it."""
    return bool(_NO.search(text) or _LEANS.search(text))


def to_be_built(text: str) -> bool:
    """Whether a sentence tells what one thing must always or never do: it is to be built so."""
    return bool(_SPEC.search(text))
