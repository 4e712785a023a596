"""Confirms memories in review: a person says that one holds, or that both sides of a contradiction do."""

from bowerbird.core.errors import BadInput, NotAPerson
from bowerbird.core.types import SHORT_ID
from bowerbird.guard.trust import reaches
from bowerbird.lifecycle.changes import restoring
from bowerbird.lifecycle.judge import confirms
from bowerbird.lifecycle.restate import RAISED, opponents, review_of, revise
from bowerbird.lifecycle.revert import IN_USE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.history import Change
    from bowerbird.core.memories import Belief
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry
    from bowerbird.lifecycle.changes import Changes


def confirm_both(
    changes: "Changes", ids: tuple[str, str], said: "Callable[[Entry], Belief]", actor: str
) -> None:
    """Verifies both as one operation, which `revert` of either undoes.

    What else they contradict was not decided on, and waits for that. `said` gives a memory as its
    confirmation states it. Raises NotFound, and BadInput for one that does not hold, or whom the caller
    may not confirm.
    """
    store = changes.store
    with store.transaction():
        entries = [changes.changeable(id) for id in ids]
        change = changes.change("confirmed", actor)
        for entry in entries:
            confirm(store, entry, said(entry), change)
        for entry in entries:
            _leave_others(store, entry, ids, change.replace(action="reviewed"))


def confirm(store: "Store", entry: "Entry", belief: "Belief", change: "Change") -> None:
    """Verifies a memory with the trust and at least the confidence of a belief. Inside a transaction.

    Raises BadInput for one that does not hold, or whom the author of the belief may not confirm.
    """
    head = store.memories.head(entry.id)
    if head.fields.state not in IN_USE:
        raise BadInput(f"{entry.id} is {head.fields.state}", restoring(store, entry.id))
    if not confirms(belief, entry, own=True) and not reaches(belief.trust, entry.trust):
        raise NotAPerson(f"{entry.id} is trusted more than you are", "let a person confirm it")
    fields = head.fields.replace(
        state="active",
        verified=True,
        confidence=max(head.fields.confidence, belief.fields.confidence),
        needs_review=False,
        review="",
        disputed="",
    )
    revise(store, head, fields, change.replace(reason=RAISED[entry.trust]))
    store.memories.set_trust(entry.id, belief.trust)


def own(store: "Store", entry: "Entry", belief: "Belief", change: "Change") -> bool:
    """Gives a memory that was imported the trust of whoever says that it is their own note.

    Whether it changed: only what is less trusted, and was not taken out, does. Inside a transaction.
    """
    head = store.memories.head(entry.id)
    if head.fields.state != "active" or reaches(entry.trust, belief.trust):
        return False
    fields = head.fields.replace(confidence=max(head.fields.confidence, belief.fields.confidence))
    revise(store, head, fields, change.replace(reason=RAISED[entry.trust]))
    store.memories.set_trust(entry.id, belief.trust)
    return True


def _leave_others(store: "Store", entry: "Entry", ids: tuple[str, str], change: "Change") -> None:
    """Lets further memories that one of both contradicts wait, as it was before, for a decision.

    One that a person has verified holds beside both.
    """
    for other in opponents(store, entry.id):
        named = entry.id[:SHORT_ID] in other.review or other.id[:SHORT_ID] in entry.review
        if other.id in ids or not named or other.project != entry.project:
            continue
        head = store.memories.head(other.id)
        seen = head.fields.verified
        review = "" if seen else review_of(entry, other)
        revise(store, head, head.fields.replace(needs_review=not seen, review=review), change)
