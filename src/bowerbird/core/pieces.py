"""Divides a write into smaller transactions while the disk has no room for the whole."""

from bowerbird.core.errors import StoreFull

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    Item = TypeVar("Item")
    Done = TypeVar("Done")


def in_pieces(items: "Sequence[Item]", do: "Callable[[Sequence[Item]], Done]") -> "Iterator[Done]":
    """What `do` returns for all items, or for each half of them if the disk was full, and so on.

    `do` is a transaction: it processes all of its items or, if it raises StoreFull, none. Raises
    StoreFull if even one item does not fit.
    """
    try:
        yield do(items)
    except StoreFull:
        if len(items) < 2:  # noqa: PLR2004 a half is at least one
            raise
        middle = len(items) // 2
        yield from in_pieces(items[:middle], do)
        yield from in_pieces(items[middle:], do)
