"""Puts memories into another project; they keep their id, history and dates."""

from bowerbird.core.history import Gone, Relocated
from bowerbird.core.normal import normal_hash
from bowerbird.core.types import ALIVE, GLOBAL, beside
from bowerbird.lifecycle.apart import place
from bowerbird.lifecycle.restate import revise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.history import Version
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Project
    from bowerbird.lifecycle.changes import Changes


def move(
    changes: "Changes", ids: "Sequence[str]", there: "Project", reason: str, actor: str
) -> Relocated:
    """Moves all or none; each can be reverted separately. Raises NotFound, BadInput, Denied.

    What is there already stays, and so does what another memory says there.
    """
    store = changes.store
    moved: list[Gone] = []
    left: list[Gone] = []
    with store.transaction():
        is_new = bool(ids) and store.projects.row(there.uid) is None
        number = store.projects.ensure(there) if ids else 0
        for entry in {one.id: one for one in map(changes.changeable, ids)}.values():
            head, home = store.memories.head(entry.id), beside(entry.project)
            one = Gone(entry.id, head.fields.summary)
            if home == there.uid or _said(store, head, there, changes.clock()):
                left.append(one)
                continue
            way = (*(head.fields.moved or (home,)), there.uid)
            change = changes.change("moved", actor, reason or f"moved to {there.name}")
            revise(store, head, head.fields.replace(moved=way), change)
            store.memories.move(entry.id, number)
            moved.append(one)
        if store.projects.shared():
            place(store, [one.id for one in moved])
    name = "" if there.uid == GLOBAL.uid else there.name
    return Relocated(tuple(moved), name, tuple(left), name if is_new else "")


def move_back(store: "Store", head: "Version", moved: "tuple[str, ...]") -> None:
    """Puts a memory where it was when its fields said `moved`. Inside a transaction."""
    if head.fields.moved == moved:
        return
    number = store.projects.row(moved[-1] if moved else head.fields.moved[0])
    if number is not None:
        store.memories.move(head.memory, number)


def _said(store: "Store", head: "Version", there: "Project", now: int) -> bool:
    hash = normal_hash(head.text)
    if head.fields.state not in ALIVE:
        return False
    return store.entries.saying(hash, (there.uid,), now, ALIVE) is not None
