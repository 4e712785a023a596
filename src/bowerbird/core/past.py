"""Recognises questions about what was done, found or decided before, by their wording. Pure.

In English, German, French, Spanish, Italian, Portuguese and Dutch: a clause that asks, with a verb of the
past said of the person or the agent ("did we", "haben wir"), or one that begins with "was". Whether the
answer is on record is for a search to tell: the form alone is that of many questions.
"""

from bowerbird.core.language import language
from bowerbird.core.pattern import late
from bowerbird.core.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_END = late(r"[.!;:\n]+\s*|,\s+|(?<=\?)\s*")
# Words before the verb of a question: "how many attempts did we …".
_LED = r"^(?:\S+ ){0,5}?"
# Verbs said of "we", "you" or "I", in either order of the words, and of anything.
_OF_US = {
    "en": (
        rf"{_LED}(?:(?:did|didn t|had|hadn t|have|haven t|were|was) (?:we|you|i)"
        r"|(?:was|were|wasn t|weren t) )"
        r"|^(?:can you |could you )?remind me (?:\S+ )*?(?:we|you|i) "
    ),
    "de": (
        rf"{_LED}(?:(?:hatten|haben) wir|(?:hattest|hast) du|(?:hatte|habe|hab) ich|waren wir"
        r"|(?:war|waren|wurde|wurden) )"
    ),
    "fr": (
        rf"{_LED}(?:on (?:a|avait|s etait)|nous (?:avons|avions)|avons nous|avions nous|a t on|avait on"
        r"|tu (?:as|avais)|as tu|avais tu|j (?:ai|avais)|(?:c )?etai(?:t|ent)(?: |$))"
    ),
    "es": (
        rf"{_LED}(?:hemos|habiamos|has|habias|he|habia|fue|fueron|era|eran|\w{{2,}}imos|\w+[ai]ste"
        r"|(?:ya|al final|finalmente) \w+amos) "
    ),
    "it": (
        rf"{_LED}(?:abbiamo|avevamo|hai|avevi|ho|avevo|era|erano|e stato|e stata|fu|eravamo) "
    ),
    "pt": (
        rf"{_LED}(?:foi|foram|era|eram|tinhamos|fizemos|\w{{2,}}imos|(?:ja|nos) \w+[aei]mos"
        r"|(?:a gente|voce|eu) (?:ja |tinha )?\w+(?:ou|eu|iu|ei|ado|ido)) "
    ),
    "nl": (
        rf"{_LED}(?:(?:hebben|hadden) (?:we|wij)|(?:heb|had) (?:je|jij|ik)|(?:was|waren|werd|werden) )"
    ),
}  # fmt: skip
_PATTERNS = {code: late(pattern) for code, pattern in _OF_US.items()}
# A short clause in one of these is often taken for another one of them.
_ROMANCE = ("fr", "es", "it", "pt")
# How a question begins, if its mark is missing.
_ASKS = late(
    r"^(?:(?:and|so|but|ok|hey|btw|und|aber|et|y|e|en) )*"
    r"(?:what|whats|which|who|when|where|why|how|did|didn|had|have|was|were|wasn|weren"
    r"|(?:can you |could you )?remind"
    r"|wer|wann|wo|warum|wieso|weshalb|wie|welche\w*|woran|womit|haben wir|hatten wir|hast du|hattest du"
    r"|pourquoi|quand|ou|comment|quel\w*|qu|c etait|est ce"
    r"|por que|cuando|donde|como|cual\w*|que|perche|quando|dove|come|quale?|cosa|onde|qual"
    r"|waarom|wanneer|waar|hoe|welke?|wat)\b"
)
# The session before, by name: what it was about need not be said.
_SESSION_BEFORE = late(
    r"\b(?:(?:last|previous|earlier|prior) (?:session|time)|session before|last we spoke"
    r"|(?:letzte[ns]?|vorige[ns]?) (?:mal|sitzung|session)"
    r"|(?:la )?derniere (?:fois|session)|(?:la )?session precedente"
    r"|(?:la )?ultima (?:vez|sesion|volta|sessione|sessao)|sesion anterior|sessione precedente"
    r"|sessao anterior|(?:vorige|laatste) (?:keer|sessie))\b"
)
# The person and the agent.
_US = late(
    r"\b(?:we|you|i|wir|du|ich|on|nous|tu|j|noi|io|ik|je|jij|wij|voce|a gente|hicimos|hemos|habiamos"
    r"|\w+[ai]ste|\w{2,}[ai]mos|abbiamo|avevamo|hai|avevi)\b"
)
# With which a request goes on with what was begun, and names it; "go on with the next" is of now.
_GOES_ON = late(
    r"^(?:(?:ok|and|so|now|please|lets|let s|let us|hi|hey|bitte|dann|und|on|vamos a) )*"
    r"(?:(?:continue|carry on|go on|proceed|keep going|pick up)(?: work\w*)?"
    r"(?: where we (?:stopped|left off))? (?:on|with|in)|resume|(?:go |get )?back to"
    r"|(?:(?:mach|arbeite|fahr)\w*(?: wir)? )?weiter mit|fahr\w* mit|continue\w* avec|reprends|reprenons"
    r"|(?:sigue|seguimos|continu[aoe]\w*) (?:con|com)|riprendi\w*|retoma\w*|ga verder met)"
    r" (?!(?:next|that|this|it|step|phase|part|number)\b"
    r"|(?:the|den|dem) (?:next|rest|others?|nachsten)\b)"
    r"\S+(?: \S+){0,7}$"
)


def goes_on_with_earlier_work(text: str) -> bool:
    """Whether a request goes on with something begun before, which it names."""
    return bool(_GOES_ON.search(" ".join(words(text))))


def asks_of_the_past(text: str) -> bool:
    """Whether a clause of a text asks about what was done, found or decided before."""
    return any(True for _ in _clauses(text))


def names_the_session_before(text: str) -> bool:
    """Whether a question asks what the person or the agent did in the session before."""
    return any(_SESSION_BEFORE.search(one) and _US.search(one) for one in _clauses(text))


def _clauses(text: str) -> "Iterator[str]":
    """Yield the clauses that ask about the past, folded, without punctuation."""
    for clause in _END.split(text):
        said = " ".join(words(clause))
        if not said or not (clause.rstrip().endswith("?") or _ASKS.match(said)):
            continue
        code = language(clause, tuple(said.split())) or "en"
        tried = _ROMANCE if code in _ROMANCE else (code,) if code in _PATTERNS else ()
        if any(_PATTERNS[one].search(f"{said} ") for one in tried):
            yield said
