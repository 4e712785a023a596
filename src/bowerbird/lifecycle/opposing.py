"""Finds which memories of several copies of a store may contradict each other, once these are one.

Each copy judged its own memories when they were kept. Compared are those of several, whichever store was
taken in.
"""

from collections import Counter

from bowerbird.core.errors import ModelError
from bowerbird.core.history import MomentRequest
from bowerbird.core.normal import normal_hash
from bowerbird.core.query import Filter
from bowerbird.core.types import GLOBAL, MEMORY, RECORDS, UNREAD
from bowerbird.lifecycle.keywords import terms
from bowerbird.lifecycle.retrieve_candidates import retrieve_candidates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry, ModelIdentity, Vector

# Memories of the smaller side that are compared, and with how many of the other one each. 500 with 10,000
# of the same few things take 17 s of processor time, most of it to find the nearest.
MOST = 500
NEAREST = 6


def near(
    store: "Store", embedder: "Embedder", came: "Mapping[str, str]", own: "Collection[str]"
) -> "tuple[set[tuple[str, str]], int]":
    """The pairs that are near each other of memories that came with others, each pair ordered.

    Others are those of this store alone, and those that came whose text another copy wrote: `came` says
    which copy wrote each. What is less is compared with the NEAREST of the rest, at most MOST of it.
    Returns how many memories were left out, too.
    """
    written = Counter(came.values())
    most = max(sorted(written), key=written.__getitem__, default="")
    least = sorted(id for id, writer in came.items() if writer != most)
    few = sorted(came if len(came) <= len(own) else {*own, *least})
    entries = [one for one in store.entries.named(few[:MOST], None) if _stated(one)]
    vectors, identity = _vectors(embedder, [one.text for one in entries])
    every = {*came, *own}
    found = {
        (min(pair), max(pair))
        for entry, vector in zip(entries, vectors, strict=True)
        for pair in _of(store, entry, vector, identity, every if entry.id in came else came)
    }
    return found, max(0, len(few) - MOST)


def _vectors(
    embedder: "Embedder", texts: "Sequence[str]"
) -> "tuple[Sequence[Vector], ModelIdentity | None]":
    try:
        return embedder.embed(texts), embedder.identity
    except ModelError:
        return [UNREAD] * len(texts), None  # the words find the nearest


def _of(
    store: "Store",
    entry: "Entry",
    vector: "Vector",
    identity: "ModelIdentity | None",
    others: "Collection[str]",
) -> "Iterator[tuple[str, str]]":
    """One memory with each of the nearest among some others."""
    project = next((one for one in store.projects.all() if one.uid == entry.project), GLOBAL)
    request = MomentRequest(terms(entry.text), project, identity, normal_hash(entry.text))
    moment = store.moment(request)
    filter = Filter(projects=(entry.project,), families=(MEMORY,), now=store.clock())
    close = retrieve_candidates(store, entry.text, entry.state, vector, None, filter, moment)
    found = [one.entry for one in close if one.entry.id in others and _stated(one.entry)]
    return ((entry.id, other.id) for other in found[:NEAREST])


def _stated(entry: "Entry") -> bool:
    """Whether a memory says what is so, for no limited time."""
    return entry.state == "active" and entry.kind not in RECORDS and entry.valid_to is None
