"""Filters of a query, validated against the store: a mistyped kind is an error, not an empty answer."""

from bowerbird.core import narrow
from bowerbird.core.errors import StoreMissing, UnknownName
from bowerbird.core.operators import completed
from bowerbird.core.query import Filter
from bowerbird.core.types import PASSAGE, STATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.core.narrow import Narrowing
    from bowerbird.core.operators import Matching
    from bowerbird.wiring.opened import Opened

# Maximum letters of a word that a prefix matches.
LONGEST_WORD = 64


def narrowed(filter: Filter, by: "Narrowing", own: "Iterable[str]", opened: "Opened") -> Filter:
    """Adds conditions to a filter; `own` are other names, suggested if one of `by` is mistyped.

    A kind is known if it is declared here or an entry in the store has it, since another program may have
    declared it. Raises BadInput and UnknownName.
    """
    narrow.require_known(by, own)
    found = narrow.narrowed(filter, by, opened.clock())
    for name in found.kinds:
        if name not in opened.kinds() and name != PASSAGE and not _kept(name, opened):
            opened.kinds().get(name)
    if by.get("fields"):
        _require_texts(name for name, _ in found.fields)
    if found.matching is not None and found.matching.beginnings:
        return found.replace(matching=_completed(found.matching, opened))
    return found


def _require_texts(names: "Iterable[str]") -> None:
    """Raises UnknownName for a name of no field of memories that holds texts."""
    from bowerbird.core.memories import Fields  # start-up: few filters name a field

    known = [name for name, one in Fields.DECLARED.items() if one.shape in {"text", "texts"}]
    for name in names:
        if name not in known:
            raise UnknownName.among("field", name, known)


def _completed(asked: "Matching", opened: "Opened") -> "Matching":
    try:
        store = opened.reader()
    except StoreMissing:
        return asked
    with store.reading():
        return completed(
            asked,
            lambda begun: {
                word: count
                for word, count in store.words.beginning_with(
                    begun[0], len(begun), LONGEST_WORD
                ).items()
                if word.startswith(begun)
            },
        )


def _kept(name: str, opened: "Opened") -> bool:
    try:
        store = opened.reader()
    except StoreMissing:
        return False
    with store.reading():
        return bool(store.entries.list(Filter(kinds=(name,), states=STATES), 1))
