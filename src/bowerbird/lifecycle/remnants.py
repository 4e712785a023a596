"""Recognises what is left of erased memories in other texts. Pure."""

import re

from bowerbird.core.language import STOP_WORDS, content_words
from bowerbird.core.text import bare, plain, segment, words
from bowerbird.guard.automaton import literals
from bowerbird.lifecycle.dated import without_dates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    Run = tuple[str, ...]

# Consecutive words that a text shares with an erased one only if it quotes it, or says the same.
_RUN = 4
# Of those, words that tell something, for a passage to go with what it quotes.
_TELLING = 2
# Runs with one rarest word from which on a text is asked for their next rarest words alone, and for how
# many of those: a name in hundreds of erased memories took two thirds of the time.
_MANY = 4
_MOST = 16
# Ends what is cut short, as the summaries and citations of most memories are.
_CUT = "…"
# A number or part of a key, rather than a name with its version ("python3").
_CODE = re.compile(r"\d{4}|^(?=.{5}).*\d[a-z]")
# What JSON writes for a character beyond ASCII.
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")


class Remnants:
    """The wording of erased memories: their versions' texts, and words that nothing else holds."""

    def __init__(
        self,
        texts: "Collection[str]",
        only: "Collection[str]" = (),
        names: "Collection[str]" = (),
        counts: "Mapping[str, int] | None" = None,
    ) -> None:
        """`only` are rare words of these texts that no other entry of the store holds.

        `names` are those, and the names and codes that a few others say too. `counts` say in how many
        entries their words occur: the rarest of a run tells quickly that a text does not hold it.
        """
        self._only = frozenset(only)
        self.names = sorted(names)
        self._names = frozenset(names)
        self._contents = {
            frozenset(content_words(tuple(words(without_dates(text))))) for text in texts
        }
        self._occur = counts or {}
        self._keep({run for text in texts for run in _runs(words(text))})

    def _keep(self, runs: "set[Run]") -> None:
        self._runs = runs
        self._shortest = min(map(len, runs), default=_RUN)
        # By its rarest word: the others, the rarest first.
        self._hinted: dict[str, list[Run]] = {name: [] for name in self._names}
        for run in runs:
            rarest, *others = sorted(run, key=self._rarity)
            self._hinted.setdefault(rarest, []).append(tuple(others))
        self._hinted = {hint: _fewer(runs) for hint, runs in self._hinted.items()}
        self._hints = sorted(self._hinted)
        self._automaton = literals(tuple(one.encode() for one in self._hints))

    def _rarity(self, word: str) -> tuple[int, int]:
        return self._occur.get(word, 0), -len(word)

    def drop(self, runs: "Collection[Run]") -> None:
        """Regard runs of words as no quotation from now on."""
        self._keep(self._runs.difference(runs))

    @property
    def phrases(self) -> list[str]:
        """The runs of words of erased texts, in order."""
        return sorted(map(" ".join, self._runs))

    def may_hold(self, text: str) -> bool:
        """Whether a text, or one within JSON, may hold a run or a name; quick, and not wrongly False."""
        if "\\ud" in text:
            return True  # half a character, mostly
        if "\\u" in text:
            text += _ESCAPED.sub(lambda escaped: chr(int(escaped.group(1), 16)), text)
        text = text.replace(_CUT, " ")
        text = text.lower() if text.isascii() else segment(bare(plain(text)))
        for found in self._automaton.Match(text.encode("utf-8", "replace")) or ():
            hint = self._hints[found]
            runs = self._hinted[hint]
            if hint in self._names or any(all(one in text for one in run) for run in runs):
                return True
        return False

    def quotations(self, text: str) -> "set[Run]":
        """The runs of words of erased texts that a text holds."""
        said = words(text)
        sizes = range(self._shortest, _RUN + 1)
        return {run for size in sizes for run in _runs(said, size) & self._runs}

    def told(self, text: str) -> bool:
        """Whether a text says what an erased one says: a code, or words in a row that tell something.

        Four words in a row of which fewer than two tell anything (“is one of the”) stand in any text.
        """
        if not self.may_hold(text):
            return False
        if any(one in self._names and _CODE.search(one) for one in words(text)):
            return True
        quoted = self.quotations(text)
        return any(sum(one not in STOP_WORDS["en"] for one in run) >= _TELLING for run in quoted)

    def quoted(self, text: str) -> bool:
        """Whether a text holds a run of words of an erased text."""
        return self.may_hold(text) and bool(self.quotations(text))

    def quoting(self, numbered: "Iterable[tuple[int, str]]") -> list[int]:
        """The numbers of the texts that do; each text is read once, as reasons are the same for many."""
        read: dict[str, bool] = {}
        found = []
        for number, text in numbered:
            quotes = read.get(text)
            if quotes is None:
                quotes = read[text] = self.quoted(text)
            if quotes:
                found.append(number)
        return found

    def holds(self, text: str) -> bool:
        """Whether a text holds such a run, or one of their names or codes."""
        return self.may_hold(text) and (self.named(text) or bool(self.quotations(text)))

    def named(self, text: str) -> bool:
        """Whether a text says one of their names or codes."""
        return not self._names.isdisjoint(words(text))

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


def _fewer(runs: "list[Run]") -> "list[Run]":
    """Runs, or fewer beginnings of theirs: a text that holds a run holds its beginning."""
    if len(runs) <= _MANY:
        return runs
    begin = {run[:1] for run in runs}
    return [*begin] if len(begin) <= _MOST else [()]


def _runs(said: "list[str]", size: int = _RUN) -> "set[Run]":
    """The runs of so many words; of a shorter text the whole."""
    size = min(size, len(said))
    # By the column: a slice for each takes four times as long.
    return set(zip(*(said[at:] for at in range(size)), strict=False))
