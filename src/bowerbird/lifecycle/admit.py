"""The one write door for memories: a draft comes in, a decision goes out.

Similarity nominates, words decide, and nothing is destroyed: what is replaced stays as it was,
linked from what took its place, and comes back by `revert`.
"""

from bowerbird.core.errors import ModelError
from bowerbird.core.history import Change, Relation
from bowerbird.core.ids import new_id
from bowerbird.core.kinds import kind
from bowerbird.core.memories import Decision, Match
from bowerbird.core.types import GLOBAL, SHORT_ID, UNREAD
from bowerbird.core.value import Value
from bowerbird.guard.trust import reaches
from bowerbird.lifecycle.complete import complete
from bowerbird.lifecycle.contradiction import contradicts
from bowerbird.lifecycle.duplicates import compare
from bowerbird.lifecycle.keywords import keywords, terms
from bowerbird.lifecycle.nominate import nominate
from bowerbird.lifecycle.restate import restated, succeeding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.clock import Clock
    from bowerbird.core.draft import Draft
    from bowerbird.core.memories import Belief, Fields
    from bowerbird.core.ports import Embedder, Store
    from bowerbird.core.types import Entry, ModelIdentity, Project, Vector
    from bowerbird.guard.redact import Allow
    from bowerbird.lifecycle.complete import Completed

# Two memories this near are about the same: 95 % of paraphrases are, and 0.3 % of unrelated pairs.
CLOSE = 0.6
MOST_LINKS = 3


class Judgement(Value):
    """What a belief is to one known memory; `own`: of the same project."""

    __slots__ = ("entry", "match", "own")

    def __init__(self, entry: "Entry", match: Match, own: bool) -> None:
        self.entry = entry
        self.match = match
        self.own = own


class Admission:
    """Judges drafts for one project of one store."""

    def __init__(
        self,
        store: "Store",
        embedder: "Embedder",
        project: "Project",
        allow: "Allow",
        clock: "Clock",
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._project = project
        self._allow = allow
        self._clock = clock

    def admit(self, draft: "Draft", *, everywhere: bool = False) -> Decision:
        """Keep what a draft says, unless it is kept already.

        Raises BadInput for a text or value that cannot be taken, UnknownName for a kind, origin or
        other name that nobody registered.
        """
        now = self._clock()
        completed = complete(draft, self._allow, now)
        vector, identity = UNREAD, None
        unread = ""
        try:
            vector = self._read(completed.belief.text)
            identity = self._embedder.identity
        except ModelError as error:
            # It is found by its words, until `index` lets the model read it.
            unread = f"; not read by the model yet: {error.message}"
        project = GLOBAL if everywhere else self._project
        with self._store.transaction():
            decided = self._decide(draft, completed, vector, identity, project, now)
        return decided.replace(reason=decided.reason + unread)

    def _read(self, text: str) -> "Vector":
        """What the model makes of a text; one that reads words reads a question alike, and faster."""
        if self._embedder.sentences:
            return self._embedder.embed([text])[0]
        return self._embedder.embed_query(text)

    def _decide(
        self,
        draft: "Draft",
        completed: "Completed",
        vector: "Vector",
        identity: "ModelIdentity | None",
        project: "Project",
        now: int,
    ) -> Decision:
        store, belief = self._store, completed.belief
        number = store.projects.ensure(project)
        model = None if identity is None else store.ensure_model(identity)
        counts = store.words.counts(terms(belief.text))
        words = (*belief.fields.keywords, *keywords(belief.text, counts))
        fields = belief.fields.replace(keywords=tuple(dict.fromkeys(words)))
        belief = belief.replace(fields=fields)
        judged = self._judge(belief, vector, number, model, project, now)
        known = next((one for one in judged if one.match.relation in {"same", "covers"}), None)
        if known is not None:
            # What it says itself: the words found in its text depend on what else is kept by now.
            return self._known(draft, completed.belief, completed, known)
        return self._create(draft, belief, completed, vector, number, model, judged, now)

    def _judge(
        self,
        belief: "Belief",
        vector: "Vector",
        number: int,
        model: int | None,
        project: "Project",
        now: int,
    ) -> list[Judgement]:
        """What the belief is to the memories it is held against, the most telling first."""
        store = self._store
        states = ("active", belief.fields.state)
        row = store.memories.same_text(tuple({number, 0}), belief.hash, states, now)
        same = store.entries.load([row]).get(row) if row is not None else None
        if same is not None and not _outranks(belief, same):
            match = _match(same, "same", "the same text is kept already", 1.0)
            return [Judgement(same, match, same.project == project.uid)]
        projects = tuple({project.uid, GLOBAL.uid})
        near = nominate(store, belief, vector, model, projects, now)
        if same is not None:
            near = [(same, 1.0), *(pair for pair in near if pair[0].row != same.row)]
        found = [_judgement(belief, entry, cosine, project) for entry, cosine in near]
        order = ("same", "covers", "supersedes", "contradicts", "related_to")
        told = [one for one in found if one is not None]
        return sorted(told, key=lambda one: order.index(one.match.relation))

    def _known(
        self, draft: "Draft", belief: "Belief", completed: "Completed", known: Judgement
    ) -> Decision:
        """It is kept already; what the draft says beside its text is added where it may."""
        entry, match = known.entry, known.match
        head = self._store.memories.head(entry.id)
        fields: Fields = head.fields
        changed: tuple[str, ...] = ()
        reason = match.reason
        if match.relation == "same" and reaches(belief.trust, entry.trust):
            again = restated(fields, belief.fields, draft)
            names = ", ".join(again.changed)
            if names and not known.own:
                # What is global is seen from every project: one project's tags or expiry are not.
                reason += f"; it belongs to every project and does not gain from this one: {names}"
            elif names:
                fields, changed = again.fields, again.changed
                change = self._change("updated", belief, f"told again with other {names}")
                self._store.memories.revise(entry.id, fields, change)
                reason += f"; it gained: {names}"
        self._store.memories.touch(entry.id)
        return Decision(
            id=entry.id,
            decision="known",
            kind=fields.kind,
            summary=fields.summary,
            reason=reason,
            kind_reason="as it is kept",
            matched=(match,),
            redacted=completed.redacted,
            tags=fields.tags,
            keywords=fields.keywords,
            importance=entry.importance or 0.0,
            trust=entry.trust,
            state=fields.state,
            needs_review=fields.needs_review,
            changed=changed,
            review=fields.review,
            expires=fields.expires,
        )

    def _create(
        self,
        draft: "Draft",
        belief: "Belief",
        completed: "Completed",
        vector: "Vector",
        number: int,
        model: int | None,
        judged: list[Judgement],
        now: int,
    ) -> Decision:
        """Write the memory, what it replaces, and how it hangs together with the others."""
        replaced = [one for one in judged if one.match.relation == "supersedes"][:1]
        opposed = [one for one in judged if one.match.relation == "contradicts"][:MOST_LINKS]
        close = [one for one in judged if one.match.relation == "related_to"][:MOST_LINKS]
        kind_reason = completed.kind_reason
        fields = belief.fields
        if opposed and not fields.needs_review and not fields.verified:
            other = opposed[0]
            review = f"it contradicts {other.entry.id[:SHORT_ID]}: {other.match.reason}"
            fields = fields.replace(needs_review=True, review=review)
        for one in replaced:
            older = self._store.memories.head(one.entry.id).fields
            told, fields = fields.kind, succeeding(fields, older, draft)
            if fields.kind != told:
                kind_reason = "the one whose place it takes was that"
                belief = belief.replace(half_life=kind(fields.kind).half_life)
            # What says the same and more matters as much.
            kept = max(belief.importance, one.entry.importance or 0.0)
            belief = belief.replace(importance=kept)
        belief = belief.replace(fields=fields)
        quarantined = fields.state == "quarantined"
        decision = "quarantined" if quarantined else "superseded" if replaced else "created"
        reason = _reason(quarantined, replaced, opposed, close)
        create = self._change("created", belief, reason)
        id = self._store.memories.add(number, belief, vector, model, create)
        for one in replaced:
            self._move(one, create.replace(action="superseded", reason=one.match.reason))
        for one in opposed:
            # What is global is seen from every project: this one's words do not belong there.
            believed = reaches(belief.trust, one.entry.trust)
            if one.own and believed and not quarantined:
                self._flag(one, id, create.replace(action="contradicted", reason=one.match.reason))
        for one in (*replaced, *opposed, *close):
            relation = Relation(
                id,
                one.entry.id,
                one.match.relation,
                strength=round(max(one.match.similarity, 0.0), 3),
                automatic=True,
                created=now,
            )
            change = create.replace(action="linked", reason=one.match.reason)
            self._store.relations.put(relation, change)
        return Decision(
            id=id,
            decision=decision,
            kind=fields.kind,
            summary=fields.summary,
            reason=reason,
            kind_reason=kind_reason,
            matched=tuple(one.match for one in (*replaced, *opposed, *close)),
            redacted=completed.redacted,
            tags=fields.tags,
            keywords=fields.keywords,
            importance=belief.importance,
            trust=belief.trust,
            state=fields.state,
            needs_review=fields.needs_review,
            review=fields.review,
            expires=fields.expires,
        )

    def _move(self, one: Judgement, change: Change) -> None:
        head = self._store.memories.head(one.entry.id)
        self._store.memories.revise(one.entry.id, head.fields.replace(state="superseded"), change)

    def _flag(self, one: Judgement, other: str, change: Change) -> None:
        head = self._store.memories.head(one.entry.id)
        if not head.fields.needs_review:
            review = f"{other[:SHORT_ID]} contradicts it: {one.match.reason}"
            flagged = head.fields.replace(needs_review=True, review=review)
            self._store.memories.revise(one.entry.id, flagged, change)

    def _change(self, action: str, belief: "Belief", reason: str) -> Change:
        return Change(new_id(self._clock()), action, belief.actor, reason)


def _outranks(belief: "Belief", entry: "Entry") -> bool:
    """What is believed more takes the place of the same text that is believed less."""
    return not reaches(entry.trust, belief.trust)


def _judgement(
    belief: "Belief", entry: "Entry", cosine: float, project: "Project"
) -> Judgement | None:
    """What a belief is to one nominated memory, or None where it is nothing to it."""
    verdict = compare(entry.text, belief.text)
    if verdict.relation == "supersedes" and entry.pinned:
        verdict = verdict.replace(
            relation="related_to", reason=f"{verdict.reason}; the older one is pinned, and stays"
        )
    if verdict.relation in {"same", "covers"} and _outranks(belief, entry):
        verdict = verdict.replace(
            relation="supersedes", reason=f"{verdict.reason}, and it is believed more"
        )
    if verdict.relation == "supersedes" and not _may_replace(belief, entry, project):
        verdict = verdict.replace(relation="related_to")
    if not verdict.relation:
        verdict = contradicts(entry.text, belief.text)
    if not verdict.relation and cosine >= CLOSE:
        verdict = verdict.replace(relation="related_to", reason="it is about the same")
    if not verdict.relation:
        return None
    match = _match(entry, verdict.relation, verdict.reason, cosine)
    return Judgement(entry, match, entry.project == project.uid)


def _may_replace(belief: "Belief", entry: "Entry", project: "Project") -> bool:
    """Never what is believed more, stands in another project, or waits to be looked at."""
    believed = reaches(belief.trust, entry.trust)
    return believed and entry.project == project.uid and belief.fields.state == "active"


def _match(entry: "Entry", relation: str, reason: str, cosine: float) -> Match:
    return Match(entry.id, relation, reason, entry.summary, round(cosine, 3))


def _reason(
    quarantined: bool,
    replaced: list[Judgement],
    opposed: list[Judgement],
    close: list[Judgement],
) -> str:
    parts = ["it waits until somebody has looked at it"] if quarantined else []
    parts += [f"takes the place of an older one: {one.match.reason}" for one in replaced]
    parts += [
        f"contradicts one that is kept, to be looked at: {one.match.reason}" for one in opposed[:1]
    ]
    if not parts and close:
        parts.append(f"new, and linked to {len(close)} about the same")
    return "; ".join(parts) or "nothing like it was known"
