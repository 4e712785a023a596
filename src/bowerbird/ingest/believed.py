"""The trust of what is indexed already, brought to what is said of its folders now."""

import os

from bowerbird.core.origins import trust_of
from bowerbird.guard.trust import rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.grounds import Grounds
    from bowerbird.core.ports.store import Store


def believe_anew(
    store: "Store",
    folder: str,
    grounds_for: "Callable[[str], Grounds]",
    owner_of: "Callable[[str], int]",
) -> tuple[int, int]:
    """How many files at or below a folder are trusted more and less than before, all in one transaction.

    A file that is gone has no owner: what is known of it is not raised.
    """
    raised = lowered = 0
    with store.transaction():
        for (project, path), facts in store.documents.known(folder).items():
            before = facts[-1]
            origin = grounds_for(os.path.dirname(path)).origin(owner_of(path))
            now = trust_of(origin)
            if before is None or before == now:
                continue
            store.documents.believe(project, path, origin, now)
            raised += rank(now) > rank(before)
            lowered += rank(now) < rank(before)
    return raised, lowered


def not_believed(
    store: "Store", grounds_for: "Callable[[str], Grounds]"
) -> "list[tuple[Grounds, int]]":
    """The grounds of indexed files that are not believed, with how many files those are, by path."""
    counts: dict[str, int] = {}
    met: dict[str, Grounds] = {}
    for _, path in store.documents.known(os.sep):
        grounds = grounds_for(os.path.dirname(path))
        if not grounds.believed:
            met[grounds.root] = grounds
            counts[grounds.root] = counts.get(grounds.root, 0) + 1
    return [(met[root], counts[root]) for root in sorted(met)]
