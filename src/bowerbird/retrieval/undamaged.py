"""What a store can still answer where a part of it is damaged, and saying so."""

from contextlib import suppress

from bowerbird.core.errors import StoreDamaged
from bowerbird.core.value import Do, Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.answers import Hits
    from bowerbird.core.ports import Store
    from bowerbird.core.query import Query

# The stages that an answer does without where what they read is damaged, and what is left then.
_WITHOUT = {
    ("fuzzy", "lexical", "beginnings", "document"): "meaning alone",
    ("dense", "window", "code weights", "second look"): "words alone",
}


def undamaged(store: "Store", query: "Query", answer: "Callable[[Query], Hits]") -> "Hits":
    """The answer without what is damaged, which stands in its trace. Inside one reading.

    Raises StoreDamaged where nothing can be answered.
    """
    hits = _as_far_as_possible(store, query, answer)
    if count := len(store.damaged):
        left_out = "1 damaged entry" if count == 1 else f"{count:,} damaged entries"
        which = Note("damaged", f"{left_out} left out; which: ", Do("verify"))
        hits.trace.remark("damage", which)
    return hits


def _as_far_as_possible(
    store: "Store", query: "Query", answer: "Callable[[Query], Hits]"
) -> "Hits":
    """Without the words where their index is damaged, without meaning where the vectors are."""
    try:
        with store.reading():
            return answer(query)
    except StoreDamaged as damage:
        for stages, told in _WITHOUT.items():
            with suppress(StoreDamaged), store.reading():
                hits = answer(query.replace(without=(*query.without, *stages)))
                why = Note("damaged", f"{told}: {damage.message}; ", damage.remedy)
                hits.trace.remark("damage", why)
                return hits
        raise
