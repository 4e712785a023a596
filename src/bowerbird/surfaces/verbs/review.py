"""``bower review``: what waits until somebody has looked at it, and why.

Without an option those of this project are listed, the newest first. --confirm vouches for one, which
takes a person on a terminal; with --text it says something else from then on. --reject forgets it, with
a reason, and the same is not learned again. What is left alone waits for later.
"""

from bowerbird.core.answers import Entries, Listed
from bowerbird.core.errors import BadInput
from bowerbird.core.who import USER
from bowerbird.surfaces import REASON, TYPED, Field, Verb
from bowerbird.surfaces.cli.call import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower review", "what waits, and why"),
    ('bower review --reject 019a2f6c-81d4 --reason "true of that branch alone"', "it is wrong"),
)
VERB = Verb(
    "review",
    "Look at what waits: confirm, edit or reject it",
    (
        Field(
            "confirm", "texts", "vouch for these, by id",
            default=(), doors=(TYPED,), metavar="ID", apart="verdict",
        ),
        Field(
            "reject", "texts", "forget these, by id",
            default=(), doors=(TYPED,), metavar="ID", apart="verdict",
        ),
        Field(
            "text", "text", "what the confirmed one says from now on", doors=(TYPED,),
            metavar="TEXT",
        ),
        REASON.replace(doors=(TYPED,)),
        Field(
            "limit", "whole", "list at most so many (default 20)",
            default=20, low=1, high=200, doors=(TYPED,), metavar="N", option=("-n", "--limit"),
        ),
    ),
    Listed,
    "write",
    group="Look after",
    order=2,
    renderer="review",
)  # fmt: skip


def run(bird: "Bowerbird", given: "dict[str, Any]") -> Listed:
    """Do what was decided; what was decided about, or what still waits."""
    confirmed, rejected = given.get("confirm") or (), given.get("reject") or ()
    text, reason = given.get("text"), given.get("reason", "")
    if text is not None and len(confirmed) != 1:
        raise BadInput("--text is for one that is confirmed", "bower review --confirm ID --text …")
    if confirmed:
        return Listed(Entries([_confirm(bird, id, text, reason) for id in confirmed]))
    if rejected:
        bird.forget_all([*rejected], reason or "rejected in review")
        return Listed(Entries([bird.get(id) for id in rejected]))
    limit = given.get("limit", 20)
    found = {
        one.id: one
        for some in (
            bird.list(needs_review=True, states=("active", "quarantined"), limit=limit),
            bird.list(states=("quarantined",), limit=limit),
        )
        for one in some
    }
    newest = sorted(found.values(), key=lambda one: one.created, reverse=True)
    return Listed(Entries(newest[:limit]))


def _confirm(bird: "Bowerbird", id: str, text: str | None, reason: str) -> "Any":
    entry = bird.get(id)
    if text is not None:
        bird.edit(entry.id, text, reason=reason)
    done = bird.remember(bird.get(entry.id).text, kind=entry.kind, origin=USER, verified=True)
    return bird.get(done.id)


def command(call: "Call") -> Outcome:
    """Decide, or list what waits."""
    given = call.given(VERB)
    decides = bool(given.get("confirm") or given.get("reject"))
    if given.get("confirm") and given.get("reject"):
        raise BadInput("confirm and reject are two verdicts", "give one of them at a time")
    with call.open(writes=decides) as bird:
        found = run(bird, given)
    return Outcome(found.as_dict(), found.entries)
