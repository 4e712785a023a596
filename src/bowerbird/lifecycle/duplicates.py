"""Whether two texts say the same: decided by their words alone, similarity only nominates.

Measured on pairs: a port's two numbers have a cosine of .93, "tabs" and "not tabs" .97, a true
paraphrase .36. So one text may take another one's place only if it holds it word for word, and
nothing in what it adds turns or narrows it; benchmarks/pairs.md has the figures.
"""

import re
from functools import lru_cache

from bowerbird.core.normal import plain, tokens
from bowerbird.core.value import Value
from bowerbird.lifecycle.grammar import (
    COMPANIONS,
    CONTINUERS,
    FILLERS,
    LIMITS,
    NEGATING_SIGNS,
    NEGATIONS,
    OPENERS,
    RESTRICTS,
    SAME_WORD,
)
from bowerbird.lifecycle.reordering import place, turned

# Short statements are held by too many others: "it works" by "it works on Linux".
FEWEST_WORDS = 2


class Verdict(Value):
    """What a new text is to a known one, and why.

    `relation` is same, covers (the known one holds the new one), supersedes (the new one holds the
    known one), contradicts, or empty where words decide nothing. `clear`: they differ in a value alone,
    so that whichever is newer holds.
    """

    __slots__ = ("clear", "reason", "relation")

    def __init__(self, relation: str, reason: str, *, clear: bool = False) -> None:
        self.relation = relation
        self.reason = reason
        self.clear = clear


UNDECIDED = Verdict("", "")
# Scripts without spaces pause without one.
_PAUSE = re.compile("[、。，；：！？]")
# “8 p.m.”, “z.B.” end no sentence.
_ABBREVIATION = re.compile(r"(?:[^\W\d_]\.){2,}$")
_AROUND = "'\"([{*,;:.!?¡¿)]}`"
_INDEFINITE = frozenset({"a", "an"})


class Statement(Value):
    """A text as it is compared: its words without fillers, which of them are names, where it pauses.

    `sentences` are those of the pauses that end one. `indefinite`: it speaks of “a” something, that is
    of a class.
    """

    __slots__ = ("boundaries", "indefinite", "names", "sentences", "words")

    def __init__(
        self,
        words: tuple[str, ...],
        names: frozenset[str],
        boundaries: frozenset[int],
        sentences: frozenset[int],
        indefinite: bool,
    ) -> None:
        self.words = words
        self.names = names
        self.boundaries = boundaries
        self.sentences = sentences
        self.indefinite = indefinite


@lru_cache(maxsize=64)
def statement(text: str) -> Statement:
    """The words of a text, its names and numbers, and after which words it pauses."""
    words: list[str] = []
    names = set()
    boundaries = set()
    sentences = set()
    start, indefinite = True, False
    for raw in _PAUSE.sub(r"\g<0> ", plain(text)).split():
        found = tokens(raw.rstrip("?？"))
        if _is_filler(raw, start=start):
            indefinite |= not _INDEFINITE.isdisjoint(found)
            found, start = (), False
        for word in found:
            if _is_name(raw, word, start=start):
                names.add(word)
            words += _spelt_out(word)
            start = False
        if raw[-1] in ",;:.!?—–…，；：。！？" or raw in {"-", "—", "–"}:
            boundaries.add(len(words))
            start = raw[-1] in ".!?。！？" and not _ABBREVIATION.match(raw)
            if start or raw[-1] in ";；":
                sentences.add(len(words))
    if words and text.rstrip().endswith(("?", "？")):
        words.append("?")
    parts = frozenset(names), frozenset(boundaries), frozenset(sentences)
    return Statement(tuple(words), *parts, indefinite)


def _is_filler(raw: str, *, start: bool) -> bool:
    """Articles and the like; with their accents, for “thé” is no “the”; “service A” is no article."""
    bare = raw.lower().strip(_AROUND)
    return bare in FILLERS or (bare == "a" and (start or "A" not in raw))


def _is_name(raw: str, token: str, *, start: bool) -> bool:
    """Numbers, identifiers, paths, and what is capitalised without standing first."""
    if any(char.isdigit() or char in "_/@#\\=." for char in token):
        return True
    if len(token) == 1 and not token.isascii():
        return False  # of a script without spaces: the rest of `raw` says nothing of it
    bare = raw.strip(_AROUND)
    return any(char.isupper() for char in bare[1:]) or (bare[:1].isupper() and not start)


def _spelt_out(token: str) -> tuple[str, ...]:
    """One word in its one form: ``isn't`` is two."""
    if token.endswith("n't") and len(token) > 3:  # noqa: PLR2004
        stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(token[:-3], token[:-3])
        return stem, "not"
    return (SAME_WORD.get(token, token),)


def compare(old: str, new: str) -> Verdict:
    """What the text `new` is to the known text `old`."""
    left, right = statement(old), statement(new)
    if left.words and left.words == right.words:
        return Verdict("same", "the same words")
    if min(len(left.words), len(right.words)) < FEWEST_WORDS:
        return UNDECIDED
    definite = bool(left.names | right.names) and not (left.indefinite or right.indefinite)
    how = turned(left.words, right.words, definite=definite)
    if how:
        return Verdict("same", how)
    if len(left.words) < len(right.words):
        return _extended(left, right)
    if len(left.words) > len(right.words) and _extended(right, left).relation == "supersedes":
        start = place(right.words, left.words)
        added = left.words[start + len(right.words) :]
        if start == 0 and _goes_on(added, left, len(right.words)):
            return Verdict("covers", "what is kept holds it word for word, and says more")
    return UNDECIDED


def _extended(short: Statement, long: Statement) -> Verdict:
    """Whether the longer text says what the shorter one does, and more."""
    start = place(short.words, long.words)
    if start < 0:
        return UNDECIDED
    end = start + len(short.words)
    before, behind = long.words[:start], long.words[end:]
    qualifier = turns(before + behind)
    if qualifier == "?" or qualifier in RESTRICTS:
        return UNDECIDED  # it asks whether; or it tells of a case
    if qualifier:
        return Verdict("contradicts", f"it adds “{qualifier}”")
    if before and start not in long.sentences:
        return UNDECIDED  # words in front narrow it: "the old parser", "staging: …"
    if not _goes_on(behind, long, end):
        return UNDECIDED  # narrowed to a case: "tabs in Makefiles", "at eight on school nights"
    return Verdict("supersedes", "it holds the older one word for word, and says more")


def _goes_on(added: tuple[str, ...], whole: Statement, at: int) -> bool:
    """Whether added words go on telling instead of narrowing what was told.

    They do as a clause of their own: behind a pause, or opened by a word that continues. “…, on school
    nights” is no clause, and “the folder which is on D:” is another one than “the folder”.
    """
    if not added or added[0] in CONTINUERS:
        return True
    return at in whole.boundaries and (added[0] in COMPANIONS or added[0] not in OPENERS)


def turns(words: tuple[str, ...]) -> str:
    """The first of some words that turns or narrows a statement, or nothing."""
    for word, behind in zip(words, (*words, "")[1:], strict=True):
        # “Green tea rather than black” tells more exactly what was told.
        exact = word == "rather" and behind == "than"
        if word in NEGATIONS or (word in LIMITS and not exact):
            return word
    joined = "".join(word for word in words if not word.isascii())
    return next((sign for sign in NEGATING_SIGNS if sign in joined), "")
