"""Counts how often the files that memories are about change, by which these fade faster."""

import os

from bowerbird.code.git_objects import History
from bowerbird.core.life import CHANGES_DAYS, DAY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from bowerbird.core.ports.store import Store


def count_changes(store: "Store", projects: "Collection[str] | None") -> None:
    """Notes for each memory of some projects (None: all) on how many days its files changed.

    A memory about several files counts by the one that changed most. Reads a year of each repository.
    """
    since = store.clock() - CHANGES_DAYS * DAY
    for project in store.projects.all():
        if project.root is None or (projects is not None and project.uid not in projects):
            continue
        tied = store.aging.tied(project.uid)
        where = {path: os.path.join(project.root, path) for _, path, _ in tied}
        days = History(project.root).days_changed(where.values(), since) if tied else {}
        noted = {row: before for row, _, before in tied}
        found = dict.fromkeys(noted, 0)
        for row, path, _ in tied:
            found[row] = max(found[row], days[where[path]])
        changed = {row: now for row, now in found.items() if now != noted[row]}
        if changed:
            with store.transaction():
                store.aging.note_changes(changed)
