"""Edits a memory's text or fields; its id and history are kept."""

from bowerbird.core.anchors import BY_HAND
from bowerbird.core.errors import BadInput, Denied
from bowerbird.core.history import Change, Edited
from bowerbird.core.ids import new_id
from bowerbird.core.normal import normal_hash
from bowerbird.core.states import in_state
from bowerbird.core.types import DIGEST, GLOBAL, HELD, PERSONAL, TRUSTS, whose
from bowerbird.core.value import Advice, Do, iso
from bowerbird.core.who import USER
from bowerbird.guard.redact import redact
from bowerbird.guard.trust import reaches
from bowerbird.lifecycle.apart import place
from bowerbird.lifecycle.complete import anchored, complete
from bowerbird.lifecycle.confirm import confirm
from bowerbird.lifecycle.duplicates import compare
from bowerbird.lifecycle.judge import RULES, paired, relations, reviewed
from bowerbird.lifecycle.keywords import keywords, terms
from bowerbird.lifecycle.other_value import left_behind, put_in
from bowerbird.lifecycle.restate import (
    flag,
    follow,
    opponents,
    part,
    prevail,
    revise,
    since_when,
    until_when,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from bowerbird.code.anchoring import Anchoring
    from bowerbird.core.clock import Clock
    from bowerbird.core.draft import Draft
    from bowerbird.core.history import Version
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.memories import Belief, Fields, Match
    from bowerbird.core.ports.models import Aligner
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry
    from bowerbird.guard.redact import Allow
    from bowerbird.lifecycle.judge import Judgement

# Memories in other states have to be restored first.
_EDITABLE = frozenset(("active", "quarantined"))
# What can be put right of those that held for a time.
_BEGINNING = frozenset(("valid_from",))
# Changing one of these fields computes the memory's anchors again, from the present files.
ANCHORED = frozenset(("text", "files", "commit"))
# How a text relates to one of which it says a part, all or more.
_CONTAINS = frozenset(("same", "covers", "extends"))
# Fields derived from the text unless they are given.
_DERIVED = ("summary", "citation")
# Fields that follow from others, and are reported as changed only if they were given.
_FOLLOWING = frozenset((*_DERIVED, "keywords", "anchors"))


class Editor:
    """Edits the memories of one store."""

    def __init__(
        self,
        store: "Store",
        allow: "Allow",
        kinds: "Kinds",
        clock: "Clock",
        aligner: "Callable[[], Aligner | None]",
        code: "Anchoring | None" = None,
        person: str = "",
    ) -> None:
        """`person` is whose own a personal memory becomes; empty: the store has one user.

        `aligner` returns the contextual model, or None; it is asked only if a contradiction may end.
        """
        self._aligner = aligner
        self._person = person
        self._store = store
        self._allow = allow
        self._kinds = kinds
        self._clock = clock
        self._code = code

    def edit(
        self,
        entry: "Entry",
        draft: "Draft",
        given: "Collection[str]",
        reason: str,
        *,
        confirming: bool = False,
        judged: "Sequence[Judgement]" = (),
    ) -> Edited:
        """Sets the fields that are named in `given` to the draft's values. Call outside a transaction.

        `stale` in `given` marks it as doubtful by hand, `fresh` removes the mark. The memory's trust
        becomes the lower one of its own and the draft's. What the new text no longer contradicts waits
        no more. With `confirming` the memory is confirmed in the same operation, and replaces what it
        contradicts still. `judged` is how the new text relates to other memories: what it contradicts
        waits in the review, as with a new memory, but none is superseded by an edit. Raises BadInput,
        UnknownName, and Denied if the memory's trust is higher than the draft's.
        """
        if "key" in given:
            raise BadInput(
                "a memory keeps its key",
                Advice("store the text under the other key: ", Do("curate")),
            )
        with self._store.reading():
            # What its caller named may say anything.
            draft = draft.replace(key=self._store.memories.head(entry.id).fields.key)
        completed = complete(draft, self._allow, self._clock(), self._kinds)
        belief = completed.belief
        if ANCHORED & {*given}:
            belief = self._with_anchors(entry, belief, draft.files if "files" in given else None)
        agreeing = self._agreeing(entry, belief.text) if "text" in given else []
        change = Change(
            new_id(self._clock()), "edited", belief.actor, redact(reason, self._allow).text
        )
        waited = entry.review
        with self._store.transaction():
            if confirming:
                confirm(self._store, entry, belief, change.replace(action="confirmed"))
                (entry,) = self._store.entries.get(entry.id)
            changed, trust = self._revised(entry, belief, given, change)
            for other in agreeing:
                # Its text may have changed meanwhile, too.
                if any(one.text == other.text for one in self._store.entries.get(other.id)):
                    part(self._store, entry, other, change)
            if confirming:
                before = entry.replace(review=waited)
                prevail(self._store, before, change.replace(action="reviewed", reason=""))
            matched: tuple[Match, ...] = ()
            if "text" in changed:
                matched = self._related(entry, belief.text, judged, trust, change)
            head = self._store.memories.head(entry.id)
        done = self._edited(entry, head, changed, trust, completed.redacted)
        return done.replace(matched=matched)

    def _related(
        self,
        entry: "Entry",
        text: str,
        judged: "Sequence[Judgement]",
        trust: str,
        change: Change,
    ) -> "tuple[Match, ...]":
        """Links a memory with what says the same as its new text, or contradicts it: that waits.

        Inside a transaction. Those that say something else by now are left out.
        """
        matched = []
        for found in judged:
            (other,) = self._store.entries.get(found.entry.id) or (None,)
            if other is None or other.state != "active" or other.text != found.entry.text:
                continue
            contained = compare(other.text, text).relation in _CONTAINS
            opposed = not contained and found.match.relation in {"supersedes", "contradicts"}
            kind = "contradicts" if opposed else "related_to"
            one = found.replace(match=found.match.replace(relation=kind))
            matched.append(one.match)
            if not (contained or opposed):
                continue  # what is only close by is told, and not linked: the words may change again
            ends = ((entry.id, other.id), (other.id, entry.id))
            if any(self._store.relations.get(*pair, kind) is not None for pair in ends):
                continue
            if opposed:
                head = self._store.memories.head(entry.id)
                fields = reviewed(head.fields, one)
                if fields != head.fields:
                    revise(self._store, head, fields, change.replace(action="contradicted"))
                flag(self._store, [one], entry.id, trust, change)
            for relation, because in relations(entry.id, [one], change, self._clock()):
                self._store.relations.put(relation, because)
        return tuple(matched)

    def _revised(
        self, entry: "Entry", belief: "Belief", given: "Collection[str]", change: Change
    ) -> tuple[tuple[str, ...], str]:
        """Writes the new version, if anything changes; returns what does, and the memory's trust."""
        head = self._store.memories.head(entry.id)
        self._require_editable(entry, head, belief, given)
        fields = self._fields(head, belief, given)
        if fields.state in HELD:
            fields = fields.replace(valid_to=until_when(self._store, entry))
        # A memory with a key stands for itself, whatever others say.
        if "text" in given and not head.fields.key and belief.hash != normal_hash(head.text):
            self._refuse_twin(entry, belief)
        text = belief.text if "text" in given else head.text
        changed = _changed(head, text, fields, given)
        trust = min(entry.trust, belief.trust, key=TRUSTS.index)
        if not changed:
            return (), trust
        named = ", ".join(one for one in changed if one != "needs_review")
        if fields.audience != head.fields.audience:
            self._require_own(entry, fields.audience)
        change = change.replace(reason=change.reason or f"edited: {named}")
        began = since_when(self._store, entry)
        revise(self._store, head, fields, change, text)
        if fields.state == "active" or fields.state in HELD:
            follow(self._store, entry, began, change.replace(action="superseded"))
        if self._person:
            place(self._store, [entry.id])
        if trust != entry.trust:
            self._store.memories.set_trust(entry.id, trust)
        return changed, trust

    def _agreeing(self, entry: "Entry", text: str) -> "list[Entry]":
        """Those memories that a memory contradicts by its present text, and not by the new one."""
        with self._store.reading():
            opposed = opponents(self._store, entry.id)
        if not opposed:
            return []
        aligner, edited = self._aligner(), entry.replace(text=text)

        def oppose(one: "Entry", other: "Entry") -> bool:
            old, new = sorted((one, other), key=lambda each: (each.created, each.id))
            verdict = RULES.judge(paired(old, new, aligner))
            return verdict.relation in {"contradicts", "supersedes"}

        return [
            one
            for one in opposed
            if oppose(entry, one)
            and not oppose(edited, one)
            # Its own words with another value replace it.
            and put_in(entry.text, one.text) != text
        ]

    def _require_own(self, entry: "Entry", audience: str) -> None:
        """Raises Denied if somebody else than its author would make a memory personal."""
        author = entry.speaker or USER
        if audience == PERSONAL and not whose(entry.project) and self._person not in ("", author):
            raise Denied(
                f"{entry.id} is not yours, and cannot become personal",
                "its author can take it back, or a steward retire it",
            )

    def _with_anchors(
        self, entry: "Entry", belief: "Belief", files: "Iterable[str] | None"
    ) -> "Belief":
        """Returns a belief with its anchors, computed from these files, or the memory's files if None."""
        if self._code is None:
            return belief
        if files is None:
            with self._store.reading():
                files = self._store.memories.head(entry.id).fields.files
        with_files = belief.replace(fields=belief.fields.replace(files=tuple(files)))
        found = anchored(with_files, self._code, everywhere=entry.project == GLOBAL.uid)
        return belief.replace(fields=belief.fields.replace(anchors=found.fields.anchors))

    def _require_editable(
        self, entry: "Entry", head: "Version", belief: "Belief", given: "Collection[str]"
    ) -> None:
        state = head.fields.state
        if state in HELD and _BEGINNING.issuperset(given):
            self._require_before_its_end(entry, belief.fields.valid_from)
        elif state not in _EDITABLE:
            raise in_state(entry.id, state)
        if not reaches(belief.trust, entry.trust):
            raise Denied(
                f"{entry.id} is trusted more ({entry.trust}) than what you write ({belief.trust}),"
                " since only a person at a terminal counts as its owner",
                Advice(
                    "edit it in a terminal of your own, or store another memory: ", Do("curate")
                ),
            )

    def _require_before_its_end(self, entry: "Entry", begins: "int | None") -> None:
        """Raises BadInput if a memory that does not hold any more would begin behind its end."""
        end = until_when(self._store, entry)
        if begins is not None and end is not None and begins >= end:
            raise BadInput(
                f"{entry.id} held until {iso(end)}, and cannot hold from {iso(begins)} on",
                "give an earlier day",
            )

    def _fields(self, head: "Version", belief: "Belief", given: "Collection[str]") -> "Fields":
        """Returns the new fields: the given ones, and those derived from a new text."""
        old, new = head.fields, belief.fields
        names = {name for name in given if name in old.__slots__}
        names |= {"anchors"} if ANCHORED & {*given} else set()
        if "text" in given and belief.text != head.text:
            dates = ("valid_from",) if new.valid_from is not None else ()
            names |= {*_DERIVED, "valid_to", *dates}
            if "keywords" not in given:
                counts = self._store.words.counts(terms(belief.text))
                found = keywords(belief.text, counts)
                new = new.replace(keywords=tuple(dict.fromkeys(found)))
                names.add("keywords")
        if "kind" in names and old.kind != new.kind:
            names.add("payload")  # each kind has its own payload structure
            if old.kind in self._kinds and old.half_life == (
                self._kinds.get(old.kind).half_life or 0.0
            ):
                names.add("half_life")
        if (new.verified and "verified" in names) or "review" in names:
            names |= {"needs_review", "review"}
        fields = old.replace(**{name: getattr(new, name) for name in names})
        if not {"stale", "fresh"}.isdisjoint(given):
            kept = tuple(one for one in fields.anchors if one[0] != BY_HAND)
            mark = ((BY_HAND, "", "", 0, self._clock(), 0, 0),) if "stale" in given else ()
            fields = fields.replace(anchors=(*kept, *mark))
        if old.disputed:
            # Until a steward closes it, whatever its author says.
            fields = fields.replace(needs_review=True, review=old.review)
        if new.state == "quarantined":
            fields = fields.replace(state=new.state, needs_review=True, review=new.review)
        return fields

    def _refuse_twin(self, entry: "Entry", belief: "Belief") -> None:
        if entry.kind == DIGEST:
            return  # two sessions may have been alike: each has its record
        projects = tuple({entry.project, GLOBAL.uid})
        twin = self._store.entries.saying(belief.hash, projects, self._clock(), ("active",))
        if twin is not None and twin.id != entry.id:
            raise BadInput(
                f"{twin.id} says that already",
                Advice("keep that one and forget this one: ", Do("forget", entry.id)),
            )

    @staticmethod
    def _edited(
        entry: "Entry",
        version: "Version",
        changed: tuple[str, ...],
        trust: str,
        redacted: tuple[str, ...],
    ) -> Edited:
        fields = version.fields
        return Edited(
            id=entry.id,
            version=version.id,
            changed=changed,
            summary=fields.summary,
            kind=fields.kind,
            tags=fields.tags,
            state=fields.state,
            trust=trust,
            redacted=redacted,
            needs_review=fields.needs_review,
            review=fields.review,
            expires=fields.expires,
            left_behind=left_behind(version.text, entry.text) if "text" in changed else "",
        )


def _changed(
    head: "Version", text: str, fields: "Fields", given: "Collection[str]"
) -> tuple[str, ...]:
    names = [
        name
        for name in sorted(fields.__slots__)
        if getattr(fields, name) != getattr(head.fields, name)
    ]
    names = ["text", *names] if text != head.text else names
    return tuple(one for one in names if one in given or one not in _FOLLOWING) or tuple(names)
