"""The features by which a statement that is to last is told from a request for the task at hand. Pure.

Which words and pairs of words a sentence has, which classes of words, and its form and place. The
vectors of the sentence and of those around it come from a model (`lasting_statements.py`).
"""

import re
from itertools import pairwise

from bowerbird.sessions.learn.prompt_sentences import ALWAYS, FROM_NOW
from bowerbird.sessions.learn.unmeant import unmeant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    T = TypeVar("T")

_TOKEN = re.compile(r"[^\W\d_]+(?:'[a-z]+)?|\d+|[?!:;%]")
_MOST_TOKENS = 40
_FEW_WORDS = 4
_MOST_WORDS = 30
# So many sentences before and after one say how it is meant.
NEAR = 2
# Classes of words, in English, German, French, Spanish, Italian, Portuguese and Dutch.
_CLASSES = {
    "every": rf"{ALWAYS}|every|each|any|all|whenever|jede\w*|alle|chaque|cada|tod[ao]s?|tous|toutes|ogni"
    r"|tutt[ei]|elke?",
    "from now": FROM_NOW,
    "this moment": r"for now|right now|this (?:one )?time|this once|today|tomorrow|tonight|yesterday"
    r"|just now"
    r"|one sec(?:ond)?|in a (?:sec|second|minute|moment)|hang on"
    r"|at the moment|for the (?:moment|time being)|just for|only (?:for )?this|for this (?:one|once)"
    r"|until i"
    r"|yet|diesmal|heute|morgen|gestern|vorerst|erst ?mal|fürs erste|im moment"
    r"|ausnahmsweise|nur für|noch nichts?|cette fois|aujourd'hui"
    # “hier” alone is German, too: here.
    r"|demain|avant-hier|d'hier|hier (?:soir|matin)|pour (?:l'instant|le moment)|pas encore|esta vez"
    r"|hoy|mañana|ayer|por ahora|(?:por el|de|per il) momento|todavía|stavolta"
    r"|(?:questa|desta|nesta) (?:volta|vez)|oggi|domani|ieri|per ora|solo per|ancora (?:niente|nulla)"
    r"|hoje"
    r"|amanhã|ontem|por (?:enquanto|agora)|(?:deze|een|één) (?:ene )?keer|vandaag|gisteren|voorlopig"
    # "ff" alone merges, "even" alone is English.
    r"|nu (?:even|ff|effe)|(?:even|ff|effe) (?:geen|niet|nu)|voor nu|op dit moment",
    "ours": r"we|our|us|wir|unser\w*|uns|nous|notre|nos|nuestr\w+|here|bei uns|hier|chez nous|aquí|ici"
    r"|this (?:repo|project|codebase|team)|noi|nostr[aoie]|a gente|noss[ao]s?|wij|ons|onze|qui|aqui"
    r"|bij ons",
    "remember": r"remember|note|keep in mind|bear in mind|don't forget|for the record"
    r"|write (?:this|that) down|memori[sz]e|make a note|fyi|btw|by the way|merk\w* dir|denk daran"
    r"|vergiss nicht|notier\w*|übrigens|retiens|n'oublie pas|souviens|note que|au fait|recuerda"
    r"|no olvides|anota|ten en cuenta|por cierto|ricorda\w*|a proposito|tieni presente|lembra\w*|onthoud"
    r"|vergeet niet|trouwens",
    "mine": r"i|me|my|ich|mir|mich|mein\w*|je|moi|mon|ma|mes|yo|mi|prefiero|io|mio|mia|eu|meu|minha|ik"
    r"|mij"
    r"|mijn",
    "yours": r"you|your|du|dein\w*|tu|ton|tes|te|vous",
    "not": r"don'?t|do not|never|no|not|nicht|kein\w*|ne|pas|non|niente|não|niet|geen",
    "this": r"this|that|these|those|it",
    "past": r"was|were|did|had|been|[a-z]+ed",
    "must": r"must|should|has to|have to|needs? to|soll\w*|muss|müssen|doit|debe\w*|dev[eo]\w*|moet\w*",
    "instead": r"instead|rather|prefer|not|nicht|pas|niet|lieber|statt|plutôt|en vez|invece|em vez|liever"
    r"|in plaats",
    "because": r"because|since|otherwise|so|weil|sonst|sinon|parce|porque|perché|quindi|così|senão|omdat"
    r"|anders|want",
    # Said in jest.
    "jests": r"(?:just |only )?kidding|jk|jok(?:e|ing)|lol|ha(?:ha)+|rofl|lmao|scherz\w*|spa(?:ß|ss)"
    r"|quatsch|witz"
    r"|rigol\w+|blagu?\w*|plaisant\w+|broma|bromeo|ja(?:ja)+|scherz[oi]\w*|grapje|geintje|brincadeira|kkk+"
    r"|pretend|act (?:like|as)|imagine",
    # Of another project, or what others say.
    "elsewhere": r"(?:other|another|different|old|former|last|side|sister|previous) (?:\w+ )?"
    r"(?:project|repo|repository|codebase|team|client|company|employer|job|app|site)s?"
    r"|(?:nothing|no bearing|anything) (?:to do with|on) (?:us|ours|this|here)|not (?:ours|how (?:it|we))"
    r"|(?:does not|doesn't|not) (?:concern|apply to|hold for) (?:us|ours|this|here)|over there"
    r"|(?:ander|schwester|früher)\w*[ -]?(?:projekt|repo|firma|kunde)\w*|gilt nicht für|nichts mit uns"
    r"|(?:autre|ancien) (?:projet|dépôt|client|boîte)|rien à voir|là-bas|(?:otro|antiguo) (?:proyecto"
    r"|repo)"
    r"|nada que ver|altr[oa] (?:progetto|repo)|niente a che (?:fare|vedere)|outro (?:projeto|repo)"
    r"|nada a ver|andere? (?:project|repo)|geldt niet|niets te maken",
}
CLASSES = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in _CLASSES.items()
} | {"corrects": re.compile(r"^(?:no|nope|nein|non|stop|wrong|actually|not)\b", re.IGNORECASE)}
# Classes of words that take back what they stand beside.
_CANCELS = ("jests", "elsewhere")
# With which a rule may begin that is of the whole project anyway.
_HERE = (
    r"(?:in|for) (?:this|our|the) (?:folder|directory|repo(?:sitory)?|project|codebase|workspace|package)"
    r"|in (?:diesem|unserem) (?:ordner|verzeichnis|repo|projekt)|dans ce (?:dossier|dépôt|projet)"
    r"|en est[ea] (?:carpeta|proyecto|repo)|in quest[oa] (?:cartella|progetto|repo)"
)
# Words by which a person says that something is to last: each is rare, and nearly certain.
_LED = (
    r"^(?:[-*•]\s+"
    rf"|(?:ok(?:ay)?|and|but|also|please|pls|bitte|stop|no|btw|{_HERE})\b[\s,.:!–—-]*)*"
)
_EXPLICIT = {
    "rules": _LED
    # What it is of: "and migrations: never edit …".
    + r"(?:[^\W\d][\w-]*(?: [\w-]+)?:\s)?"
    # "We never got around to it" tells of the past; before anything but a verb "mai" is the month.
    + r"(?!mai\b(?! (?:più\b|\w+re\b)))"
    r"(?!(?:we )?(?:never|always) (?:got|had|did|was|were|been|made|went|came|[a-z]{3,}(?<!e)ed)\b)"
    rf"(?:(?:you (?:must |should )?|we )?(?:{ALWAYS})"
    r"|[^\W\d]+ (?:immer|nie(?:mals)?|toujours|sempre|siempre|altijd|nooit)|(?:ne |n')\w+ jamais"
    r"|(?:[a-z]+ ){1,4}(?:must|should|may) (?:never|always))\b(?! mind)",
    "from now": rf"\b(?:{FROM_NOW}|in general|as a rule|whenever you|every time you)\b",
    "keeps": _LED + rf"(?:{_CLASSES['remember']})\b",
    # A label says what follows: "decision with Marta: …".
    "label": _LED
    + r"(?:decision|rule|agreement|convention|entscheidung|beschluss|regel|abmachung|vereinbarung"
    r"|décision|règle|decisión|regla|acuerdo|decisione|regola|accordo|decisão|regra|acordo|besluit"
    r"|afspraak|afgesproken|conventie)(?: [^\s:]+){0,3}:\s"
    # So does one that warns, or ends a joke.
    + rf"|{_LED}(?:(?:be )?careful|watch out|heads[ -]up|beware|achtung|vorsicht|attention|cuidado|ojo"
    r"|attenzione|atenção|let op|pas op|(?:but |aber |mais |pero |ma |mas |maar )?(?:really|seriously"
    r"|im ernst|ernsthaft|sérieusement|en serio|sul serio|seriamente|a sério|sério|serieus))"
    r"(?: here| hier| ici| aquí| qui| aqui)?:\s",
    # That it is a custom: "we've got a rule that …", "that's how we do it", "we dropped it everywhere".
    "custom": r"\b(?:we(?:['’]ve| have)?(?: got)?|there(?:['’]s| is)|our)\s(?:an? |the |one )?"
    r"(?:\w+ )?(?:rule|convention|policy)\b(?! (?:is|was|violation|break|error|file)\b)"
    r"|\bfollows? (?:an?|one|our|the same) (?:\w+ )?(?:rule|convention|policy|pattern|scheme):"
    r"|\b(?:es gibt|wir haben) (?:hier |da )?(?:eine|die) (?:\w+ )?(?:regel|konvention|vorgabe)\b"
    r"|\b(?:on a|il y a|tenemos|hay) (?:une|la|una) (?:règle|convention|regla|convención)\b"
    r"|\b(?:that['’]?s|this is) (?:how|the way) we\b|\bso (?:machen|handhaben|halten) wir\b"
    r"|\bmachen wir (?:das )?(?:immer|hier|überall) so\b|\bc['’]est comme ça qu['’]on\b"
    r"|\basí lo hacemos\b"
    r"|\b(?:we|the team)(?:['’]ve| have)?(?: all| already| just| long)? (?:agreed (?:on|to|that)"
    r"|decided (?!to (?:look|try|wait)|nothing)|settled on|chose|chosen|dropped|got rid of|retired"
    r"|banned|standardi[sz]ed on)\b(?![^.]*\b(?:wrong|mistake|accident|mistakenly)\b)"
    r"|\bwir haben\b[^,.]*\b(?:entschieden|geeinigt|abgeschafft|beschlossen|festgelegt|verabschiedet)\b"
    r"|\bon (?:a|s['’]est) (?:\w+ )?(?:choisi|décidé|abandonné|mis d['’]accord)\b"
    r"|\b(?:hemos|nos) (?:\w+ )?(?:decidido|elegido|acordado)\b"
    r"|\bours (?:all |are |always )"
    # Where it may be and where never: "caching is fine for lists but never for prices".
    r"|\b(?:is|are) (?:ok(?:ay)?|fine|allowed)\b[^.?!]{2,60}\bbut (?:it |they )?"
    r"(?:must |should |may )?never\b"
    r"|\b(?:ist|sind) (?:ok(?:ay)?|in ordnung|erlaubt)\b[^.?!]{2,60}\baber (?:nie|niemals)\b"
    # That another thing holds from now on.
    r"|\bchanged (?:my|our) minds? (?:about|on)\b|\bchange of plans?\b|\bplanänderung\b"
    r"|\bchangement de plan\b|\bcambio de planes\b|\bcambio di programma\b|\bmudança de planos\b"
    # "Exactly how I want tests: …", of what was just done.
    r"|\b(?:how|the way) (?:i|we) (?:want|like|prefer|do)(?: \w+){1,3}(?: to \w+)?(?: too)?:\s"
    r"|\bso (?:will|mag|möchte|wollen|mögen) (?:ich|wir)(?: \w+){1,3}:\s"
    # What there is for it: "we have structlog for that".
    r"|\bwe(?:['’]ve(?: got)?| have(?: got)?) (?!to\b|no\b)[^,.?!]{2,30} for (?:that|this)(?=\W*$)"
    r"|\bdafür haben wir (?!k)\S|\bon a \S+ pour (?:ça|cela)(?=\W*$)|\bpara eso tenemos\b"
    r"|\btenemos \S+ para eso\b|\bper questo abbiamo\b|\bdaarvoor hebben we\b"
    # Where it is so: "it's httpx in this repo", "… everywhere in this codebase".
    r"|\b(?:(?:it|that)['’]?s|we (?:use|have))\s[^.?!]{2,40}?\s(?:everywhere )?(?:in|across|throughout)"
    r" (?:this|our) (?:whole )?(?:repo(?:sitory)?|project|code ?base)\b"
    r"|\b(?:everywhere|überall|partout|ovunque|overal) (?:in|across|im|dans|nel|no) (?:this|our|the"
    r"|diesem|unserem|ce|notre|est[ea]|quest[oa]|dit|deze) ?"
    r"(?:repo(?:sitory)?|project|projekt|code ?base)\b"
    # What is forbidden, of several; and the version that "we're on now".
    r"|\b(?:are|sind|sont|están) (?:strictly |hier |all )?(?:forbidden|banned|taboo|a no-go|off limits"
    r"|verboten|tabu|untersagt|interdit\w*|proscrit\w*|prohibid[oa]s)\b"
    r"|\b(?:we['’]re|we are|wir sind|on est|estamos) (?:\w+ )?(?:on|auf|passés? à|en) [A-Z]\w* \d+\.\d"
    # What it is called, or done with, beside what it is not.
    r"|\(\s*(?:it['’]s|that['’]s|das ist|es ist|c['’]est|es)\s[^)]*\b(?:not|nicht|pas|no)\s[^)]*\)"
    r"|^let['’]?s (?:call|say|name|use)\b[^.?]{3,60}\b(?:and|but) never\b",
}
EXPLICIT = {name: re.compile(words, re.IGNORECASE) for name, words in _EXPLICIT.items()}
# What they add to the log odds of the fit: in written prompts they are as frequent as other forms, in
# real work rare but certain, "from now on" most of all.
EXPLICITLY = {
    "rules": 1.2, "from now": 2.5, "keeps": 1.2, "custom": 2.5, "label": 4.5,
}  # fmt: skip
_ASKS = re.compile(r"\?\s*[)\"']*$")
# A request for the task at hand, though written without a question mark.
_REQUESTS = re.compile(
    r"^(?:(?:and|so|but|also|now|then|ok(?:ay)?|hi|hey|please)\b[\s,.:!–—-]*)*"
    r"(?:can|could|would|will|should|shall) (?:you|we|i)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\w+[./]\w+\.\w+|\w+\(\)")
# A file that the first clause names, and another clause on it.
_ABOUT_FILE = re.compile(
    r"^[^\W\d][^,;:!?()\n]{0,40}?\s`?(?P<file>[\w./-]*\w\.[a-z]\w{0,9})`?(?:[,:]| [–—-]+)(?:\s+\S+){3}",
    re.IGNORECASE,
)
# A sentence that begins with the file for which it holds.
_IN_FILE = re.compile(
    r"^(?:(?:also|and|auch|und|aussi|et)\s+)?(?:in|for|within|für|dans|pour|en|para)\s"
    r"[`\"']?(?P<file>[\w./-]*\w\.[a-z]\w{0,9})[`\"']?(?=[\s,:])",
    re.IGNORECASE,
)
# A file with its folder, and the name that all such have in comparisons.
_PATH = re.compile(r"(?<![\w/.:~-])(?:\./)?(?:[\w.-]+/)+[\w-]+\.[a-z]\w{0,9}\b(?!:\d)")
_ANY_FILE = "app.py"
# A page or a service by its address.
_URL = re.compile(r"https?://[^\s,;]*[\w/]", re.IGNORECASE)
_ANY_PLACE = "example.com"
# Contractions as people type them in a hurry.
_HURRIED = re.compile(
    r"\b(do|does|did|wo|ca|is|are|was|were|should|could|would|have|has|had|must|need)nt\b",
    re.IGNORECASE,
)
# The values of a word, of a class or a number of the form, and of explicit words and what is told of a
# file; vectors have length 1.
WORD = 0.35
CLASS = 0.3
CERTAIN = 2.5


def file_told_of(sentence: str) -> str:
    """Return the file that a sentence names before it says something of it; empty if there is none."""
    found = _ABOUT_FILE.search(sentence)
    return found["file"] if found else ""


def files_named(sentence: str) -> tuple[str, ...]:
    """Return the files that a sentence names with their folder."""
    return tuple(dict.fromkeys(one[0].removeprefix("./") for one in _PATH.finditer(sentence)))


def file_ruled(sentence: str) -> str:
    """Return the file for which a sentence says by its beginning that it holds; empty if for none."""
    found = _IN_FILE.match(sentence)
    return found["file"].removeprefix("./") if found else ""


def spelled(sentence: str) -> str:
    """Return a sentence as it is compared: "dont" is "don't", and all files have one name.

    The words of a name say nothing of what is said about it.
    """
    return _HURRIED.sub(r"\1n't", _PATH.sub(_ANY_FILE, _URL.sub(_ANY_PLACE, sentence)))


def features(sentences: "Sequence[str]", at: int, prompt: str) -> dict[str, float]:
    """Return the features of one sentence of a prompt, by name; those that are missing are 0."""
    text = sentences[at]
    found = dict.fromkeys(_words(text), WORD)
    found |= {f"={name}": CLASS for name, one in CLASSES.items() if one.search(text)}
    # What is said in jest, or of elsewhere, holds for the sentence beside it, too.
    beside = " ".join(sentences[max(0, at - 1) : at + 2])
    found |= {f"={name} beside": CERTAIN for name in _CANCELS if CLASSES[name].search(beside)}
    if not (CLASSES["this moment"].search(text) or _ASKS.search(text) or at in unmeant(sentences)):
        found |= {f"!{name}": CERTAIN for name, one in EXPLICIT.items() if one.search(text)}
    if file_told_of(text):
        found["=tells of a file"] = CERTAIN
    return found | {f"={name}": CLASS * value for name, value in _form(sentences, at, prompt)}


def near(sentences: "Sequence[T]", at: int) -> "list[T]":
    """Return what is around a sentence of a prompt: a long one tells of many things."""
    return [*sentences[max(0, at - NEAR) : at], *sentences[at + 1 : at + 1 + NEAR]]


def explicitly(named: dict[str, float]) -> float:
    """Return the log odds that the explicit words among these features add; 0 without."""
    return max((added for name, added in EXPLICITLY.items() if f"!{name}" in named), default=0.0)


def _words(text: str) -> set[str]:
    """Return the words and the pairs of neighbouring words; numbers are alike."""
    tokens = ["0" if one.isdigit() else one.lower() for one in _TOKEN.findall(text)[:_MOST_TOKENS]]
    tokens = ["^", *tokens, "$"]
    return {*tokens, *(f"{one} {two}" for one, two in pairwise(tokens))}


def _form(sentences: "Sequence[str]", at: int, prompt: str) -> list[tuple[str, float]]:
    text, number = sentences[at], len(sentences)
    words = len(text.split())
    values = (
        ("words", min(words, _MOST_WORDS) / 10),
        ("few words", float(words <= _FEW_WORDS)),
        ("asks", float(bool(_ASKS.search(text)))),
        ("requests", float(bool(_REQUESTS.search(text)))),
        ("length of the neighbours", len(" ".join(near(sentences, at))) / 200),
        ("several lines", float("\n" in prompt.strip())),
        ("place", at / (number - 1) if number > 1 else 0.5),
        ("alone", float(number == 1)),
        ("first", float(at == 0)),
        ("quotes code", float("`" in text)),
        ("names a file", float(bool(_NAME.search(text)))),
        ("commas", text.count(",") / 2),
        ("a number", float(any(map(str.isdigit, text)))),
    )
    return [(name, value) for name, value in values if value]
