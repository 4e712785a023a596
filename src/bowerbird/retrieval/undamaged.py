"""What a store can still answer where a part of it is damaged, and saying so."""

from contextlib import suppress

from bowerbird.core.errors import StoreDamaged
from bowerbird.core.value import Do, Note
from bowerbird.retrieval.candidates.second_look import Moved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.ports.store import Store
    from bowerbird.core.query import Query
    from bowerbird.retrieval.present import Ranked

# The stages that an answer does without where what they read is damaged, and what is left then.
_WITHOUT = {
    ("fuzzy", "lexical", "beginnings", "document", "together"): "meaning alone",
    ("dense", "window", "code weights", "second look"): "words alone",
}


def undamaged(store: "Store", query: "Query", rank: "Callable[[Query], Ranked]") -> "Ranked":
    """The answer without what is damaged, which stands in its trace.

    Rows that one statement found mean nothing to the next one unless both see one moment: where that
    was left and is gone, all is read again. Raises StoreDamaged where nothing can be answered.
    """
    while True:
        try:
            with store.reading():
                ranked = _as_far_as_possible(store, query, rank)
                for which in left_out(store):
                    ranked.trace.remark("damage", which)
                return ranked
        except Moved:
            continue


def left_out(store: "Store") -> tuple[Note, ...]:
    """How many entries the reading under way could not read, as a note; none where there were none."""
    count = len(store.damaged)
    if not count:
        return ()
    counted = "1 damaged entry" if count == 1 else f"{count:,} damaged entries"
    return (Note("damaged", f"{counted} left out; which: ", Do("verify")),)


def _as_far_as_possible(
    store: "Store", query: "Query", rank: "Callable[[Query], Ranked]"
) -> "Ranked":
    """Without the words where their index is damaged, without meaning where the vectors are."""
    try:
        with store.reading():
            return rank(query)
    except StoreDamaged as damage:
        for stages, reason in _WITHOUT.items():
            with suppress(StoreDamaged), store.reading():
                ranked = rank(query.replace(without=(*query.without, *stages)))
                why = Note("damaged", f"{reason}: {damage.message}; ", damage.remedy)
                ranked.trace.remark("damage", why)
                return ranked
        raise
