"""Finds what contradicts each other in two stores that were merged, for a person to decide.

Each store judged its own memories when they were kept. Compared are those that came with those which the
other store does not have, by the rules of admission, the older one first, whichever store was taken in.
"""

from bowerbird.core.errors import ModelError
from bowerbird.core.history import MomentRequest
from bowerbird.core.memories import Pair
from bowerbird.core.normal import normal_hash
from bowerbird.core.query import Filter
from bowerbird.core.types import GLOBAL, MEMORY, RECORDS, UNREAD
from bowerbird.core.value import Record
from bowerbird.guard.redact import redact
from bowerbird.lifecycle.judge import RULES
from bowerbird.lifecycle.keywords import terms
from bowerbird.lifecycle.retrieve_candidates import retrieve_candidates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry, ModelIdentity, Vector
    from bowerbird.guard.redact import Allow

# Memories of the smaller side that are compared, and with how many of the other one each. 500 with 10,000
# of the same few things take 17 s of processor time, most of it to find the nearest.
MOST = 500
NEAREST = 6
# Relations of two memories which say that they were compared.
_COMPARED = frozenset({"contradicts", "supersedes"})


class Contradiction(Record):
    """Two memories that cannot hold together, by their ids, the older one first, and why."""

    ends: tuple[str, str]
    reason: str


def contradictions(
    store: "Store",
    embedder: "Embedder",
    allow: "Allow",
    came: "Collection[str]",
    own: "Collection[str]",
) -> "tuple[list[Contradiction], int]":
    """Compares memories that came with those of this store alone, and writes nothing.

    Each of the smaller side is compared with the NEAREST of the other, at most MOST of them. Returns what
    contradicts each other, ordered by the ids, and how many memories were left out.
    """
    few, many = sorted((frozenset(came), frozenset(own)), key=lambda ids: (len(ids), sorted(ids)))
    if not few:
        return [], 0
    with store.reading():
        entries = [one for one in store.entries.named(sorted(few)[:MOST], None) if _stated(one)]
        vectors, identity = _vectors(embedder, [one.text for one in entries])
        found = {
            one.ends: one
            for entry, vector in zip(entries, vectors, strict=True)
            for one in _of(store, entry, vector, identity, many, allow)
        }
    return [found[pair] for pair in sorted(found)], max(0, len(few) - MOST)


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
    allow: "Allow",
) -> "Iterator[Contradiction]":
    """What contradicts one memory among some others."""
    project = next((one for one in store.projects.all() if one.uid == entry.project), GLOBAL)
    request = MomentRequest(terms(entry.text), project, identity, normal_hash(entry.text))
    moment = store.moment(request)
    filter = Filter(projects=(entry.project,), families=(MEMORY,), now=store.clock())
    near = retrieve_candidates(store, entry.text, entry.state, vector, None, filter, moment)
    found = [one.entry for one in near if one.entry.id in others and _stated(one.entry)]
    for other in found[:NEAREST]:
        older, newer = sorted((entry, other), key=lambda one: (one.created, one.id))
        pair = Pair(older.text, newer.text, older.kind, newer.kind)
        verdict = RULES.judge(pair)
        if verdict.relation in _COMPARED and not _compared(store, entry.id, other.id):
            yield Contradiction((older.id, newer.id), redact(verdict.reason, allow).text)


def _stated(entry: "Entry") -> bool:
    """Whether a memory says what is so, for no limited time."""
    return entry.state == "active" and entry.kind not in RECORDS and entry.valid_to is None


def _compared(store: "Store", one: str, other: str) -> bool:
    return any(
        relation.kind in _COMPARED and {relation.source, relation.target} == {one, other}
        for relation in store.relations.of(one)
    )
