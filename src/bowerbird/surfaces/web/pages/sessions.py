"""Sessions: what was asked and done, what the agent was told, whether it helped, what was learned."""

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
        recorded = bird.admin.sessions(limit=1_000).sessions
        handed = next((one.handed for one in recorded if one.id == session.id), ())
        digests = bird.sessions(limit=_LISTED).sessions
        digest = next((one for one in digests if one.session == session.id), None)
        return {"session": session, "summary": session.summary, "handed": handed, "digest": digest}

    found = await call.work(read)
    return {**found, "settled": call.visit.settled}
