"""Sessions: what was asked and done, what the agent was told, whether it helped, what was learned."""

from bowerbird.core.errors import NotFound
from bowerbird.core.events import PROMPTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.sessions import Session
    from bowerbird.surfaces.web.desk import Call

_LISTED = 50


async def page(call: "Call") -> "dict[str, Any]":
    """The last sessions: those with a digest, and those that hooks recorded."""

    def read(bird: "Bowerbird") -> "dict[str, Any]":
        digested = bird.sessions(limit=_LISTED).sessions
        known = {one.session for one in digested}
        recorded = bird.admin.sessions(limit=_LISTED).sessions
        return {
            "digested": digested,
            "recorded": [one for one in recorded if one.id not in known],
        }

    return await call.work(read)


async def one(call: "Call") -> "dict[str, Any]":
    """One session with its summary."""
    id = call.path["id"]

    def read(bird: "Bowerbird") -> "dict[str, Any]":
        (session,) = bird.admin.sessions(id, summary=True).sessions
        try:
            whole = bird.admin.sessions(session.id).sessions[0]
        except NotFound:  # no hook recorded it
            whole = session
        return {
            "session": session,
            "summary": session.summary,
            "told": told(whole),
            "digest": bird.admin.digest(session.id),
        }

    found = await call.work(read)
    return {**found, "settled": call.visit.settled}


def told(session: "Session") -> "list[dict[str, Any]]":
    """What was asked and what the agent was told, in the order in which it happened.

    `text` is a prompt, as redacted; `given` what was told at an event, for a prompt after it.
    """
    asked = [
        {
            "at": line["at"],
            "text": str(line.get("text", "")),
            "late": bool(line.get("late")),
            "given": None,
        }
        for line in session.recorded
        if line.get("what") == PROMPTED and not line.get("sub")
    ]
    given = [{"at": one.at, "given": one} for one in session.handed]
    found = sorted([*asked, *given], key=lambda one: one["at"])
    for one, after in zip(found, [*found[1:], {}], strict=False):
        one["nothing"] = not (one["given"] or after.get("given"))
    return found
