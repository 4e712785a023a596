"""Review: what waits, one memory after the other, with both sides and the effect of each verdict."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.surfaces.web.desk import Call

# Memories that are listed after the one in question.
_SHOWN = 12
# Memories that one verdict decides on at most.
MOST_AT_ONCE = 200


async def page(call: "Call") -> "dict[str, Any]":
    """The one that is asked for, or the first that waits, what comes after it, and what was settled."""
    id = call.path.get("id", "")

    def read(bird: "Bowerbird") -> "dict[str, Any]":
        ids = bird.admin.queue()
        case = bird.waiting(id or ids[0]).cases[0] if id or ids else None
        at = ids.index(case.entry.id) if case is not None and case.entry.id in ids else -1
        after = ids[at + 1 : at + 1 + _SHOWN]
        return {
            "case": case,
            "total": len(ids),
            "at": at + 1,
            "queue": bird.named(*after),
            "decided": bird.admin.level().decided,
            "settled": bird.admin.settled(_SHOWN),
        }

    return await call.work(read)


async def bulk(call: "Call") -> "dict[str, Any]":
    """What a verdict on all that waits would decide on."""
    found = await call.verb("waiting", limit=MOST_AT_ONCE)
    return {"verdict": call.path["verdict"], "cases": found.cases, "total": found.total}
