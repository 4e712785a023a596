"""Updates the trust of indexed files after their folders were declared trusted or not."""

import os

from bowerbird.core.origins import trust_of
from bowerbird.guard.trust import rank
from bowerbird.host.places import kept_by_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.grounds import Grounds
    from bowerbird.core.ports.store import Store


def update_trust(store: "Store", folder: str, origin_of: "Callable[[str], str]") -> tuple[int, int]:
    """Counts the files at or below a path whose trust rises and falls, in one transaction."""
    raised = lowered = 0
    with store.transaction():
        for (project, path), facts in store.documents.known(folder).items():
            before = facts[-1]
            origin = origin_of(path)
            now = trust_of(origin)
            if before is None or before == now:
                continue
            if kept_by_agent(path) and rank(now) > rank(before):
                continue  # its turns differ in trust: the next index run reads it again
            store.documents.set_trust(project, path, origin, now)
            raised += rank(now) > rank(before)
            lowered += rank(now) < rank(before)
    return raised, lowered


def untrusted(
    store: "Store", grounds_for: "Callable[[str], Grounds]"
) -> "list[tuple[Grounds, int]]":
    """Counts, for each untrusted ground by path, the indexed files that belong to it."""
    counts: dict[str, int] = {}
    met: dict[str, Grounds] = {}
    for _, path in store.documents.known(os.sep):
        grounds = grounds_for(os.path.dirname(path))
        if not grounds.trusted:
            met[grounds.root] = grounds
            counts[grounds.root] = counts.get(grounds.root, 0) + 1
    return [(met[root], counts[root]) for root in sorted(met)]
