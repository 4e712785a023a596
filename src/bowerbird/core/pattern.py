"""Regular expressions that are compiled, and the module `re` that is loaded, when they are first used.

A process that runs once uses few of the expressions of the modules that it loads, and compiling one
takes up to a quarter of a bare interpreter. Most cold commands need none of them: loading `re` takes two
fifths of a bare interpreter.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re as re  # noqa: PLC0414 what other modules import from here
    from typing import Any

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")


def late(pattern: str, flags: int = 0) -> "re.Pattern[str]":
    """The pattern with its methods, compiled at the first call of one of them."""
    return _Late(pattern, flags)  # type: ignore[return-value]


class _Late:
    """A pattern that is not compiled yet; then it has the methods of the compiled one as its own."""

    __slots__ = (*_METHODS, "_flags", "_pattern")

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> "Any":
        compiled = re.compile(self._pattern, self._flags)
        if name in _METHODS:
            for one in _METHODS:
                setattr(self, one, getattr(compiled, one))
        return getattr(compiled, name)


class _Expressions:
    """The module `re`, whose functions become this object's own as they are used."""

    def __getattr__(self, name: str) -> "Any":
        import re  # start-up: most cold commands use no expression

        found = getattr(re, name)
        setattr(self, name, found)
        return found


if not TYPE_CHECKING:
    re = _Expressions()
