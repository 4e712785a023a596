"""Detects duplicates by words alone; similarity only retrieves the candidates.

Cosines do not separate them: two different port numbers have .93, "tabs" and "not tabs" .97, a true
paraphrase .36. So one text may supersede another one only if it contains it word for word and adds
nothing that negates or restricts it (benchmarks/pairs.md).
"""

from functools import lru_cache

from bowerbird.core.language import NEGATIONS, NOW, NU, nu_says_now
from bowerbird.core.memories import UNDECIDED, Verdict
from bowerbird.core.normal import plain, word_tokens
from bowerbird.core.pattern import late
from bowerbird.core.value import Record
from bowerbird.guard.redact import without_marks
from bowerbird.lifecycle.prepared import prepared
from bowerbird.lifecycle.reordering import position_in, reordered
from bowerbird.lifecycle.word_classes import (
    COMPANIONS,
    CONTINUERS,
    FILLERS,
    LIMITS,
    NEGATING_SIGNS,
    OPENERS,
    RESTRICTS,
    SAME_WORD,
    TIMELESS,
)

# Shorter statements are contained in too many others: "it works" in "it works on Linux".
FEWEST_WORDS = 2


# Punctuation of scripts without spaces.
_PAUSE = late("[、。，；：！？]")
# “8 p.m.”, “z.B.” do not end a sentence.
_ABBREVIATION = late(r"(?:[^\W\d_]\.){2,}$")
# What says around a statement that it was made before, and words of which it has one.
_SAYS_AGAIN = frozenset(
    "said told mentioned noted stated once gesagt erwahnt einmal dit dicho dije".split()
)
_REPEATS = (
    r"(?:(?:as|like) (?:(?:i|we|you|have|had|ve|just|i've|we've) )*"
    r"(?:said|told|mentioned|noted|stated)(?: you)?"
    r"(?: (?:before|earlier))?|once(?: more)?|noch einmal"
    r"|wie (?:(?:ich|wir|schon|bereits) )*(?:gesagt|erwahnt)"
    r"|comme (?:(?:je|on|l'ai|l'a|deja) )*dit|como (?:ya )?(?:dije|dicho))"
)
# The words with which a text may be said again.
AGAIN = (*_SAYS_AGAIN, _REPEATS)
_SAID_BEFORE = late(rf"^{_REPEATS} | {_REPEATS}$")
_AROUND = "'\"([{*,;:.!?¡¿)]}`"
_INDEFINITE = frozenset({"a", "an"})
# Words that are remembered, and their characters.
_MOST = 8_192
_LONG = 40


class Statement(Record):
    """A text prepared for comparison: its words without fillers, and which of them are names.

    `lasting` are its words without “today”, “now” and the like, and without “as I said”.
    `boundaries` and `sentences` are the numbers of words after which punctuation stands, and after which
    a sentence ends. `indefinite`: it contains “a” or “an”, so it may be about a class. `quote`: the
    number of words before the quote that it ends with, in parentheses; of all if there is none.
    """

    words: tuple[str, ...]
    names: frozenset[str]
    boundaries: frozenset[int]
    sentences: frozenset[int]
    indefinite: bool
    quote: int
    lasting: tuple[str, ...]


@prepared
def statement(text: str) -> Statement:
    """Returns the words of a text, its names and numbers, and the positions of its punctuation."""
    words: list[str] = []
    names: list[str] = []
    boundaries = set()
    sentences = set()
    start, indefinite, quote = True, False, 0
    said = plain(without_marks(text))
    for raw in (said if said.isascii() else _PAUSE.sub(r"\g<0> ", said)).split():
        if raw[0] == "(" and raw.startswith('("'):
            quote = len(words)
        one = _known(raw, start) if len(raw) <= _LONG else _read(raw, start)
        its_words, its_names, is_indefinite, pauses, ends, start = one
        words += its_words
        if its_names:
            names += its_names
        if is_indefinite:
            indefinite = True
        if pauses:
            boundaries.add(len(words))
            if ends:
                sentences.add(len(words))
    words = _with_now(words)
    if words and text.rstrip().endswith(("?", "？")):
        words.append("?")
    parts = frozenset(names), frozenset(boundaries), frozenset(sentences)
    quotes = quote and said.rstrip(" .").endswith('")')
    every = lasting = tuple(words)
    if not TIMELESS.isdisjoint(words):
        lasting = tuple([word for word in words if word not in TIMELESS])
    if not _SAYS_AGAIN.isdisjoint(words):
        lasting = tuple(_SAID_BEFORE.sub("", " ".join(lasting)).split())
    return Statement(every, *parts, indefinite, quote if quotes else len(words), lasting)


def _with_now(words: list[str]) -> list[str]:
    """Words in which the Dutch “nu” is no negation."""
    if NU not in words or not nu_says_now(words):
        return words
    return [NOW if word == NU else word for word in words]


def _read(
    raw: str, start: bool
) -> "tuple[tuple[str, ...], frozenset[str], bool, bool, bool, bool]":
    """What stands between two spaces: its words and names, and the punctuation behind it.

    Whether it is indefinite, pauses, and ends a sentence, and whether what follows begins one. A plain
    tuple: texts are read word by word, by the ten thousand, and a value's fields take twice as long.
    """
    found = word_tokens(raw.rstrip("?？"))
    words: list[str] = []
    names = set()
    indefinite = False
    if _is_filler(raw, start=start):
        indefinite = not _INDEFINITE.isdisjoint(found)
        found, start = (), False
    for word in found:
        if _is_name(raw, word, start=start):
            names.add(word)
        words += _spelt_out(word)
        start = False
    pauses = raw[-1] in ",;:.!?—–…，；：。！？" or raw in {"-", "—", "–"}
    ends = False
    if pauses:
        start = raw[-1] in ".!?。！？" and not _ABBREVIATION.match(raw)
        ends = start or raw[-1] in ";；"
    return tuple(words), frozenset(names), indefinite, pauses, ends, start


def tokens_of(raw: str) -> "tuple[str, ...]":
    """The words of what stands between two blanks, spelt out."""
    return tuple(word for token in word_tokens(raw.rstrip("?")) for word in _spelt_out(token))


# Memories repeat their words more than themselves: of 6,000, comparing takes a fifth less with this.
_known = lru_cache(_MOST)(_read)


def _is_filler(raw: str, *, start: bool) -> bool:
    """Whether a word is an article or the like; not “thé”, and not the name in “service A”."""
    bare = raw.lower().strip(_AROUND)
    return bare in FILLERS or (bare == "a" and (start or "A" not in raw))


def _is_name(raw: str, token: str, *, start: bool) -> bool:
    """Whether a word is a number, an identifier, a path, or capitalised within a sentence."""
    if not token.isalpha() and any(char.isdigit() or char in "_/@#\\=." for char in token):
        return True
    if len(token) == 1 and not token.isascii():
        return False  # of a script without spaces, where `raw` is more than the word
    bare = raw.strip(_AROUND)
    return any(char.isupper() for char in bare[1:]) or (bare[:1].isupper() and not start)


def _spelt_out(token: str) -> tuple[str, ...]:
    """Returns a word in its normal form: ``isn't`` as two words, synonyms as one."""
    if token.endswith("n't") and len(token) > 3:  # noqa: PLR2004
        stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(token[:-3], token[:-3])
        return stem, "not"
    return (SAME_WORD.get(token, token),)


def compare(old: str, new: str) -> Verdict:
    """Returns the relation of the text `new` to the stored text `old`."""
    left, right = statement(old), statement(new)
    if left.words and left.words == right.words:
        return Verdict("same", "the same words")
    if min(len(left.words), len(right.words)) < FEWEST_WORDS:
        return UNDECIDED
    ours, theirs = left.lasting, right.lasting
    if ours == theirs and len(ours) > FEWEST_WORDS:
        return Verdict("same", "the same words, but for when it is said")
    definite = bool(left.names | right.names) and not (left.indefinite or right.indefinite)
    how = reordered(left.words, right.words, definite=definite)
    if how:
        return Verdict("same", how)
    if len(left.words) < len(right.words):
        return _extended(left, right)
    longer = _extended(right, left) if len(left.words) > len(right.words) else UNDECIDED
    if longer.relation == "contradicts":
        return longer
    if longer.relation == "extends":
        start = position_in(right.words, left.words)
        added = left.words[start + len(right.words) :]
        if start == 0 and _adds(added, left, len(right.words)):
            return Verdict("covers", "what is kept holds it word for word, and says more")
    return UNDECIDED


def repeats(old: str, new: str) -> bool:
    """Whether a text contains the older one word for word, and no word that negates or restricts it."""
    left, right = statement(old).words, statement(new).words
    start = position_in(left, right) if len(left) > FEWEST_WORDS else -1
    if start < 0:
        return False
    qualifier = first_qualifier(right[:start] + right[start + len(left) :])
    return not qualifier and right[-1] != "?" and RESTRICTS.isdisjoint(right)


def _extended(short: Statement, long: Statement) -> Verdict:
    """Returns whether the longer text states what the shorter one does, and more."""
    start = position_in(short.words, long.words)
    if start < 0:
        return UNDECIDED
    end = start + len(short.words)
    before, after = long.words[:start], long.words[end:]
    qualifier = first_qualifier(before + long.words[end : long.quote])
    if qualifier == "?" or qualifier in RESTRICTS:
        return UNDECIDED  # a question, or restricted to a case
    added = before + after
    if qualifier and not OPENERS.isdisjoint(
        added[: added.index(qualifier)] if qualifier in added else ()
    ):
        return UNDECIDED  # “if they don't involve crowds”: what is denied is in the case
    if qualifier:
        return Verdict("contradicts", f"one adds “{qualifier}”")
    if before and start not in long.sentences:
        return UNDECIDED  # words in front restrict it: "the old parser", "staging: …"
    if not _adds(after, long, end):
        return UNDECIDED  # restricted to a case: "tabs in Makefiles", "at eight on school nights"
    return Verdict("extends", "it holds the older one word for word, and says more")


def _adds(added: tuple[str, ...], whole: Statement, at: int) -> bool:
    """Whether the words `added` at a position are a further statement, not a restriction.

    A further statement is a clause of its own: after punctuation, or opened by a conjunction. “…, on
    school nights” is not a clause, and “the folder which is on D:” is a different one than “the folder”.
    """
    if not added or added[0] in CONTINUERS:
        return True
    return at in whole.boundaries and (added[0] in COMPANIONS or added[0] not in OPENERS)


def first_qualifier(words: tuple[str, ...]) -> str:
    """Returns the first word that negates or restricts a statement, or an empty text."""
    for word, following in zip(words, (*words, "")[1:], strict=True):
        # “Green tea rather than black” only makes a statement more precise.
        exact = word == "rather" and following == "than"
        if word in NEGATIONS or (word in LIMITS and not exact):
            return word
    joined = "".join(word for word in words if not word.isascii())
    return next((sign for sign in NEGATING_SIGNS if sign in joined), "")
