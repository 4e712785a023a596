"""Erasing: deletes memories at once and irreversibly, whatever their state."""

from bowerbird.core.history import Gone
from bowerbird.core.normal import normal_hash
from bowerbird.core.types import SHORT_ID
from bowerbird.core.value import Record
from bowerbird.lifecycle.copies import MERGER, erased_text, joined
from bowerbird.lifecycle.ending import UNITED, united
from bowerbird.lifecycle.restate import forget_merged, release_examples, remove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from bowerbird.core.exchange import Held
    from bowerbird.core.history import Change, Version
    from bowerbird.core.memories import Fields
    from bowerbird.core.ports.store import Store
    from bowerbird.lifecycle.changes import Changes


def erase(
    store: "Store",
    changes: "Changes",
    ids: "Sequence[str]",
    actor: str,
    *,
    everywhere: bool = False,
) -> "list[Gone]":
    """Deletes memories from every table, all or none; only the audit still shows that they existed.

    With `everywhere` hashes of their texts are kept, by which copies of the store that know these as
    other memories erase them, too. Their words remain in the word indexes until those are rebuilt.
    Duplicate ids count once. Raises NotFound, BadInput.
    """
    with store.transaction():
        entries = [changes.changeable(id) for id in ids] if everywhere else []
        said = {(one.project, normal_hash(one.text)) for one in entries}
        gone = erase_within(store, changes, ids, actor)
        if said:
            # What stays here though it began with such a text stays in other copies, too.
            began = ((uid, normal_hash(text)) for _, uid, text, _ in store.exchange.births())
            said.difference_update(began)
            at = changes.clock()
            stamp = f"{at:013d}-0000-{MERGER}"
            stones = [(erased_text(*one), at, "", stamp) for one in sorted(said)]
            store.exchange.put("tombstone", stones)
        return gone


def erase_within(
    store: "Store", changes: "Changes", ids: "Sequence[str]", actor: str
) -> "list[Gone]":
    """The same inside a transaction."""
    entries = {entry.id: entry for entry in map(changes.changeable, ids)}
    change = changes.change("erased", actor)
    for entry in entries.values():
        remove(store, entry, change)
        release_examples(store, entry.id, change)
        forget_merged(store, entry.id, changes.change("forgotten", actor), entries.keys())
        _take_back(store, entry.id, change, entries.keys())
        store.audit.blank(entry.id)
        store.aging.remove([(entry.row, entry.id, changes.clock(), change)])
    return [Gone(entry.id, entry.summary) for entry in entries.values()]


class _Gained(Record):
    """What a memory has by a merge alone: values of lists, and those of its metadata and payload."""

    lists: "dict[str, frozenset[str]]"
    metadata: "dict[str, Any]"
    payload: "dict[str, Any] | None" = None

    def within(self, other: "_Gained") -> "_Gained":
        """As much of it as another one gained, too."""
        lists = {name: values & other.lists[name] for name, values in self.lists.items()}
        metadata = {k: v for k, v in self.metadata.items() if other.metadata.get(k) == v}
        payload = self.payload if self.payload == other.payload else None
        return _Gained(lists, metadata, payload)

    def without(self, fields: "Fields") -> "Fields":
        """Fields that have none of it."""
        lists = {
            name: tuple(one for one in getattr(fields, name) if one not in values)
            for name, values in self.lists.items()
        }
        metadata = {
            k: v
            for k, v in fields.metadata.items()
            if k not in self.metadata or self.metadata[k] != v
        }
        payload = None if self.payload and fields.payload == self.payload else fields.payload
        return fields.replace(**lists, metadata=metadata, payload=payload)


def _take_back(
    store: "Store",
    id: str,
    change: "Change",
    erased: "Collection[str]",
    most: "_Gained | None" = None,
) -> None:
    """Takes out of memories what they gained from one that was merged into them, and is erased.

    Out of their versions, too, and on from what those were merged into: of these no more than `most`.
    """
    its = store.memories.head(id)
    if its.fields.state != "merged":
        return
    for relation in store.relations.of(id):
        into = relation.source
        if relation.kind != "supersedes" or relation.target != id or into in erased:
            continue
        versions = store.audit.versions(into)
        at, gained = _merged(versions, its.fields)
        if gained is None:
            continue
        gained = gained if most is None else gained.within(most)
        _take_back(store, into, change, (*erased, id), gained)
        head = store.memories.head(into)
        reason = f"{id[:SHORT_ID]}, which was merged into it, was erased"
        if (left := gained.without(head.fields)) != head.fields:
            store.memories.revise(head, left, change.replace(action="edited", reason=reason))
        store.erasing.put_fields(
            into,
            [(one.id, gained.without(one.fields)) for one in versions[at:]],
            gained.lists["tags"],
        )


def taken_back(memory: "Held", gone: "Held") -> "Held":
    """A memory whose versions have nothing that they gained from another one merged into it."""
    versions = memory.versions
    for its in (one.fields for one in gone.versions if one.fields.state == "merged"):
        at, gained = _merged(versions, its)
        if gained is not None:
            bare = (one.replace(fields=gained.without(one.fields)) for one in versions[at:])
            versions = (*versions[:at], *bare)
    return memory if versions == memory.versions else joined(memory, versions)


def _merged(versions: "Sequence[Version]", its: "Fields") -> "tuple[int, _Gained | None]":
    """The version in which a memory gained the fields of another one, and what it had not itself."""
    known = {one.id: one.fields for one in versions}
    for at, version in enumerate(versions):
        before = known.get(version.parents[0]) if version.parents else None
        if before is None:
            continue
        both, now = united(before, its), version.fields
        names = (*UNITED, "metadata", "payload")
        if any(getattr(now, name) != getattr(both, name) for name in names) or all(
            getattr(now, name) == getattr(before, name) for name in names
        ):
            continue
        lists = {
            name: frozenset(getattr(now, name)).difference(getattr(before, name)) for name in UNITED
        }
        metadata = {k: v for k, v in now.metadata.items() if k not in before.metadata}
        return at, _Gained(lists, metadata, None if before.payload else now.payload)
    return 0, None
