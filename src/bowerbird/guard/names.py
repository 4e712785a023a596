"""The names in a text by which a repetition of it is recognised, however it is reworded. Pure.

A host, a package, an option, a variable or an identifier is rarely chosen twice by chance: whoever says
it after it was read has it from there. Plain words are nobody's.
"""

import re2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Characters that are looked at.
_LONGEST_TEXT = 100_000
_SHORTEST = 5
_LONGEST = 100
# Bytes that stand in names stay, all others become spaces: a project's own files hold a million words,
# and the wrapper of re2 makes an object of each.
_IN_NAMES = bytes(at if chr(at).isalnum() or chr(at) in "_$.+~-" else 32 for at in range(128))
_IN_NAMES += b" " * 128
_ESCAPED = re2.compile(r"%[0-9A-Fa-f]{2}")
_HUMP = re2.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_EDGE = ".-+~$_"
# The parts of a word are what stands between these: a table, since a pattern took half of the time of
# reading a session.
_APART = dict.fromkeys(map(ord, "_$.+~-"), " ")
# Words between hyphens that make a compound of them prose: up-to-date, out-of-the-box.
_PROSE = frozenset(
    "to the of and or in on by for at as an a up out off so non not is it be no".split()
)
# Plain words that hyphens or points join are no name: package.json, read-only. More of them are.
_FEW = 2
# Parts of so many letters after a point are the endings of files.
_ENDING = 3
# Words whose names are remembered, some 5 MB of them.
_MOST_JUDGED = 50_000
# Parts of a name joined by `_` whose runs are names, too.
_MOST_PARTS = 14


def atoms(text: str) -> set[str]:
    """Everything in a text that may be a name, folded, with the parts that hyphens join."""
    found = set()
    for word in _words(text):
        for part in {word, *word.split("-")}:
            if _SHORTEST <= len(part) <= _LONGEST:
                found.add(part.lower())
    return found


class Names:
    """Finds the names in texts, folded. Sessions repeat most of their words, so each is judged once."""

    def __init__(self, is_word: "Callable[[str], bool]") -> None:
        """`is_word` says whether a folded word is a common one."""
        self._is_word = is_word
        self._judged: dict[str, tuple[str, ...]] = {}

    def of(self, text: str) -> set[str]:
        """The names in a text."""
        found: set[str] = set()
        for word in _words(text):
            judged = self._judged.get(word)
            if judged is None:
                judged = self._in_word(word)
                if len(self._judged) < _MOST_JUDGED and len(word) <= _LONGEST:
                    self._judged[word] = judged
            found.update(judged)
        return found

    def _in_word(self, word: str) -> tuple[str, ...]:
        return tuple(
            part.lower()
            for part in {word, *word.split("-")}
            if _SHORTEST <= len(part) <= _LONGEST and _is_name(part, self._is_word)
        )


def within(name: str, is_word: "Callable[[str], bool]") -> set[str]:
    """The names that a name is made of: the runs of its parts that hold a word that nobody else uses."""
    parts = name.split("_")
    if not _FEW < len(parts) <= _MOST_PARTS:
        return set()
    count = len(parts)
    runs = (parts[start:end] for start in range(count) for end in range(start + 2, count + 1))
    return {
        "_".join(run)
        for run in runs
        if sum(map(len, run)) >= _SHORTEST and not all(len(one) < 3 or is_word(one) for one in run)  # noqa: PLR2004 letters of a word
    }


def _words(text: str) -> "Iterator[str]":
    text = text[:_LONGEST_TEXT]
    if "%" in text:
        text = _ESCAPED.sub(" ", text)
    # Each once: a text repeats most of its words.
    words = text.encode("ascii", "replace").translate(_IN_NAMES).decode("ascii").split()
    for one in {*words}:
        yield one.strip(_EDGE)


def _is_name(word: str, is_word: "Callable[[str], bool]") -> bool:
    plain = word.lower()
    parts = plain.translate(_APART).split()
    if not any(part.isalpha() and len(part) > 1 for part in parts):
        # Numbers, versions and hashes; a name with digits has them behind a word.
        return len(parts) == 1 and _mixes(plain)
    if "_" in word or (len(parts) == 1 and _mixes(plain)):
        return True
    if len(parts) == 1:
        # Without a capital behind its first letter there is none.
        return word[1:] != plain[1:] and bool(_HUMP.search(word)) and not is_word(plain)
    if word[:1].isupper() and all(part.isalpha() and len(part) >= _SHORTEST for part in parts):
        return False  # a compound of a language that capitalises its nouns, or a title
    known = [part.isdigit() or len(part) == 1 or is_word(part) for part in parts]
    if "." in word and len(parts[-1]) <= _ENDING:
        known[-1] = True
    return not all(known) or (len(parts) > _FEW and _PROSE.isdisjoint(parts))


def _mixes(word: str) -> bool:
    """Whether a word holds letters and digits, as no hash or unit does: after three letters."""
    return word[:3].isalpha() and not word.isalpha() and any(map(str.isdigit, word))
