"""Reverts the last operation on a memory, or restores one of its versions."""

from bowerbird.core.clock import day
from bowerbird.core.errors import BadInput, NotFound
from bowerbird.core.history import Relation, Reverted
from bowerbird.core.ids import id_prefix
from bowerbird.core.normal import normal_hash
from bowerbird.core.relations import FILE
from bowerbird.core.types import BELOW, GLOBAL, SHORT_ID
from bowerbird.core.value import Advice, Do
from bowerbird.core.who import is_user
from bowerbird.guard.trust import TAINTED
from bowerbird.lifecycle.apart import place
from bowerbird.lifecycle.changes import ON_RELATIONS, restoring
from bowerbird.lifecycle.fit_pattern import FITTED, fit_patterns
from bowerbird.lifecycle.move import move_back
from bowerbird.lifecycle.restate import RAISED, RELEASED, examples_of, revise, summed_up

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bowerbird.core.history import Change, Event, Version
    from bowerbird.core.memories import Fields
    from bowerbird.core.types import Entry
    from bowerbird.lifecycle.changes import Changes


# The states of a memory that was not removed and not replaced.
IN_USE = frozenset({"active", "quarantined"})


class Reverting:
    """Undoes changes of memories, within the bounds of `changes`."""

    def __init__(self, changes: "Changes") -> None:
        self._changes = changes
        self._store = changes.store

    def revert(
        self, id: str, version: str | None, reason: str, actor: str, *, rehearse: bool = False
    ) -> Reverted:
        """Undoes the last change that was not reverted yet, or restores a version.

        If everything was reverted, up to the creation of the memory, it is restored as it was last.

        A change made to this memory by storing another one, such as being superseded, is undone for this
        one only; a verdict on both as a whole. `rehearse` changes nothing.

        Raises NotFound, and BadInput if nothing is left to revert or if something that the operation
        changed has been changed again since.
        """
        with self._store.rehearsal() if rehearse else self._store.transaction():
            entry = self._changes.changeable(id)
            if version is not None:
                done = self._restore(entry, version, reason, actor)
            else:
                done = self._undo(entry, reason, actor)
            if self._store.projects.shared():
                place(self._store, done.memories)
            past = self._past(entry.id) if done.state == "active" else ()
            return done.replace(others=(*past, *done.others), dry_run=rehearse)

    def _past(self, id: str) -> tuple[str, ...]:
        """What is to be said of a memory that holds again by its state, but not by its days."""
        fields = self._store.memories.head(id).fields
        # A memory holds until a moment before `valid_to`.
        ends = [
            *([] if fields.expires is None else [fields.expires]),
            *([] if fields.valid_to is None else [fields.valid_to - 1]),
        ]
        if not ends or min(ends) >= self._changes.clock():
            return ()
        over = day(min(ends))
        return (f"its day, {over}, has passed: no search finds it until an edit gives it another",)

    def _restore(
        self, entry: "Entry", version: str, reason: str, actor: str, *, named: bool = True
    ) -> Reverted:
        """Gives a memory the text and fields of one of its versions, which the caller `named`, or not."""
        memories = self._store.memories
        start = id_prefix(version)
        wanted = [one for one in self._store.audit.versions(entry.id) if one.id.startswith(start)]
        if not wanted:
            raise NotFound(
                f"{entry.id} has no version {version}", Advice("see: ", Do("history", "ID"))
            )
        if len(wanted) > 1:
            raise BadInput(f"several versions begin with {version}", "give more characters")
        head = memories.head(entry.id)
        comment = reason or f"back to version {wanted[0].id}"
        if head.says_the_same(wanted[0]):
            return Reverted(entry.id, head.fields.state, (), (), "it is at that version already")
        self._refuse_twin(wanted[0])
        if wanted[0].fields.state == BELOW and not summed_up(self._store, entry.id):
            raise BadInput(
                f"no pattern sums up {entry.id} any more",
                Advice("go to another one of its versions; see: ", Do("history", "ID")),
            )
        if wanted[0].fields.state == "active" and head.fields.state not in IN_USE:
            self._refuse_doubled(entry.id)
        change = self._changes.change("restored", actor, comment)
        self._put_back(head, wanted[0].fields, change, wanted[0])
        dropped = self._unsuperseded(head, change)
        others: tuple[str, ...] = ()
        if wanted[0].fields.state == "active" and head.fields.state not in IN_USE:
            others = self._beside(entry, None if named else change)
        changed = entry.id, *self._released(change)
        return Reverted(entry.id, wanted[0].fields.state, changed, dropped, comment, others)

    def _refuse_doubled(self, id: str) -> None:
        """Raises BadInput for a pattern whose examples hold by themselves again."""
        made = self._store.audit.operation(self._store.audit.of(id)[0].operation)
        if made[0].action != "consolidated":
            return
        examples = [one.entry for one in made if one.action not in ON_RELATIONS and one.entry != id]
        if any(one.state == "active" for one in self._store.entries.named(examples, None)):
            raise BadInput(
                f"the examples of {id} hold by themselves again",
                Advice("sum them up anew: ", Do("consolidate")),
            )

    def _refuse_released(self, id: str, events: "Sequence[Event]") -> None:
        """Raises BadInput for what holds since its pattern was removed: below that nothing finds it."""
        if not any(one.entry == id and one.action == RELEASED for one in events):
            return
        patterns = self._changes.patterns([id])
        raise BadInput(
            f"{id} holds by itself since its pattern was removed",
            Advice("bring that back: ", Do("revert", patterns[-1]))
            if patterns
            else Advice("go to one of its versions; see: ", Do("history", "ID")),
        )

    def _released(self, change: "Change") -> list[str]:
        """The examples that hold again because their pattern was taken back by a change."""
        events = self._store.audit.operation(change.operation)
        return [one.entry for one in events if one.action == RELEASED]

    def _bring_back(self, entry: "Entry", reason: str, actor: str) -> Reverted:
        """Restores a memory of which everything was reverted, up to its creation."""
        versions = self._store.audit.versions(entry.id)
        held = [one.id for one in versions if one.fields.state in IN_USE]
        if self._store.memories.head(entry.id).fields.state in IN_USE or not held:
            raise BadInput(
                f"nothing is left to take back of {entry.id}", restoring(self._store, entry.id)
            )
        return self._restore(entry, held[-1], reason, actor, named=False)

    def _beside(self, entry: "Entry", change: "Change | None") -> tuple[str, ...]:
        """What is to say of those that hold beside a memory though one of them replaced the other.

        With a `change` both wait for a review: that both hold, nobody said.
        """
        memories, relations = self._store.memories, self._store.relations
        found: list[str] = []
        for other, why in self._replacements(entry.id).items():
            ends = (entry.id, other)
            if any(relations.get(*pair, "supersedes") for pair in (ends, ends[::-1])):
                continue
            if change is None:
                found.append(f"{other[:SHORT_ID]} stays active; both hold now")
                continue
            for one, its in (ends, ends[::-1]):
                head = memories.head(one)
                if not head.fields.needs_review:
                    review = f"it contradicts {its[:SHORT_ID]}: {why}"
                    fields = head.fields.replace(needs_review=True, review=review)
                    revise(self._store, head, fields, change.replace(action="contradicted"))
            opposes = Relation(*ends, "contradicts", automatic=True, created=self._changes.clock())
            relations.put(opposes, change.replace(action="linked", reason=why))
            found.append(f"{other[:SHORT_ID]} holds, too: both wait for a review")
        return tuple(found)

    def _replacements(self, id: str) -> dict[str, str]:
        """Those active memories that one replaced once, or that replaced it, and why."""
        found: dict[str, str] = {}
        for operation in dict.fromkeys(one.operation for one in self._store.audit.of(id)):
            events = self._store.audit.operation(operation)
            doer = events[0].entry
            for event in (one for one in events if one.action == "superseded"):
                if doer != event.entry and id in (doer, event.entry):
                    found.setdefault(event.entry if id == doer else doer, event.reason)
        entries = (one for id in found for one in self._store.entries.get(id))
        return {one.id: found[one.id] for one in entries if one.state == "active"}

    def _unsuperseded(self, head: "Version", change: "Change") -> "tuple[Relation, ...]":
        """Removes and returns the `supersedes` links to a memory; `head` is its version before."""
        if head.fields.state not in {"superseded", "merged"}:
            return ()
        found = self._store.relations.of(head.memory)
        found = tuple(one for one in found if (one.kind, one.target) == ("supersedes", head.memory))
        for relation in found:
            undoes = self._linking(relation)
            self._store.relations.remove(relation, change.replace(action="unlinked", undoes=undoes))
        return found

    def _linking(self, relation: "Relation") -> str | None:
        """The operation that linked two memories and nothing else, which is undone without the link."""
        audit, parse = self._store.audit, self._store.relations.parse
        ends = (relation.source, relation.target, relation.kind)
        for event in reversed(audit.of(relation.source)):
            one = parse(event.after) if event.action == "linked" else None
            if one is not None and (one.source, one.target, one.kind) == ends:
                alone = audit.operation(event.operation)[0].action == "linked"
                return event.operation if alone else None
        return None

    def _undo(self, entry: "Entry", reason: str, actor: str) -> Reverted:
        """Undoes the last operation; only its part on this memory if it was one on another memory."""
        operation = self._store.audit.last_done(entry.id)
        if operation is None:
            return self._bring_back(entry, reason, actor)
        events = self._store.audit.operation(operation)
        self._refuse_released(entry.id, events)
        if events[0].entry != entry.id and not self._joint(entry, events):
            return self._undo_own_part(entry, events, reason, actor)
        if not all(self._changes.event_visible(event) for event in events):
            raise BadInput(
                f"the last change of {entry.id} is also one of another project's memory",
                "somebody with access to both projects can revert it",
            )
        self._changes.require_own(event.entry for event in events if not self._erased(event))
        comment = reason or f"reverted “{events[0].action}”"
        change = self._changes.change("undone", actor, comment).replace(undoes=operation)
        self._refuse_twins([one for one in events if one.action not in (*ON_RELATIONS, FITTED)])
        memories: list[str] = []
        relations: list[Relation] = []
        others: list[str] = []
        left = self._left_pattern(events)
        others += (f"{id[:SHORT_ID]} {why}" for id, why in left.items())
        for event in reversed(events):
            if event.entry in left or event.action == FITTED or self._erased(event):
                continue
            if event.action in ON_RELATIONS:
                relations += self._undo_relation(event, change)
                continue
            became = self._undo_version(event, change)
            if became:
                memories.append(event.entry)
            if became and event.entry != entry.id:
                others.append(became)
        state = self._store.memories.head(entry.id).fields.state
        if any(event.action == FITTED for event in events):
            fit_patterns(self._store, entry.id, change.replace(undoes=None))
            memories += self._changes.patterns([entry.id])
        changed = tuple(dict.fromkeys((*memories, *self._released(change))))
        return Reverted(entry.id, state, changed, tuple(relations), comment, tuple(others))

    def _joint(self, entry: "Entry", events: "Sequence[Event]") -> bool:
        """Whether an operation on another memory is undone as a whole from this one, too.

        So is a person's verdict, unless the other one changed since, and pruning, if both were pruned.
        """
        first = events[0]
        if first.action in ("confirmed", "updated"):
            return self._store.audit.last_done(first.entry) == first.operation
        return (
            first.action == "pruned" == next(one.action for one in events if one.entry == entry.id)
        )

    def _left_pattern(self, events: "Sequence[Event]") -> dict[str, str]:
        """Those examples of a pattern that changed since, and what they are: they stay so."""
        found: dict[str, str] = {}
        if events[0].action != "consolidated":
            return found
        for event in events[1:]:
            if event.action in ON_RELATIONS or event.entry == events[0].entry:
                continue
            if not self._store.entries.get(event.entry):
                found[event.entry] = "is gone for good"
                continue
            head = self._store.memories.head(event.entry)
            version = self._store.audit.version(event.after or "")
            if version is None or not head.says_the_same(version):
                state = head.fields.state
                stays = "is active again" if state == BELOW else f"stays {state}"
                found[event.entry] = f"was changed since and {stays}"
        return found

    def _undo_own_part(
        self, entry: "Entry", events: "Sequence[Event]", reason: str, actor: str
    ) -> Reverted:
        """Undoes what an operation on another memory did to this one; the other one is not changed."""
        examples = examples_of(self._store, entry.id)
        own = [
            one
            for one in events
            if (one.entry == entry.id and one.action not in ON_RELATIONS)
            or (one.entry in examples and one.action == RELEASED)
        ]
        comment = reason or f"reverted “{own[0].action}”"
        change = self._changes.change("undone", actor, comment).replace(undoes=own[0].operation)
        self._refuse_twins(own)
        head = self._store.memories.head(entry.id)
        for event in reversed(own):
            self._undo_version(event, change)
        dropped = self._unsuperseded(head, change)
        if own[0].action == BELOW:
            fit_patterns(self._store, entry.id, change.replace(undoes=None))
        state = self._store.memories.head(entry.id).fields.state
        doer = events[0].entry
        others: tuple[str, ...] = ()
        if self._changes.visible(doer) and self._store.entries.get(doer):
            state_of_doer = self._store.memories.head(doer).fields.state
            both = "; both hold now" if state == state_of_doer == "active" else ""
            others = (f"{doer[:SHORT_ID]}, for which it was done, stays {state_of_doer}{both}",)
            if both and any(event.action == "superseded" for event in own):
                # An operation of its own: taking it back says that both hold.
                others = self._beside(entry, self._changes.change("", actor, comment)) or others
        changed = tuple(dict.fromkeys((entry.id, *(one.entry for one in own))))
        return Reverted(entry.id, state, changed, dropped, comment, others)

    def _erased(self, event: "Event") -> bool:
        """Whether an event created something that has been erased since, so that nothing is left to undo.

        Raises BadInput if the erased memory existed before the event: it cannot be restored.
        """
        parse = self._store.relations.parse
        one = parse(event.after) or parse(event.before) if event.action in ON_RELATIONS else None
        ends = (event.entry,) if one is None else (one.source, one.target)
        erased = [
            end for end in ends if not end.startswith(FILE) and self._store.entries.removed(end)
        ]
        if erased and one is None and event.before is not None:
            raise BadInput(
                f"{erased[0]}, which changed along with it, was erased",
                Advice(
                    "bring this one back alone: ",
                    Do("revert", "ID", to="VERSION"),
                    "; see: ",
                    Do("history", "ID"),
                ),
            )
        return bool(erased)

    def _refuse_twins(self, events: "Sequence[Event]") -> None:
        """Raises BadInput if a restored memory would have the same text as an active one.

        Memories that the same revert removes do not count.
        """
        reverted = {event.entry for event in events}
        for event in events:
            before = self._store.audit.version(event.before) if event.before else None
            if before is not None:
                # Pruned memories may have existed beside a global one of the same text before.
                self._refuse_twin(before, reverted, shared=event.action != "pruned")

    def _refuse_twin(
        self, version: "Version", besides: "Collection[str]" = (), *, shared: bool = True
    ) -> None:
        """Raises BadInput if a version, restored as active, would say what another memory says."""
        store, id = self._store, version.memory
        head, hash = store.memories.head(id), normal_hash(version.text)
        stands = head.fields.state == "active" and normal_hash(head.text) == hash
        if version.fields.state != "active" or stands:
            return
        entry = self._changes.memory(id)
        projects = (entry.project, GLOBAL.uid) if shared else (entry.project,)
        twin = store.entries.saying(hash, projects, self._changes.clock(), ("active",))
        if twin is not None and twin.id not in besides:
            raise BadInput(
                f"{twin.id} says the same as {id} by now",
                Advice("keep that one, or forget it first: ", Do("forget", twin.id)),
            )

    def _undo_version(self, event: "Event", change: "Change") -> str:
        """Undoes one change of a memory; returns what became of it, or nothing if nothing changed."""
        memories = self._store.memories
        head = memories.head(event.entry)
        version = self._store.audit.version(event.after or "")
        before = self._store.audit.version(event.before) if event.before else None
        if before is not None and head.says_the_same(before):
            return ""
        # A pattern may have lost an example since; a change by hand would be the last one.
        whole = event.action == "consolidated"
        if version is None or not (whole or head.says_the_same(version)):
            raise BadInput(
                f"{event.entry} has been changed since",
                Advice("take that back first: ", Do("revert", event.entry)),
            )
        # A memory that did not exist before is forgotten: versions are never deleted.
        fields = before.fields if before else head.fields.replace(state="deleted")
        if before is None and is_user(change.actor):
            # Whoever takes their own word back leaves nothing to decide.
            fields = fields.replace(needs_review=False, review="")
        self._put_back(head, fields, change, before)
        return f"{event.entry[:SHORT_ID]} {_became(head.fields, fields)}"

    def _put_back(
        self, head: "Version", fields: "Fields", change: "Change", version: "Version | None"
    ) -> None:
        """Gives a memory these fields and the text of a version, and the trust that it had then."""
        raised = self._raised_since(version) if version else None
        revise(self._store, head, fields, change, version.text if version else None)
        move_back(self._store, head, fields.moved)
        if fields.state == "quarantined":
            # A quarantined memory came from outside; confirming it had raised its trust.
            raised = TAINTED
        if raised is not None:
            self._store.memories.set_trust(head.memory, raised)

    def _raised_since(self, version: "Version") -> str | None:
        """The trust of a memory before it was confirmed, if that was after this version."""
        trusts = {reason: trust for trust, reason in RAISED.items()}
        later = False
        for event in self._store.audit.of(version.memory):
            if later and event.action == "confirmed" and event.reason in trusts:
                return trusts[event.reason]
            later = later or event.after == version.id
        return None

    def _undo_relation(self, event: "Event", change: "Change") -> "list[Relation]":
        """Undoes one change of a link; returns the link, or nothing if it was undone already."""
        relations = self._store.relations
        before, after = relations.parse(event.before), relations.parse(event.after)
        one = after or before
        if one is not None and relations.get(one.source, one.target, one.kind) == before:
            return []
        if one is None or relations.get(one.source, one.target, one.kind) != after:
            raise BadInput(
                f"a link of {event.entry} has been changed since",
                Advice("take that back first: ", Do("revert", event.entry)),
            )
        if before is None:
            relations.remove(one, change.replace(action="unlinked"))
        else:
            relations.put(before, change.replace(action="linked"))
        return [one]


def _became(was: "Fields", fields: "Fields") -> str:
    """Describes what a revert changed in a memory other than the one that was named."""
    if was.state != fields.state:
        return f"is {fields.state} again"
    if was.needs_review != fields.needs_review:
        return "needs review again" if fields.needs_review else "needs no review"
    return "is as it was before"
