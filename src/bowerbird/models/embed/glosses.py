"""Texts of other languages word by word in English, for the contextual model, which has learnt English.

A word stands in a list of its language (`weights/glosses-de.txt` …): lines of a folded word, a blank and
its gloss, sorted, mapped into memory and searched by halves, so that a question costs the pages that it
touches. Words that carry grammar alone are left out but for those that deny and ask. What no list holds
is looked for by its parts where the language writes them together, then by its beginning, which its
inflections share; else it stays as it is. `scripts/build_glosses.py` makes the lists;
`benchmarks/memories.md` ("Other languages") has what they are worth.
"""

import mmap
from os.path import dirname, join

from bowerbird.core.errors import ModelError
from bowerbird.core.language import GLOSSED, STOP_WORDS, language
from bowerbird.core.text import words
from bowerbird.models.embed import REMEDY
from bowerbird.models.embed.wordpiece import LONGEST_WORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WEIGHTS = join(dirname(__file__), "weights")
# What the lists are, as part of the model's identity: the first digits of the SHA-256 of all of them,
# written down here, because a process that reads English does not open them.
REVISION = "6577f0"
# Languages that write several words as one.
COMPOUNDING = frozenset(("de", "nl"))
# A part of such a word has at least this number of letters; letters that may join it to the next one.
PART, JOINTS = 4, ("", "s", "n")
# Of how many parts it may be.
PARTS = 3
# Words with the same beginning are forms of one another where neither goes on for more letters than that.
INFLECTION = 3


# Fewer stop words than these, in a text of plain letters, may be an English word or a name: "van rental",
# "Los Angeles office". What the model has whole stays as it is then; of the development set's paraphrases
# .472, .689 and .528 are first, among three and in a context so, .478, .683 and .533 without.
EVIDENCE = 2


class Glosses:
    """The lists of all languages, each opened when a text of that language is first read."""

    def __init__(self, knows: "Callable[[str], bool]") -> None:
        """`knows`: whether the model has a folded word whole, as it has most English ones."""
        self._knows = knows
        self._lists: dict[str, GlossList] = {}

    def read(self, text: str) -> str:
        """A text in English, word by word; as it is where it is English or of no language with a list.

        Raises ModelError where a list cannot be read.
        """
        every = words(text)
        code = language(text, tuple(every))
        if code not in GLOSSED:
            return text
        if code not in self._lists:
            self._lists[code] = GlossList(join(WEIGHTS, f"glosses-{code}.txt"), code)
        found = self._lists[code]
        if text.isascii() and sum(word in STOP_WORDS[code] for word in every) < EVIDENCE:
            return " ".join(word if self._knows(word) else found.read([word]) for word in every)
        return found.read(every)


class GlossList:
    """One language's words and what they are in English."""

    def __init__(self, path: str, code: str) -> None:
        """Maps the list. Raises ModelError when it cannot be read."""
        try:
            with open(path, "rb") as file:
                self._lines = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise ModelError(f"cannot read the glosses {path}: {error}", REMEDY) from error
        self._stops = STOP_WORDS[code]
        self._compounding = code in COMPOUNDING

    def read(self, every: list[str]) -> str:
        """Some folded words, each by its gloss where it has one."""
        found = []
        for word in every:
            gloss = self._exact(word)
            if not gloss and word not in self._stops:
                gloss = self.gloss(word) or word
            found.append(gloss)
        return " ".join(filter(None, found)) or " ".join(every)

    def gloss(self, word: str, parts: int = PARTS) -> str:
        """What a folded word is in English; empty where nothing tells."""
        exact = self._exact(word)
        # To try all parts takes time by the square of the length: 7 s for a word of 60,000 letters.
        if exact or not PART < len(word) <= LONGEST_WORD or not word.isalpha():
            return exact
        if self._compounding and parts > 1:
            for end in range(len(word) - PART, PART - 1, -1):
                first = self._part(word[:end])
                rest = first and self.gloss(word[end:], parts - 1)
                if rest:
                    return f"{first} {rest}"
        return self._form(word)

    def _part(self, part: str) -> str:
        for joint in JOINTS:
            bare = part.removesuffix(joint) if joint else part
            if len(bare) >= PART and part.endswith(joint) and (gloss := self._exact(bare)):
                return gloss
        return ""

    def _exact(self, word: str) -> str:
        key = word.encode() + b" "
        line = self._line(self._place(key))
        return line[len(key) :].decode() if line.startswith(key) else ""

    def _form(self, word: str) -> str:
        """The gloss of the word with the longest beginning in common, if it may be another form."""
        best, gloss = max(PART, len(word) - INFLECTION) - 1, ""
        for line in self._beside(self._place(word.encode() + b" ")):
            other, _, its = line.decode().partition(" ")
            common = _common(word, other)
            if common > best and len(other) - common <= INFLECTION:
                best, gloss = common, its
        return gloss

    def _beside(self, place: int) -> "Iterator[bytes]":
        """The two lines before a place and the two from it on."""
        before = place
        for _ in range(2):
            if before > 0:
                before = self._lines.rfind(b"\n", 0, before - 1) + 1
                yield self._line(before)
        for _ in range(2):
            if place < len(self._lines):
                yield (line := self._line(place))
                place += len(line) + 1

    def _line(self, start: int) -> bytes:
        end = self._lines.find(b"\n", start)
        return self._lines[start:end] if end >= 0 else b""

    def _place(self, key: bytes) -> int:
        """Where the first line begins that does not come before a key."""
        low, high = 0, len(self._lines)
        while low < high:
            start = self._lines.rfind(b"\n", 0, (low + high) // 2) + 1
            line = self._line(start)
            if line < key:
                low = start + len(line) + 1
            else:
                high = start
        return low


def _common(one: str, other: str) -> int:
    """How many letters two words have in common at their beginning."""
    count = 0
    for letter, its in zip(one, other, strict=False):
        if letter != its:
            break
        count += 1
    return count
