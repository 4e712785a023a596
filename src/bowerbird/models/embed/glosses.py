"""Word-by-word translation into English for the contextual model, which was trained on English.

Each language has a list (`weights/glosses-de.txt` …) of lines with a folded word, a space and its gloss,
sorted, memory-mapped and searched by bisection, so a query reads few pages. Function words are left out,
except negations and question words. A word that is not in the list is split into parts if the language
forms compounds, then matched by the longest common prefix, which inflected forms share; otherwise it
stays as it is. `scripts/build_glosses.py` builds the lists; `benchmarks/memories.md` ("Other languages")
has the results.
"""

from os.path import dirname, join

from bowerbird.core.errors import ModelError
from bowerbird.core.language import GLOSSED, STOP_WORDS, language
from bowerbird.core.text import words
from bowerbird.models.embed import REMEDY, shared_map
from bowerbird.models.embed.wordpiece import LONGEST_WORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WEIGHTS = join(dirname(__file__), "weights")
# The revision of the lists, part of the model's identity: the first digits of the SHA-256 of all of them.
# A constant, because a process that reads English does not open them.
REVISION = "6577f0"
# Languages that write compounds as one word.
COMPOUNDING = frozenset(("de", "nl"))
# Minimum letters of a part of a compound; letters that may join it to the next part.
PART = 4
JOINTS = ("", "s", "n")
# Maximum number of parts.
PARTS = 3
# Words with a common prefix count as forms of one word if at most this number of letters follow it in
# each.
INFLECTION = 3


# A text in plain letters with fewer stop words than this may be an English word or a name: "van rental",
# "Los Angeles office". Words that the model knows whole then stay as they are. On the development set,
# .472 of paraphrases are first, .689 among three and .528 in a context; without the rule .478, .683 and
# .533.
EVIDENCE = 2


class Glosses:
    """The lists of all languages, each opened when a text of that language is first read."""

    def __init__(self, knows: "Callable[[str], bool]") -> None:
        """`knows`: whether the model's vocabulary has a folded word whole, as most English words."""
        self._knows = knows
        self._lists: dict[str, GlossList] = {}

    def read(self, text: str) -> str:
        """A text translated word by word; unchanged if it is English or of a language without a list.

        Raises ModelError if a list cannot be read.
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
    """The words of one language and their English glosses."""

    def __init__(self, path: str, code: str) -> None:
        """Map the list. Raises ModelError if it cannot be read."""
        try:
            self._lines = shared_map(path)
        except (OSError, ValueError) as error:
            raise ModelError(f"cannot read the glosses {path}: {error}", REMEDY) from error
        self._stops = STOP_WORDS[code]
        self._compounding = code in COMPOUNDING

    def read(self, every: list[str]) -> str:
        """Folded words joined by spaces, each replaced by its gloss if it has one."""
        found = []
        for word in every:
            gloss = self._exact(word)
            if not gloss and word not in self._stops:
                gloss = self.gloss(word) or word
            found.append(gloss)
        return " ".join(filter(None, found)) or " ".join(every)

    def gloss(self, word: str, parts: int = PARTS) -> str:
        """The English gloss of a folded word; empty if none is found."""
        exact = self._exact(word)
        # Trying all splits takes time quadratic in the length: 7 s for a word of 60,000 letters.
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
        line = self._line(self._offset_of(key))
        return line[len(key) :].decode() if line.startswith(key) else ""

    def _form(self, word: str) -> str:
        """The gloss of the word with the longest common prefix, if it may be another form."""
        best, gloss = max(PART, len(word) - INFLECTION) - 1, ""
        for line in self._beside(self._offset_of(word.encode() + b" ")):
            other, _, its = line.decode().partition(" ")
            common = _common(word, other)
            if common > best and len(other) - common <= INFLECTION:
                best, gloss = common, its
        return gloss

    def _beside(self, offset: int) -> "Iterator[bytes]":
        """The two lines before an offset and the two from it on."""
        before = offset
        for _ in range(2):
            if before > 0:
                before = self._lines.rfind(b"\n", 0, before - 1) + 1
                yield self._line(before)
        for _ in range(2):
            if offset < len(self._lines):
                yield (line := self._line(offset))
                offset += len(line) + 1

    def _line(self, start: int) -> bytes:
        end = self._lines.find(b"\n", start)
        return self._lines[start:end] if end >= 0 else b""

    def _offset_of(self, key: bytes) -> int:
        """The offset of the first line that does not sort before a key."""
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
    """The length of the common prefix of two words."""
    count = 0
    for letter, its in zip(one, other, strict=False):
        if letter != its:
            break
        count += 1
    return count
