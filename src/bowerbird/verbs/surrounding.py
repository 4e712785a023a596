"""What a memory hangs together with: a bounded part of the graph, laid out for a picture."""

from bowerbird.code.ways import laid_out
from bowerbird.core.errors import BadInput
from bowerbird.core.graph import DOCUMENTS, RULE, STATED
from bowerbird.core.ids import named
from bowerbird.core.overview import Around
from bowerbird.core.relations import FILE
from bowerbird.core.types import STATES
from bowerbird.core.ways import Leg, Point

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.ports.store import Store
    from bowerbird.wiring.reach import Reach

DEEPEST = 3
MOST = 200
# Memories of one file that are followed: a file with more says little about any two of them.
_MOST_OF_FILE = 20


def surroundings(store: "Store", reach: "Reach", id: str, depth: int, limit: int) -> Around:
    """The memories and files within some steps of a memory. Raises NotFound and BadInput."""
    if not 1 <= depth <= DEEPEST:
        raise BadInput(f"a depth of {depth}", f"give 1 to {DEEPEST}")
    if not 1 <= limit <= MOST:
        raise BadInput(f"{limit} points", f"give 1 to {MOST}")
    start = named(id, lambda begin: store.entries.get(begin, reach.bounds), None)
    depths = {start.id: 0}
    drawn: dict[tuple[str, str, str], tuple[float, str]] = {}
    front = [start.id]
    for step in range(1, depth + 1):
        reached: dict[str, None] = {}
        for one in front:
            for source, target, kind, strength, origin in _links(store, reach, one):
                drawn[source, target, kind] = (strength, origin)
                reached |= dict.fromkeys((source, target))
        front = [one for one in reached if one not in depths]
        depths |= dict.fromkeys(front, step)
    entries = {
        one.id: one
        for one in store.entries.named([one for one in depths if not _is_file(one)], reach.seen)
        if one.state in STATES[:1] or one.id == start.id
    }
    known = [one for one in depths if _is_file(one) or one in entries]
    shown = known[:limit]
    at = {key: place for place, key in enumerate(shown)}
    points = []
    for key in shown:
        if _is_file(key):
            path = key.removeprefix(FILE)
            points.append(Point("", "file", path, path, depth=depths[key]))
        else:
            entry = entries[key]
            said = entry.summary or entry.text
            points.append(Point(key, entry.kind, said, depth=depths[key], trust=entry.trust))
    legs = [
        Leg(at[source], at[target], kind, strength, origin)
        for (source, target, kind), (strength, origin) in drawn.items()
        if source in at and target in at
    ]
    places = laid_out(len(points), [(leg.source, leg.target) for leg in legs])
    return Around(start.id, depth, tuple(points), tuple(legs), len(known), places)


def _is_file(key: str) -> bool:
    return key.startswith(FILE)


def _links(store: "Store", reach: "Reach", key: str) -> "list[tuple[str, str, str, float, str]]":
    """The relations of a memory and its files; of a file the memories about it."""
    if _is_file(key):
        rows = store.relations.about([key.removeprefix(FILE)], "", reach.seen)[:_MOST_OF_FILE]
        found = store.entries.load(rows)
        return [(one.id, key, DOCUMENTS, 1.0, STATED) for one in found.values()]
    links = [
        (
            one.source,
            one.target,
            one.kind,
            one.strength * one.confidence,
            RULE if one.automatic else STATED,
        )
        for one in store.relations.of(key)
    ]
    for entry in store.entries.get(key):
        links += [(key, FILE + str(one[0]), DOCUMENTS, 1.0, STATED) for one in entry.anchors]
    return links
