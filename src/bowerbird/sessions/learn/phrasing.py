"""How a text is put: its identifiers, whether it is whole, an order, or the same as another one. Pure."""

import re

from bowerbird.guard.privacy import private

# An identifier: quoted, a path, or with inner capitals or underscores.
_NAME = re.compile(
    r"`[^`]*[A-Za-z_]{3}[^`]*`|\b[\w-]+/[\w./-]+\w|\b\w+\.(?:go|py|ts|tsx|js|rs|rb|java|json|toml|ya?ml"
    r"|md|sh|c|h"
    r"|cpp|kt|swift|php|sql)\b|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w+|\b[a-z]+_[a-z_]+\b"
)
# The imperative: in a message of an agent a plan, in that of a commit what was done. Known by its verb,
# or by what follows: a noun that is the subject is not followed by another one.
_ORDERS = re.compile(
    r"^(?i:(?:\w+ly |(?:also|now|so|then|instead|just|always|never) )?(?:do(?:n't| not)|move|add"
    r"|use|make|keep|extract|replace|change|remove|set|check|run|call|handle|store|pass|return"
    r"|update|ensure|consider|avoid|skip|create|fix|try|read|write|put|rename|revert|delete|wrap"
    r"|disable|enable|adjust|eliminate|include|introduce|exempt|pick|optimi[sz]e|cache|modify"
    r"|switch|invoke|append|send|ignore|open|detect|initiali[sz]e|depend|warn|print|parse|allow"
    r"|require|drop|bump|clarify|refactor|rework|split|merge|prefer|limit|restrict|force|default"
    r"|convert|let|treat|raise|throw|log|document|mark|expose|hide|accept|reject|strip|validate"
    r"|support|implement|improve|simplify|restore|reset|load|fall|guard|stop|start|reuse|share|cap"
    r"|clamp|defer|retry|catch|release|close|lock|pin|upgrade|install|build|generate|sort"
    r"|normali[sz]e|escape|quote|record|report|mention|note|omit|prevent|preserve|propagate|refuse"
    r"|rely|render|resolve|respect|rewrite|save|select|show|track|translate|trim|turn|unify|verify"
    r"|wait|choose|emit|export|import|fetch|flush|give|join|leave|look|compile|define|dump|bring|format|arrange|match|order"
    r"|override)\b)"
    r"|^(?:(?i:\w+ly|also|now|so|then|always|never) )?(?!(?i:the|a|an|our|its|in|on|at|by|for|of"
    r"|with|from|to|as|if|when|while"
    r"|since|after|before|until|unless|because|once|under|over|per|via|than|without|despite|unlike|like"
    r"|given|although|though|whereas"
    r"|most|some|many|such|what|not|both|only|even|all|no|any|each|every|is|are|was|were|does|did|has|had"
    r"|can|but|and|or|during|within|outside|inside)\b)"
    r"[A-Za-z][a-z]*(?:[a-rt-z]|ss)(?<!ed)(?<!ing) (?:(?:up|out|off|for|down) )?"
    r"(?:(?:the|a|an|all|any|each|every|its|their|our|no|both)\b|`|(?!v?\d)[a-z]\w*[_/.(]\w|%)"
)
_CONDITION = re.compile(r"(?i)^(?:if|when|on|in|for|once|after|before|until)\b[^,]*, ")
# Direct address, and accounts of who did what in the conversation.
_TALK = re.compile(
    r"(?i)\b(?:you|your|i|i'm|i've|i'll|my|let me|users? (?:asked|clarified|wanted|said|noted|pointed)"
    r"|above|below)\b"
)
# Two sentences are the same if they share this part of the shorter one's words.
_SAME = 0.6
_LINK = re.compile(r"https?://")


def same(one: str, other: str) -> bool:
    """Return whether two texts, in lower case, share enough of the shorter one's words to be the same."""
    ours, theirs = set(one.split()), set(other.split())
    return len(ours & theirs) >= _SAME * min(len(ours), len(theirs))


def names(text: str) -> int:
    """Return the number of different identifiers in a text."""
    return len(set(_NAME.findall(text)))


def whole(text: str) -> bool:
    """Return whether a text is not truncated and does not refer to one machine or to the conversation."""
    paired = text.count("`") % 2 == 0 and text.count("(") == text.count(")")
    elsewhere = private(text) or _LINK.search(text) or _TALK.search(text)
    return paired and not elsewhere and "…" not in text


def is_order(text: str) -> bool:
    """Return whether a sentence is an imperative, also behind a condition: “On macOS, use …”."""
    condition = _CONDITION.match(text)
    return bool(_ORDERS.match(text[condition.end() :] if condition else text))
