"""Manual changes of single memories: link, forget, and read the history. `revert.py` undoes changes."""

from bowerbird.core.errors import BadInput, Denied, NotFound
from bowerbird.core.history import Change, Elsewhere, Era, History, Relation
from bowerbird.core.hlc import replica_of
from bowerbird.core.ids import id_prefix, named, new_id
from bowerbird.core.relations import FILE, file_target, relation_kind
from bowerbird.core.states import require_move
from bowerbird.core.text import clean
from bowerbird.core.types import ALIVE, FORGOTTEN, GLOBAL, MEMORY, SHORT_ID, beside
from bowerbird.core.value import Advice, Do
from bowerbird.core.who import STEWARD
from bowerbird.guard.redact import ALLOW_NOTHING, redact
from bowerbird.guard.trust import reaches
from bowerbird.lifecycle.complete import within
from bowerbird.lifecycle.fit_pattern import fit_patterns
from bowerbird.lifecycle.restate import remove, revise, supersede

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bowerbird.core.clock import Clock
    from bowerbird.core.history import Event, Version
    from bowerbird.core.ports.memories import Acting
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry
    from bowerbird.guard.redact import Allow

# Memories of one chain that are shown.
MOST_ERAS = 50
# Actions on relations; all others are on memories.
ON_RELATIONS = frozenset({"linked", "unlinked"})


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
        self.store = store
        self.clock = clock
        # The projects in which ids are looked up; None: all.
        self._bounds = bounds
        # Whether global memories may be changed.
        self._may_share = acting.who.may_share or {GLOBAL.uid} == {*map(beside, bounds or ("",))}
        self._acting = acting
        self._allow = allow

    def history(self, id: str) -> History:
        """Returns versions, audit and relations of a memory, also of an erased one. Raises NotFound."""
        entries, start = self.store.entries, id_prefix(id)
        gone = self.removed(start)
        if gone is not None and not entries.get(start):
            return History(gone[0], (), self.store.audit.of(gone[0]), ())
        entry = self.memory(id)
        self._acting.show([entry.trust])
        versions, own = self.store.audit.versions(entry.id), self.store.exchange.names()
        by = ((one.id, one.hlc, replica_of(one.hlc)) for one in versions)
        return History(
            entry.id,
            versions,
            tuple(one for one in self.store.audit.of(entry.id) if self.event_visible(one)),
            self.relations(entry),
            self._eras(entry),
            tuple(
                Elsewhere(id, copy[:SHORT_ID]) for id, hlc, copy in by if hlc > own.get(copy, "")
            ),
        )

    def relations(self, entry: "Entry") -> "tuple[Relation, ...]":
        """The relations of a memory to what is visible here."""
        found = self.store.relations.of(entry.id)
        return tuple(one for one in found if self.visible(one.source, one.target))

    def _eras(self, entry: "Entry") -> tuple[Era, ...]:
        """The chain of memories that supersede each other, and how long each held, by time."""
        chain: list[Era] = []
        seen, left = {entry.id}, [entry]
        while left and len(chain) < MOST_ERAS:
            one = left.pop()
            fields = self.store.memories.head(one.id).fields
            until = self._ended(one.id) if fields.valid_to is None else fields.valid_to
            since: int | None = one.created if fields.valid_from is None else fields.valid_from
            if since is not None and until is not None and until <= since:
                # It had ended when it was stored, or began later than what replaced it.
                since = None if fields.valid_from is None else until
            chain.append(Era(one.id, since, until, fields.state, fields.summary))
            for relation in self.store.relations.of(one.id):
                if relation.kind == "supersedes":
                    ends = {relation.source, relation.target} - seen
                    left += [two for id in ends for two in self.store.entries.get(id, self._bounds)]
                    seen |= ends
        order = sorted(chain, key=lambda era: (era.since or 0, era.until or self.clock(), era.id))
        return tuple(order) if len(order) > 1 else ()

    def _ended(self, id: str) -> int | None:
        """Since when a memory is in a state that ended it; None: it is in none."""
        ended = None
        for version in reversed(self.store.audit.versions(id)):
            if version.fields.state in ALIVE:
                break
            ended = version.created
        return ended

    def link(
        self,
        source: str,
        target: str,
        kind: str,
        strength: float,
        confidence: float,
        actor: str,
    ) -> Relation:
        """Relates a memory to another one, or to a file. Raises NotFound, BadInput."""
        with self.store.transaction():
            if kind == "supersedes" and not target.startswith(FILE):
                require_move(self.memory(self._target(target)).state, "superseded")
            return self.linked(source, target, kind, strength, confidence, actor)

    def linked(
        self,
        source: str,
        target: str,
        kind: str,
        strength: float,
        confidence: float,
        actor: str,
    ) -> Relation:
        """The same inside a transaction; one that supersedes is to be rolled back if it raises."""
        within("strength", strength)
        within("confidence", confidence)
        relation_kind(kind)
        first = self.changeable(source)
        start = first.id
        end = (
            redact(clean(file_target(target)), self._allow).text
            if target.startswith(FILE)
            else self._target(target)
        )
        if end == start:
            raise BadInput(f"{end} cannot be linked to itself", "name two memories")
        relation = Relation(start, end, kind, strength, confidence, created=self.clock())
        kept = self.store.relations.get(start, end, kind)
        if kept is not None and kept.replace(created=relation.created) == relation:
            return kept
        change = self.change("linked", actor, "")
        older = self.changeable(end) if kind == "supersedes" and not end.startswith(FILE) else None
        for one in (first, older) if older is not None else ():
            if one.state == FORGOTTEN:
                raise BadInput(f"{one.id} is forgotten", restoring(self.store, one.id))
        if older is not None:
            require_move(older.state, "superseded")
            if older.state == "active" and first.state not in ALIVE:
                raise BadInput(
                    f"{first.id} is {first.state}, and replaces nothing",
                    restoring(self.store, first.id),
                )
        self.store.relations.put(relation, change)
        if older is not None:
            self._supersede(first, older, change)
        return relation

    def _supersede(self, newer: "Entry", older: "Entry", change: Change) -> None:
        """Supersedes a memory by another one if both are active. Raises BadInput if trust forbids it."""
        if newer.state != "active" or older.state != "active":
            return
        if not reaches(newer.trust, older.trust):
            raise BadInput(
                f"{older.id} is trusted more ({older.trust}) than {newer.id} ({newer.trust})",
                Advice("forget it first: ", Do("forget", older.id)),
            )
        reason = f"{newer.id[:SHORT_ID]} replaces it"
        head = self.store.memories.head(older.id)
        since = self.store.memories.head(newer.id).fields.valid_from
        supersede(
            self.store, older, head, change.replace(action="superseded", reason=reason), since
        )

    def _target(self, id: str) -> str:
        """Returns the whole id of a memory. Raises NotFound, with advice if `id` looks like a path."""
        try:
            return self.memory(id).id
        except (NotFound, BadInput) as error:
            if "/" in id or "." in id:
                raise NotFound(error.message, f"is it a file? write: {FILE}{id}") from error
            raise

    def forget(self, ids: "Sequence[str]", reason: str, actor: str) -> "list[Version]":
        """Removes memories from every search, all or none; each can be reverted separately.

        Duplicate ids count once. Raises NotFound, BadInput.
        """
        with self.store.transaction():
            entries = {entry.id: entry for entry in map(self.changeable, ids)}
            return [self._forget(entry, reason, actor) for entry in entries.values()]

    def _forget(self, entry: "Entry", reason: str, actor: str) -> "Version":
        head = self.store.memories.head(entry.id)
        if head.fields.state == "deleted":
            raise BadInput(f"{entry.id} is forgotten already", restoring(self.store, entry.id))
        change = self.change("forgotten", actor, reason)
        fields = head.fields.replace(state="deleted")
        forgotten = revise(self.store, head, fields, change)
        remove(self.store, entry, change)
        if entry.state == "compressed":
            fit_patterns(self.store, entry.id, change)
        return forgotten

    def patterns(self, ids: "Iterable[str]") -> list[str]:
        """The patterns of which some memories are examples."""
        related = (one for id in ids for one in self.store.relations.of(id) if one.source == id)
        return [one.target for one in related if one.kind == "example_of"]

    def replaced(self, id: str) -> tuple[str, ...]:
        """The memories that one replaced, except those that one which holds has replaced as well."""
        relations, heads = self.store.relations, self.store.memories.heads

        def ends(of: str, *, targets: bool) -> list[str]:
            found = [one for one in relations.of(of) if one.kind == "supersedes"]
            if targets:
                return [one.target for one in found if one.source == of]
            return [one.source for one in found if one.target == of]

        def hold(ids: "Sequence[str]") -> bool:
            return any(one.fields.state == "active" for one in heads(ids))

        now = self.clock()
        gone = [
            one
            for one in heads(ends(id, targets=True))
            if one.fields.state in {"superseded", "merged"}
            or (one.fields.state == "active" and (one.fields.valid_to or now) < now)
        ]
        return tuple(one.memory for one in gone if not hold(ends(one.memory, targets=False)))

    def memory(self, id: str) -> "Entry":
        """Returns a memory by its id or a prefix of it. Raises NotFound, BadInput for a passage."""
        entries = self.store.entries
        found = named(id, lambda start: entries.get(start, self._bounds), self.removed)
        if found.family != MEMORY:
            raise BadInput(
                f"{id} is a passage of {found.path}", "change the file and index it again"
            )
        return found

    def removed(self, start: str) -> "tuple[str, str] | None":
        """The id and the outcome of a memory that is gone for good, by its prefix; None if bounded."""
        return self.store.entries.removed(start) if self._bounds is None else None

    def changeable(self, id: str) -> "Entry":
        """Returns a memory that the caller may change.

        Raises BadInput for a global one otherwise, Denied for a member who neither wrote it nor looks
        after the team's memories.
        """
        entry = self.memory(id)
        self.require_own([entry.id])
        if entry.project == GLOBAL.uid and not self._may_share:
            raise BadInput(
                f"{id} belongs to every project",
                "a caller with access to all projects can change it",
            )
        return entry

    def require_own(self, ids: "Iterable[str]") -> None:
        """Raises Denied for a member of the team who did not write one of these memories."""
        who = self._acting.who
        if who.has_role(STEWARD):
            return
        for entry in (one for id in dict.fromkeys(ids) for one in self.store.entries.get(id)):
            if entry.speaker != who.person:
                raise Denied(
                    f"{entry.id} is by {entry.speaker or 'the owner of the store'}, and {who.person} has"
                    f" the role {who.role}",
                    "dispute it, or ask a steward",
                )

    def visible(self, *ends: str) -> bool:
        """Whether the caller may know of all these memories; files are visible to everybody."""
        return self._bounds is None or all(
            end.startswith(FILE) or self.store.entries.get(end, self._bounds) for end in ends
        )

    def event_visible(self, event: "Event") -> bool:
        """Whether the caller may know of every memory that an event changed."""
        if event.action not in ON_RELATIONS:
            return self.visible(event.entry)
        parse = self.store.relations.parse
        one = parse(event.after) or parse(event.before)
        return one is None or self.visible(one.source, one.target)

    def change(self, action: str, actor: str, reason: str = "") -> Change:
        """Returns a new operation for the audit, at the present time."""
        comment = redact(clean(reason), self._allow).text
        # The actor is the caller's text as well.
        name = redact(clean(self._acting.actor(actor)), self._allow).text
        return Change(new_id(self.clock()), action, name, comment)


def restoring(store: "Store", id: str) -> str:
    """Returns advice on how to restore a memory that is forgotten or has no change left to revert."""
    if store.audit.last_done(id) is not None:
        return Advice("bring it back with: ", Do("revert", id))
    versions = store.audit.versions(id)
    active = [one.id for one in versions if one.fields.state == "active"]
    if not active:
        return Advice("go forward to one of its versions; see: ", Do("history", "ID"))
    return Advice("bring it back with: ", Do("revert", id, to=active[-1]))
