"""Merges two copies of a memory, and of the rows beside memories. Pure.

Every rule gives the same for either order of its arguments, and nothing new for what was merged before:
versions, tags and counts unite, of other values the later stamp or the higher use wins. The trust is that
of the later text; of the same text the higher one, unless a copy was written after reading what others
wrote: then the lowest of such copies. Versions that both copies wrote since they parted are joined by a
version whose id and stamp follow from theirs, so that every copy of the store makes the same one. If both
gave the memory another text, the later one stands, and the memory waits for a person; so it does if one
gave it another text after the other one had ended it. What pruning ended for want of use in one copy
holds again if the other one used it, and waits if the other one changed it.
"""

from bowerbird.core.clock import day
from bowerbird.core.exchange import SORTS
from bowerbird.core.hlc import following, parts
from bowerbird.core.ids import content_hash
from bowerbird.core.memories import Fields
from bowerbird.core.text import summarise
from bowerbird.core.types import ALIVE, FORGOTTEN, SHORT_ID, TRUSTS
from bowerbird.lifecycle.prune import held_unused, was_unused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Any

    from bowerbird.core.exchange import Held, Row
    from bowerbird.core.history import Version

# Who writes what follows from two copies.
MERGER = "merge"
MERGED = "merged"
CONFLICT = "two copies of the store gave it another text; the other one: {text} (version {version})"
CONFLICTS = "copies of the store gave it other texts: {texts}"
OTHER = "{text} (version {version})"
# What a tombstone of a text begins with.
ERASED_TEXT = "text:"
# The text was given later, in a copy that did not know of the end.
PRUNED = "it was pruned on {day} in another copy of the store"
UNKNOWN = "{pruned}, which did not know of its last change"
USED = "another copy of the store used it later"
REVIVED = "it was {state} in another copy of the store before it was given this text"
JOINED = "joins what two copies of the store wrote"
# Fields that follow from the text, and stay with it.
_OF_TEXT = ("summary", "citation", "keywords", "anchors", "kind")
_MOST_SAID = 120
# The state of an example of a pattern.
COMPRESSED = "compressed"
# In the ids of versions: the time and the count, what no other id has after them, and the last
# characters, which tell a decision.
_MOMENT, _CONCLUDED, _DECISION = 18, "c", 9


def merged(one: "Held", other: "Held") -> "Held":
    """Two copies of a memory as one."""
    used = (*_used_since(one, other), *_used_since(other, one))
    versions, head = _joined((*one.versions, *other.versions, *used))
    later = max(one, other, key=_last_word)
    at_once = _last_word(one) == _last_word(other)
    half_life = head.fields.half_life
    if half_life is None:  # of an older version
        half_life = max((copy.half_life or 0.0 for copy in (one, other)), default=0.0)
    first = min((one, other), key=lambda copy: (copy.origin, copy.source, copy.agent, copy.session))
    return first.replace(
        project=min(one.project, other.project) if at_once else later.project,
        trust=_trust(one, other),
        said=min(one.said, other.said),
        tainted=one.tainted or other.tainted,
        importance=max(one.importance, other.importance),
        decay_rate=min(one.decay_rate, other.decay_rate),
        half_life=half_life or None,
        accessed=max(one.accessed, other.accessed),
        head=head.id,
        tags=_tags(versions, head),
        uses={
            replica: max(one.uses.get(replica, 0), other.uses.get(replica, 0))
            for replica in sorted({*one.uses, *other.uses})
        },
        versions=versions,
    )


def _used_since(pruned: "Held", other: "Held") -> "Iterable[Version]":
    """Versions by which a memory holds again that one copy pruned, as the other one had used it.

    Of the version that ended it, and so alike in every copy. A use by a copy that knew of the end says
    nothing against that.
    """
    known, there = ({one.id: one for one in copy.versions} for copy in (pruned, other))
    for version in known.values():
        before = known.get(version.parents[0]) if version.parents else None
        if version.id in there or before is None or not was_unused(version, before):
            continue
        said = pruned.origin == "user" or version.fields.verified
        if not held_unused(version, other.accessed, said=said):
            yield version.replace(
                id=_derived_id(USED, version.id),
                parents=(version.id,),
                fields=version.fields.replace(state=before.fields.state),
                actor=MERGER,
                reason=USED,
                hlc=following(version.hlc),
            )


def erased_text(project: str, hash: bytes) -> str:
    """In place of an id in a tombstone, a text that was erased in a project, by its normal form."""
    return f"{ERASED_TEXT}{hash.hex()}:{content_hash(project.encode()).hex()[:_DECISION]}"


def _changes(copy: "Held") -> "list[Version]":
    """The versions by which copies changed a memory otherwise than by ending it."""
    known = {one.id: one for one in copy.versions}
    return [
        one
        for one in copy.versions
        if not is_concluded(one)
        and (not _is_over(one) or any(_is_over(known[id]) for id in one.parents if id in known))
    ]


def outlives(one: "Held", grave: "Row") -> bool:
    """Whether a copy used or changed a memory later than was known where it was pruned.

    What was erased is gone.
    """
    _, until, reason, _ = grave
    return bool(reason) and (one.accessed > until or _changed_since(one, until))


def _changed_since(one: "Held", until: int) -> bool:
    return any(change.created > until for change in _changes(one))


def removed(memory: "Held", grave: "Row") -> "Held | None":
    """A memory as it is forgotten because another copy removed it for want of use, or waits by that.

    It waits if it was changed later than was known there. None if it was used later, has ended, or
    somebody acted on that. That it is kept lets what else copies did with it be known in any order.
    """
    head, until = memory.current, grave[1]
    pruned = PRUNED.format(day=day(parts(grave[3])[0]))
    if any(one.reason.startswith(pruned) for one in memory.versions):
        return None
    fields, reason = head.fields, pruned
    if _changed_since(memory, until):
        if _is_over(head):
            return None
        reason = UNKNOWN.format(pruned=pruned)
        review = "; ".join(filter(None, (fields.review, reason)))
        fields = fields.replace(needs_review=True, review=review)
    elif memory.accessed > until or fields.state == FORGOTTEN:
        return None
    else:
        fields = fields.replace(state=FORGOTTEN, needs_review=False, review="")
    created = max(head.created, until)
    return revised(memory, ("removed", memory.id), grave[3], fields, created, reason)


def _last_word(copy: "Held") -> tuple[str, str]:
    """The last version of a copy that follows from no merge, as it is ordered."""
    return max(_key(one) for one in copy.versions if one.actor != MERGER or not one.parents)


def _trust(one: "Held", other: "Held") -> str:
    """How far both copies as one are trusted."""
    ours, theirs = (spoken(copy) for copy in (one, other))
    if ours != theirs:
        return max((ours, one.trust), (theirs, other.trust))[1]
    if one.tainted != other.tainted:
        return one.trust if one.tainted else other.trust
    return (min if one.tainted else max)(one.trust, other.trust, key=TRUSTS.index)


def spoken(copy: "Held") -> tuple[str, str]:
    """The version by which a copy has its text, as it is ordered."""
    known = {one.id: one for one in copy.versions}
    version = copy.current
    while True:
        before = (known[id] for id in version.parents if id in known)
        same = [one for one in before if one.text == version.text]
        if not same:
            return _key(version)
        version = max(same, key=_key)


def _key(version: "Version") -> tuple[str, str]:
    """By what versions are ordered in every copy."""
    return version.hlc, version.id


def _said_most(version: "Version") -> tuple[str, str, int, int, str]:
    """By what one of two versions with the same id is chosen in every copy.

    Of its fields those that say less: what was erased was taken out of them.
    """
    fields = repr(version.fields)
    return version.text, version.hlc, version.created, -len(fields), fields


def _joined(versions: "Iterable[Version]") -> "tuple[tuple[Version, ...], Version]":
    """The versions of both copies, by their stamps, and the head: it joins them where they parted."""
    known: dict[str, Version] = {}
    for one in versions:
        stands = known.setdefault(one.id, one)
        if one != stands:  # one of them without its text, or of an older program
            known[one.id] = max(stands, one, key=_said_most)
    followed = {parent for one in known.values() for parent in one.parents}
    # What joined fewer versions gives way, unless something was built on it.
    own = {
        id: one
        for id, one in known.items()
        if id in followed or id != _derived_id(MERGED, *one.parents)
    }
    followed = {parent for one in own.values() for parent in one.parents}
    ends = sorted((one for one in own.values() if one.id not in followed), key=_key)
    head = ends[-1]
    if len(ends) > 1:
        head = _join(ends, own)
        own[head.id] = head
    return tuple(sorted(own.values(), key=_key)), head


def joined(memory: "Held", versions: "Iterable[Version]") -> "Held":
    """A memory with these versions alone, joined where they parted."""
    kept, head = _joined(versions)
    return memory.replace(head=head.id, versions=kept, tags=_tags(kept, head))


def is_concluded(version: "Version") -> bool:
    """Whether a version follows from what several copies said, rather than being what one did.

    That one memory was used elsewhere, or changed there after it was removed here, is known to the
    copy alone in which it was seen: that stays.
    """
    return version.actor == MERGER and (version.reason == JOINED or version.id[19] == _CONCLUDED)


def by_which(*about: str) -> str:
    """What tells a decision about some memories."""
    return content_hash("\n".join(about).encode()).hex()[:_DECISION]


def decision(version: "Version") -> str:
    """What the versions and relations have in common that follow from one decision."""
    return version.id[-_DECISION:]


def _join(ends: "Sequence[Version]", known: "dict[str, Version]") -> "Version":
    """A version that joins the ends of several lines of versions, the latest end last."""
    last = ends[-1]
    base = _ancestor(ends, known)
    changed = [one for one in ends if base is None or one.text != base.text]
    spoken = changed[-1] if changed else last
    fields = last.fields.replace(
        **{
            name: _field(
                [getattr(one.fields, name) for one in ends], base and getattr(base.fields, name)
            )
            for name in Fields.USUAL
        }
    )
    if changed:
        fields = fields.replace(**{name: getattr(spoken.fields, name) for name in _OF_TEXT})
    of_kind = [one for one in ends if one.fields.kind == fields.kind]
    fields = fields.replace(payload=of_kind[-1].fields.payload)
    reviews = [_other_texts([one for one in changed if one.text != spoken.text])]
    over = [one for one in ends if one.fields.state not in ALIVE]
    by_itself = {one.id: _ended_by_itself(one, base, known) for one in over}
    decided = [one for one in over if by_itself[one.id] is None]
    holds = next((one.fields.state for one in reversed(ends) if one.fields.state in ALIVE), "")
    if over and not decided:
        if holds:
            fields = fields.replace(state=holds)
            pruned = [one.created for one in by_itself.values() if one and not _is_summed_up(one)]
            day_of = [PRUNED.format(day=day(max(pruned)))] if pruned else []
            reviews[:0] = [UNKNOWN.format(pruned=one) for one in day_of]
    elif fields.state not in ALIVE:
        # What somebody decided outweighs what went by itself, however late, and forgetting the rest.
        by = max(decided, key=lambda one: (one.fields.state == FORGOTTEN, _key(one)))
        if by.fields.state != fields.state:
            fields = fields.replace(state=by.fields.state, valid_to=by.fields.valid_to)
    if decided and changed and spoken.fields.state in ALIVE and fields.state not in ALIVE:
        ended = max(_since(one, base, known, _is_over) for one in decided)
        if ended < _since(spoken, base, known, lambda one: one.text == spoken.text):
            reviews.insert(0, REVIVED.format(state=fields.state))
            fields = fields.replace(state=spoken.fields.state, valid_to=spoken.fields.valid_to)
    review = "; ".join(filter(None, reviews))
    if review:
        fields = fields.replace(needs_review=True, review=review)
    return last.replace(
        id=_derived_id(MERGED, *(one.id for one in ends)),
        parents=tuple(sorted(one.id for one in ends)),
        text=spoken.text,
        fields=fields,
        actor=MERGER,
        reason=JOINED,
        created=max(one.created for one in ends),
        hlc=following(max(one.hlc for one in known.values())),
    )


def _other_texts(others: "Sequence[Version]") -> str:
    """Which texts copies gave a memory besides the one that it has, the last one first."""
    last = {one.text: one for one in others}
    told = [
        {"text": summarise(one.text, _MOST_SAID), "version": one.id[:SHORT_ID]}
        for one in sorted(last.values(), key=_key, reverse=True)
    ]
    if len(told) < 2:  # noqa: PLR2004
        return "".join(CONFLICT.format(**one) for one in told)
    return CONFLICTS.format(texts="; ".join(OTHER.format(**one) for one in told))


def _is_over(version: "Version") -> bool:
    return version.fields.state not in ALIVE


def _ended_by_itself(
    end: "Version", base: "Version | None", known: "dict[str, Version]"
) -> "Version | None":
    """The version by which a line ended since the copies parted, if nobody decided so.

    It did for want of use alone, or is summed up by a pattern.
    """
    found = {*_before(end, known)} - (_before(base, known) if base else set())
    over = [known[id] for id in found if _is_over(known[id])]
    if not over or any(one.fields.state != end.fields.state for one in over):
        return None
    first = min(over, key=_key)
    before = known.get(first.parents[0]) if first.parents else None
    return first if was_unused(first, before) or _is_summed_up(first) else None


def _is_summed_up(version: "Version") -> bool:
    return version.fields.state == COMPRESSED


def _since(
    end: "Version",
    base: "Version | None",
    known: "dict[str, Version]",
    holds: "Callable[[Version], bool]",
) -> tuple[str, str]:
    """The first version since the copies parted for which something holds as it does at an end."""
    found = {*_before(end, known)} - (_before(base, known) if base else set())
    return min((_key(known[id]) for id in found if holds(known[id])), default=_key(end))


def _ancestor(ends: "Sequence[Version]", known: "dict[str, Version]") -> "Version | None":
    """The last version that all of some follow."""
    common = set.intersection(*(_before(one, known) for one in ends))
    return max((known[id] for id in common), key=_key, default=None)


def _before(version: "Version", known: "dict[str, Version]") -> set[str]:
    return ancestors([version.id], known.values())


def ancestors(ids: "Iterable[str]", versions: "Iterable[Version]") -> set[str]:
    """The ids of those versions, and of all that they follow, among some."""
    known = {one.id: one.parents for one in versions}
    found: set[str] = set()
    left = [*ids]
    while left:
        id = left.pop()
        if id in known and id not in found:
            found.add(id)
            left += known[id]
    return found


def _field(values: "list[Any]", base: "Any") -> "Any":
    """A field of which several copies have values, the latest last, and all had the value `base`."""
    changed = [one for one in values if one != base]
    if not changed:
        return base
    if len(changed) > 1 and isinstance(base, tuple) and all(isinstance(one, str) for one in base):
        kept = [one for one in base if all(one in value for value in values)]
        new = (one for value in changed for one in value if one not in base)
        return tuple(dict.fromkeys((*kept, *new)))
    if len(changed) > 1 and isinstance(base, dict):
        names = dict.fromkeys(name for one in (base, *changed) for name in one)
        found = {name: _field([one.get(name) for one in changed], base.get(name)) for name in names}
        return {name: one for name, one in found.items() if one is not None}
    return changed[-1]


def _tags(versions: "Sequence[Version]", head: "Version") -> "tuple[tuple[str, bool, str], ...]":
    """The tags of a memory, each with the stamp of the version by which it came or went last."""
    known = {one.id: {*one.fields.tags} for one in versions}
    there = known[head.id]
    found: dict[str, str] = {}
    for one in sorted(versions, key=_key):
        before = [known[id] for id in one.parents if id in known] or [set[str]()]
        for name in {*known[one.id]}.union(*before):
            now = name in known[one.id]
            if now == (name in there) and any((name in tags) != now for tags in before):
                found[name] = one.hlc
    return tuple((name, name in there, found[name]) for name in sorted(found))


def revised(
    memory: "Held",
    about: tuple[str, ...],
    because: str,
    fields: "Fields",
    created: int,
    reason: str,
) -> "Held":
    """A memory with one more version, which follows from its head and from something else.

    `about` is the decision that it belongs to, and the memories which that is about.
    """
    head = memory.current
    told = content_hash(f"{memory.id}\n{head.id}\n{because}".encode()).hex()
    by = by_which(*about)
    id = f"{head.id[:_MOMENT]}-{_CONCLUDED}{told[:3]}-{told[3 : 15 - _DECISION]}{by}"
    return _continued(memory, id, fields, created, reason)


def _continued(memory: "Held", id: str, fields: "Fields", created: int, reason: str) -> "Held":
    head = memory.current
    version = head.replace(
        id=id,
        parents=(head.id,),
        fields=fields,
        actor=MERGER,
        reason=reason,
        created=created,
        hlc=following(head.hlc),
    )
    versions = (*memory.versions, version)
    return memory.replace(head=id, versions=versions, tags=_tags(versions, version))


def _derived_id(*parts: str) -> str:
    """The id of what follows from some ids: the same in every copy, and as late as the latest of them.

    It has the time and the count of that one: the operations that made those come before it.
    """
    told = content_hash("\n".join((parts[0], *sorted(parts[1:]))).encode()).hex()
    return f"{max(parts[1:], default='')[:_MOMENT]}-b{told[:3]}-{told[3:15]}"


def written(memory: "Held", known: "Collection[str]") -> "list[Row]":
    """The audit of the versions that follow from two copies, those in `known` left out."""
    return [
        (one.created, one.id, MERGED, memory.id, MERGER, one.reason, one.parents[0], one.id, None)
        for one in memory.versions
        if one.actor == MERGER and one.id not in known and one.id[19] != _CONCLUDED
    ]


def merged_rows(sort: str, mine: "Sequence[Row]", theirs: "Iterable[Row]") -> "list[Row]":
    """The rows of theirs that are new to mine or win against those with the same key."""
    its, rule = SORTS[sort], _RULES[sort]
    known = {its.keyed(row): row for row in mine}
    found: dict[Row, Row] = {}
    for row in theirs:
        key = its.keyed(row)
        stands = known.get(key)
        wins = row if stands is None else max(stands, row, key=rule)
        if wins != stands:
            known[key] = found[key] = wins
    return list(found.values())


def _at(sort: str, *names: str) -> "list[int]":
    return [SORTS[sort].names.index(name) for name in names]


def _longest(at: int) -> "Any":
    return lambda row: (len(row[at] or ""), row[at] or "", *map(str, row))


def _latest(at: int) -> "Any":
    return lambda row: (row[at] or "", *map(str, row))


# The greater of two rows stands.
_RULES: "dict[str, Any]" = {
    "project": _latest(2),
    "alias": _latest(2),
    # What was erased is gone; of two removals that which knew more.
    "tombstone": lambda row: (not row[2], row[1], row[3], row[2]),
    "relation": _latest(8),
    "verdict": _latest(0),
    # The longer one was learned from more of the session.
    "digest": _longest(1),
    # One that its owner took as their own is settled everywhere.
    "foreign_file": lambda row: (row[5] is not None, row[5] or 0, -row[3], *map(str, row)),
    "foreign_name": lambda row: -row[2],
}


def merged_events(mine: "Sequence[Row]", theirs: "Iterable[Row]") -> "list[Row]":
    """The audit of both copies, by operation: the ids of those ascend in time."""
    operations: dict[str, list[Row]] = {}
    for row in mine:
        operations.setdefault(row[1], []).append(row)
    given: dict[str, list[Row]] = {}
    for row in theirs:
        given.setdefault(row[1], []).append(row)
    for operation, rows in given.items():
        stand = operations.setdefault(operation, [])
        left = list(stand)
        for row in rows:
            if row in left:
                left.remove(row)
            else:
                stand.append(row)
    return [row for name in sorted(operations) for row in operations[name]]


def common(mine: "Sequence[Row]", merged: "Sequence[Row]") -> int:
    """How many rows both begin with."""
    pairs = zip(mine, merged, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), len(mine))
