"""Lists whose heading says that each item is a rule or a fact that lasts: "my conventions: …". Pure.

A list is most often one of tasks, or a specification of the task at hand. So the heading has to name
rules or facts, and whose: nobody's in particular, the author's, or those of the project; and nothing
that passes ("for this release").
"""

import re

from bowerbird.sessions.learn.lasting_features import CLASSES
from bowerbird.sessions.learn.prompt_sentences import EVERYWHERE, FROM_NOW, LONGEST_PROMPT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,2}[.)])\s+(?P<text>\S.*?)\s*$")
_FACTS = (
    r"(?:facts|things (?:to|you should|you need to) (?:know|remember|keep in mind)|fakten|faits|hechos"
    r"|fatti|fatos|feiten)"
)
_RULES = (
    r"(?:rules|conventions|guidelines|standards|preferences|principles|\w*regeln|konventionen|vorgaben"
    r"|grundsätze|règles|consignes|préférences|reglas|convenciones|normas|preferencias|regole|convenzioni"
    r"|regras|convenções|regels|conventies|afspraken)"
)
_OWN = (
    r"my|our|meine|unsere|mes|nos|mis|nuestr[ao]s|(?:le )?(?:mie|nostre)|(?:as )?(?:minhas|nossas)"
    r"|mijn|onze"
)
_PROJECT = (
    r"(?:repo(?:sitory)?|project|projekt|projet|proyecto|progetto|projeto|code ?base|code|team"
    r"|dépôt)"
)
# What stands before the noun. A kind of rule ("discount rules") needs an owner, else it may specify.
_LEAD = re.compile(
    rf"(?:(?:ok(?:ay)?|hi|hey|hello|so|and|also|first|here(?:['’]s| are)|these are|there are|remember"
    r"|please|(?:follow|stick to|keep to|respect|note)|hier(?: sind)?|bitte|voici|estas son"
    r"|ecco|aqui estão)\W+)*"
    rf"(?:(?P<own>{_OWN})|a few|some|several|these|the following|general|basic|\d+|two|three|four|five"
    r"|ein paar|einige|quelques|algunas|alcune|algumas|een paar|(?:die|les|las|le|as|de))?\s*"
    rf"(?P<sort>(?:[\w'’/-]+\s+){{0,3}}?)(?P<noun>{_FACTS}|{_RULES})\b(?P<tail>[^.?!]*?)\s*:?\s*$",
    re.IGNORECASE,
)
_PLAIN_SORT = re.compile(
    rf"(?:(?:house|ground|general|basic|important|short|quick|simple|coding|working|style|{_PROJECT})\s*)*$",
    re.IGNORECASE,
)
# Behind the noun: whose they are, and since when.
_SCOPE = re.compile(
    rf"(?:\b(?:{EVERYWHERE}|{FROM_NOW}|before (?:we|you|i) (?:start|begin|go on)|here|to follow|for you"
    rf"|hier|ici|aquí|qui|aqui|about|of|for|in|on|für|pour|dans|para|en|per|voor|de"
    rf"|(?:this|our|my|the|diese[sm]?|unser\w*|das|ce|notre|est[ea]|nuestro|quest[oa]|nostro|este|nosso"
    rf"|dit|ons) {_PROJECT})\b|[\s,()–—-])*$",
    re.IGNORECASE,
)
# One thing, which is not the project: the rules end with it.
_THIS_ONE = re.compile(
    r"\b(?:this|dies\w+|cette?|est[ea]|quest[oa]|deze|dit)\s"
    rf"(?!(?:\w+ )?(?:{_PROJECT}|folder|package|workspace|ordner)\b)\w",
    re.IGNORECASE,
)
_FEWEST_ITEMS = 2
_FEWEST_WORDS = 2


def listed_rules(prompt: str) -> "Iterator[tuple[str, bool]]":
    """Yield the items of the lists of rules in a prompt, each so that it is understood alone.

    And whether it is a fact rather than a rule.
    """
    lines = [one for one in prompt.split("\n") if one.strip()]
    if len(prompt) > LONGEST_PROMPT:
        return
    for at, line in enumerate(lines):
        heading = None if _ITEM.match(line) else _heading(line, first=not at)
        items = _items(lines[at + 1 :])
        if heading is None or len(items) < _FEWEST_ITEMS:
            continue
        is_fact = bool(re.match(_FACTS, heading["noun"], re.IGNORECASE))
        for item in items:
            few = len(re.findall(r"\w+", item)) < _FEWEST_WORDS
            text = f"{heading.string.rstrip(' :')}: {item}" if few or _is_topic(heading) else item
            if not (item.endswith("?") or CLASSES["this moment"].search(item)):
                yield text, is_fact


def _heading(line: str, *, first: bool) -> "re.Match[str] | None":
    """Return what a line says of the list below it; None if that is no list of rules."""
    said = re.split(r"[.!?]\s+", line.strip())[-1]
    found = _LEAD.match(said)
    passes = any(
        one.search(said) for one in (CLASSES["this moment"], CLASSES["elsewhere"], _THIS_ONE)
    )
    if found is None or passes:
        return None
    plain = _PLAIN_SORT.match(found["sort"]) and _SCOPE.match(found["tail"])
    # "Add the discount. Rules: …" specifies what is to be added.
    alone = found["tail"].strip() or (first and said == line.strip())
    return found if found["own"] or (plain and alone) else None


def _is_topic(heading: "re.Match[str]") -> bool:
    """Return whether a heading says what the rules are about, or that they hold in all projects."""
    plain = _PLAIN_SORT.match(heading["sort"]) and _SCOPE.match(heading["tail"])
    return not plain or bool(re.search(EVERYWHERE, heading["tail"], re.IGNORECASE))


def _items(lines: list[str]) -> list[str]:
    found = []
    for line in lines:
        item = _ITEM.match(line)
        if item is None:
            break
        found.append(item["text"])
    return found
