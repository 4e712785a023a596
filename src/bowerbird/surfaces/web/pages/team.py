"""Team: who shares the store, what is disputed, and what somebody new should know."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.web.desk import Call


async def page(call: "Call") -> "dict[str, Any]":
    """Members with their tokens, open disputes, the five best memories; and a new token, once."""
    team = await call.verb("team")
    valid: dict[str, list[str]] = {}
    for one in team.tokens:
        if one.revoked is None and (one.expires is None or one.expires > call.now):
            valid.setdefault(one.member, []).append(one.label)
    disputes = await call.work(lambda bird: bird.disputes())
    made, call.visit.made = call.visit.made, ""
    best = await call.work(lambda bird: bird.onboarding())
    return {"team": team, "valid": valid, "disputes": disputes.disputes, "best": best, "made": made}
