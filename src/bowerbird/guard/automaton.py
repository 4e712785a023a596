"""Compiles patterns and keywords for bytes with RE2, once per process."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

# Memory limit for the set of all keywords: a long text that contains many of them needs more states than
# the default allows.
_SET_MEMORY = 64 << 20

_compiled: "dict[str, Any]" = {}


def pattern(source: str) -> "Any":
    """The pattern compiled for bytes."""
    found = _compiled.get(source)
    if found is None:
        import re2  # start-up: .4 of a bare interpreter, and most texts need no pattern

        found = _compiled[source] = re2.compile(source.encode("latin-1"), _options())
    return found


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
