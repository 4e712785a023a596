"""Detects which sentences of people are lasting rules, and not about one moment. Pure.

English by sentence structure; German, French and Spanish by explicit words.
"""

import re

from bowerbird.agent.learn.standing_instructions import DO as _DO
from bowerbird.agent.learn.standing_instructions import leads_off, states_rule, to_be_built

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# In characters; longer prompts are pasted specifications, logs or mail.
LONGEST_PROMPT = 1_500
_LONGEST, _FEWEST_WORDS = 300, 4
_CODE = re.compile(r"(?s)```.*?(?:```|\Z)")
# A line that begins like this is quoted, from a chat, listed output or a heading, not typed by the user.
_QUOTED = re.compile(r"^\s*(?:>|\||#|\$|❯|⏺|⎿|\+\+\+|---|diff |@@|\d+[:→]|\[?\d+:\d\d\b)")
_ENDS = re.compile(r"(?<=[.!?])[\"')]*\s+(?=[A-Z`\"'(]|[a-z]+ )|\n+|;\s+(?=[a-z])")
_LEAD = re.compile(
    r"^(?:(?:[-*•]|\d+[.)])\s+|(?:ok(?:ay)?|yes|yeah|yep|no(?=[,.:!–—-])|nope|hmm+|well|so|and|but|also"
    r"|oh|ah|hey"
    r"|please|pls|btw|by the way|(?:just )?remember|note|important|actually|one (?:more )?thing"
    r"|that's good|not like (?:that|this)"
    r"|perfect|great|wait|stop|sure|thanks|for the record|keep in mind(?: that)?)\b[\s,.:!–—-]*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(r",?\s*(?:please|pls|ok(?:ay)?|thanks?(?: you)?)\s*[.!]*$", re.IGNORECASE)
_MUST = (
    r"(?:must|should|shall|has to|have to|needs?|belongs?|(?:is|are) (?:not )?(?:allowed|required"
    r"|forbidden))"
)
_WHEN = r"(?:(?:when|if|after|before|in|for)\b[^,]*,\s*)?"
_EVERYWHERE = (
    r"(?:everywhere|throughout|in (?:this|our|the) (?:repo(?:sitory)?|project|code ?base)|in all\b"
    r"|for all\b"
    r"|for every\b|by default|never|at all times)"
)
_OURS = r"(?:here|instead|not|only|repo|project|codebase|tests?|code)"
_NOT, _STATES = r"(?:don'?t|do not)", r"(?:need|want|have|know|see|think|care)"
# Words that make an instruction lasting, whatever its subject.
_RULES = tuple(
    re.compile(one, re.IGNORECASE)
    for one in (
        rf"^{_WHEN}(?:you (?:must|should|have to|need to) )?(?:always|never)\s+(?:ever )?{_DO}\b",
        r"\b(?:we|you|one) (?:always|never) \w+",
        rf"\bso (?:always|never) {_DO}\b",
        r"\bmust (?:always|never|not)\b|\bshould (?:always|never)\b",
        (
            r"\bfrom now on\b|\bfrom here on\b(?! (?:the|it|in|out))|\bmake it a rule\b|\bgoing forward\b"
            r"|\bin (?:the )?future\b(?! work)"
        ),
        r"\b(?:every|each) (?:single )?time\b|\bnext time\b|\bas a rule\b",
        r"\b(?:our|that'?s a|that'?s the|this is a|this is our) (?:rule|convention|policy|code style)\b",
        rf"^(?:whenever|every time|each time|(?:after|before) (?:every|each|any))\b.*\b{_DO}\b",
        rf"\b(?:don'?t|do not) (?:ever\b|{_DO}\b.*\bunless\b)",
        rf"\bwe (?:{_NOT} (?!{_STATES})|never\b|only\b|prefer\b|use\b).*\b{_OURS}\b",
        r"^(?:for|in) [\w .+#-]{1,40},? we (?:only |always )?use\b",
        r"^i (?:always )?prefer \w+(?:\s\w+)* (?:over|to|rather than|instead of)\b",
        r"^i (?:always )?prefer [a-z]+ \w+s\b",
        r"^i (?:don'?t|do not) (?:like|want|need) (?!this|that|it|to\b|the\b|you\b|a\b|an\b)",
        rf"^(?:every|each|all|any|new) (?:[\w./-]+ ){{1,5}}{_MUST}\b",
        (
            r"^(?:[\w./-]+ ){1,3}(?:belongs?|go(?:es)?|live) (?:in|under|to)\b.*\b(?:not|never|only"
            r"|always)\b"
        ),
        r"^no [a-z-]+s\b(?=.*\b(?:in|inside|within|anywhere|ever)\b)",
        rf"^(?:use|write|prefer|name|put|keep|avoid|format|follow)\b.*\b{_EVERYWHERE}",
        r"^i want you to\b.*\b(?:for every|every time|always|never|whenever)\b",
        r"^(?:prefer|avoid) (?!it|this|that|these|those|the)[\w-]+",
        r"^only (?:use|run|commit|push|write|add|edit|change)\b(?! (?:the|this|that|these)\b)",
        r"^i (?:never|don'?t|do not) want you to\b|^you (?:must|have to) [a-z]+\b.*\bbefore\b",
        r"^(?:no|don'?t|do not|never)\b.*\bever[.!]?$",
        rf"^(?:don'?t|do not) {_DO}\b.*\bwe (?:always )?(?:use|have|prefer)\b",
        (
            r"^(?:always|never) (?!mind|seen|the|an?|been|had|got|in|on|as|so|my|this"
            r"|that)[a-z]+(?<!ed)(?<!ing)\b"
        ),
        rf"^(?:don'?t|do not) {_DO} .*\b(?:by hand|at all|whole|any ?more|without|until i|that only)\b",
        r"^(?:use|follow) (?:conventional|semantic|british|american|absolute|relative) ",
        r"^stop \w+ing\b.*\b(?:every|all|always|instead|use)\b",
        rf"^{_DO} .*\beven (?:when|if)\b",
    )
)
# The same in other languages: from now on; an imperative with always or never; what “we” always do.
_ELSEWHERE = tuple(
    re.compile(one, re.IGNORECASE)
    for one in (
        r"\b(?:ab (?:jetzt|sofort|heute)|von nun an|in zukunft|(?:zu)?künftig|grundsätzlich|generell)\b",
        r"^(?:bitte )?(?:immer|nie(?:mals)?)\b",
        (
            r"^(?:bitte )?[a-zäöüß]+(?:e|le|re|ib|imm|lass|mach|tu)? (?:bitte |mir )?(?:immer"
            r"|nie(?:mals)?)\b"
        ),
        r"\bwir \w+en (?:immer|nie(?:mals)?|nur|grundsätzlich|keine?)\b",
        r"\b\w+ (?:kommen|gehören|müssen|dürfen|sollen) (?:immer|nie(?:mals)?|nur)\b",
        r"\b(?:désormais|dorénavant|à partir de maintenant|à l'avenir)\b",
        r"^(?:toujours|jamais)\b|^(?:ne |n')\w+ jamais\b|^[a-zéè]+(?:e|is|s|ez) toujours\b",
        r"\bon (?:utilise|écrit|fait|met) (?:toujours|jamais)\b",
        r"\b(?:a partir de ahora|de ahora en adelante|en adelante|en el futuro)\b",
        r"^(?:siempre|nunca|jamás)\b|^no \w+ (?:nunca|jamás)\b|^[a-z]+a siempre\b",
        r"\b(?:usamos|utilizamos|escribimos) (?:siempre|nunca|solo)\b",
        (
            r"\b(?:bei uns|hier im projekt|in diesem projekt|in unserem \w+)\b.*\b(?:immer|nie|nur"
            r"|kein\w*"
            r"|nicht|gehör\w+|wird|werden|müssen|ist|sind)\b"
        ),
        r"\b(?:künftige|zukünftige|alle neuen|jede[rs]? neue)\b|\b(?:jedes ?mal|immer),? wenn du\b",
        (
            r"\b(?:chez nous|dans ce (?:projet|dépôt)|dans notre \w+)\b.*\b(?:on|pas|jamais|toujours|tout"
            r"|est|sont)\b"
        ),
        (
            r"\b(?:chaque|à chaque) fois que (?:tu|vous)\b|\bavant de (?:commiter|committer|pousser"
            r"|modifier)\b"
        ),
        (
            r"\bje (?:les?|la|des?|du|veux|voudrais|préfère)\b.*\b(?:veux|préfère|plutôt|toujours"
            r"|en français)\b"
        ),
        (
            r"\b(?:cada|siempre) (?:vez )?que (?:\w+es|\w+as|\w+is)\b|\ben (?:este"
            r"|nuestro) proyecto\b.*\b(?:no|nunca"
            r"|siempre|se|solo|va|van)\b|\bprefiero\b.*\b(?:en vez de|que|antes)\b"
        ),
        r"\b(?:lieber|bitte) .*\b(?:statt|anstatt|anstelle)\b",
    )
)
# Descriptions of the program or of the moment in those languages.
_ELSEWHERE_NOT = re.compile(
    r"^(?:es|sie|er|das|dies\w*|der|die|den|warum|wieso|wann|il|elle|ce|cela|ça|le|la|les|pourquoi"
    r"|quand|el|los"
    r"|las"
    r"|esto|este|esta|por qué|cuándo) |\b(?:vielleicht|soll das|gestern|vorhin|diesmal|dieses mal"
    r"|für jetzt"
    r"|pour l'instant|cette fois|peut-être|por ahora|esta vez|quizás|ayer|hier)\b",
    re.IGNORECASE,
)
# Words that tie a sentence to the moment, or to earlier text.
_MOMENT = re.compile(
    r"\b(?:for now|right now|this time|today|tomorrow|yesterday|yet|again|above|below|here'?s|these|those"
    r"|for (?:this|the) (?:release|change|pr|commit|branch|moment|session)|at the moment|currently"
    r"|earlier"
    r"|in this (?:change|pr|commit|branch|session|case|file|function|test)|the same|last|previous"
    r"|was|were|did|had|been|should have|could|would|i think|i guess|maybe|might|wondering|seems?"
    r"|looks? like"
    r"|another session|such|otherwise|anyway|either way"
    r"|the (?:first|second|third|other|new|old|current) (?:one|option|approach|step|part))\b"
    r"|\bthis (?!repo|project|code ?base)\w+|\bthat (?:is|was|one|case|file|function|line|way)\b"
    r"|\b(?:he|she|him)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?|^(?:consider|can|could|would|should|do(?! not\b)|does|did|is|are|was|were|why|what|which"
    r"|where|who|how"
    r"|let me|have|has) ",
    re.IGNORECASE,
)
# Descriptions of the program, not instructions to the agent: it always …, this never …
_NARRATES = re.compile(
    r"^(?:it|this|that|they|he|she|there|which|i)\b"
    r"(?! (?:always )?(?:prefer|(?:don'?t|do not) (?:like|want|need)|want you to))",
    re.IGNORECASE,
)
_LOST = re.compile(
    r"^(?:\w+\s+){0,3}(?:it|them|that|this|they)\b(?! (?:repo|project|codebase))", re.IGNORECASE
)
_MINE = re.compile(r"/home/|/Users/|\S+@\S+\.\w|https?://")

# Long quotations, whose sentences do not count; and retractions.
_WORDS_OF_OTHERS = re.compile(r"[\"“„«][^\"”“»]{20,}?[\"”“»]")
_TAKEN_BACK = re.compile(
    r"\b(?:forget (?:it|that)|take (?:it|that) back|scratch that|never mind)\b", re.IGNORECASE
)

# A prompt that asks for a text: its content is addressed to the readers of that text. Of 120 prompts by a
# writer who did not know the rules, two of three wrong ones were of this sort or from a chat.
_FOR_OTHERS = re.compile(
    r"(?m)^(?:(?:can|could|would) you |please |now )?(?:write|draft|translate|summari[sz]e|reword|polish"
    r"|compose|schreib\w*|übersetz\w*|formulier\w*|rédige|écris|tradui[st]|escribe|redacta|traduce)\b"
    r"[^.?!\n]{0,60}\b(?:prompt|guide|guidelines|rules?|page|readme|contributing|e?-?mail|message|notice"
    r"|policy|slides?|text|article|post|manual|docs?|regla|regel|règle|aviso|correo)\b",
    re.IGNORECASE,
)

# Requests to remember something; the content follows.
_KEEP = re.compile(
    r"^(?:(?:ok(?:ay)?|so|and|also|oh|hey|please|pls|btw|by the way|for (?:next time|the future))\b"
    r"[\s,:]*)*"
    r"(?:(?:(?:you )?(?:must |should )?(?:always )?remember|memori[sz]e"
    r"|(?:don'?t|do not|never) forget|(?:make|take) a note|note down"
    r"|(?:save|store|put|write) (?:this |that |it )?(?:in|to|into) (?:your |the )?memory)"
    r"(?: for (?:next time|later|the future))?(?: that\b|\s*[:,–—-]| to (?=always\b|never\b|\w+ ))"
    r"|remember (?=(?:the|our|my|we|i|to|in|on|all|every)\b)"
    r"|(?:bitte )?(?:merke? dir|denk daran|vergiss nicht|notiere?(?: dir)?)(?:,? dass\b|\s*[:,])"
    r"|(?:retiens|souviens-toi|n'oublie pas)(?: bien)?(?: que\b| qu'|\s*:)"
    r"|(?:recuerda|no olvides|ten en cuenta|anota)(?: que\b|\s*:)"
    r"|记住|請記住|请记住|覚えておいて)[\s,:，：、。–—-]*",
    re.IGNORECASE,
)


def lasting_rules(prompt: str) -> list[str]:
    """Return the lasting rules of a prompt, each as a sentence of its own."""
    return [one for one in weighable(prompt) if states_rule(one, prompt, ruled=ruled(one))]


def weighable(prompt: str) -> list[str]:
    """Return the sentences of a prompt that may be lasting rules: without quotations and questions."""
    if len(prompt) > LONGEST_PROMPT or _TAKEN_BACK.search(prompt) or _FOR_OTHERS.search(prompt):
        return []
    quoted = _WORDS_OF_OTHERS.findall(prompt)
    typed = [raw for raw in _typed(prompt) if not any(raw.strip() in one for one in quoted)]
    return [one for raw in typed if _stands_alone(one := _sentence(raw))]


def asked_to_keep(prompt: str) -> list[str]:
    """Return what a prompt explicitly asks to remember, each without the request."""
    found = []
    for raw in _typed(prompt) if len(prompt) <= LONGEST_PROMPT else ():
        asked = _KEEP.match(raw.strip())
        text = " ".join(_TAIL.sub("", raw.strip()[asked.end() :]).split()) if asked else ""
        whole = len(text.split()) >= _FEWEST_WORDS or not text.isascii()
        if whole and len(text) <= _LONGEST and not (text.endswith("?") or _LOST.search(text)):
            found.append(text)
    return found


def _typed(prompt: str) -> "Iterator[str]":
    """Yield the sentences of a prompt that are not quoted."""
    for line in _CODE.sub("\n", prompt).split("\n"):
        if not _QUOTED.match(line):
            yield from _ENDS.split(line)


def _sentence(raw: str) -> str:
    text = _LEAD.sub("", raw.strip())
    return " ".join(_TAIL.sub("", text.removeprefix("that ")).split())


def _stands_alone(text: str) -> bool:
    if not len(text.split()) >= _FEWEST_WORDS or len(text) > _LONGEST or _MINE.search(text):
        return False
    if text.count('"') % 2 or "?" in text or not text[0].isalnum():
        return False
    return not (leads_off(text) or text.endswith(":"))


def ruled(text: str) -> bool:
    """Return whether a sentence has the form of a standing command."""
    # In other languages only explicit words count.
    if not _ELSEWHERE_NOT.search(text) and any(one.search(text) for one in _ELSEWHERE):
        return not _MOMENT.search(text)
    if any(one.search(text) for one in (_ASKS, _NARRATES, _MOMENT, _LOST)) or to_be_built(text):
        return False
    return any(one.search(text) for one in _RULES)
