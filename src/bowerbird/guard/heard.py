"""What a session heard from others, and which of it a text repeats. Pure: the caller hands in the facts.

What a text repeats it rests on, whoever says it, in this session or a later one: the same run of words,
or a name that others brought in first. A name is one's own where a person typed it, or a file or command
of the project holds it that nobody else wrote.
"""

from functools import cached_property, lru_cache
from itertools import accumulate
from zlib import crc32

from bowerbird.guard.names import Names, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    Known = Callable[[Collection[str]], Collection[str]]

# Words in a row that two texts share by repetition, hardly by chance; and characters that are looked at.
_RUN = 4
LONGEST_OUTPUT = 100_000
# The same in another session, so long after: longer runs, in which most words are not short.
_LONG_RUN = 6
_CONTENT = 4
_SHORT = 3
_TWO_BYTES = 0xFFFF
# What stands between the commands of a line.
_BETWEEN = ("&&", "||", ";", "|")


def _none(_names: "Collection[str]") -> "Collection[str]":
    return ()


def _is_no_word(_word: str) -> bool:
    return False


class _BetweenWords(dict[int, "int | str"]):
    """A table of translation that puts a blank for what is neither letter nor digit.

    It fills as characters are met, as far as two bytes name them: no text makes it grow beyond.
    """

    def __missing__(self, code: int) -> "int | str":
        found = code if chr(code).isalnum() else " "
        if code <= _TWO_BYTES:
            self[code] = found
        return found


_BETWEEN_WORDS = _BetweenWords()


class _Words:
    """The words of a text, folded, without what stands between them, and their runs."""

    def __init__(self, text: str) -> None:
        self.each = text[:LONGEST_OUTPUT].lower().translate(_BETWEEN_WORDS).split()

    @cached_property
    def spaced(self) -> str:
        """The words with a blank around each."""
        return f" {' '.join(self.each)} "

    @cached_property
    def runs(self) -> frozenset[str]:
        """The runs by which a repetition is recognised in the same session."""
        words = self.each
        return frozenset(" ".join(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))

    @cached_property
    def sentences(self) -> frozenset[str]:
        """The longer runs by which a repetition is recognised in a later session."""
        words = self.each
        # How many words before each are not short: counted once, not once a run.
        before = [0, *accumulate(len(word) > _SHORT for word in words)]
        return frozenset(
            " ".join(words[at : at + _LONG_RUN])
            for at in range(len(words) - _LONG_RUN + 1)
            if before[at + _LONG_RUN] - before[at] >= _CONTENT
        )


# A step is asked whether it repeats something, and then noted: of the same text.
_words = lru_cache(maxsize=8)(_Words)


class Heard:
    """What one session heard so far, in order."""

    def __init__(
        self,
        earlier: "Known" = _none,
        in_project: "Known" = _none,
        is_word: "Callable[[str], bool]" = _is_no_word,
    ) -> None:
        """`earlier` returns those names that earlier sessions of the project first heard from others.

        `in_project` those that the project's own files hold; `is_word` knows common words.
        """
        self._earlier, self._in_project, self._is_word = earlier, in_project, is_word
        self._names_in = Names(is_word).of
        self._runs: set[str] = set()
        self._own_runs: set[str] = set()
        self._own_commands: set[str] = set()
        # The words of each text of others, with a blank around each.
        self._texts: set[str] = set()
        self._sentences: set[str] = set()
        self._names: set[str] = set()
        self._own: set[str] = set()
        # The same texts as words, with a blank around each.
        self._own_words: set[str] = set()
        self._typed: set[str] = set()
        self._typed_sentences: set[str] = set()
        self._introduced: set[str] = set()

    def others(self, text: str, *, printed: bool = False) -> None:
        """Notes a text whose author is unknown, or known to be somebody else.

        `printed`: a program of the project did, which says the same every day: of that only names count
        in later sessions.
        """
        words = _words(text)
        self._runs |= words.runs
        self._texts.add(words.spaced)
        if not printed:
            self._sentences |= words.sentences
        for one in self._names_in(text):
            self._names |= {one, *within(one, self._is_word)}

    def own(self, text: str) -> None:
        """Notes what a file or a command of the project shows, or the agent says of itself."""
        self._own.add(text[:LONGEST_OUTPUT].lower())
        self._own_words.add(_words(text).spaced)

    def said(self, text: str) -> None:
        """Notes what the agent says of itself: who prints its words later repeats them."""
        self.own(text)
        self._own_runs |= _words(text).runs
        self._own_commands.update(_commands(text))

    def told_to_run(self, line: str) -> bool:
        """Whether a command of several words stands word for word in a text of others."""
        told = _commands(line) - self._own_commands
        return any(one in text for one in told for text in self._texts)

    def typed(self, text: str) -> None:
        """Notes what a person typed: every name in it is theirs."""
        self._typed.add(text.lower())
        self._typed_sentences |= _words(text).sentences

    def wrote(self, text: str, besides: str = "") -> None:
        """Notes what the session puts into a file or a commit: no words of others are its own by that."""
        new = self._names_in(text) - self._names_in(besides)
        self._introduced |= self._foreign(new & self._names)
        said = (_words(text).runs & self._runs) - _words(besides).runs
        self._introduced.update(filter(self._is_foreign, said))

    def repeats(self, text: str, besides: str = "") -> bool:
        """Whether a text repeats what others said, other than in what it takes over from `besides`."""
        words, replaced = _words(text), _words(besides)
        repeated = (words.runs & self._runs) - self._own_runs - replaced.runs
        if any(map(self._is_foreign, repeated)):
            return True
        found = self._names_in(text) - self._names_in(besides)
        if self._foreign(found & self._names):
            return True
        said = found | (words.sentences - replaced.sentences)
        return bool(said and self._untyped(self._earlier(said)))

    def learned(self, most: int) -> "Collection[str]":
        """The names that this session first heard from others, and runs of their words, at most so many.

        Which ones of many are kept is the same for every text, so that a sentence of a long text and a
        repetition of it meet.
        """
        named = [*_fewest(self._foreign(self._names), most)]
        return [*named, *_fewest(self._untyped(self._sentences), most - len(named))]

    @property
    def adopted(self) -> set[str]:
        """The names and runs of words that a person typed in this session."""
        found = {one for text in self._typed for one in self._names_in(text)}
        return found | self._typed_sentences

    def _is_foreign(self, run: str) -> bool:
        """Whether no text of one's own holds a run of words, other than what the session put there."""
        asked = f" {run} "
        return run in self._introduced or not any(asked in text for text in self._own_words)

    def _foreign(self, found: "Collection[str]") -> set[str]:
        """Those of some names heard in this session that are nobody's own."""
        left = {
            one
            for one in self._untyped(found)
            if one in self._introduced or not any(one in text for text in self._own)
        }
        asked = left - self._introduced
        return left.difference(self._in_project(asked)) if asked else left

    def _untyped(self, found: "Collection[str]") -> set[str]:
        left = {one for one in found if not any(one in text for text in self._typed)}
        return left - self._typed_sentences


def _commands(line: str) -> set[str]:
    """The commands of several words in a line, each with a blank around its words."""
    for mark in _BETWEEN:
        line = line.replace(mark, "\n")
    parts = (_Words(part) for part in line.split("\n"))
    return {part.spaced for part in parts if len(part.each) > 1}


def _fewest(found: "Collection[str]", most: int) -> "Collection[str]":
    """Some of many texts, always the same ones."""
    if len(found) <= most:
        return found
    return sorted(found, key=lambda one: crc32(one.encode()))[: max(0, most)]
