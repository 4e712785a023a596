"""What narrows a search, checked against what is known here: a mistyped kind would find nothing."""

from bowerbird.core import narrow
from bowerbird.core.errors import StoreMissing
from bowerbird.core.query import Filter
from bowerbird.core.types import PASSAGE, STATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.kinds import Kinds
    from bowerbird.core.narrow import Narrowing
    from bowerbird.core.ports.store import Store


def narrowed(
    filter: Filter,
    by: "Narrowing",
    now: int,
    store: "Callable[[], Store]",
    kinds: "Callable[[], Kinds]",
) -> Filter:
    """A filter that lets through less. Raises as `core.narrow.narrowed`, and UnknownName for a kind.

    A kind is known that was declared, or that something in the store has: another program may have
    declared it, and what it kept is found all the same.
    """
    found = narrow.narrowed(filter, by, now)
    for name in found.kinds:
        if name not in kinds() and name != PASSAGE and not _kept(name, store):
            kinds().get(name)
    return found


def _kept(name: str, store: "Callable[[], Store]") -> bool:
    try:
        opened = store()
    except StoreMissing:
        return False
    with opened.reading():
        return bool(opened.entries.list(Filter(kinds=(name,), states=STATES), 1))
