"""What follows from what several copies of a store said of several memories. Pure.

A conclusion is a version or a relation that no copy wrote: of two memories of one text one is merged into
the other, what contradicts each other waits, what replaced each other holds again. Once a copy brings
more, what was concluded about the memories that it is about is taken back, and concluded anew from all
that the copies themselves said: so the order in which they meet decides nothing. Where somebody built on
a conclusion, it stands as one more thing that was said.

Relations tell by their stamps what concluded them. One that was drawn has the least stamp; one that was
taken away has that which it had, plus one.
"""

from bowerbird.core.hlc import following, parts, preceding, replica_of
from bowerbird.core.memories import Pair
from bowerbird.core.origins import trust_of
from bowerbird.core.types import ALIVE, FORGOTTEN, RECORDS, SHORT_ID, TRUSTS
from bowerbird.guard.redact import redact
from bowerbird.guard.trust import rank, reaches
from bowerbird.lifecycle.copies import (
    COMPRESSED,
    JOINED,
    MERGED,
    MERGER,
    ancestors,
    by_which,
    decision,
    is_concluded,
    joined,
    revised,
    spoken,
)
from bowerbird.lifecycle.ending import united
from bowerbird.lifecycle.judge import RULES
from bowerbird.lifecycle.restate import RELEASED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from bowerbird.core.exchange import Held, Row
    from bowerbird.core.history import Version
    from bowerbird.guard.redact import Allow

CONTRADICTED = "contradicted"
# Relations of two memories which say that they were compared.
COMPARED = frozenset({"contradicts", "supersedes"})
# The states of what another memory replaced.
_REPLACED = ("superseded", "merged")
_OTHERWISE = "copies of the store decided otherwise which of both is to stay"
_CHANGED = "{id} was changed or forgotten in another copy, which did not know that this sums it up"
_LET_GO = "{id}, into which it was merged, is {state} in another copy, which did not know of that"
_LOST = "what it was merged into was erased in another copy, which did not know of that"
# The states of what somebody ended by itself.
_ENDED = (FORGOTTEN, "deprecated")
# What separates the name of a copy in a stamp from the decision by which a row is as it is.
_BY = "_"
_DRAWN = f"{0:013d}-0000-{MERGER}{_BY}{{}}"


def decided(row: "Row") -> str:
    """The decision by which a relation is as it is; empty if a copy wrote it so."""
    return replica_of(row[8]).partition(_BY)[2]


def drawn(source: str, target: str, kind: str, created: int, by: str) -> "Row":
    """A relation that follows from a decision."""
    return (source, target, kind, 1.0, 1.0, True, True, created, _DRAWN.format(by))


def _withdrawn(row: "Row", by: str) -> "Row":
    return (*row[:6], False, row[7], f"{following(row[8])}{_BY}{by}")


def said_by_copies(
    rows: "Iterable[Row]", ids: "Collection[str]", acted: "Collection[str]"
) -> "Iterator[Row]":
    """Relations without what was concluded about some memories, unless somebody acted on that."""
    for row in rows:
        by = decided(row)
        if not by or by in acted or not (row[0] in ids or row[1] in ids):
            yield row
        elif parts(row[8])[0]:
            yield (*row[:6], True, row[7], preceding(row[8].partition(_BY)[0]))


def parts_copies(version: "Version") -> bool:
    """Whether copies of the store wrote another text of a memory, or decided otherwise about it."""
    return version.actor == MERGER and (
        not is_concluded(version)
        or version.reason in (JOINED, _OTHERWISE)
        or version.fields.review == version.reason
    )


def acted_on(memories: "Iterable[Held]") -> set[str]:
    """The decisions on which somebody built: a version that a copy wrote follows theirs."""
    return {
        decision(known)
        for one in memories
        for id in ancestors(
            [version.id for version in one.versions if not is_concluded(version)], one.versions
        )
        for known in one.versions
        if known.id == id and is_concluded(known) and known.reason != JOINED
    }


def premise(memory: "Held", acted: "Collection[str]") -> "Held":
    """A memory as its copies have it together, without what was concluded from it beside others."""
    said = [
        one.id
        for one in memory.versions
        if not is_concluded(one) or (one.reason != JOINED and decision(one) in acted)
    ]
    kept = ancestors(said, memory.versions)
    if len(kept) == len(memory.versions):
        return memory
    return joined(memory, [one for one in memory.versions if one.id in kept])


def undone_patterns(held: "Mapping[str, Held]", relations: "Iterable[Row]") -> "Iterator[Held]":
    """Patterns as they are forgotten with one of their examples that another copy changed.

    That copy did not know of the pattern, which says what the example said before.
    """
    gone = set[str]()
    for source, target, kind, *_, present, _, _ in sorted(relations):
        if (
            kind != "example_of"
            or not present
            or target in gone
            or not {source, target} <= held.keys()
        ):
            continue
        pattern, example = held[target], held[source]
        fields, began = pattern.current.fields, pattern.versions[0]
        if fields.state in ALIVE and any(one.hlc > began.hlc for one in _taken_out(example)):
            gone.add(target)
            fields = fields.replace(state=FORGOTTEN, needs_review=False, review="")
            reason = _CHANGED.format(id=source[:SHORT_ID])
            about = ("undone", target)
            yield revised(pattern, about, source, fields, pattern.current.created, reason)


def _taken_out(example: "Held") -> "Iterator[Version]":
    """The versions by which one copy's summing up of an example gave way to what another copy did."""
    known = {one.id: one for one in example.versions}
    for one in example.versions:
        above = [known[id] for id in one.parents if id in known]
        if (
            one.reason == JOINED
            and one.fields.state != COMPRESSED
            and any(before.fields.state == COMPRESSED for before in above)
        ):
            yield one


def let_go(held: "Mapping[str, Held]", relations: "Iterable[Row]") -> "Iterator[Held]":
    """Memories that one copy merged into others which another copy ended, as they hold again and wait.

    That copy did not know that it ended these, too. Nothing is left of what was erased, so they are those
    that nothing replaced.
    """
    rows = sorted(relations)
    replaced = {row[1] for row in rows if row[2] == "supersedes" and row[6]}
    for id, memory in sorted(held.items()):
        if memory.current.fields.state == MERGED and id not in replaced:
            yield _holding(memory, _LOST, "")
    for row in rows:
        source, target, kind, *_, present, _, stamp = row
        if (
            kind != "supersedes"
            or not present
            or decided(row)
            or not {source, target} <= held.keys()
        ):
            continue
        into, memory = held[source], held[target]
        if (
            memory.current.fields.state == MERGED
            and into.current.fields.state in _ENDED
            and not _knew(into, stamp)
        ):
            state = into.current.fields.state
            reason = _LET_GO.format(id=source[:SHORT_ID], state=state)
            yield _holding(memory, reason, f"{stamp} {state}")


def _holding(memory: "Held", reason: str, because: str) -> "Held":
    """A merged memory as it holds again and waits."""
    head = memory.current
    fields = head.fields.replace(state="active", valid_to=None, needs_review=True, review=reason)
    return revised(memory, ("let go", memory.id), because, fields, head.created, reason)


def _knew(memory: "Held", stamp: str) -> bool:
    """Whether a memory was ended by a copy that knew what another copy had done with it by a stamp."""
    copy, state = replica_of(stamp), memory.current.fields.state
    then = [one for one in memory.versions if replica_of(one.hlc) == copy and one.hlc < stamp]
    ends = [one for one in memory.versions if one.fields.state == state and not is_concluded(one)]
    last = max(then, key=lambda one: one.hlc, default=None)
    return last is None or any(last.id in ancestors([one.id], memory.versions) for one in ends)


def told(memory: "Held", action: str) -> "Row":
    """The audit of the version that a memory got last."""
    now = memory.current
    return (
        now.created,
        now.id,
        action,
        memory.id,
        MERGER,
        now.reason,
        now.parents[0],
        now.id,
        None,
    )


def rings(relations: "Iterable[Row]") -> "list[set[str]]":
    """The groups of memories of which each replaced every other one, by way of others or not.

    Those that something else replaced are left out.
    """
    after: dict[str, set[str]] = {}
    replaced: dict[str, set[str]] = {}
    for source, target, kind, *_, present, _, _ in relations:
        if present and kind == "supersedes":
            after.setdefault(source, set()).add(target)
            replaced.setdefault(target, set()).add(source)
    while True:  # what nothing replaced is in no ring, nor what replaced nothing that is left
        left = {
            source: found
            for source, targets in after.items()
            if any(one in after for one in replaced.get(source, ()))
            and (found := targets & after.keys())
        }
        if left == after:
            break
        after = left
    reached = {one: _reached(one, after) for one in after}
    every = {frozenset(b for b in reached[a] if a in reached[b]) for a in after if a in reached[a]}
    closed = [set(ring) for ring in every if all(replaced[one] <= ring for one in ring)]
    return sorted(closed, key=min)


def _reached(start: str, after: "Mapping[str, set[str]]") -> set[str]:
    found: set[str] = set()
    left = [start]
    while left:
        new = after.get(left.pop(), set()) - found
        found |= new
        left += new
    return found


def uncrossed(
    members: "Sequence[Held]", relations: "Iterable[Row]"
) -> "tuple[list[Held], list[Row]]":
    """The members of a ring as they hold again and wait, and the relations that change.

    Empty if one of them is in force, or was ended otherwise. They contradict each other from now on, so
    that confirming one of them ends the others.
    """
    if any(one.current.fields.state not in _REPLACED for one in members):
        return [], []
    members = sorted(members, key=spoken)
    ids = {one.id for one in members}
    links = [row for row in relations if row[2] == "supersedes" and row[6] and {*row[:2]} <= ids]
    because = " ".join(sorted(row[8] for row in links))
    ring = ("ring", *sorted(ids))
    again = []
    for one in members:
        # The one with the last text is what the others are asked about.
        other = members[-1] if one is not members[-1] else members[-2]
        head = one.current
        held = [version for version in one.versions if version.fields.state in ALIVE]
        fields = head.fields.replace(
            state="active",
            valid_to=max(held, key=lambda version: version.hlc).fields.valid_to if held else None,
            verified=False,
            needs_review=True,
            review=f"it contradicts {other.id[:SHORT_ID]}: {_OTHERWISE}",
        )
        again.append(revised(one, ring, because, fields, head.created, _OTHERWISE))
    by = decision(again[0].current)
    changed: list[Row] = [_withdrawn(row, by) for row in links]
    created = max(one.current.created for one in members)
    for at, newer in enumerate(members):
        changed += [drawn(newer.id, older.id, "contradicts", created, by) for older in members[:at]]
    return again, changed


def writer(memory: "Held") -> str:
    """The copy that wrote the text that a memory has now."""
    text = memory.current.text
    return replica_of(min(one.hlc for one in memory.versions if one.text == text))


def of_one_text(
    group: "Iterable[Held]", apart: "Callable[[Held, Held], bool]"
) -> "Iterator[tuple[Held, Held, Row]]":
    """Of memories of one text, each that is merged into the first, and it, if they were written `apart`.

    With the relation of both. The one of the most trusted origin stays, of these the eldest: what can
    never change decides, so that two stores which take each other in do not each end their own.
    """
    stays, *others = sorted(group, key=lambda one: (-rank(trust_of(one.origin)), one.said, one.id))
    for other in others:
        if apart(stays, other):
            stays, goes = twins(stays, other)
            by, created = decision(goes.current), goes.current.created
            yield stays, goes, drawn(stays.id, goes.id, "supersedes", created, by)


def twins(stays: "Held", goes: "Held") -> "tuple[Held, Held]":
    """Two memories of one text: the one that stays, with what the other has more of, and that, merged.

    Of both the higher trust, with the kind and the author.
    """
    head, its = stays.current.fields, goes.current.fields
    raised = TRUSTS.index(goes.trust) > TRUSTS.index(stays.trust)
    first, unending = its if raised else head, None in (head.expires, its.expires)
    fields = united(head, its).replace(
        **{
            name: getattr(first, name)
            for name in ("kind", "payload", "priority", "author", "half_life")
        },
        verified=head.verified or its.verified,
        expires=None if unending else max(head.expires or 0, its.expires or 0),
    )
    # All of a version follows from what its id is made of: the head of the one that goes says what the
    # other gets of it, the first version of the one that stays what ends that.
    about, start = ("twins", stays.id, goes.id), stays.versions[0]
    created = max(stays.current.created, goes.current.created)
    because = f"{goes.head} {goes.trust}" if raised else goes.head
    ended = max(goes.current.created, start.created)
    stays = revised(stays, about, because, fields, created, f"{goes.id[:SHORT_ID]} says the same")
    if raised:
        stays = stays.replace(
            trust=goes.trust, tainted=goes.tainted, half_life=fields.half_life or None
        )
    its = its.replace(state=MERGED, needs_review=False, review="", valid_to=ended)
    reason = f"{stays.id[:SHORT_ID]} of another copy says the same"
    return stays, revised(goes, about, start.id, its, ended, reason)


def contradiction(one: "Held", other: "Held", allow: "Allow") -> str:
    """Why two memories cannot hold together, the older one first; empty if they can."""
    if not (_stated(one) and _stated(other)) or one.project != other.project:
        return ""
    older, newer = one.current, other.current
    verdict = RULES.judge(Pair(older.text, newer.text, older.fields.kind, newer.fields.kind))
    return redact(verdict.reason, allow).text if verdict.relation in COMPARED else ""


def _stated(memory: "Held") -> bool:
    """Whether a memory says what is so, for no limited time."""
    fields = memory.current.fields
    return fields.state == "active" and fields.kind not in RECORDS and fields.valid_to is None


def opposed(older: "Held", newer: "Held", reason: str) -> "tuple[list[Held], Row]":
    """Of two memories that contradict each other, those that wait by it, and the relation.

    One that a person verified does not wait, nor one that is trusted more than the other.
    """
    waiting = []
    about = (CONTRADICTED, *sorted((older.id, newer.id)))
    for one, other, said in (
        (newer, older, f"it contradicts {older.id[:SHORT_ID]}: {reason}"),
        (older, newer, f"{newer.id[:SHORT_ID]} contradicts it: {reason}"),
    ):
        fields = one.current.fields
        if fields.needs_review or fields.verified or not reaches(other.trust, one.trust):
            continue
        fields = fields.replace(needs_review=True, review=said)
        # All of it follows from what its id is made of: of the other memory another copy of the store
        # may know a newer version, and makes this one alike.
        start = other.versions[0]
        created = max(one.current.created, start.created)
        waiting.append(revised(one, about, f"{start.id} {reason}", fields, created, reason))
    created = max(older.versions[0].created, newer.versions[0].created)
    return waiting, drawn(newer.id, older.id, "contradicts", created, by_which(*about))


def released(example: "Held") -> "Held":
    """An example that no pattern sums up any more as it holds again."""
    head = example.current
    fields = head.fields.replace(state="active")
    about = (RELEASED, example.id)
    return revised(example, about, "", fields, head.created, "no pattern sums it up any more")
