"""Compiles patterns and keywords for bytes with RE2, once per process."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

# Memory limit for the set of all keywords: a long text that contains many of them needs more states than
# the default allows.
_SET_MEMORY = 64 << 20

_compiled: "dict[str, Pattern]" = {}


def pattern(source: str) -> "Pattern":
    """The pattern compiled for bytes."""
    found = _compiled.get(source)
    if found is None:
        found = _compiled[source] = Pattern(source)
    return found


class Pattern:
    """A compiled pattern, whose matches are the spans that RE2 gives.

    The methods of its package count a pattern's groups at each span that is asked for, which took a third
    of the time of a text full of passwords.
    """

    __slots__ = ("_at", "_from", "_match", "groups")

    def __init__(self, source: str) -> None:
        import re2  # start-up: .4 of a bare interpreter, and most texts need no pattern

        compiled = re2.compile(source.encode("latin-1"), _options())
        self._match = compiled._regexp.Match  # noqa: SLF001 as above
        self._from, self._at = re2._Anchor.UNANCHORED, re2._Anchor.ANCHOR_START  # noqa: SLF001
        self.groups: int = compiled.groups

    def search(self, data: bytes, start: int = 0, stop: "int | None" = None) -> "Match | None":
        """The first match between two places."""
        size = len(data)
        stop = size if stop is None or stop > size else stop
        if start > stop:
            return None
        spans = self._match(self._from, data, start, stop)
        return Match(data, spans) if spans[0][0] >= 0 else None

    def match(self, data: bytes, start: int, stop: int) -> "Match | None":
        """The match that begins at a place."""
        spans = self._match(self._at, data, start, stop)
        return Match(data, spans) if spans[0][0] >= 0 else None

    def finditer(self, data: bytes, start: int = 0, stop: "int | None" = None) -> "Iterator[Match]":
        """The matches between two places, in order, none overlapping another."""
        while found := self.search(data, start, stop):
            yield found
            begin, end = found.span()
            start = end + (begin == end)


class Match:
    """Where a pattern matches, and what."""

    __slots__ = ("_data", "_spans")

    def __init__(self, data: bytes, spans: "Sequence[tuple[int, int]]") -> None:
        self._data, self._spans = data, spans

    def span(self, group: int = 0) -> tuple[int, int]:
        """The place of a group; -1 twice if it took no part."""
        return self._spans[group]

    def start(self, group: int = 0) -> int:
        """Where a group begins."""
        return self._spans[group][0]

    def end(self, group: int = 0) -> int:
        """Where a group ends."""
        return self._spans[group][1]

    def group(self, group: int = 0) -> bytes:
        """The text of a group that took part."""
        begin, end = self._spans[group]
        return self._data[begin:end]


def literals(words: tuple[bytes, ...]) -> "Any":
    """A set that returns the indices of the words that occur in a text."""
    import re2  # start-up: as above

    return _set(map(re2.escape, words))


def together(sources: tuple[str, ...]) -> "Any":
    """A set that returns the indices of the patterns that match in a text."""
    return _set(source.encode("latin-1") for source in sources)


def _set(patterns: "Iterable[bytes]") -> "Any":
    import re2  # start-up: as above

    options = _options()
    options.max_mem = _SET_MEMORY
    found = re2.Set.SearchSet(options)
    for one in patterns:
        found.Add(one)
    found.Compile()
    return found


def _options() -> "Any":
    import re2  # start-up: as above

    options = re2.Options()
    # Bytes as they are: programs are smaller, and offsets need no decoding.
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    return options
