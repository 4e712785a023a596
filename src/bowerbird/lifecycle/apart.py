"""Keeps what is one person's own apart from what everybody sees, in a store that several people share.

Personal memories are in a project of their own for each person and project, so that every filter by
projects, and every bound of ids, holds for them too.
"""

from bowerbird.core.types import OWN, PERSONAL, beside, personal_project, whose
from bowerbird.core.who import USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Project


def place(store: "Store", ids: "Iterable[str]") -> None:
    """Puts memories of a shared store where those of their audience are. Inside a transaction."""
    for id in ids:
        (entry,) = store.entries.get(id)
        fields = store.memories.head(id).fields
        if bool(whose(entry.project)) == (fields.audience == PERSONAL):
            continue
        here = next(one for one in store.projects.all() if one.uid == entry.project)
        there = _shared(here) if whose(here.uid) else personal_project(fields.author or USER, here)
        store.memories.move(id, store.projects.ensure(there))


def set_apart(store: "Store") -> None:
    """Puts every personal memory where only its author sees it. Inside a transaction."""
    shared = [one.uid for one in store.projects.all() if not whose(one.uid)]
    place(store, store.memories.personal(shared))


def _shared(own: "Project") -> "Project":
    return own.replace(uid=beside(own.uid), name=own.name.removesuffix(OWN))
