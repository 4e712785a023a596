"""Filters of a query, validated against the store: a mistyped kind is an error, not an empty answer."""

from bowerbird.core import narrow
from bowerbird.core.errors import StoreMissing
from bowerbird.core.operators import completed
from bowerbird.core.query import Filter
from bowerbird.core.types import PASSAGE, STATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.kinds import Kinds
    from bowerbird.core.narrow import Narrowing
    from bowerbird.core.operators import Matching
    from bowerbird.core.ports.store import Store

# Maximum letters of a word that a prefix matches.
LONGEST_WORD = 64


def narrowed(
    filter: Filter,
    by: "Narrowing",
    now: int,
    store: "Callable[[], Store]",
    kinds: "Callable[[], Kinds]",
) -> Filter:
    """Adds conditions to a filter. Raises as `core.narrow.narrowed`, and UnknownName for a kind.

    A kind is known if it is declared here or an entry in the store has it, since another program may have
    declared it.
    """
    found = narrow.narrowed(filter, by, now)
    for name in found.kinds:
        if name not in kinds() and name != PASSAGE and not _kept(name, store):
            kinds().get(name)
    if found.matching is not None and found.matching.beginnings:
        return found.replace(matching=_completed(found.matching, store))
    return found


def _completed(asked: "Matching", store: "Callable[[], Store]") -> "Matching":
    try:
        opened = store()
    except StoreMissing:
        return asked
    with opened.reading():
        return completed(
            asked,
            lambda begun: {
                word: count
                for word, count in opened.words.beginning_with(
                    begun[0], len(begun), LONGEST_WORD
                ).items()
                if word.startswith(begun)
            },
        )


def _kept(name: str, store: "Callable[[], Store]") -> bool:
    try:
        opened = store()
    except StoreMissing:
        return False
    with opened.reading():
        return bool(opened.entries.list(Filter(kinds=(name,), states=STATES), 1))
