"""Recognises what is left of erased memories in other texts. Pure."""

import re

from bowerbird.core.language import content_words
from bowerbird.core.text import words
from bowerbird.lifecycle.dated import without_dates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

# Consecutive words that a text shares with an erased one only if it quotes it, or says the same.
_RUN = 4
# The most words by which other texts are passed over: more of them are found in most texts.
_MOST_HINTS = 200


class Remnants:
    """The wording of erased memories: their versions' texts, and words that nothing else holds."""

    def __init__(
        self,
        texts: "Collection[str]",
        only: "Collection[str]" = (),
        names: "Collection[str]" = (),
    ) -> None:
        """`only` are rare words of these texts that no other entry of the store holds.

        `names` are those, and the names and codes that a few others say too.
        """
        self._only = frozenset(only)
        self.names = sorted(names)
        self._names = frozenset(names)
        self._contents = {
            frozenset(content_words(tuple(words(without_dates(text))))) for text in texts
        }
        self._runs = {run for text in texts for run in _runs(words(text))}
        # The longest word of each run: what has none of them, and no name, holds nothing of them.
        hints = {max(run, key=len) for run in self._runs} | self._names
        few = 0 < len(hints) <= _MOST_HINTS and all(map(str.isascii, hints))
        self._hints = re.compile("|".join(map(re.escape, sorted(hints)))) if few else None
        self._shortest = min(map(len, self._runs), default=_RUN)

    @property
    def phrases(self) -> list[str]:
        """The runs of words of erased texts, in order."""
        return sorted(map(" ".join, self._runs))

    def may_hold(self, text: str) -> bool:
        """Whether a text, or one within JSON, may hold a run or a name; quick, and not wrongly False."""
        if self._hints is None or not text.isascii() or "\\u" in text:
            return True
        return self._hints.search(text.lower()) is not None

    def quoted(self, text: str) -> bool:
        """Whether a text holds a run of words of an erased text."""
        if not self.may_hold(text):
            return False
        said = words(text)
        sizes = range(self._shortest, _RUN + 1)
        return any(not self._runs.isdisjoint(_runs(said, size)) for size in sizes)

    def named(self, text: str) -> bool:
        """Whether a text says one of their names or codes."""
        return self.may_hold(text) and not self._names.isdisjoint(words(text))

    def repeated(self, text: str) -> bool:
        """Whether a text that replaced or opposes an erased one says what that said.

        Both name the subject in the same words. What only the erased one said is its value: who repeats
        that says all of its words, or one of its numbers; since when each holds is no value.
        """
        said = set(words(without_dates(text)))
        return any(
            (one and one <= said) or any(word.isdecimal() for word in one & said)
            for one in self._contents
        )

    def within(self, text: str, aside: "Collection[str]" = ()) -> bool:
        """Whether a text holds such a word, unless it is `aside`, or a run of words of an erased text."""
        return any(one in self._only and one not in aside for one in words(text)) or self.quoted(
            text
        )


def _runs(said: "list[str]", size: int = _RUN) -> "set[tuple[str, ...]]":
    """The runs of so many words; of a shorter text the whole."""
    size = min(size, len(said))
    return {tuple(said[at : at + size]) for at in range(len(said) - size + 1)} if size else set()
