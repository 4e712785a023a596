"""The one write door for memories: a draft comes in, a decision goes out.

Similarity nominates, words decide, and nothing is destroyed: what is replaced stays as it was,
linked from what took its place, and comes back by `revert`.
"""

from bowerbird.core.errors import ModelError
from bowerbird.core.history import Change, Relation
from bowerbird.core.ids import new_id
from bowerbird.core.memories import UNCOMPARED, Decision
from bowerbird.core.types import GLOBAL, SHORT_ID, UNREAD
from bowerbird.guard.redact import redact
from bowerbird.guard.trust import reaches
from bowerbird.lifecycle.complete import complete
from bowerbird.lifecycle.judge import JUDGES, confirms, most_telling_first
from bowerbird.lifecycle.keywords import keywords
from bowerbird.lifecycle.restate import restated, revise, settle, succeeding, supersede
from bowerbird.lifecycle.survey import (
    MEANWHILE,
    MOST_UNDER_LOCK,
    Case,
    Overtaken,
    brought_up,
    caught_up,
    survey,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.clock import Clock
    from bowerbird.core.draft import Draft
    from bowerbird.core.history import Moment, Version
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.memories import Belief, Fields
    from bowerbird.core.ports.models import Embedder, Reader
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Project, Vector
    from bowerbird.guard.redact import Allow
    from bowerbird.lifecycle.complete import Anchored, Completed
    from bowerbird.lifecycle.judge import Judgement, Judges
    from bowerbird.lifecycle.survey import Survey

# Kinds of what somebody decided, which another decision ends in words of its own. Of what rules found in
# 156 sessions the contextual model told 25 contradictions and 1 replacement, none of them one.
DECIDED = frozenset({"requirement", "preference", "decision"})
# So often the judging begins again because too much was written meanwhile.
ATTEMPTS = 3


class Admission:
    """Judges drafts for one project of one store."""

    def __init__(
        self,
        store: "Store",
        embedder: "Embedder",
        project: "Project",
        allow: "Allow",
        kinds: "Kinds",
        clock: "Clock",
        judges: "Judges" = JUDGES,
        contextual: "Reader | None" = None,
        anchored: "Anchored | None" = None,
    ) -> None:
        """`contextual` is the model of the second look, if there is one, `anchored` ties to files."""
        self._store = store
        self._embedder = embedder
        self._project = project
        self._allow = allow
        self._kinds = kinds
        self._clock = clock
        self._judges = judges
        self._contextual = contextual
        self._anchored = anchored

    def admit(self, draft: "Draft", *, everywhere: bool = False) -> Decision:
        """Keep what a draft says, unless it is kept already.

        Raises BadInput for a text or value that cannot be taken, UnknownName for a kind, origin or
        other name that nobody registered.
        """
        ((case, unread),) = self._cases([draft], everywhere=everywhere)
        decided = self._admitted(case)
        return decided.replace(reason=decided.reason + unread)

    def admit_all(self, drafts: "Sequence[Draft]") -> list[Decision]:
        """The same for drafts of one moment, which are written together and judged by each other, too.

        As many in one transaction as can be compared with each other under the lock. The contextual
        model takes longer than all the rest: it is asked now of what is `DECIDED`, and the others wait
        for it (`edit.read_anew`). Raises as `admit` does.
        """
        cases = self._cases(drafts, everywhere=False, later=True)
        decided: list[Decision] = []
        while len(decided) < len(cases):
            some = cases[len(decided) :]
            # Of several drafts each is compared with all before it.
            longest = 2 * max(len(case.belief.text) for case, _ in some)
            some = some[: 1 + MOST_UNDER_LOCK // longest]
            made = [survey(self._store, case, self._judges, self._contextual) for case, _ in some]
            with self._store.transaction():
                written = [self._written(one, last=True) for one in made]
            decided += [
                one.replace(reason=one.reason + unread)
                for one, (_, unread) in zip(written, some, strict=True)
            ]
        return decided

    def _cases(
        self, drafts: "Sequence[Draft]", *, everywhere: bool, later: bool = False
    ) -> list[tuple[Case, str]]:
        """Drafts completed and read by the models; why one was not read, where it was not.

        `later`: the contextual model reads now only what is `DECIDED`.
        """
        now = self._clock()
        completed = [complete(draft, self._allow, now, self._kinds) for draft in drafts]
        if self._anchored is not None:
            completed = [
                one.replace(belief=self._anchored(one.belief, everywhere)) for one in completed
            ]
        beliefs = [one.belief for one in completed]
        read = [one.text for one in beliefs if not later or one.fields.kind in DECIDED]
        understood = dict(zip(read, self._understand(read), strict=True))
        project = GLOBAL if everywhere else self._project
        cases = []
        for draft, one in zip(drafts, completed, strict=True):
            vector, identity = UNREAD, None
            unread = ""
            try:
                vector = self._read(one.belief.text)
                identity = self._embedder.identity
            except ModelError as error:
                # It is found by its words, until `index` lets the model read it.
                unread = f"; not read by the model yet: {error.message}"
            sense = understood.get(one.belief.text)
            cases.append((Case(draft, one, vector, identity, project, now, sense), unread))
        return cases

    def _read(self, text: str) -> "Vector":
        """What the model makes of a text; one that reads words reads a question alike, and faster."""
        if self._embedder.sentences:
            return self._embedder.embed([text])[0]
        return self._embedder.embed_query(text)

    def _understand(self, texts: "Sequence[str]") -> "Sequence[Vector | None]":
        """What the contextual model makes of some texts; None where it cannot: the memory waits then."""
        if self._contextual is None or not texts:
            return [None] * len(texts)
        try:
            return self._contextual.embed(texts)
        except ModelError:
            return [None] * len(texts)

    def _admitted(self, case: Case) -> Decision:
        """Judge without the lock, then look under it at what was written meanwhile, and write."""
        attempt = 1
        while True:
            made = survey(self._store, case, self._judges, self._contextual)
            last = attempt == ATTEMPTS

            def ahead(last: bool = last) -> None:
                nonlocal made
                made = brought_up(self._store, made, self._judges, last=last)

            try:
                with self._store.transaction(ahead):
                    return self._written(made, last=last)
            except Overtaken:
                attempt += 1

    def _written(self, made: "Survey", *, last: bool) -> Decision:
        """Decide, with what was changed since it was judged. Raises as `caught_up` does."""
        judged, moment = caught_up(self._store, made, self._judges, last=last)
        return self._decide(made, moment, most_telling_first(judged, self._allow))

    def _decide(self, made: "Survey", moment: "Moment", judged: "list[Judgement]") -> Decision:
        case = made.case
        related = [one for one in judged if one.match.relation]
        known = next((one for one in related if one.match.relation in {"same", "covers"}), None)
        if known is not None:
            decided = self._known(case.draft, case.belief, case.completed, known)
        else:
            decided = self._create(made, moment, related)
        failed = [one for one in judged if one.fault]
        for one in failed:
            if one.fault != MEANWHILE:
                self._store.tally(UNCOMPARED + one.fault)
        return decided.replace(reason=decided.reason + _uncompared(failed))

    def _known(
        self, draft: "Draft", belief: "Belief", completed: "Completed", known: "Judgement"
    ) -> Decision:
        """It is kept already; what the draft says beside its text is added where it may."""
        entry, match = known.entry, known.match
        head = self._store.memories.head(entry.id)
        fields: Fields = head.fields
        changed: tuple[str, ...] = ()
        reason = match.reason
        if known.own and confirms(belief, entry):
            fields = fields.replace(state="active", needs_review=False, review="")
            change = self._change("confirmed", belief, "a person says so, too")
            revise(self._store, head, fields, change)
            self._store.memories.believe(entry.id, belief.trust)
            entry = entry.replace(trust=belief.trust)
            changed = ("state",)
            reason += "; it waited to be looked at, and is confirmed"
        elif match.relation == "same" and reaches(belief.trust, entry.trust):
            again = restated(fields, belief.fields, draft)
            names = ", ".join(again.changed)
            if names and not known.own:
                # What is global is seen from every project: one project's tags or expiry are not.
                reason += f"; it belongs to every project and does not gain from this one: {names}"
            elif names:
                fields, changed = again.fields, again.changed
                change = self._change("updated", belief, f"told again with other {names}")
                revise(self._store, head, fields, change)
                reason += f"; it gained: {names}"
                if draft.verified:
                    settle(self._store, entry, change.replace(action="reviewed"))
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

    def _create(self, made: "Survey", moment: "Moment", judged: "list[Judgement]") -> Decision:
        """Write the memory, what it replaces, and how it hangs together with the others."""
        case = made.case
        project, model = self._ensure_project(case, moment), self._ensure_model(case, moment)
        replaced = [one for one in judged if one.match.relation == "supersedes"][:1]
        opposed = [one for one in judged if one.match.relation == "contradicts"]
        close = [one for one in judged if one.match.relation == "related_to"]
        words = (*case.belief.fields.keywords, *keywords(case.belief.text, made.moment.counts))
        fields = case.belief.fields.replace(keywords=tuple(dict.fromkeys(words)))
        if opposed:
            fields = _opposed(fields, opposed[0])
        heads = [self._store.memories.head(one.entry.id) for one in replaced]
        belief, kind_reason = self._successor(case, fields, replaced, heads)
        fields = belief.fields
        quarantined = fields.state == "quarantined"
        decision = "quarantined" if quarantined else "superseded" if replaced else "created"
        reason = _reason(quarantined, replaced, opposed, close)
        create = self._change("created", belief, reason)
        understood = self._readable(case.understood, moment)
        with self._store.memories.together():
            id = self._store.memories.add(project, belief, case.vector, model, create, understood)
            for one, head in zip(replaced, heads, strict=True):
                change = create.replace(action="superseded", reason=one.match.reason)
                supersede(self._store, one.entry, head, change)
            # What waits flags nothing, and who vouches for their own words has decided.
            if not quarantined and not fields.verified:
                self._flag(opposed, id, belief, create)
        matched = (*replaced, *opposed, *close)
        self._link(id, matched, create, case.now)
        return Decision(
            id=id,
            decision=decision,
            kind=fields.kind,
            summary=fields.summary,
            reason=reason,
            kind_reason=kind_reason,
            matched=tuple(one.match for one in matched),
            redacted=case.completed.redacted,
            tags=fields.tags,
            keywords=fields.keywords,
            importance=belief.importance,
            trust=belief.trust,
            state=fields.state,
            needs_review=fields.needs_review,
            review=fields.review,
            expires=fields.expires,
        )

    def _ensure_project(self, case: Case, moment: "Moment") -> int:
        # A project is called like its folder, whose name anybody may have chosen.
        called = redact(case.project.name, self._allow).text
        return self._store.projects.ensure(case.project.replace(name=called), moment.project)

    def _ensure_model(self, case: Case, moment: "Moment") -> int | None:
        if moment.model is None and case.identity is not None:
            return self._store.ensure_model(case.identity)
        return moment.model

    def _successor(
        self, case: Case, fields: "Fields", replaced: "list[Judgement]", heads: "list[Version]"
    ) -> "tuple[Belief, str]":
        """What is written, with what it takes over from those whose place it takes; why its kind."""
        belief, kind_reason = case.belief, case.completed.kind_reason
        for one, head in zip(replaced, heads, strict=True):
            kind, fields = fields.kind, succeeding(fields, head.fields, case.draft, self._kinds)
            if fields.kind != kind:
                kind_reason = "the one whose place it takes was that"
                if case.draft.half_life is None:
                    its = self._kinds.get(fields.kind).half_life
                    fields = fields.replace(half_life=its or 0.0)
                    belief = belief.replace(half_life=its)
            # What says the same and more matters as much.
            kept = max(belief.importance, one.entry.importance or 0.0)
            belief = belief.replace(importance=kept)
        return belief.replace(fields=fields), kind_reason

    def _flag(self, opposed: "list[Judgement]", id: str, belief: "Belief", create: Change) -> None:
        """Have those looked at that a new memory contradicts."""
        for one in opposed:
            # What is global is seen from every project: this one's words do not belong there.
            if not one.own or not reaches(belief.trust, one.entry.trust):
                continue
            review = f"{id[:SHORT_ID]} contradicts it: {one.match.reason}"
            change = create.replace(action="contradicted", reason=one.match.reason)

            def flagged(fields: "Fields", review: str = review) -> "Fields | None":
                flag = not fields.needs_review
                return fields.replace(needs_review=True, review=review) if flag else None

            self._store.memories.revise(one.entry.id, flagged, change)

    def _link(self, id: str, matched: "tuple[Judgement, ...]", create: Change, now: int) -> None:
        """Say how a new memory hangs together with the others."""
        drawn = []
        for one in matched:
            strength = round(max(one.match.similarity, 0.0), 3)
            known, kind = one.entry.id, one.match.relation
            relation = Relation(id, known, kind, strength=strength, automatic=True, created=now)
            drawn.append((relation, create.replace(action="linked", reason=one.match.reason)))
        self._store.relations.begin(drawn)

    def _readable(self, understood: "Vector | None", moment: "Moment") -> "Vector | None":
        """What the contextual model made of a text, with the store ready for what that one reads."""
        if understood is None or self._contextual is None:
            return None
        if moment.reader != str(self._contextual.identity):
            self._store.contextual.write({}, self._contextual.identity)
        return understood

    def _change(self, action: str, belief: "Belief", reason: str) -> Change:
        return Change(new_id(self._clock()), action, belief.actor, reason)


def _opposed(fields: "Fields", other: "Judgement") -> "Fields":
    """Fields of what contradicts another one: to be looked at, unless a person vouches for it."""
    if fields.needs_review or fields.verified:
        return fields
    review = f"it contradicts {other.entry.id[:SHORT_ID]}: {other.match.reason}"
    return fields.replace(needs_review=True, review=review)


def _reason(
    quarantined: bool,
    replaced: "list[Judgement]",
    opposed: "list[Judgement]",
    close: "list[Judgement]",
) -> str:
    parts = ["it waits until somebody has looked at it"] if quarantined else []
    parts += [f"takes the place of an older one: {one.match.reason}" for one in replaced]
    parts += [
        f"contradicts one that is kept, to be looked at: {one.match.reason}" for one in opposed[:1]
    ]
    if not parts and close:
        parts.append(f"new, and linked to {len(close)} about the same")
    return "; ".join(parts) or "nothing like it was known"


def _uncompared(failed: "list[Judgement]") -> str:
    """What could not be judged, for whoever asked."""
    late = [one for one in failed if one.fault == MEANWHILE]
    ours = [one.entry.id[:SHORT_ID] for one in failed if one.fault != MEANWHILE]
    message = ""
    if ours:
        message = (
            f"; could not be compared with {', '.join(ours)}: a fault of ours, please report it"
        )
    if late:
        message += f"; not compared with {len(late)} long ones that were kept at the same moment"
    return message
