"""Recognises a sentence by which a person says that something is no longer as it was. Pure.

In English, German, French, Spanish, Italian, Portuguese and Dutch.
"""

import re

_CHANGED = (
    r"moved|renamed|replaced|dropped|migrated|switched|upgraded|changed|raised|lowered|pushed|gone|out|dead"
    r"|retired|left|over"
)
_TELLS = re.compile(
    r"\b(?:now|no longer|any ?more|no more|these days|meanwhile|in the meantime|instead"
    r"|from (?:now|here|today|this \w+|next \w+|\w+day)(?: \w+)? on(?:wards?)?|as (?:of|from)"
    r"|since (?:the|last|yesterday|\w+day)|change of plan|correction|took over|(?:moves?|goes) to|the new"
    r"|(?:got|is|are|was|were|has been|have been|been|it'?s been|has|have|we|i|they) "
    rf"(?:\w+ )?(?:{_CHANGED})"
    r"|ab (?:jetzt|sofort|heute|morgen|nächste[rmn]? \w+|diese[rmn]? \w+)|jetzt|nicht mehr|inzwischen"
    r"|statt(?:dessen)?|seit (?:heute|gestern)|künftig|neuerdings"
    r"|désormais|maintenant|ne \S+ plus|à partir d\w+|dorénavant"
    r"|ahora|ya no|desde (?:hoy|ayer)|a partir de|en vez de"
    r"|adesso|ora|non (?:\w+ )?più|d'ora in|da (?:oggi|ieri)|agora|já não|não \w+ mais"
    r"|nu|niet (?:meer|langer)|voortaan|vanaf)\b",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(r"[,;:]\s| [–—-]+ |(?<=[.!?])\s")
_FEWEST_WORDS = 4


def tells_a_change(sentence: str) -> bool:
    """Return whether a sentence says that something is otherwise than before."""
    return bool(_TELLS.search(sentence))


def clauses(text: str) -> list[str]:
    """Return a text, and those of its clauses that have a few words."""
    parts = (part.strip() for part in _CLAUSE_ENDS.split(text))
    return [text, *(part for part in parts if len(part.split()) >= _FEWEST_WORDS and part != text)]
