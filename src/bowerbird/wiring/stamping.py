"""Stamps the memories that an agent stored itself in a session with the commit that contains its work."""

from bowerbird.agent.learn.own_memories import committed_memories
from bowerbird.core.history import Change
from bowerbird.core.ids import new_id
from bowerbird.lifecycle.restate import revise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.agent.learn.steps import RecordedSession
    from bowerbird.core.types import Project
    from bowerbird.wiring.acting import Acting
    from bowerbird.wiring.opened import Opened

_STAMPED = frozenset(("active", "quarantined"))


def stamp(
    session: "RecordedSession", project: "Project", opened: "Opened", acting: "Acting"
) -> None:
    """Sets the commit of each memory of the project that the session stored and that has none."""
    committed = committed_memories(session)
    if not committed:
        return
    store = acting.writer()
    with store.transaction():
        for id, sha in committed.items():
            entries = store.entries.get(id, (project.uid,))
            if len(entries) != 1:
                continue  # of another project, or erased meanwhile
            head = store.memories.head(entries[0].id)
            if head.fields.commit or head.fields.state not in _STAMPED:
                continue
            comment = f"its session committed {sha}"
            change = Change(new_id(opened.clock()), "edited", acting.actor(""), comment)
            revise(store, head, head.fields.replace(commit=sha), change)
