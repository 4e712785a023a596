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


# Texts of at most so many characters are remembered by the number beside it; longer ones by the last. An
# import compares each of its notes with twenty, many of which earlier ones were compared with too.
SIZES = ((500, 4_096), (2_500, 1_024), (10_000, 64))
MOST_LONG = 8


def prepared(function: "Callable[[Said_contra], Made_co]") -> "Prepared[Said_contra, Made_co]":
    """A function that remembers its latest results."""
    caches = [(most, lru_cache(maxsize=count)(function)) for most, count in SIZES]
    longest = lru_cache(maxsize=MOST_LONG)(function)
    (short, shortest), *others = caches

    def remembered(said: "Said_contra", /) -> "Made_co":
        size = len(said)
        if size <= short:  # most: before a loop over one
            return shortest(said)
        for most, cache in others:
            if size <= most:
                return cache(said)
        return longest(said)

    def cache_clear() -> None:
        for cache in (*(one for _, one in caches), longest):
            cache.cache_clear()

    remembered.__doc__ = function.__doc__
    setattr(remembered, "cache_clear", cache_clear)  # noqa: B010 mypy knows no attributes of functions
    return remembered  # type: ignore[return-value]
