"""Shortest paths, causal chains, communities and pictures of a graph of memories and code. Pure."""

import math

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Line = np.ndarray[tuple[int], np.dtype[np.float64]]
    from collections.abc import Callable, Collection, Iterable, Mapping

    # The id of a memory, or the number of a code node.
    Key = str | int
    # Origin, file, line and column of an edge; the file is empty for relations between memories.
    Said = tuple[str, str, int, int]
    # Source, target, kind, whether the edge has that direction, strength, and origin.
    Link = tuple[Key, Key, str, bool, float, Said]
    # Source, target, kind, strength and origin of a relation between two memories.
    Relation = tuple[str, str, str, float, str]

# Maximum nodes visited by a search: a path through more of them says nothing.
MOST = 5_000
# Maximum rounds, after which labels are stable or alternate: five suffice for a thousand memories.
_ROUNDS = 20
# Whether a relation points from cause to effect; `derived_from` points from effect to cause.
CAUSAL = {"causes": True, "led_to": True, "prerequisite_for": True, "derived_from": False}


def shortest(
    start: "Collection[Key]",
    goals: "Collection[Key]",
    neighbours: "Callable[[Sequence[Key]], Iterable[Link]]",
    depth: int,
) -> "list[Link] | None":
    """The path with the fewest edges, the strongest of several; None if there is none."""
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
    """The causes (depth below 0) and effects of a memory with their depths, and the relations used."""
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
    """Communities by label propagation over weighted edges, largest first; members by total weight.

    Raghavan, Albert and Kumara, 2007, made deterministic: nodes are visited in the order of their ids,
    and ties keep the current label, else take the first.
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
    """The modularity of a partition (Newman and Girvan, 2004)."""
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


# Pictures: Fruchterman and Reingold, 1991: points repel each other, links pull, and the step shrinks. 60
# points take some tens of milliseconds.
_ROUNDS = 150
_FIRST_STEP = 0.1
# The least distance, as equal places have no direction.
_NEAR = 1e-3


def laid_out(count: int, links: "Sequence[tuple[int, int]]") -> "tuple[tuple[float, float], ...]":
    """Places from 0 to 1, the first point in the middle."""
    if count < 2:  # noqa: PLR2004 one alone stands in the middle
        return ((0.5, 0.5),) * count
    # A sunflower to begin with: no two points are in one place.
    turns = np.arange(count) * math.pi * (3 - math.sqrt(5))
    far = np.sqrt(np.arange(count) / count)
    at = np.stack((far * np.cos(turns), far * np.sin(turns)), axis=1)
    pulls = np.zeros((count, count))
    for one, other in links:
        pulls[one, other] = pulls[other, one] = 1.0
    ideal = 1.0 / math.sqrt(count)
    for turn in range(_ROUNDS):
        apart = at[:, None, :] - at[None, :, :]
        distance = np.maximum(np.linalg.norm(apart, axis=2), _NEAR)
        force = ideal**2 / distance**2 - pulls * distance / ideal
        np.fill_diagonal(force, 0.0)
        move = (apart * force[:, :, None]).sum(axis=1)
        length = np.maximum(np.linalg.norm(move, axis=1), _NEAR)
        step = _FIRST_STEP * (1 - turn / _ROUNDS)
        at += move / length[:, None] * np.minimum(length, step)[:, None]
        at -= at[0]
    placed = zip(_spread(at[:, 0]), _spread(at[:, 1]), strict=True)
    return tuple((round(float(x), 4), round(float(y), 4)) for x, y in placed)


def _spread(at: "Line") -> "Line":
    """Places from 0 to 1 of one axis, whose first point is at 0, in the same order and wider apart.

    Half by distance and half by rank, or many that hang together would be a knot in the middle.
    """
    found = np.full(len(at), 0.5)
    for side in (-1, 1):
        there = np.nonzero(side * at > 0)[0]
        if not len(there):
            continue
        there = there[np.argsort(np.abs(at[there]))]
        far = np.abs(at[there]) / np.maximum(np.abs(at[there[-1]]), _NEAR)
        rank = np.arange(1, len(there) + 1) / len(there)
        found[there] += side * (far + rank) / 4
    return found
