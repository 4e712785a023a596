"""The sentences that a person typed in a prompt, without code and quotations. Pure."""

import re

from bowerbird.core.language import NEGATIONS
from bowerbird.core.text import STOP

# In characters; longer prompts are pasted specifications, logs or mail.
LONGEST_PROMPT = 1_500
_FEWEST_WORDS = 2
_CODE = re.compile(r"(?s)```.*?(?:```|\Z)")
# A line that begins like this is quoted, from a chat, listed output or a heading, not typed by the user.
_QUOTED = re.compile(r"^\s*(?:>|\||#|\$|❯|⏺|⎿|\+\+\+|---|diff |@@|\d+[:→]|\[?\d+:\d\d\b)")
# A clause that begins anew, though behind a comma: "commit it please, and btw …".
_ANEW = (
    r"(?:(?:and|but|oh|und|aber|et|mais|y|pero|e|ma|mas|en|maar)\s)?(?:btw|by the way|fyi"
    r"|for the record"
    r"|from now on|remember that|übrigens|ab jetzt|au fait|por cierto"
    # "My boss is Oskar, remember that" says nothing anew.
    r"|a proposito|trouwens)\b(?=\W+\w+\W+\w)"
)
_ENDS = re.compile(
    rf"{STOP}[\"')\]]*\s+(?=\S)|;\s+(?=[a-z])|(?<=[。！？])|,\s+(?={_ANEW})", re.IGNORECASE
)
_ABBREVIATED = re.compile(r"\b(?:etc|no|resp|dr|prof|st)\.$", re.IGNORECASE)
# A sentence that only denies something. Of ten in `tests/data/lasting` before another that does not ask
# four are before a lasting statement.
_DENIAL = re.compile(
    rf"((?:no,\s*)?(?:{'|'.join(sorted(NEGATIONS))})\s+(?:[\w'’/@.-]+\s+){{0,2}}[\w'’/@.-]*[\w'’/@-])\s*[.!]+",
    re.IGNORECASE,
)
# Long quotations: what others wrote.
_WORDS_OF_OTHERS = re.compile(r"[\"“„«][^\"”“»]{20,}?[\"”“»]")
# A question for assent, which leaves what it ends a statement; "right?" asks whether it is so.
_ASSENT = re.compile(
    r"\s*[,;–—-]\s*(?:ok(?:ay)?|got (?:it|that)|understood|alright|clear|verstanden|klar|compris"
    r"|d'accord|vale)\s*\?+$",
    re.IGNORECASE,
)
# A rule that is asked for: "can you always ask before …?" wants no answer.
# Since when a rule holds.
FROM_NOW = (
    r"from now on|from here on|going forward|in (?:the )?future|next time|for the next"
    r"|ab jetzt|ab sofort|künftig|in zukunft|von (?:nun|jetzt|heute) an"
    r"|dorénavant|désormais|à partir de maintenant"
    r"|à l['’]avenir|a partir de ahora|de ahora en adelante|en adelante|en el futuro"
    r"|d['’]ora in (?:poi|avanti)|da (?:oggi|adesso|ora) in poi|in futuro|a partir de agora"
    r"|de agora em diante|daqui (?:para a|em diante)"
    r"|vanaf (?:nu|vandaag)|voortaan"
)
# Each time, or no time, in the languages of this room.
ALWAYS = r"always|never|immer|nie|niemals|toujours|jamais|siempre|nunca|sempre|mai|altijd|nooit"
# In whichever project.
EVERYWHERE = (
    r"globally|(?:for|in|to|on|across) (?:all|every|each)(?: of)?(?: my| our| the)?"
    r" (?:projects?|repos?|repositor(?:y|ies)|codebases?)"
    r"|(?:in|für|bei) (?:allen?|jede[mns]?)(?: meine[nm]?| unsere[nm]?)?"
    r" (?:projekte?n?|repos?|repositories)"
    r"|(?:dans|pour|à|sur) (?:tous|toutes) (?:mes|nos|les) (?:projets|dépôts|repos)"
    r"|(?:en|para|a) todos (?:mis|nuestros|los) (?:proyectos|repos)"
    r"|(?:in|per|a) tutti i (?:(?:miei|nostri) )?(?:progetti|repo)"
    r"|(?:em|para|a) todos os (?:(?:meus|nossos) )?(?:projetos|repos)"
    r"|(?:in|voor|bij) (?:al(?:le)?(?: (?:mijn|m['’]?n|onze|de))? (?:projecten|repo['’]?s)"
    r"|(?:elk|ieder)e? (?:project|repo))"
)
_WISHES = (
    r"(?:would you (?:kindly|mind)|do you mind|(?:can|could|would|will) (?:you|we|i (?:ask|get"
    r"|have) you to)"
    r"|(?:is there )?(?:any|a|some) (?:chance|way) (?:that )?(?:you|we)(?:['’]d|['’]ll| could"
    r"| can| would| might)?"
    r"|(?:would|could|can) it be (?:possible|ok(?:ay)?)(?: for you)? to"
    r"|is it (?:possible|ok(?:ay)?)(?: for you)? to"
    r"|i(?:['’]m| am| was)? wonder(?:ing)? (?:if|whether) (?:you|we) (?:could|can|would|might)"
    r"|(?:kannst|könntest|würdest) du|(?:können|könnten) wir|(?:peux|pourrais)-tu|tu p(?:eux|ourrais)"
    r"|(?:puedes|podrías)|puoi|potresti|podes?|poderias?|(?:kun|zou|wil) je)"
)
# What makes a wish one that lasts: at which times, or that something goes on, or is over.
_EACH_TIME = (
    rf"\b(?:{ALWAYS}|{FROM_NOW}|ne jamais|(?:every|each) (?:time|single)|whenever|unless"
    rf"|by default|in general|as a rule"
    r"|(?:when|before|after|once|if|until) (?:you(?:['’]re)?|we(?:['’]re)?|each|every|any|an?"
    r"|something|anything)"
    r"(?! (?:done|finished|ready|through)\b)"
    r"|(?:stop|quit|keep on|keep|start|avoid) (?!going\b|working\b|trying\b|looking\b|running\b"
    r"|the\b)[a-z]+ing\b"
    r"|jedes ?mal|wann immer|(?:bevor|nachdem|wenn|falls) du|à chaque fois|quand tu|avant de"
    r"|cada vez|antes de"
    r"|ogni volta|prima di|elke keer|voordat je|als je)\b"
)
_ASKS_ALWAYS = re.compile(
    rf"^(?=.*{_EACH_TIME})(?:[^\W\d]+[\s,:–—-]+){{0,3}}?"
    r"(?P<when>(?:when(?:ever)?|before|after|if|once|(?:each|every) time|wenn|bevor|quand"
    r"|cuando)\s[^,?]{5,60},\s+)?"
    rf"{_WISHES}\s+(?:(?:please|maybe|perhaps|just|all|also|bitte|por favor)\s+)*"
    # Not "could you always have seen that?".
    r"(?!(?:always |never )?have \w+(?:ed|en|ne?)\b)(?P<rule>[^?]+?)(?:,? (?:please|pls"
    r"|bitte))?\s*\?*[.!]*$",
    re.IGNORECASE,
)
_FIRMLY = re.compile(
    rf"\b(?:please|pls|bitte|por favor|{ALWAYS}|{FROM_NOW}|(?:every|each) time|whenever)\b",
    re.IGNORECASE,
)
# What "would you mind" is followed by.
_GERUND = re.compile(
    r"^((?:(?:please|always|never|not|maybe)\s+)*)([a-z]{2,}?)ing\b", re.IGNORECASE
)
# Said before a rule that the agent has to hear once more: "I told you already: no …".
_TOLD_BEFORE = re.compile(
    r"^(?:(?:no|hey|again|listen|man)\W+)*(?:(?:as )?i(?:['’]ve| have)?(?: already)? (?:told|said"
    r"|asked)"
    r"(?: you| it| this| that)*(?: (?:already|before|twice|again|\w+ times))*|wie gesagt"
    # "Third time I'm telling you, …", "zum dritten Mal, …".
    r"|(?:(?:[\w’']+ ){0,4}\w+ (?:time|mal|fois|vez|volta|keer) (?=[^,:–—-]*\b(?:tell|say|ask"
    r"|told|said"
    r"|sag|wiederhol|dis|répèt|digo|repito|dico|ripet|falo|zeg|herhaal))[^,:–—-]{2,40}?"
    r"|(?:for|zum|pour|por|per|pela|voor) (?:(?:the|la|de|a) )?\w+ (?:time|mal|fois|vez|volta|keer))"
    r"|ich hab(?:e)?['’]? (?:es |dir )*(?:schon )?(?:mal )?gesagt|je (?:te )?l['’]ai déjà dit"
    r"|ya te (?:lo )?(?:dije|he dicho))\s*[:,–—-]\s+(?=\w+\s\w)"
    # Who speaks of what they say: "I'll say it plainly: …", "how often do I have to tell you: …".
    r"|^[^:]{0,50}\b(?:i|i['’]ll|me|ich|je|yo|io|eu|ik)\b[^:]{0,30}\b(?:say|said|tell|told|ask"
    r"|asked|repeat"
    r"|mention|remind|explain|sag\w*|gesagt|erkläre?n?|dis|dire|dit|répète|digo|decir|dicho"
    r"|repito|dico|dire"
    r"|detto|ripeto|dizer|disse|zeg\w*|gezegd|herhaal)\b[^:]{0,30}:\s+(?=\w+\s\w|\w+\W\w)"
    # "I said no interface until there are two implementations."
    r"|^i (?:said|told you)(?: (?:already|before|twice))?(?: that)?:?,? (?=(?:no|not|never|always"
    r"|don['’]?t|only)\s)",
    re.IGNORECASE,
)
# That something is said, and not what: "bit of news, …", "one last thing: …", "kleine Info: …".
_TELLS = re.compile(
    r"^(?:(?:ok(?:ay)?|so|and|oh|ah|also|but|just|hey|und|et|y|ach)\W+)*"
    r"(?:(?:an?|some|one|two|three|few|couple of|bits? of|pieces? of|more|another|other|last"
    r"|final|first"
    r"|quick|small|little|tiny|short|brief|minor|new|side|friendly|important|for your|eine?|noch"
    r"|kleine?r?"
    r"|kurze?r?|neue|wichtige?r?|une?|petite?|autre|una?|otra|pequeña|altra|piccola|outra|pequena"
    r"|nog|een"
    r"|kleine)\s+)*"
    r"(?:(?P<news>news|info(?:rmation|s)?|updates?|reminders?|facts?|psa|announcements?|hinweis"
    r"|anmerkung"
    r"|nachricht|neuigkeit(?:en)?|nouvelle|rappel|noticia|aviso|nota|notizia|promemoria|opmerking)"
    r"|things?|points?|details?|remarks?|sache|chose|remarque|cosa|coisa|ding)"
    r"(?: (?:for|from) (?:you|me|us|today|later|the \w+)|\s\w+ly)*(?:\s*[,:]"
    r"|\s[–—-])\s+(?=\S+\s+\S+\s+\S)",
    re.IGNORECASE,
)
# Where or since when something holds, and nothing that does.
_SCOPE = re.compile(
    r"(?:(?:and|und|et|y|e|en)\s)?"
    r"(?:(?:(?:that|this|it|das|es|ça|cela|eso|dit|dat|questo|isso)\s)?"
    r"(?:applies|holds|goes|counts|gilt|vaut|vale|geldt)\s)?"
    rf"(?:{EVERYWHERE}|{FROM_NOW}"
    r"|(?:everywhere|überall|overal|partout|ovunque|en todas partes|em todo lado)"
    r"(?: (?:in|across|im|dans|nel|en|no) (?:this|our|the|diesem|ce|quest[oa]|est[ea]|dit|deze)"
    r" (?:repo(?:sitory)?|project|projekt|projet|code ?base))?)"
    r"(?:\s(?:please|pls|here|bitte|hier|ici|aquí|qui|aqui|por favor|graag|aub))*\W*",
    re.IGNORECASE,
)
# What has to be so, without saying of what: "must be live by Friday".
_SUBJECTLESS = re.compile(
    r"(?:must|has to|needs? to|should|muss|musste|soll(?:te)?|darf)\s"
    r"(?!(?:i|we|you|it|this|that|the|ich|du|man|wir|ihr|das|es|der|die)\b)(?:[^\s?]+\s){2}[^?]*$",
    re.IGNORECASE,
)
# For what the sentence before does not hold.
_EXCEPTED = re.compile(
    r"(?:but )?(?:except|apart from|außer|ausgenommen|sauf|excepto|salvo|tranne|exceto|behalve)"
    r"\b[^?]*$",
    re.IGNORECASE,
)
# How a wish is asked for; only statements that last are read so.
_POLITELY = re.compile(r"(?i)(?:can|could|would|will) (?:we|you) (?:all )?please (?=\w)")
_PATH = re.compile(r"\.{0,2}/?[\w.-]*[\w-](?:/[\w.]|/(?=\s)|\.[a-z]\w{1,9}\b)")
_IDENTIFIER = re.compile(r"[^\W\d_]+[\d_]\w|[a-z]+[A-Z]")
# A prompt that asks for a text: its content is addressed to the readers of that text.
_FOR_OTHERS = re.compile(
    r"(?m)^(?:(?:can|could|would) you |please |now )?(?:write|draft|translate|summari[sz]e|reword"
    r"|polish"
    r"|compose|schreib\w*|übersetz\w*|formulier\w*|rédige|écris|tradui[st]|escribe|redacta|traduce)\b"
    r"[^.?!\n]{0,60}\b(?:prompt|guide|guidelines|rules?|page|readme|contributing|e?-?mail|message"
    r"|notice"
    r"|policy|slides?|text|article|post|manual|docs?|regla|regel|règle|aviso|correo)\b",
    re.IGNORECASE,
)


# The mark of an item of a list.
ITEM = re.compile(r"(?:[-*•+]|\d{1,2}[.)])\s+")
# A short line above others that says what they are of.
_HEADS = re.compile(
    r"(?:\S+\s+){0,5}\S+\s?:|(?:our|my|unsere?|meine?|notre|nos|mes|nuestr[oa]s?"
    r"|mis?)(?:\s[\w/-]+){1,2}",
    re.IGNORECASE,
)
# A line that asks about what is listed below it.
_ASKS_BY_LIST = re.compile(
    r"\?\s*:?$|^(?:(?:and|so|ok|und|et|y)\W+)*(?:what|which|who|how|why|where|when|is|are|do|does"
    r"|did|was|wer"
    r"|wie|warum|wo|wann|welche\w*|quel\w*|qui|comment|pourquoi|qué|cuál\w*|cómo|quién\w*)\s[^.!]*:$",
    re.IGNORECASE,
)
_FEWEST_ITEMS = 2
# In words, the name and the value of an entry, and one without a name; and of all entries, in characters.
_LONGEST_ENTRY = 6
_LONGEST_BARE_ENTRY = 3
_LONGEST_LIST = 300


def typed_sentences(prompt: str) -> list[str]:
    """Return the sentences of a prompt in its author's words; none of a prompt that is mostly pasted."""
    if len(prompt) > LONGEST_PROMPT or _FOR_OTHERS.search(prompt):
        return []
    quoted = _WORDS_OF_OTHERS.findall(prompt)
    found = []
    for line in _with_lists(_CODE.sub("\n", prompt).split("\n")):
        if not _QUOTED.match(line):
            found += [one for one in _split(line) if not any(one in said for said in quoted)]
    whole = _with_elliptic(_with_denials(found))
    return [
        one for one in whole if len(re.findall(r"\w+", one)) >= _FEWEST_WORDS or not one.isascii()
    ]


def _with_lists(lines: list[str]) -> list[str]:
    """Return lines with short items behind their heading, in one; the items of a question are left out.

    "Our setup:", "database: postgres 15" and "queue: redis" say little each by itself, and what a
    question lists is not said to be so.
    """
    whole: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        at += 1
        end = at
        while end < len(lines) and lines[end].strip() and _is_listed(line, lines[end]):
            end += 1
        items = [ITEM.sub("", one.strip()) for one in lines[at:end]]
        few = sum(map(len, items)) <= _LONGEST_LIST and all(map(_is_entry, items))
        if len(items) >= _FEWEST_ITEMS and _ASKS_BY_LIST.search(line):
            at = end
        elif len(items) >= _FEWEST_ITEMS and few and _HEADS.fullmatch(line):
            line, at = f"{line.rstrip(': ')}: {', '.join(items)}", end
        whole.append(line)
    return whole


def _is_listed(heading: str, line: str) -> bool:
    """Return whether a line is an item below a heading: by its mark, or by its form."""
    if ITEM.match(line.strip()):
        return True
    return bool(_HEADS.fullmatch(heading)) and _is_entry(line.strip())


def _is_entry(item: str) -> bool:
    """Return whether an item names one thing, or says of one what it is: "queue: redis", "ruby 3.2"."""
    name, colon, value = item.partition(": ")
    if item[-1:] in ".!?:;,":
        return False
    named = bool(colon) and max(len(name.split()), len(value.split())) <= _LONGEST_ENTRY
    return named or len(item.split()) <= _LONGEST_BARE_ENTRY


def _with_denials(found: list[str]) -> list[str]:
    """Join what is denied in a few words with what holds instead: "No, not print. It goes …"."""
    whole: list[str] = []
    for one in found:
        denied = _DENIAL.fullmatch(whole[-1]) if whole else None
        if denied is None or one.endswith("?"):
            whole.append(one)
        else:
            whole[-1] = f"{denied[1]}: {one}"
    return whole


def _with_elliptic(found: list[str]) -> list[str]:
    """Join what has no subject of its own with the sentence before, whose it is."""
    whole: list[str] = []
    for one in found:
        before = whole[-1] if whole else "?"
        adds = _SCOPE.fullmatch(one) or _EXCEPTED.fullmatch(one)
        mark = "," if adds else ";" if _SUBJECTLESS.match(one) else ""
        if mark and not before.endswith("?"):
            whole[-1] = f"{before.rstrip('.! ')}{mark} {one[0].lower()}{one[1:]}"
        else:
            whole.append(one)
    return whole


def as_sentence(text: str) -> str:
    """Return a statement, or what a polite request asks for, with a capital and a full stop."""
    if asked := _POLITELY.match(text):
        text = text[asked.end() :].rstrip("? ")
    text = text.rstrip(" ,;") or text
    # A path or an identifier is another one with a capital.
    if not (_PATH.match(text) or _IDENTIFIER.match(text)):
        text = text[0].upper() + text[1:]
    text = text.rstrip(";, ") or text
    return text + ("" if text[-1] in ".!?。！" else ".")


def _split(line: str) -> list[str]:
    found, start = [], 0
    for end in _ENDS.finditer(line):
        if not _ABBREVIATED.search(line[start : end.start()]):
            found.append(line[start : end.end()].strip())
            start = end.end()
    return [_stated(one) for one in (*found, line[start:].strip()) if one]


def _stated(sentence: str) -> str:
    """Return a sentence as what it states, without the form of a question or of a reproach."""
    sentence = _TOLD_BEFORE.sub("", _ASSENT.sub(".", sentence))
    # Who announces news tells something, in whichever words.
    sentence = _TELLS.sub(lambda said: "fyi, " if said["news"] else "", sentence, count=1)
    return _ASKS_ALWAYS.sub(_as_wish, sentence)


def _as_wish(asked: "re.Match[str]") -> str:
    """Return a wish that is put as a question as what is asked for."""
    rule = _GERUND.sub(_as_verb, asked["rule"].rstrip())
    firmly = "please " if _FIRMLY.search(asked[0]) else ""
    return f"{asked['when'] or ''}{firmly}{rule}."


def _as_verb(said: "re.Match[str]") -> str:
    """Return the verb of a form in -ing: "not touching", "writing", "running"."""
    before, verb = re.sub(r"\bnot\b", "don't", said[1]), said[2]
    if re.search(r"([bdgklmnprt])\1$", verb) and not verb.endswith(("add", "tell", "install")):
        verb = verb[:-1]
    elif re.fullmatch(
        r"[^aeiou]*[aeiou][^aeiouwxyh]|.*(?:[vcz]|[^e]at|et|ut|ud|ag|[nr][gs])", verb
    ):
        verb += "e"
    return before + verb
