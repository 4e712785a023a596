"""What may become of a memory by hand: it is linked, forgotten, looked back on, and taken back."""

from bowerbird.core.errors import BadInput, NotFound
from bowerbird.core.history import Change, History, Relation, Reverted
from bowerbird.core.ids import id_prefix, named, new_id
from bowerbird.core.normal import normal_hash
from bowerbird.core.relations import FILE, file_target, relation_kind
from bowerbird.core.text import clean
from bowerbird.core.types import GLOBAL, MEMORY, SHORT_ID
from bowerbird.core.value import Advice, Do
from bowerbird.guard.redact import ALLOW_NOTHING, redact
from bowerbird.guard.trust import TAINTED, reaches
from bowerbird.lifecycle.complete import within
from bowerbird.lifecycle.restate import revise, settle, supersede

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bowerbird.core.clock import Clock
    from bowerbird.core.history import Event, Version
    from bowerbird.core.memories import Fields
    from bowerbird.core.ports.acting import Acting
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry
    from bowerbird.guard.redact import Allow

# How a file is named where a memory could be.
_ON_RELATIONS = frozenset({"linked", "unlinked"})


class Changes:
    """Changes single memories of a store, each as one audited operation."""

    def __init__(
        self,
        store: "Store",
        clock: "Clock",
        acting: "Acting",
        bounds: "tuple[str, ...] | None" = None,
        allow: "Allow" = ALLOW_NOTHING,
    ) -> None:
        self._store = store
        self._clock = clock
        # The projects outside of which no id leads anywhere; None: every id counts.
        self._bounds = bounds
        # Whether what belongs to every project may be changed from within bounds.
        self._may_share = acting.who.may_share or bounds in {None, (GLOBAL.uid,)}
        self._acting = acting
        self._allow = allow

    def history(self, id: str) -> History:
        """Everything that became of a memory, also of one that was removed for good. Raises NotFound."""
        entries, start = self._store.entries, id_prefix(id)
        gone = entries.removed(start) if self._bounds is None else None
        if gone is not None and not entries.get(start):
            return History(gone[0], (), self._store.audit.of(gone[0]), ())
        entry = self._memory(id)
        self._acting.show([entry.trust])
        relations = self._store.relations.of(entry.id)
        return History(
            entry.id,
            self._store.memories.versions(entry.id),
            tuple(one for one in self._store.audit.of(entry.id) if self._known_of(one)),
            tuple(one for one in relations if self._within(one.source, one.target)),
        )

    def link(
        self,
        source: str,
        target: str,
        kind: str,
        strength: float,
        confidence: float,
        actor: str,
    ) -> Relation:
        """Say what a memory is to another one, or to a file. Raises NotFound, BadInput."""
        within("strength", strength)
        within("confidence", confidence)
        relation_kind(kind)
        with self._store.transaction():
            first = self.changeable(source)
            start = first.id
            end = (
                redact(clean(file_target(target)), self._allow).text
                if target.startswith(FILE)
                else self._target(target)
            )
            if end == start:
                raise BadInput(f"{end} is no other memory than itself", "name two of them")
            relation = Relation(start, end, kind, strength, confidence, created=self._clock())
            kept = self._store.relations.get(start, end, kind)
            if kept is not None and kept.replace(created=relation.created) == relation:
                return kept
            change = self.change("linked", actor, "")
            self._store.relations.put(relation, change)
            if kind == "supersedes" and not end.startswith(FILE):
                self._supersede(first, self.changeable(end), change)
        return relation

    def _supersede(self, newer: "Entry", older: "Entry", change: Change) -> None:
        """Let a memory take the place of another one, where both are in force."""
        if newer.state != "active" or older.state != "active":
            return
        if not reaches(newer.trust, older.trust):
            raise BadInput(
                f"{older.id} is believed more ({older.trust}) than {newer.id} ({newer.trust})",
                Advice("let it go by itself: ", Do("forget", older.id)),
            )
        reason = f"{newer.id[:SHORT_ID]} takes its place"
        head = self._store.memories.head(older.id)
        supersede(self._store, older, head, change.replace(action="superseded", reason=reason))

    def _target(self, id: str) -> str:
        """The whole id of a memory. Raises NotFound; a path is told how files are named."""
        try:
            return self._memory(id).id
        except (NotFound, BadInput) as error:
            if "/" in id or "." in id:
                raise NotFound(error.message, f"is it a file? write: {FILE}{id}") from error
            raise

    def forget(self, ids: "Sequence[str]", reason: str, actor: str) -> "list[Version]":
        """Take memories out of every search, or none of them; each can be taken back by itself.

        One that is named twice counts once. Raises NotFound, BadInput.
        """
        with self._store.transaction():
            entries = {entry.id: entry for entry in map(self.changeable, ids)}
            return [self._forgotten(entry, reason, actor) for entry in entries.values()]

    def _forgotten(self, entry: "Entry", reason: str, actor: str) -> "Version":
        head = self._store.memories.head(entry.id)
        if head.fields.state == "deleted":
            raise BadInput(f"{entry.id} is forgotten already", self._back_again(entry.id))
        change = self.change("forgotten", actor, reason)
        fields = head.fields.replace(state="deleted")
        forgotten = revise(self._store, head, fields, change)
        settle(self._store, entry, change.replace(action="reviewed"))
        return forgotten

    def revert(
        self, id: str, version: str | None, reason: str, actor: str, *, rehearse: bool = False
    ) -> Reverted:
        """Take back the last change that still stands, or go back to a version.

        What was done for another memory, such as remembering what took this one's place, is taken back
        as far as it is about this one; the other one stays. To `rehearse` it changes nothing.

        Raises NotFound, and BadInput where there is nothing to take back, or something that the
        change touched has been changed again since.
        """
        with self._store.rehearsal() if rehearse else self._store.transaction():
            entry = self.changeable(id)
            if version is not None:
                return self._restore(entry, version, reason, actor)
            return self._undo(entry, reason, actor)

    def _restore(self, entry: "Entry", version: str, reason: str, actor: str) -> Reverted:
        """Give a memory the fields of one of its versions."""
        memories = self._store.memories
        start = id_prefix(version)
        wanted = [one for one in memories.versions(entry.id) if one.id.startswith(start)]
        if not wanted:
            raise NotFound(
                f"{entry.id} has no version {version}", Advice("see: ", Do("history", "ID"))
            )
        if len(wanted) > 1:
            raise BadInput(f"several versions begin with {version}", "give more characters")
        head = memories.head(entry.id)
        comment = reason or f"back to version {wanted[0].id}"
        if head.says_the_same(wanted[0]):
            return Reverted(entry.id, head.fields.state, (), (), "it stands there already")
        if wanted[0].fields.state == "active":
            self._refuse_twin(entry.id)
        change = self.change("restored", actor, comment)
        self._put_back(head, wanted[0].fields, change, wanted[0].text)
        dropped = self._unsuperseded(head, change)
        return Reverted(entry.id, wanted[0].fields.state, (entry.id,), dropped, comment)

    def _unsuperseded(self, head: "Version", change: Change) -> tuple[Relation, ...]:
        """Take away the links that say what took a memory's place; `head` is as it stood before."""
        if head.fields.state != "superseded":
            return ()
        found = self._store.relations.of(head.memory)
        found = tuple(one for one in found if (one.kind, one.target) == ("supersedes", head.memory))
        for relation in found:
            self._store.relations.remove(relation, change.replace(action="unlinked", undoes=None))
        return found

    def _undo(self, entry: "Entry", reason: str, actor: str) -> Reverted:
        """Take back an operation as a whole, or not at all; of another memory's this one's part."""
        operation = self._store.audit.last_done(entry.id)
        if operation is None:
            raise BadInput(
                f"nothing is left to take back of {entry.id}", self._back_again(entry.id)
            )
        events = self._store.audit.operation(operation)
        if events[0].entry != entry.id and events[0].action != "pruned":
            return self._undo_own_part(entry, events, reason, actor)
        if not all(self._known_of(event) for event in events):
            raise BadInput(
                f"the last change of {entry.id} is also one of another project's memory",
                "it is taken back by whoever may work in both",
            )
        comment = reason or f"took back: {events[0].action}"
        change = self.change("undone", actor, comment).replace(undoes=operation)
        self._refuse_twins([event for event in events if event.action not in _ON_RELATIONS])
        memories: list[str] = []
        relations: list[Relation] = []
        others: list[str] = []
        for event in reversed(events):
            if self._gone(event):
                continue
            if event.action in _ON_RELATIONS:
                relations += self._undo_relation(event, change)
                continue
            became = self._undo_version(event, change)
            if became:
                memories.append(event.entry)
            if became and event.entry != entry.id:
                others.append(became)
        state = self._store.memories.head(entry.id).fields.state
        return Reverted(entry.id, state, tuple(memories), tuple(relations), comment, tuple(others))

    def _undo_own_part(
        self, entry: "Entry", events: "Sequence[Event]", reason: str, actor: str
    ) -> Reverted:
        """Take back what an operation on another memory did to this one; the other one stays."""
        own = [one for one in events if one.entry == entry.id and one.action not in _ON_RELATIONS]
        comment = reason or f"took back: {own[0].action}"
        change = self.change("undone", actor, comment).replace(undoes=own[0].operation)
        self._refuse_twins(own)
        head = self._store.memories.head(entry.id)
        for event in reversed(own):
            self._undo_version(event, change)
        dropped = self._unsuperseded(head, change)
        state = self._store.memories.head(entry.id).fields.state
        doer = events[0].entry
        others: tuple[str, ...] = ()
        if self._within(doer) and self._store.entries.get(doer):
            stands = self._store.memories.head(doer).fields.state
            others = (f"{doer[:SHORT_ID]}, for which it was done, stays {stands}",)
        return Reverted(entry.id, state, (entry.id,), dropped, comment, others)

    def _back_again(self, id: str) -> str:
        """What brings a memory back that was forgotten, or whose every change was taken back."""
        if self._store.audit.last_done(id) is not None:
            return Advice("bring it back with: ", Do("revert", id))
        versions = self._store.memories.versions(id)
        alive = [one.id for one in versions if one.fields.state == "active"]
        if not alive:
            return Advice("go forward to one of its versions; see: ", Do("history", "ID"))
        return Advice("bring it back with: ", Do("revert", id, to=alive[-1]))

    def _gone(self, event: "Event") -> bool:
        """Whether an event is about what was removed for good and was not there before it either.

        Raises BadInput where it was there before: that cannot be brought back.
        """
        parse = self._store.relations.parse
        one = parse(event.after) or parse(event.before) if event.action in _ON_RELATIONS else None
        ends = (event.entry,) if one is None else (one.source, one.target)
        gone = [
            end for end in ends if not end.startswith(FILE) and self._store.entries.removed(end)
        ]
        if gone and one is None and event.before is not None:
            raise BadInput(
                f"{gone[0]}, which changed along with it, was removed for good",
                Advice(
                    "bring this one back alone: ",
                    Do("revert", "ID", to="VERSION"),
                    "; see: ",
                    Do("history", "ID"),
                ),
            )
        return bool(gone)

    def _refuse_twins(self, events: "Sequence[Event]") -> None:
        """Raise BadInput where a memory would come back beside one that says the same by now.

        What the operation itself put into its place goes as it comes, and is no hindrance.
        """
        taken_back = {event.entry for event in events}
        for event in events:
            before = self._store.memories.version(event.before) if event.before else None
            if before is not None and before.fields.state == "active":
                # Beside a global one it may have stood before; told since, they do no harm.
                self._refuse_twin(event.entry, taken_back, shared=event.action != "pruned")

    def _refuse_twin(
        self, id: str, besides: "Collection[str]" = (), *, shared: bool = True
    ) -> None:
        store = self._store
        head = store.memories.head(id)
        if head.fields.state == "active":
            return
        entry = self._memory(id)
        where = (entry.project, GLOBAL.uid) if shared else (entry.project,)
        hash = normal_hash(head.text)
        twin = store.entries.saying(hash, where, self._clock(), ("active",))
        if twin is not None and twin.id not in besides:
            raise BadInput(
                f"{twin.id} says the same as {id} by now",
                Advice("keep that one, or forget it first: ", Do("forget", twin.id)),
            )

    def _undo_version(self, event: "Event", change: Change) -> str:
        """Take back one change of a memory; what became of it, nothing where it stands so already."""
        memories = self._store.memories
        head = memories.head(event.entry)
        version = memories.version(event.after or "")
        before = memories.version(event.before) if event.before else None
        if before is not None and head.says_the_same(before):
            return ""
        if version is None or not head.says_the_same(version):
            raise BadInput(
                f"{event.entry} has been changed since",
                Advice("take that back first: ", Do("revert", event.entry)),
            )
        # What was not there before is forgotten: a version is never destroyed.
        fields = before.fields if before else head.fields.replace(state="deleted")
        self._put_back(head, fields, change, before.text if before else None)
        return f"{event.entry[:SHORT_ID]} {_became(head.fields, fields)}"

    def _put_back(
        self, head: "Version", fields: "Fields", change: Change, text: str | None
    ) -> None:
        revise(self._store, head, fields, change, text)
        if fields.state == "quarantined":
            # What waits came from outside; whoever confirmed it had raised its trust.
            self._store.memories.believe(head.memory, TAINTED)

    def _undo_relation(self, event: "Event", change: Change) -> list[Relation]:
        """Take back one change of a link, unless that stands so already."""
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

    def _memory(self, id: str) -> "Entry":
        """A memory by its id or the beginning of it."""
        entries = self._store.entries
        removed = entries.removed if self._bounds is None else None
        found = named(id, lambda start: entries.get(start, self._bounds), removed)
        if found.family != MEMORY:
            raise BadInput(
                f"{id} is a passage of {found.path}", "change the file and index it again"
            )
        return found

    def changeable(self, id: str) -> "Entry":
        """A memory that may be changed from here: what is global is not one project's to change."""
        entry = self._memory(id)
        if entry.project == GLOBAL.uid and not self._may_share:
            raise BadInput(
                f"{id} belongs to every project", "whoever may work in all of them can change it"
            )
        return entry

    def _within(self, *ends: str) -> bool:
        """Whether what stands there may be known of; a file is everybody's."""
        return self._bounds is None or all(
            end.startswith(FILE) or self._store.entries.get(end, self._bounds) for end in ends
        )

    def _known_of(self, event: "Event") -> bool:
        """Whether everything that an event touched may be known of."""
        if event.action not in _ON_RELATIONS:
            return self._within(event.entry)
        parse = self._store.relations.parse
        one = parse(event.after) or parse(event.before)
        return one is None or self._within(one.source, one.target)

    def change(self, action: str, actor: str, reason: str = "") -> Change:
        """An operation that begins now, as its audit tells it."""
        comment = redact(clean(reason), self._allow).text
        # Whoever calls writes the actor, too.
        name = redact(clean(self._acting.actor(actor)), self._allow).text
        return Change(new_id(self._clock()), action, name, comment)


def _became(was: "Fields", fields: "Fields") -> str:
    """What taking a change back made of a memory, for whoever named another one."""
    if was.state != fields.state:
        return f"is {fields.state} again"
    if was.needs_review != fields.needs_review:
        return "waits to be looked at again" if fields.needs_review else "need not be looked at"
    return "stands as it did before"
