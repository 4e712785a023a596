"""Ways through what hangs together, chains of causes, and communities. Pure."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    # A memory by its id, or a node of code by its number.
    Key = str | int
    # Who says it, and in which file, line and column; no file for what memories are to each other.
    Said = tuple[str, str, int, int]
    # From one to another, what it is to it, whether it is said in that direction, and how strongly.
    Link = tuple[Key, Key, str, bool, float, Said]
    # Source, target, kind, strength, and who says it, of two memories.
    Relation = tuple[str, str, str, float, str]

# Points that a search looks at: a way through more of them is one through everything.
MOST = 5_000
# Rounds after which labels move no more, or only to and fro: five do for a thousand memories.
_ROUNDS = 20
# What leads from a cause to what follows from it; the other way round for what was made out of another.
CAUSAL = {"causes": True, "led_to": True, "prerequisite_for": True, "derived_from": False}


def shortest(
    start: "Collection[Key]",
    goals: "Collection[Key]",
    neighbours: "Callable[[Sequence[Key]], Iterable[Link]]",
    depth: int,
) -> "list[Link] | None":
    """The way with the fewest steps, the strongest of several; None where there is none."""
    if set(start) & set(goals):
        return []
    came: dict[Key, Link | None] = dict.fromkeys(start)
    strong: dict[Key, float] = dict.fromkeys(start, 1.0)
    front = sorted(start, key=str)
    for _ in range(depth):
        best: dict[Key, tuple[float, Link]] = {}
        for link in neighbours(front):
            here, there = link[:2]
            if there in came:
                continue
            strength = strong[here] * link[4]
            if there not in best or (strength, str(here)) > (
                best[there][0],
                str(best[there][1][0]),
            ):
                best[there] = (strength, link)
        for there, (strength, link) in best.items():
            came[there], strong[there] = link, strength
        reached = [one for one in best if one in goals]
        if reached:
            return _back(max(reached, key=lambda one: (strong[one], str(one))), came)
        front = sorted(best, key=lambda one: (-strong[one], str(one)))
        if not front or len(came) > MOST:
            return None
    return None


def _back(end: "Key", came: "Mapping[Key, Link | None]") -> "list[Link]":
    way: list[Link] = []
    link = came[end]
    while link is not None:
        way.append(link)
        link = came[link[0]]
    return way[::-1]


def chain(
    start: str, relations: "Sequence[Relation]", depth: int
) -> "tuple[dict[str, int], list[Relation]]":
    """What causes a memory (less than 0) and what follows from it, by how many steps; and by what."""
    after: dict[str, list[str]] = {}
    before: dict[str, list[str]] = {}
    for one in relations:
        if one[2] in CAUSAL:
            cause, effect = one[:2] if CAUSAL[one[2]] else (one[1], one[0])
            after.setdefault(cause, []).append(effect)
            before.setdefault(effect, []).append(cause)
    found = {start: 0}
    for side, sign in ((before, -1), (after, 1)):
        front = [start]
        for step in range(1, depth + 1):
            reached = {one for key in front for one in side.get(key, ())} - found.keys()
            front = sorted(reached)
            found |= dict.fromkeys(front, sign * step)
    causal = [one for one in relations if one[2] in CAUSAL and {*one[:2]} <= found.keys()]
    return found, causal


def communities(edges: "Mapping[tuple[str, str], float]") -> list[list[str]]:
    """Label propagation over weighted edges, the largest first; members by how much they hang together.

    Raghavan, Albert and Kumara, 2007, without its chance: in the order of the ids, and of equal labels
    the own one stays, else the first.
    """
    beside = _beside(edges)
    labels = {one: one for one in beside}
    for _ in range(_ROUNDS):
        moved = False
        for one in sorted(beside):
            weights: dict[str, float] = {}
            for other, weight in beside[one].items():
                weights[labels[other]] = weights.get(labels[other], 0.0) + weight
            most = max(weights.values())
            best = sorted(label for label, weight in weights.items() if weight >= most - 1e-12)
            if labels[one] not in best:
                labels[one], moved = best[0], True
        if not moved:
            break
    groups: dict[str, list[str]] = {}
    for one in sorted(beside, key=lambda one: (-sum(beside[one].values()), one)):
        groups.setdefault(labels[one], []).append(one)
    return sorted(groups.values(), key=lambda group: (-len(group), group[0]))


def modularity(
    edges: "Mapping[tuple[str, str], float]", groups: "Iterable[Sequence[str]]"
) -> float:
    """How much more weight is within groups than chance would put there (Newman and Girvan, 2004)."""
    whole = sum(edges.values())
    if not whole:
        return 0.0
    group = {one: group for group, some in enumerate(groups) for one in some}
    within: dict[int, float] = {}
    degree: dict[int, float] = {}
    for (one, other), weight in edges.items():
        for end in (one, other):
            degree[group[end]] = degree.get(group[end], 0.0) + weight
        if group[one] == group[other]:
            within[group[one]] = within.get(group[one], 0.0) + weight
    return sum(
        within.get(group, 0.0) / whole - (total / (2 * whole)) ** 2
        for group, total in degree.items()
    )


def _beside(edges: "Mapping[tuple[str, str], float]") -> dict[str, dict[str, float]]:
    beside: dict[str, dict[str, float]] = {}
    for (one, other), weight in edges.items():
        beside.setdefault(one, {})[other] = weight
        beside.setdefault(other, {})[one] = weight
    return beside
