"""Ends memories by hand without removing them: out of date (deprecated), or merged into another one."""

from bowerbird.core.errors import BadInput
from bowerbird.core.history import Ended, Gone, Relation
from bowerbird.core.states import in_state
from bowerbird.core.types import ALIVE, FORGOTTEN, SHORT_ID
from bowerbird.core.value import Advice, Do
from bowerbird.guard.trust import reaches
from bowerbird.lifecycle.restate import remove, revise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.history import Change
    from bowerbird.core.memories import Fields
    from bowerbird.core.types import Entry
    from bowerbird.lifecycle.changes import Changes

# The lists of which a memory gains what another one has that is merged into it.
UNITED = ("tags", "keywords", "files", "modules")


class Ending:
    """Ends memories of one store, within the bounds of `changes`."""

    def __init__(self, changes: "Changes") -> None:
        self._changes = changes
        self._store = changes.store

    def deprecate(self, ids: "Sequence[str]", since: int | None, reason: str, actor: str) -> Ended:
        """Marks memories as out of date `since` a moment, all or none; each is reverted separately.

        They are not searched, but kept for reference; until a moment that lies ahead they still hold.
        Raises NotFound, and BadInput for one that cannot become it.
        """
        ahead = since is not None and since > self._changes.clock()
        with self._store.transaction():
            entries = {one.id: one for one in map(self._changes.changeable, ids)}
            done = []
            for entry in entries.values():
                change = self._changes.change("deprecated", actor, reason)
                if ahead:
                    done.append(self._end_later(entry, since, change))
                else:
                    done.append(self._end(entry, "deprecated", since, change))
        return Ended(tuple(done), "deprecated", reason, until=since if ahead else None)

    def merge(self, id: str, into: str, reason: str, actor: str) -> Ended:
        """Merges a memory into another one of its project, which gains its fields; one operation.

        Raises NotFound, and BadInput for one that has ended, or that is trusted more than the other.
        """
        with self._store.transaction():
            entry, other = self._changes.changeable(id), self._changes.changeable(into)
            if entry.id == other.id or entry.project != other.project:
                same = "itself" if entry.id == other.id else "one of another project"
                raise BadInput(f"{id} cannot be merged into {same}", "name two of one project")
            if other.state != "active":
                raise in_state(into, other.state)
            if not reaches(other.trust, entry.trust):
                raise BadInput(
                    f"{id} is trusted more ({entry.trust}) than {into} ({other.trust})",
                    Advice("merge them the other way: ", Do("merge", other.id, into=entry.id)),
                )
            change = self._changes.change("merged", actor, reason or f"{entry.id[:SHORT_ID]} too")
            head, its = (self._store.memories.head(one.id) for one in (other, entry))
            revise(self._store, head, united(head.fields, its.fields), change)
            into_other = reason or f"merged into {other.id[:SHORT_ID]}"
            gone = self._end(entry, "merged", None, change.replace(reason=into_other))
            at = self._changes.clock()
            self._store.relations.put(
                Relation(other.id, entry.id, "supersedes", created=at),
                change.replace(action="linked", reason=into_other),
            )
        return Ended((gone,), "merged", reason, other.id)

    def _end_later(self, entry: "Entry", until: int | None, change: "Change") -> Gone:
        """Lets a memory hold until a day to come."""
        head = self._store.memories.head(entry.id)
        if head.fields.state not in ALIVE:
            raise in_state(entry.id, head.fields.state)
        fields = head.fields.replace(valid_to=until)
        revise(self._store, head, fields, change)
        return Gone(entry.id, fields.summary)

    def _end(self, entry: "Entry", state: str, since: int | None, change: "Change") -> Gone:
        head = self._store.memories.head(entry.id)
        if head.fields.state == state:
            raise in_state(entry.id, state, " already")
        if head.fields.state == FORGOTTEN:
            raise in_state(entry.id, FORGOTTEN)
        fields = head.fields.replace(state=state, needs_review=False, review="", valid_to=since)
        revise(self._store, head, fields, change)
        remove(self._store, entry, change)
        return Gone(entry.id, fields.summary)


def united(kept: "Fields", other: "Fields") -> "Fields":
    """The fields of a memory with what another one has in addition."""
    lists = {
        name: tuple(dict.fromkeys((*getattr(kept, name), *getattr(other, name)))) for name in UNITED
    }
    return kept.replace(
        **lists,
        metadata={**other.metadata, **kept.metadata},
        payload=kept.payload or (other.payload if other.kind == kept.kind else None),
        pinned=kept.pinned or other.pinned,
        confidence=max(kept.confidence, other.confidence),
    )
