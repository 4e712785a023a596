"""Memories that replaced each other, each in another copy of a store: none is left in force. Pure.

Each holds again, and all wait: which one is to stay, the copies decided otherwise. All of it follows from
what both copies have, so that every copy makes the same.
"""

from bowerbird.core.hlc import following
from bowerbird.core.types import ALIVE, SHORT_ID
from bowerbird.lifecycle.copies import MERGED, MERGER, revised, spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bowerbird.core.exchange import Held, Row

# The states of what another memory replaced.
_REPLACED = ("superseded", "merged")
_WHY = "copies of the store decided otherwise which of both is to stay"


def rings(relations: "Iterable[Row]") -> "list[set[str]]":
    """The groups of memories of which each replaced every other one, by way of others or not.

    Those that something else replaced are left out.
    """
    after: dict[str, set[str]] = {}
    for source, target, kind, *_, present, _, _ in relations:
        if present and kind == "supersedes":
            after.setdefault(source, set()).add(target)
    while True:  # what nothing replaced is in no ring, nor what replaced nothing that is left
        replaced = {one for targets in after.values() for one in targets}
        left = {
            source: found
            for source, targets in after.items()
            if source in replaced and (found := targets & after.keys())
        }
        if left == after:
            break
        after = left
    reached = {one: _reached(one, after) for one in after}
    every = {frozenset(b for b in reached[a] if a in reached[b]) for a in after if a in reached[a]}
    return sorted((set(ring) for ring in every), key=min)


def _reached(start: str, after: "Mapping[str, set[str]]") -> set[str]:
    found: set[str] = set()
    left = [start]
    while left:
        new = after.get(left.pop(), set()) - found
        found |= new
        left += new
    return found


def is_replaced(ring: "set[str]", relations: "Iterable[Row]") -> bool:
    """Whether something outside of a ring replaced one of it."""
    return any(
        row[2] == "supersedes" and row[6] and row[1] in ring and row[0] not in ring
        for row in relations
    )


def uncrossed(
    members: "Sequence[Held]", relations: "Iterable[Row]"
) -> "tuple[list[Held], list[Row], list[Row]]":
    """The members of a ring as they hold again and wait, their audit, and the relations that change.

    Empty if one of them is in force, or was ended otherwise. They contradict each other from now on, so
    that confirming one of them ends the others.
    """
    if any(one.current.fields.state not in _REPLACED for one in members):
        return [], [], []
    members = sorted(members, key=spoken)
    ids = {one.id for one in members}
    links = [row for row in relations if row[2] == "supersedes" and row[6] and {*row[:2]} <= ids]
    because = " ".join(sorted(row[8] for row in links))
    again, audit = [], []
    for one in members:
        # The one with the last text is what the others are asked about.
        other = members[-1] if one is not members[-1] else members[-2]
        head = one.current
        held = [version for version in one.versions if version.fields.state in ALIVE]
        fields = head.fields.replace(
            state="active",
            valid_to=max(held, key=lambda version: version.hlc).fields.valid_to if held else None,
            verified=False,
            needs_review=True,
            review=f"it contradicts {other.id[:SHORT_ID]}: {_WHY}",
        )
        made = revised(one, because, fields, head.created, _WHY)
        again.append(made)
        now = made.current
        audit.append((now.created, now.id, MERGED, one.id, MERGER, _WHY, head.id, now.id, None))
    changed: list[Row] = [(*row[:6], False, row[7], following(row[8])) for row in links]
    created = max(one.current.created for one in members)
    stamp = following(max((*(one.current.hlc for one in members), *(row[8] for row in links))))
    for at, newer in enumerate(members):
        changed += [
            (newer.id, older.id, "contradicts", 1.0, 1.0, True, True, created, stamp)
            for older in members[:at]
        ]
    return again, audit, changed
