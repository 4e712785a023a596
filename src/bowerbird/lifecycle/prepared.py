"""Remembers what was computed from texts, while each of many is compared with dozens of others."""

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol, TypeVar

    Said_contra = TypeVar("Said_contra", bound="Sequence[object]", contravariant=True)
    Made_co = TypeVar("Made_co", covariant=True)

    class Prepared(Protocol[Said_contra, Made_co]):
        """A function of one text, or of its words."""

        def __call__(self, said: Said_contra, /) -> Made_co:
            """What is made of a text, or of its words."""

        def cache_clear(self) -> None:
            """Forgets all results."""


# An import compares each of its notes with twenty, many of which earlier ones were compared with too: of
# 1,000 notes of a sentence or two, comparing took 9 s of CPU time with 1,024 texts remembered, 5.5 with
# these. What is made of a text is some ten times as large as it is, so fewer long ones are remembered.
MOST = 4_096
LONG = 500
MOST_LONG = 64


def prepared(function: "Callable[[Said_contra], Made_co]") -> "Prepared[Said_contra, Made_co]":
    """A function that remembers its latest results."""
    short, long = lru_cache(maxsize=MOST)(function), lru_cache(maxsize=MOST_LONG)(function)

    def remembered(said: "Said_contra", /) -> "Made_co":
        return short(said) if len(said) <= LONG else long(said)

    def cache_clear() -> None:
        short.cache_clear()
        long.cache_clear()

    remembered.__doc__ = function.__doc__
    setattr(remembered, "cache_clear", cache_clear)  # noqa: B010 mypy knows no attributes of functions
    return remembered  # type: ignore[return-value]
