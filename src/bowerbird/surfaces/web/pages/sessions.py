"""Sessions: what was asked and done, what the agent was told, whether it helped, what was learned."""

from bowerbird.core.errors import NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
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
            handed = bird.admin.sessions(session.id).sessions[0].handed
        except NotFound:  # no hook recorded it
            handed = ()
        digest = bird.admin.digest(session.id)
        return {"session": session, "summary": session.summary, "handed": handed, "digest": digest}

    found = await call.work(read)
    return {**found, "settled": call.visit.settled}
