"""Revises the memories that an agent stored itself in a session, once all of the session is known.

They get the commit that contains their work. Those that it stored after it had read foreign text wait for
review: a hook that ran out of time may not have told so when they were stored.
"""

from bowerbird.core.history import Change
from bowerbird.core.ids import new_id
from bowerbird.guard.trust import FOLLOWS, TAINTED, reaches
from bowerbird.lifecycle.restate import revise
from bowerbird.sessions.learn.own_memories import committed_memories, stored_after_reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.types import Project
    from bowerbird.sessions.learn.steps import RecordedSession
    from bowerbird.wiring.acting import Acting
    from bowerbird.wiring.opened import Opened

_STAMPED = frozenset(("active", "quarantined"))


def lower(
    session: "RecordedSession", project: "Project", opened: "Opened", acting: "Acting"
) -> None:
    """Lowers the trust of the memories that rest on foreign text, unless a person verified them."""
    ids = stored_after_reading(session)
    if not ids:
        return
    store = acting.writer()
    with store.transaction():
        for id in ids:
            entries = store.entries.get(id, (project.uid,))
            if len(entries) != 1 or not reaches(entries[0].trust, "normal"):
                continue
            head = store.memories.head(entries[0].id)
            if head.fields.verified or head.fields.state != "active":
                continue
            change = Change(new_id(opened.clock()), "edited", acting.actor(""), FOLLOWS)
            fields = head.fields.replace(needs_review=True, review=FOLLOWS)
            revise(store, head, fields, change)
            store.memories.set_trust(entries[0].id, TAINTED)


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
