"""Answers from a partly damaged or a missing store, with a note on what is missing."""

from contextlib import suppress

from bowerbird.core.answers import Hits
from bowerbird.core.errors import StoreDamaged
from bowerbird.core.trace import Trace
from bowerbird.core.value import Do, Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.errors import StoreMissing
    from bowerbird.core.ports.store import Store
    from bowerbird.core.query import Query
    from bowerbird.retrieval.present import Ranked

# The stages to omit if the data that they read is damaged, and what the answer is based on instead.
_WITHOUT = {
    ("fuzzy", "lexical", "beginnings", "document", "together"): "meaning alone",
    ("dense", "window", "code weights", "second look"): "words alone",
}

# While the word indexes are rebuilt, or if that was killed and nobody has written since.
INCOMPLETE = Note(
    "degraded",
    "the word index is being rebuilt: some entries are found by their meaning only; to finish it: ",
    Do("reindex", words=True),
)


class SnapshotChanged(Exception):
    """The store changed while the model computed: what was read before belongs to an older snapshot."""


def undamaged(store: "Store", query: "Query", rank: "Callable[[Query], Ranked]") -> "Ranked":
    """Rank a query without the damaged data, and note what is missing.

    All reads must see one snapshot: if it was left for the contextual model and the store has
    changed, everything is read again. Raises StoreDamaged if nothing can be answered.
    """
    while True:
        try:
            with store.reading():
                ranked = _as_far_as_possible(store, query, rank)
                if not store.words.whole:
                    ranked.trace.remark("lexical", INCOMPLETE)
                for which in left_out(store):
                    ranked.trace.remark("damage", which)
                return ranked
        except SnapshotChanged:
            continue


def left_out(store: "Store") -> tuple[Note, ...]:
    """A note with the number of entries that the current read could not read; empty if none."""
    count = len(store.damaged)
    if not count:
        return ()
    counted = "1 damaged entry" if count == 1 else f"{count:,} damaged entries"
    return (Note("damaged", f"{counted} left out; which: ", Do("verify")),)


def _as_far_as_possible(
    store: "Store", query: "Query", rank: "Callable[[Query], Ranked]"
) -> "Ranked":
    """Rank normally; on damage without the words, then without the vectors."""
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


def nothing_yet(query: "Query", missing: "StoreMissing") -> Hits:
    """The answer if the store does not exist: empty, with the reason as a note."""
    trace = Trace(explain=query.explain)
    trace.skip("store", missing.message, "; ", missing.remedy, kind="missing")
    return Hits(query.text, (), 0, 0.0, "", trace)
