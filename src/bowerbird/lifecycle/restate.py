"""Transitions of stored memories: restating, superseding, and settling reviews.

A draft of the same text adds its explicit fields to the stored memory and removes none. A successor
inherits fields of the memory that it supersedes.
"""

from bowerbird.core.history import Relation
from bowerbird.core.kinds import DEFAULT
from bowerbird.core.memories import Fields
from bowerbird.core.normal import normal_hash
from bowerbird.core.origins import ON_ASKING
from bowerbird.core.states import require_move
from bowerbird.core.types import ALIVE, FORGOTTEN, GLOBAL, SHORT_ID, TRUSTS
from bowerbird.core.value import Record
from bowerbird.guard.trust import reaches
from bowerbird.lifecycle.contradiction import disagree, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from bowerbird.core.draft import Draft
    from bowerbird.core.history import Change, Version
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.memories import Belief
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry
    from bowerbird.lifecycle.judge import Judgement


# The reason of a confirmation, by the trust that the memory had before. No version holds that trust, and
# `revert` gives it back.
RAISED = {trust: f"a person says so, too; its trust was {trust}" for trust in TRUSTS}

# The action on an example whose pattern was removed.
RELEASED = "released"

# Fields that a draft of the same text merges by their shape. A priority only determined the first
# importance, and a review is settled apart.
_MERGED = tuple(
    name
    for name, one in Fields.DECLARED.items()
    if one.given is not None and name not in {"keywords", "payload", "priority", "review"}
)


class Restated(Record):
    """A memory's fields after a draft of the same text, and the names of those that changed."""

    fields: "Fields"
    changed: tuple[str, ...]


def restated(kept: "Fields", new: "Fields", draft: "Draft") -> Restated:
    """Merges into the stored fields what the draft states explicitly."""
    wanted = kept.replace(
        **{name: _merged(name, kept, new, draft) for name in _MERGED},
        payload=kept.payload if new.payload is None else new.payload,
        anchors=_merged_anchors(kept, new),
        keywords=tuple(dict.fromkeys((*new.keywords, *kept.keywords)))
        if draft.keywords
        else kept.keywords,
    )
    if draft.verified and kept.state == "active":
        # Verifying a memory is a review of it.
        wanted = wanted.replace(needs_review=False, review="", disputed="")
    # `needs_review` follows from `review` and is not reported separately.
    names = sorted({*kept.__slots__} - {"needs_review"})
    changed = tuple(name for name in names if getattr(kept, name) != getattr(wanted, name))
    return Restated(wanted, changed)


def _merged(name: str, kept: "Fields", new: "Fields", draft: "Draft") -> "Any":
    """Returns a field as it is after a draft of the same text: lists and objects grow."""
    before, stated = getattr(kept, name), getattr(new, name)
    match Fields.DECLARED[name].shape:
        case "texts":
            return tuple(dict.fromkeys((*before, *stated)))
        case "data":
            return {**before, **stated}
    # An empty text states nothing.
    is_stated = getattr(draft, name) not in (None, "") and stated != ""
    return stated if is_stated else before


def _merged_anchors(kept: "Fields", new: "Fields") -> "tuple[tuple[Any, ...], ...]":
    """Returns the anchors of both; for the same file or symbol, the newer one."""
    anchors = {one[:2]: one for one in (*kept.anchors, *new.anchors)}
    return tuple(anchors.values())


def succeeding(
    new: "Belief", older: "Entry", its: "Fields", draft: "Draft", kinds: "Kinds"
) -> "tuple[Belief, str]":
    """Returns a belief with what it inherits of the memory that it supersedes, whose fields are `its`.

    The text is the reason for its kind; empty if that does not change.
    """
    # The words of the same text determine its kind no better than whoever stored it.
    guessed = draft.kind is None and (
        new.fields.kind == DEFAULT or new.hash == normal_hash(older.text)
    )
    stays = guessed and its.kind in kinds
    fields, half_life, reason = _inherited(new.fields, its, draft, stays), new.half_life, ""
    if fields.kind != new.fields.kind:
        reason = "that of the memory it supersedes"
        if draft.half_life is None:
            half_life = kinds.get(fields.kind).half_life
            fields = fields.replace(half_life=half_life or 0.0)
    # It contains the older statement, so it is at least as important.
    importance = max(new.importance, older.importance or 0.0)
    return new.replace(fields=fields, half_life=half_life, importance=importance), reason


def _inherited(new: "Fields", older: "Fields", draft: "Draft", stays: bool) -> "Fields":
    """Returns the fields of a successor, with those inherited from the superseded memory.

    It inherits the kind too, if that `stays`: unless the draft or a new wording determines one.
    """
    return new.replace(
        kind=older.kind if stays else new.kind,
        payload=older.payload if stays and new.payload is None else new.payload,
        scope=older.scope if stays and not draft.scope else new.scope,
        audience=new.audience if draft.audience else older.audience,
        tags=tuple(dict.fromkeys((*new.tags, *older.tags))),
        files=tuple(dict.fromkeys((*new.files, *older.files))),
        modules=tuple(dict.fromkeys((*new.modules, *older.modules))),
        pinned=new.pinned or older.pinned,
        priority=new.priority or older.priority,
        metadata={**older.metadata, **new.metadata},
    )


def revise(
    store: "Store", head: "Version", fields: "Fields", change: "Change", text: str | None = None
) -> "Version":
    """Writes a new version of the memory whose head is `head`. Call inside a transaction.

    A new `text` makes its vectors outdated. What it summed up holds again once it does not hold any
    more. Raises BadInput for an illegal state transition.
    """
    require_move(head.fields.state, fields.state)
    said = () if text is None or text == head.text else (text, normal_hash(text))
    revised = store.memories.revise(head, fields, change, *said)
    if fields.state != head.fields.state and fields.state not in ALIVE:
        release_examples(store, head.memory, change)
    return revised


def release_examples(store: "Store", pattern: str, change: "Change") -> None:
    """Lets the examples of a pattern that is removed hold again, as part of the same operation.

    Not those that another pattern still sums up, or whose text another memory says by now. Inside a
    transaction.
    """
    change = change.replace(action=RELEASED, reason=f"{pattern[:SHORT_ID]} sums it up no more")
    for id in examples_of(store, pattern):
        if is_found_by_nothing(store, id, besides=pattern):
            head = store.memories.head(id)
            store.memories.revise(head, head.fields.replace(state="active"), change)


def forget_merged(
    store: "Store", into: str, change: "Change", besides: "Collection[str]" = ()
) -> None:
    """Forgets what was merged into a memory that is removed for good, `besides` some.

    Whoever removes it knew of that; in a copy that did not, it holds again. Inside a transaction.
    """
    reason = f"{into[:SHORT_ID]}, into which it was merged, is removed"
    for relation in store.relations.of(into):
        if relation.kind != "supersedes" or relation.source != into or relation.target in besides:
            continue
        head = store.memories.head(relation.target)
        if head.fields.state == "merged":
            fields = head.fields.replace(state=FORGOTTEN)
            revise(store, head, fields, change.replace(action="forgotten", reason=reason))


def is_found_by_nothing(store: "Store", id: str, besides: str = "") -> bool:
    """Whether a memory is an example that no pattern sums up, `besides` one, and nothing else says."""
    for entry in store.entries.get(id):
        if entry.state == "compressed" and not summed_up(store, id, besides):
            projects, hash = (entry.project, GLOBAL.uid), normal_hash(entry.text)
            twin = store.entries.saying(hash, projects, store.clock(), ("active",))
            return twin is None and not _is_replaced(store, entry)
    return False


def _is_replaced(store: "Store", example: "Entry") -> bool:
    """Whether what replaced a pattern, or contradicts it, says otherwise of this very example."""
    above = [one.target for one in store.relations.of(example.id) if _is_example(one)]
    ends = dict.fromkeys(
        end
        for pattern in above
        for one in store.relations.of(pattern)
        if one.kind == "contradicts" or (one.kind == "supersedes" and one.target == pattern)
        for end in (one.source, one.target)
        if end != pattern
    )
    others = [one for end in ends for one in store.entries.get(end) if one.state == "active"]
    return any(disagree(read(one.text), read(example.text)) for one in others)


def examples_of(store: "Store", pattern: str) -> list[str]:
    """The memories that a pattern sums up, or summed up while it held."""
    return [
        one.source
        for one in store.relations.of(pattern)
        if _is_example(one) and one.target == pattern
    ]


def summed_up(store: "Store", id: str, besides: str = "") -> list[str]:
    """The patterns that hold and sum up a memory, `besides` another one."""
    above = [one.target for one in store.relations.of(id) if _is_example(one) and one.source == id]
    patterns = [one for pattern in above for one in store.entries.get(pattern)]
    return [one.id for one in patterns if one.state in ALIVE and one.id != besides]


def _is_example(relation: Relation) -> bool:
    return relation.kind == "example_of"


def flag(
    store: "Store", opposed: "Sequence[Judgement]", id: str, trust: str, change: "Change"
) -> None:
    """Marks the memories that a new one of that `trust` contradicts for review."""
    for one in opposed:
        # A global memory is visible to every project; text of this one must not appear in its review.
        if not one.own or not reaches(trust, one.entry.trust):
            continue
        review = f"{id[:SHORT_ID]} contradicts it: {one.match.reason}"
        because = change.replace(action="contradicted", reason=one.match.reason)

        def flagged(fields: "Fields", review: str = review) -> "Fields | None":
            unseen = not fields.needs_review or fields.review == ON_ASKING
            return fields.replace(needs_review=True, review=review) if unseen else None

        store.memories.revise(one.entry.id, flagged, because)


def settle(store: "Store", settled: "Entry", change: "Change") -> None:
    """Ends the reviews of memories that contradict `settled`, which was removed or verified.

    If one contradicts another memory too, its review names that one instead: a question between two is
    not answered by what becomes of a third. What a person has verified is not asked about again.
    """
    for other in opponents(store, settled.id):
        if other.project != settled.project or settled.id[:SHORT_ID] not in other.review:
            continue
        head = store.memories.head(other.id)
        others = [] if head.fields.verified else opponents(store, other.id)
        left = [one for one in others if one.id != settled.id]
        review = review_of(left[0], other) if left else ""
        revise(store, head, head.fields.replace(needs_review=bool(left), review=review), change)


def part(store: "Store", one: "Entry", other: "Entry", change: "Change") -> None:
    """Ends the contradiction of two memories whose texts agree by now. Inside a transaction.

    Each waits on for what else it contradicts.
    """
    for ends in ((one.id, other.id), (other.id, one.id)):
        if (relation := store.relations.get(*ends, "contradicts")) is not None:
            store.relations.remove(relation, change.replace(action="unlinked"))
    for entry, its in ((one, other), (other, one)):
        head = store.memories.head(entry.id)
        if head.fields.disputed or its.id[:SHORT_ID] not in head.fields.review:
            continue
        left = opponents(store, entry.id)
        review = review_of(left[0], entry) if left else ""
        fields = head.fields.replace(needs_review=bool(left), review=review)
        revise(store, head, fields, change.replace(action="reviewed"))


def review_of(opponent: "Entry", entry: "Entry") -> str:
    """Why a memory waits for an opponent, with the reason that the opponent's own review gives."""
    _, named, reason = opponent.review.partition(f"{entry.id[:SHORT_ID]}")
    _, colon, reason = reason.partition(": ")
    if named and colon:
        return f"it contradicts {opponent.id[:SHORT_ID]}: {reason}"
    return f"it and {opponent.id[:SHORT_ID]} contradict each other"


def prevail(store: "Store", settled: "Entry", change: "Change") -> None:
    """Ends the contradictions of a memory that a person verified: the other sides are superseded.

    Call inside a transaction, with the memory as it was before, and the trust that it has now.
    """
    for other in retired_by(store, settled):
        head = store.memories.head(other.id)
        reason = f"a person confirmed {settled.id[:SHORT_ID]}, which contradicts it"
        since = store.memories.head(settled.id).fields.valid_from
        supersede(store, other, head, change.replace(action="superseded", reason=reason), since)
        at = store.clock()
        relation = Relation(settled.id, other.id, "supersedes", 1.0, automatic=True, created=at)
        store.relations.put(relation, change.replace(action="linked", reason=reason))
    stays = [one for one in opponents(store, settled.id) if _stays_open(store, one, settled)]
    settle(store, settled, change)
    for other in stays:
        review = (
            f"it contradicts {settled.id[:SHORT_ID]}, which a person confirmed; it is pinned, and waits"
            " until you unpin it and confirm that one again, or confirm or reject this one"
        )
        if other.review != review:
            head = store.memories.head(other.id)
            fields = head.fields.replace(needs_review=True, review=review)
            revise(store, head, fields, change.replace(reason=review))


def _stays_open(store: "Store", other: "Entry", settled: "Entry") -> bool:
    """Whether a pinned memory contradicts one that a person confirmed, and no person decided on both."""
    return (
        other.pinned
        and other.project == settled.project
        and settled.id[:SHORT_ID] in other.review
        and not _verified_since(store, other.id, settled.created)
    )


def retired_by(store: "Store", settled: "Entry") -> "list[Entry]":
    """The memories that a person's confirmation of this one supersedes.

    One that is pinned or trusted more stays active, one that a person verified beside this one, and one
    with which the contradiction was settled before: neither awaits review for it.
    """
    return [
        other
        for other in opponents(store, settled.id)
        if (settled.review or settled.id[:SHORT_ID] in other.review)
        and not other.pinned
        and not _verified_since(store, other.id, settled.created)
        and reaches(settled.trust, other.trust)
        and other.project == settled.project
    ]


def _verified_since(store: "Store", id: str, moment: int) -> bool:
    """Whether a person verified a memory at a moment or later: what they said before, they change."""
    if not store.memories.head(id).fields.verified:
        return False
    verified = [one.created for one in store.audit.versions(id) if one.fields.verified]
    return min(verified, default=moment) >= moment


def supersede(
    store: "Store",
    older: "Entry",
    head: "Version",
    change: "Change",
    until: int | None = None,
    *,
    withdrawn: bool = False,
) -> None:
    """Marks a memory as superseded and settles its contradictions. Call inside a transaction.

    `until` is since when the newer one holds; None: from now on. If that lies ahead, the memory holds
    until then, and is not found from then on. A plan that is `withdrawn`, or that was to begin only
    after the newer one does, never comes to hold.
    """
    now, begins = store.clock(), older.valid_from
    if begins is not None and begins > now and (withdrawn or (until or now) <= begins):
        withdraw(store, older, until, change.replace(action="withdrawn"))
        until, withdrawn = begins, True
    ahead = until is not None and until > now and not withdrawn
    ends = [at for at in (until, head.fields.valid_to) if at is not None]
    fields = head.fields.replace(
        state=head.fields.state if ahead else "superseded",
        needs_review=False,
        review="",
        valid_to=min(ends) if ahead else until,
    )
    contradicted = store.memories.contradicted(head)
    revise(store, head, fields, change)
    if contradicted:
        settle(store, older, change.replace(action="reviewed"))


def opponents(store: "Store", id: str) -> "list[Entry]":
    """The active memories that a `contradicts` relation links with one, in either direction."""
    found = (one for one in store.relations.of(id) if one.kind == "contradicts")
    ends = dict.fromkeys(one.target if one.source == id else one.source for one in found)
    opponents = (one for end in ends for one in store.entries.get(end))
    return [one for one in opponents if one.state == "active"]


def withdraw(store: "Store", plan: "Entry", until: int | None, change: "Change") -> None:
    """Lets what a plan would have ended hold `until` another moment. Inside a transaction.

    None: until the next plan, if one follows, else as long as it would have held without a plan.
    """
    begins, now = plan.valid_from, store.clock()
    if begins is None or begins <= now or plan.state != "active":
        return
    followers = [one.id for one in _replacing(store, plan.id) if (one.valid_from or 0) > begins]
    if until is None and followers:
        until = store.memories.head(plan.id).fields.valid_to
    seen, left = {plan.id}, [plan.id]
    while left:
        for older in _replaced(store, left.pop()):
            if older.id in seen:
                continue
            seen.add(older.id)
            head = store.memories.head(older.id)
            if head.fields.state == "superseded" and older.valid_from == begins:
                # A plan for the same day, withdrawn in favour of this one.
                left.append(older.id)
            elif head.fields.state == "active" and head.fields.valid_to == begins:
                found = (_end_without_plans(store, head), until)
                ends = min((at for at in found if at is not None), default=None)
                if ends != begins:
                    revise(store, head, head.fields.replace(valid_to=ends), change)
                for id in followers:
                    link = Relation(id, older.id, "supersedes", automatic=True, created=now)
                    store.relations.put(link, change.replace(action="linked"))


def _end_without_plans(store: "Store", head: "Version") -> int | None:
    """When a memory would end if nothing replaced it from a day to come."""
    end = head.fields.valid_to
    for event in reversed(store.audit.of(head.memory)):
        before = store.audit.version(event.before or "")
        after = store.audit.version(event.after or "")
        if event.action in {"superseded", "withdrawn"} and before and after:
            end = before.fields.valid_to if after.fields.valid_to == end else end
    return end


def remove(store: "Store", entry: "Entry", change: "Change") -> None:
    """Ends the contradictions of a memory that is removed, and what it would have ended as a plan.

    Call inside a transaction, with the memory as it was before.
    """
    withdraw(store, entry, None, change.replace(action="withdrawn"))
    settle(store, entry, change.replace(action="reviewed"))


def insert(
    store: "Store",
    id: str,
    begins: int,
    later: "Entry",
    change: "Change",
    unsettled: "Collection[str]",
) -> "tuple[int, Entry]":
    """Puts a memory before one that holds from a `later` day, among all those that this one replaced.

    Returns when it ends, and which memory ends it. The one before it ends when it begins, unless
    that is `unsettled` until a review. Inside a transaction.
    """
    ends, ended_by = since_when(store, later) or later.created, later
    seen, left = {id, later.id}, [later]
    while left:
        for one in _replaced(store, left.pop().id):
            if one.id in seen:
                continue
            seen.add(one.id)
            left.append(one)
            head, start = store.memories.head(one.id), since_when(store, one)
            until = head.fields.valid_to
            if start is not None and start > begins:
                if start < ends and start != until:
                    ends, ended_by = start, one
            elif until is not None and until > begins and one.id not in unsettled:
                revise(store, head, head.fields.replace(valid_to=begins), change)
                link = Relation(id, one.id, "supersedes", automatic=True, created=store.clock())
                store.relations.put(link, change.replace(action="linked"))
    return ends, ended_by


def follow(store: "Store", entry: "Entry", began: int | None, change: "Change") -> None:
    """Lets what a memory replaced hold until it begins, after somebody put right since when it holds.

    `began`: since when it was thought to hold. What began only after it never held. Inside a transaction.
    """
    now, begins = store.clock(), since_when(store, entry)
    if begins is None or began is None or begins == began:
        return
    seen, left = {entry.id}, [(entry.id, began)]
    while left:
        newer, started = left.pop()
        for one in _replaced(store, newer):
            head, start = store.memories.head(one.id), since_when(store, one)
            state, until = head.fields.state, head.fields.valid_to
            if until is None and state == "superseded":
                until = started
            if one.id in seen or until is None or not (begins < until or until == began):
                continue
            seen.add(one.id)
            if newer == entry.id:
                state = "active" if begins > now else "superseded"
            fields = head.fields.replace(state=state, valid_to=begins)
            if start is not None and start > begins:
                # Without a beginning it would be one that was over when somebody told it.
                fields = fields.replace(valid_from=start, valid_to=start)
                left.append((one.id, start))
            revise(store, head, fields, change)


def _replaced(store: "Store", id: str) -> "list[Entry]":
    """What a memory replaces, as far as it is kept."""
    targets = [
        one.target
        for one in store.relations.of(id)
        if one.kind == "supersedes" and one.source == id
    ]
    found = (entry for target in targets for entry in store.entries.get(target))
    return [one for one in found if one.state in {"active", "superseded"}]


def _replacing(store: "Store", id: str) -> "list[Entry]":
    """What replaces a memory, as far as it is kept."""
    return [
        entry
        for one in store.relations.of(id)
        if one.kind == "supersedes" and one.target == id
        for entry in store.entries.get(one.source)
    ]


def since_when(store: "Store", entry: "Entry") -> int | None:
    """Since when a memory holds; None: nobody said."""
    fields = store.memories.head(entry.id).fields
    if fields.valid_from is not None:
        return fields.valid_from
    ended = fields.valid_to is not None and fields.valid_to <= entry.created
    return None if ended else entry.created


def until_when(store: "Store", entry: "Entry") -> int | None:
    """Until when a memory held that something ended; None: nobody said."""
    end = store.memories.head(entry.id).fields.valid_to
    if end is not None:
        return end
    begun = (since_when(store, one) for one in _replacing(store, entry.id))
    ended = None
    for version in reversed(store.audit.versions(entry.id)):
        if version.fields.state in ALIVE:
            break
        ended = version.created
    return min((at for at in begun if at is not None), default=ended)
