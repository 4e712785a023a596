"""The normal form of a text: equal for texts with the same wording.

Ignores case, accents, white space, markup and punctuation; keeps signs inside a word and between words
(``3.5``, ``a/b.c``, ``--fast``, ``_private``, ``C++``, ``<5``, ``x != 1``), and whether the text is a
question.
"""

import re
from functools import lru_cache

from bowerbird.core.ids import content_hash
from bowerbird.core.pattern import late
from bowerbird.core.text import fold

_PLAIN = {
    ord(char): plain
    for chars, plain in (("‘’‚‛′`´", "'"), ("“”„‟″«»", '"'), ("–—‐‑‒−", "-"), ("…", " "))
    for char in chars
}
# Scripts without spaces between words: each character is a token.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = late(f"[{_UNSPACED}]|[^\\s{_UNSPACED}\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]+")
# Only blanks may precede it: with line ends, a run of empty lines would take quadratic time.
_BULLET = late(r"^[^\S\n]*(?:[-*+>#]+\s+|\d+[.)]\s+)+", re.MULTILINE)
# Characters that may surround a word without belonging to it. A leading hyphen or dot belongs to it.
_BEFORE = "'`\"([{*,;:¡¿"
_AFTER = "'`\")]}*,;:!?."
_ASKS = "?"
_OPERATOR = late(r"[<>=!+*/%&|^~-]+")


def plain(text: str) -> str:
    """The text with plain quotation marks and hyphens, and without bullets."""
    # Of the marks only the backtick is in ASCII: most texts need no table.
    return _BULLET.sub("", text.replace("`", "'") if text.isascii() else text.translate(_PLAIN))


def tokens(text: str) -> tuple[str, ...]:
    """The folded words of a text in order, without markup and punctuation around them."""
    text = plain(text)
    found = []
    folded = fold(text)
    # The same words, without the expression: its classes take a quarter of a bare interpreter to compile.
    for raw in folded.split() if folded.isascii() else _WORD.findall(folded):
        if raw.isalnum():  # most words: nothing surrounds them
            found.append(raw)
            continue
        word = raw if _OPERATOR.fullmatch(raw) else raw.lstrip(_BEFORE).rstrip(_AFTER)
        if word.strip("-*_"):
            found.append(word)
    if text.rstrip().endswith((_ASKS, "？")):
        found.append(_ASKS)
    return tuple(found)


@lru_cache(maxsize=8_192)
def word_tokens(word: str) -> tuple[str, ...]:
    """The tokens of a single word. Texts repeat their words, so the last ones are kept."""
    bare = word.lstrip(_BEFORE).rstrip(_AFTER)
    if bare.isalnum() and word.isascii() and not word.endswith(_ASKS):
        return (bare.lower(),)
    return tokens(word)


def normal_hash(text: str) -> bytes:
    """The hash of the normal form, or of the text itself if the normal form is empty."""
    return content_hash((" ".join(tokens(text)) or fold(text)).encode())
