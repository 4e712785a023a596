"""Recognises what is left of erased memories in other texts. Pure."""

from bowerbird.core.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

# Consecutive words that a text shares with an erased one only if it quotes it, or says the same.
_RUN = 4


class Remnants:
    """The wording of erased memories: their versions' texts, and the words that nothing else holds."""

    def __init__(self, texts: "Iterable[str]", only: "Collection[str]" = ()) -> None:
        """`only` are words of these texts that no other entry of the store holds."""
        self._only = frozenset(only)
        self._runs = {run for text in texts for run in _runs(words(text))}
        self._shortest = min(map(len, self._runs), default=_RUN)

    def within(self, text: str) -> bool:
        """Whether a text holds such a word, or a run of words of an erased text."""
        said = words(text)
        if not self._only.isdisjoint(said):
            return True
        sizes = range(self._shortest, _RUN + 1)
        return any(not self._runs.isdisjoint(_runs(said, size)) for size in sizes)


def _runs(said: "list[str]", size: int = _RUN) -> "set[tuple[str, ...]]":
    """The runs of so many words; of a shorter text the whole."""
    size = min(size, len(said))
    return {tuple(said[at : at + size]) for at in range(len(said) - size + 1)} if size else set()
