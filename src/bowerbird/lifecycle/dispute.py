"""Disputes: a memory that somebody calls wrong is still used, but less sure, until a steward decides."""

from bowerbird.core.dispute import (
    ACTIONS,
    CLOSED,
    COMMENTED,
    KEPT,
    LEFT,
    OPENED,
    WRONG,
    Dispute,
    Remark,
)
from bowerbird.core.errors import BadInput
from bowerbird.core.text import clean
from bowerbird.core.value import Advice, Do
from bowerbird.core.who import name_of
from bowerbird.lifecycle.restate import remove, revise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.types import Entry
    from bowerbird.lifecycle.changes import Changes

# Decimal places of a confidence that a closed dispute gives back.
_DIGITS = 6


class Disputing:
    """Opens, comments and closes the disputes of single memories, each as one audited operation."""

    def __init__(self, changes: "Changes") -> None:
        self._changes = changes
        self._store = changes.store

    def say(self, id: str, text: str, actor: str) -> Dispute:
        """Opens a dispute, or adds to the thread of an open one. Raises NotFound, BadInput."""
        if not clean(text).strip():
            raise BadInput("nothing was said", "say what is wrong about it, and how you know")
        with self._store.transaction():
            entry = self._changes.memory(id)
            head = self._store.memories.head(entry.id)
            if head.fields.disputed:
                self._store.audit.note(self._changes.change(COMMENTED, actor, text), entry.id)
            else:
                if head.fields.state != "active":
                    raise BadInput(
                        f"{entry.id} is {head.fields.state}: no agent gets it", "leave it"
                    )
                change = self._changes.change(OPENED, actor, text)
                by = name_of(change.actor)
                fields = head.fields.replace(
                    disputed=by,
                    confidence=round(head.fields.confidence * LEFT, _DIGITS),
                    needs_review=True,
                    review=f"disputed by {by}: {change.reason}",
                )
                revise(self._store, head, fields, change)
        return self.shown(entry.id)

    def close(self, id: str, verdict: str, text: str, actor: str) -> Dispute:
        """Ends a dispute: the memory holds as before, or is retired. Raises NotFound, BadInput."""
        with self._store.transaction():
            entry = self._changes.memory(id)
            head = self._store.memories.head(entry.id)
            if not head.fields.disputed:
                raise BadInput(
                    f"{entry.id} is not disputed", Advice("see those that are: ", Do("dispute"))
                )
            change = self._changes.change(CLOSED, actor, f"{verdict}: {text}" if text else verdict)
            fields = head.fields.replace(
                disputed="",
                confidence=min(1.0, round(head.fields.confidence / LEFT, _DIGITS)),
                needs_review=False,
                review="",
                state="deleted" if verdict == WRONG else head.fields.state,
            )
            revise(self._store, head, fields, change)
            if verdict != KEPT:
                remove(self._store, entry, change)
        return self.shown(entry.id)

    def shown(self, id: str) -> Dispute:
        """A memory with its thread. Raises NotFound."""
        return self.of(self._changes.memory(id))

    def of(self, entry: "Entry") -> Dispute:
        """The thread of a memory that was read."""
        fields = self._store.memories.head(entry.id).fields
        thread = [
            Remark(one.at, one.actor, one.action, one.reason)
            for one in self._store.audit.of(entry.id)
            if one.action in ACTIONS
        ]
        return Dispute(
            entry.id,
            entry.text,
            entry.speaker,
            entry.trust,
            fields.state,
            fields.confidence,
            fields.disputed,
            tuple(thread),
        )
