"""The features by which a statement that is to last is told from a request for the task at hand. Pure.

Which words and pairs of words a sentence has, which classes of words, and its form and place. The
vectors of the sentence and of the rest of its prompt come from a model (`lasting_statements.py`).
"""

import re
from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_TOKEN = re.compile(r"[^\W\d_]+(?:'[a-z]+)?|\d+|[?!:;%]")
_MOST_TOKENS = 40
_FEW_WORDS = 4
_MOST_WORDS = 30
_MOST_CHARACTERS = 1_500
# Classes of words, in English, German, French and Spanish.
_CLASSES = {
    "every": r"always|never|every|each|any|all|whenever|immer|nie|niemals|toujours|jamais|siempre|nunca"
    r"|jede\w*|alle|chaque|cada|todos?|tous|toutes",
    "from now": r"from now on|from here on|going forward|in future|in the future|next time|for the next"
    r"|ab jetzt|ab sofort|künftig|in zukunft|von nun an|dorénavant|désormais|à partir de maintenant"
    r"|à l'avenir|a partir de ahora|de ahora en adelante|en adelante|en el futuro",
    "this moment": r"for now|right now|this time|this once|today|tomorrow|tonight|yesterday|just now"
    r"|at the moment|diesmal|heute|morgen|gestern|vorerst|cette fois|aujourd'hui|demain|hier"
    r"|pour l'instant|esta vez|hoy|mañana|ayer|por ahora",
    "ours": r"we|our|us|wir|unser\w*|uns|nous|notre|nos|nuestr\w+|here|bei uns|hier|chez nous|aquí|ici"
    r"|this (?:repo|project|codebase|team)",
    "remember": r"remember|note|keep in mind|bear in mind|don't forget|for the record"
    r"|write (?:this|that) down|memori[sz]e|make a note|fyi|btw|by the way|merk\w* dir|denk daran"
    r"|vergiss nicht|notier\w*|übrigens|retiens|n'oublie pas|souviens|note que|au fait|recuerda"
    r"|no olvides|anota|ten en cuenta|por cierto",
    "mine": r"i|me|my|ich|mir|mich|mein\w*|je|moi|mon|ma|mes|yo|mi|prefiero",
    "yours": r"you|your|du|dein\w*|tu|ton|tes|te|vous",
    "not": r"don'?t|do not|never|no|not|nicht|kein\w*|ne|pas",
    "this": r"this|that|these|those|it",
    "past": r"was|were|did|had|been|[a-z]+ed",
    "must": r"must|should|has to|have to|needs? to|soll\w*|muss|müssen|doit|debe\w*",
    "instead": r"instead|rather|prefer|not|lieber|statt|plutôt|en vez",
    "because": r"because|since|otherwise|so|weil|sonst|sinon|parce|porque",
}
CLASSES = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in _CLASSES.items()
} | {"corrects": re.compile(r"^(?:no|nope|nein|non|stop|wrong|actually|not)\b", re.IGNORECASE)}
# Words by which a person says that something is to last: each is rare, and nearly certain.
_LED = r"^(?:[-*•]\s+|(?:ok(?:ay)?|and|but|also|please|pls|bitte|stop|no|btw)\b[\s,.:!–—-]*)*"
_EXPLICIT = {
    "rules": _LED
    + r"(?:(?:you (?:must |should )?|we )?(?:always|never|immer|nie(?:mals)?|toujours|jamais|siempre"
    r"|nunca)|[a-zäöüß]+ (?:immer|nie(?:mals)?|toujours)|(?:ne |n')\w+ jamais)\b(?! mind)",
    "from now": rf"\b(?:{_CLASSES['from now']}|in general|as a rule|whenever you|every time you)\b",
    "keeps": _LED + rf"(?:{_CLASSES['remember']})\b",
}
EXPLICIT = {name: re.compile(words, re.IGNORECASE) for name, words in _EXPLICIT.items()}
# What they add to the log odds of the fit: in written prompts they are as frequent as other forms, in
# real work rare but certain, "from now on" most of all.
EXPLICITLY = {"rules": 1.2, "from now": 2.5, "keeps": 1.2}
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


def spelled(sentence: str) -> str:
    """Return a sentence with the apostrophes of its contractions: "dont" is "don't"."""
    return _HURRIED.sub(r"\1n't", sentence)


def features(sentences: "Sequence[str]", at: int, prompt: str) -> dict[str, float]:
    """Return the features of one sentence of a prompt, by name; those that are missing are 0."""
    text = sentences[at]
    found = dict.fromkeys(_words(text), WORD)
    found |= {f"={name}": CLASS for name, one in CLASSES.items() if one.search(text)}
    if not (CLASSES["this moment"].search(text) or _ASKS.search(text)):
        found |= {f"!{name}": CERTAIN for name, one in EXPLICIT.items() if one.search(text)}
    if file_told_of(text):
        found["=tells of a file"] = CERTAIN
    return found | {f"={name}": CLASS * value for name, value in _form(sentences, at, prompt)}


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
        ("length of the prompt", min(len(prompt), _MOST_CHARACTERS) / 500),
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
