"""Which known memories a new one is held against: the nearest by words and by meaning."""

from bowerbird.core.query import Filter
from bowerbird.core.text import words
from bowerbird.core.types import MEMORY
from bowerbird.lifecycle.keywords import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.memories import Belief
    from bowerbird.core.ports import Store
    from bowerbird.core.types import Entry, Vector

# Of each signal. A duplicate stands among the first few; the rest is for what came close.
NOMINATED = 12
# The rarest words find what says the same; more of them cost a scan and find no more.
MOST_TERMS = 12


def nominate(
    store: "Store",
    belief: "Belief",
    vector: "Vector",
    model: int | None,
    projects: tuple[str, ...],
    now: int,
) -> list[tuple["Entry", float]]:
    """Memories of these projects that may say the same, with their cosines, the nearest first."""
    states = ("active", "quarantined") if belief.fields.state == "quarantined" else ("active",)
    filter = Filter(projects=projects, families=(MEMORY,), states=states, now=now)
    asked = terms(belief.text) or tuple(dict.fromkeys(words(belief.text)))
    if len(asked) > MOST_TERMS:
        counts = store.words.counts(asked)
        asked = tuple(sorted(asked, key=lambda term: counts.get(term, 0))[:MOST_TERMS])
    rows: dict[int, None] = {}
    if asked:
        rows.update(
            dict.fromkeys(row for row, _ in store.candidates.lexical(asked, filter, NOMINATED))
        )
    if model is not None and vector.norm:
        size = store.words.totals()[0]
        near = store.candidates.dense(vector, model, filter, NOMINATED, size)
        rows.update(dict.fromkeys(row for row, _ in near))
    cosines = {}
    if model is not None and vector.norm:
        cosines = store.candidates.cosines(vector, model, list(rows))
    entries = store.entries.load(list(rows))
    found = [(entries[row], cosines.get(row, 0.0)) for row in rows if row in entries]
    return sorted(found, key=lambda pair: -pair[1])
