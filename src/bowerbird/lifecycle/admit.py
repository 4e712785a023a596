"""Admission: the only way to store a memory. Takes a draft and returns a decision.

Similarity retrieves candidates, and their words decide. Nothing is overwritten: a superseded memory is
kept, linked from its successor, and restored by `revert`.
"""

from time import localtime

from bowerbird.core.clock import VECTOR_SECONDS, day, soon
from bowerbird.core.errors import ModelError
from bowerbird.core.history import Change, MomentRequest, Relation
from bowerbird.core.ids import new_id
from bowerbird.core.memories import UNCOMPARED, Decision
from bowerbird.core.origins import INFERRED, NOTED, TAUGHT
from bowerbird.core.query import Filter
from bowerbird.core.types import (
    BELOW,
    GLOBAL,
    PERSONAL,
    SHORT_ID,
    UNREAD,
    beside,
    personal_project,
    whose,
)
from bowerbird.guard.redact import redact
from bowerbird.guard.trust import reaches
from bowerbird.lifecycle.complete import anchored, complete
from bowerbird.lifecycle.dated import impossible, unclear
from bowerbird.lifecycle.judge import (
    MEANWHILE,
    OF_ONE_PERSON,
    RULES,
    confirms,
    may_put_in,
    most_important,
    noted,
    of_author,
    reason_for,
    relations,
    reviewed,
    stated,
    surer,
    uncompared,
)
from bowerbird.lifecycle.keywords import keywords, terms
from bowerbird.lifecycle.other_value import put_in, without_ended
from bowerbird.lifecycle.restate import (
    RAISED,
    flag,
    insert,
    prevail,
    restated,
    revise,
    succeeding,
    summed_up,
    supersede,
)
from bowerbird.lifecycle.survey import (
    MOST_TOGETHER,
    Case,
    Overtaken,
    Survey,
    completed_under_lock,
    may_end_another,
    refreshed,
    survey,
    survey_under_lock,
)
from bowerbird.lifecycle.timeline import corrects, gives_another_day, is_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.code.anchoring import Anchoring
    from bowerbird.core.clock import Clock
    from bowerbird.core.draft import Draft
    from bowerbird.core.history import Moment
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.memories import Belief, Fields, Match
    from bowerbird.core.ports.models import Embedder, Reader
    from bowerbird.core.ports.store import Store
    from bowerbird.core.ports.thinking import Judge
    from bowerbird.core.types import Entry, ModelIdentity, Project, Vector
    from bowerbird.guard.redact import Allow
    from bowerbird.lifecycle.complete import Completed
    from bowerbird.lifecycle.judge import Judgement

# How often a draft is judged again if too many memories change meanwhile.
ATTEMPTS = 3
# Memories with which a slow judge compares a new one. Of 48 replacements among 430 other memories all
# were of the nearest one (`retrieve_candidates`); each comparison is a request to a model.
MOST_ASKED = 3
# Texts up to which a static model embeds each alone: together they load numpy, which takes 90 ms.
_FEW = 8


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
        judge: "Judge" = RULES,
        contextual: "Reader | None" = None,
        code: "Anchoring | None" = None,
        person: str = "",
    ) -> None:
        """`contextual` is the contextual model or None; memories are anchored to files of `code`.

        `person` is whose own a personal memory is; empty: the store has one user.
        """
        self._person = person
        self._store = store
        self._embedder = embedder
        self._project = project
        self._allow = allow
        self._kinds = kinds
        self._clock = clock
        # A slow judge is asked after the write; until then the rules decide.
        self._judge = RULES if judge.slow else judge
        self._asks_later = judge.slow
        self._contextual = contextual
        self._code = code
        # Whether pairs wait in the queue that no judge has compared.
        self.left_open = False

    def admit(self, draft: "Draft", *, everywhere: bool = False) -> Decision:
        """Stores a draft as a memory, unless the same text is stored already.

        `everywhere` stores it for all projects. Raises BadInput for an invalid text or value, UnknownName
        for an unregistered kind, origin or other name.
        """
        ((case, unread),) = self._cases([draft], everywhere=everywhere)
        decided = self._admit_case(self._understood(case))
        return decided.replace(reason=decided.reason + unread)

    def admit_keyed(self, draft: "Draft", *, everywhere: bool = False) -> "Decision | Entry":
        """Stores a draft with a key, compared with no other memory; or returns the one that has its key.

        Raises as `admit` does.
        """
        ((case, unread),) = self._cases([draft], everywhere=everywhere)
        case = self._understood(case)
        belief = case.belief
        keyed = Filter(
            projects=(case.project.uid,),
            states=("active", "quarantined"),
            fields=(("key", (belief.fields.key,)),),
        )
        request = MomentRequest(terms(belief.text), case.project, case.identity, belief.hash)
        with self._store.transaction():
            if known := self._store.entries.list(keyed, 1):
                return known[0]
            moment = self._store.moment(request)
            if self._contextual is None or moment.reader not in {
                "",
                str(self._contextual.identity),
            }:
                case = case.replace(understood=None)
            decided = self._create(Survey(case, moment, [], known=False), moment, [])
        return decided.replace(reason=f"its key is new{unread}")

    def foresee(self, draft: "Draft", *, everywhere: bool = False) -> Decision:
        """Returns the decision on a draft, by the same steps, without storing it. Raises as `admit`.

        A memory that would be new has no id.
        """
        ((case, _),) = self._cases([draft], everywhere=everywhere)
        surveyed = self._surveyed(self._understood(case))
        with self._store.rehearsal():
            done = self._write(surveyed, last=True)
        return done.replace(id=done.id if done.decision == "known" else "", dry_run=True)

    def about_edited(self, draft: "Draft", id: str) -> "list[Judgement]":
        """How the text that a memory is to have relates to the others. Stores nothing."""
        ((case, _),) = self._cases([draft], everywhere=False)
        case = self._understood(case.replace(edited=(id,)))
        surveyed = survey(self._store, case, self._judge, self._contextual)
        return [one for one in most_important(surveyed.judged, self._allow) if one.match.relation]

    def compared(self, draft: "Draft") -> "list[Match]":
        """Returns how what a person says relates to what they said before. Stores nothing."""
        ((case, _),) = self._cases([draft], everywhere=False)
        case = self._understood(case)
        surveyed = survey(self._store, case, OF_ONE_PERSON, self._contextual, (TAUGHT,))
        return [one.match for one in most_important(surveyed.judged, self._allow)]

    def admit_all(
        self, drafts: "Sequence[Draft]", completed: "Sequence[Completed]" = ()
    ) -> list[Decision]:
        """Admits several drafts, each compared with all before it, many of them in one transaction.

        The contextual model takes longer than everything else: here it embeds only decisions that may end
        another memory; the other drafts get their vectors later (`reread.read_again`). `completed` are
        the drafts as `complete` returns them, if the caller has them. Raises as `admit` does.
        """
        cases = self._cases(drafts, everywhere=False, completed=completed)
        decided: list[Decision] = []
        senses: dict[str, Vector | None] = {}
        while len(decided) < len(cases):
            left = [case for case, _ in cases[len(decided) :]]
            if may_end_another(self._store, left[0]):
                text = left[0].belief.text
                if text not in senses:
                    texts = [one.belief.text for one in left if may_end_another(self._store, one)]
                    senses |= zip(texts, self._understand(texts), strict=True)
                decided.append(self._admit_case(left[0].replace(understood=senses[text])))
                continue
            with self._store.transaction():
                done = self._admit_together(left)
            decided += done or [self._admit_case(left[0])]
        return [
            one.replace(reason=one.reason + unread)
            for one, (_, unread) in zip(decided, cases, strict=True)
        ]

    def _admit_together(self, cases: "Sequence[Case]") -> list[Decision]:
        """Judges and writes cases up to the first that needs more than that. Inside a transaction."""
        decided: list[Decision] = []
        room = MOST_TOGETHER
        for case in cases:
            if decided and may_end_another(self._store, case):
                break
            surveyed = survey_under_lock(self._store, case, self._judge, room)
            if surveyed is None or any(
                self._ends_part(case.belief, one) for one in surveyed.judged
            ):
                break
            room -= surveyed.characters
            decided.append(self._decide(surveyed, surveyed.moment, surveyed.judged))
            if room < surveyed.characters:
                break  # the next is compared with the like, and would be surveyed for nothing
        return decided

    def _cases(
        self,
        drafts: "Sequence[Draft]",
        *,
        everywhere: bool,
        completed: "Sequence[Completed]" = (),
    ) -> list[tuple[Case, str]]:
        """Completes and embeds drafts; returns each case with why it was not embedded, if so."""
        now = self._clock()
        if not completed:
            completed = [complete(draft, self._allow, now, self._kinds) for draft in drafts]
        if self._code is not None:
            completed = [
                one.replace(belief=anchored(one.belief, self._code, everywhere=everywhere))
                for one in completed
            ]
        project = GLOBAL if everywhere else self._project
        cases = []
        for draft, one, (vector, identity, unread) in zip(
            drafts, completed, self._vectors([one.belief.text for one in completed]), strict=True
        ):
            own = self._person and one.belief.fields.audience == PERSONAL
            place = personal_project(self._person, project) if own else project
            cases.append((Case(draft, one, vector, identity, place, now), unread))
        return cases

    def _understood(self, case: Case) -> Case:
        """A case with its contextual vector."""
        (vector,) = self._understand([case.belief.text])
        return case.replace(understood=vector)

    def _vectors(self, texts: "Sequence[str]") -> "list[tuple[Vector, ModelIdentity | None, str]]":
        """The vectors of texts, by which model, and why there is none, if so."""
        if len(texts) > (1 if self._embedder.sentences else _FEW):
            try:
                with soon(VECTOR_SECONDS * len(texts)):
                    vectors = self._embedder.embed(texts)
                return [(vector, self._embedder.identity, "") for vector in vectors]
            except ModelError:
                pass  # one of them may be why
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> "tuple[Vector, ModelIdentity | None, str]":
        try:
            if self._embedder.sentences:
                with soon(VECTOR_SECONDS):
                    (vector,) = self._embedder.embed([text])
            else:
                # Static models embed queries alike, and a single text faster.
                vector = self._embedder.embed_query(text)
            return vector, self._embedder.identity, ""
        except ModelError as error:
            # It is found by its words until `index` embeds it.
            return UNREAD, None, f"; not read by the model yet: {error.message}"

    def _understand(self, texts: "Sequence[str]") -> "Sequence[Vector | None]":
        """Returns the contextual vectors of texts; None where the model fails, to be embedded later."""
        if self._contextual is None or not texts:
            return [None] * len(texts)
        try:
            return self._contextual.embed(texts)
        except ModelError:
            return [None] * len(texts)

    def _admit_case(self, case: Case) -> Decision:
        """Judges without the write lock, then judges later changes under it, and writes."""
        attempt = 1
        while True:
            surveyed = self._surveyed(case)
            last = attempt == ATTEMPTS

            def before_lock(last: bool = last) -> None:
                nonlocal surveyed
                surveyed = refreshed(self._store, surveyed, self._judge, last=last)

            try:
                with self._store.transaction(before_lock):
                    return self._write(surveyed, last=last)
            except Overtaken:
                attempt += 1

    def _surveyed(self, case: Case) -> Survey:
        """Compares a case with the stored memories; one that gives a value of one of them in its words.

        What else that one says still holds, and would be lost with it.
        """
        found = survey(self._store, case, self._judge, self._contextual)
        belief, draft = case.belief, case.draft
        dated = belief.fields.valid_from is not None or belief.fields.valid_to is not None
        if found.known or dated or draft.key or draft.summary:
            return found
        opposed = [
            one.entry
            for one in found.judged
            # Between two that may contradict each other a person decides, unless one says what is over.
            if (one.match.relation == "supersedes" and may_put_in(belief, one))
            or self._ends_part(belief, one)
        ]
        changed = [(one, text) for one in opposed if (text := put_in(belief.text, one.text))]
        if len(changed) != 1:
            return found
        ((older, text),) = changed
        ((again, _),) = self._cases(
            # The older words stay trusted as they were.
            [draft.replace(text=text, lineage=(*draft.lineage, older.trust))],
            everywhere=beside(case.project.uid) == GLOBAL.uid,
        )
        again = again.replace(project=case.project, now=case.now, over=older.id, said=belief.text)
        return survey(self._store, self._understood(again), self._judge, self._contextual)

    def _ends_part(self, belief: "Belief", one: "Judgement") -> bool:
        """Whether a belief says that a part of a memory is over, and may stand beside the rest of it."""
        waits = belief.source in INFERRED and belief.fields.needs_review
        if one.match.relation != "contradicts" or waits:
            return False
        trusted = reaches(belief.trust, one.entry.trust)
        limited = belief.replace(trust=one.entry.trust) if trusted else belief
        return may_put_in(limited, one) and bool(without_ended(belief.text, one.entry.text))

    def _write(self, surveyed: "Survey", *, last: bool) -> Decision:
        """Judges memories changed since the survey, and decides. Raises as `completed_under_lock`."""
        judged, moment = completed_under_lock(self._store, surveyed, self._judge, last=last)
        return self._decide(surveyed, moment, judged)

    def _decide(self, surveyed: "Survey", moment: "Moment", judged: "list[Judgement]") -> Decision:
        case = surveyed.case
        judged = [self._settled(case, one) for one in judged]
        every, judged = judged, most_important(judged, self._allow)
        related = [one for one in judged if one.match.relation]
        known = next((one for one in related if one.match.relation in {"same", "covers"}), None)
        if known is not None:
            decided = self._known(case.draft, case.belief, case.completed, known)
        else:
            decided = self._create(surveyed, moment, related)
            if left := self._left_open(every):
                self._store.unjudged.put(decided.id, left)
                self.left_open = True
        failed = [one for one in judged if one.fault]
        for one in failed:
            if one.fault != MEANWHILE:
                self._store.tally(UNCOMPARED + one.fault)
        return decided.replace(reason=decided.reason + uncompared(failed))

    def _settled(self, case: Case, one: "Judgement") -> "Judgement":
        """Returns a judgement, its contradiction settled if the draft is much surer. Under the lock.

        Two that were learned from the same lines of a session do not contradict each other.
        """
        belief = case.belief
        if one.entry.id == case.over and may_put_in(belief, one):
            reason = f"it says the rest of it, too, with the value of “{case.said}”"
            match = one.match.replace(relation="supersedes", reason=reason)
            return one.replace(match=match, clear=False, over=False)
        if one.match.relation == "contradicts" and self._repeats(belief, one.entry):
            match = one.match.replace(relation="related_to", reason="it rests on the same lines")
            return one.replace(match=match, clear=False, over=False)
        if one.match.relation in {"same", "covers"} and self._was_noted(belief, one):
            return stated(belief, one)
        if one.match.relation == "supersedes" and self._was_stated(belief, one):
            return noted(belief, one)
        if not one.clear:
            return one
        return surer(belief, one, self._store.memories.head(one.entry.id).fields.confidence)

    def _was_noted(self, belief: "Belief", one: "Judgement") -> bool:
        """Whether a person states in a session what an agent had noted of its own."""
        learned = belief.source == TAUGHT and "learned" in belief.fields.metadata
        if not learned or not one.own or not of_author(belief, one.entry):
            return False
        details = self._store.details([one.entry.row]).get(one.entry.row)
        if details is None or details.source != NOTED:
            return False
        return not (details.fields.verified or details.fields.pinned)

    def _was_stated(self, belief: "Belief", one: "Judgement") -> bool:
        """Whether an agent notes of its own what a person had stated in a session."""
        if belief.source != NOTED or belief.origin == "user" or belief.fields.verified:
            return False
        details = self._store.details([one.entry.row]).get(one.entry.row)
        if details is None or details.source != TAUGHT:
            return False
        return "learned" in details.fields.metadata

    def _repeats(self, belief: "Belief", entry: "Entry") -> bool:
        """Whether two signals took a draft and a memory from the same lines of one session."""
        if not belief.session or belief.session != entry.session:
            return False
        ours = belief.fields.metadata.get("learned")
        theirs = self._store.memories.head(entry.id).fields.metadata.get("learned")
        if not isinstance(ours, dict) or not isinstance(theirs, dict):
            return False
        lines = {*ours.get("lines", ())} & {*theirs.get("lines", ())}
        return bool(lines) and ours.get("signal") != theirs.get("signal")

    def _left_open(self, judged: "list[Judgement]") -> list[str]:
        """Returns the memories with which a judge will compare the new one after the write.

        Those that could not be compared; and for a slow judge the nearest that the rules leave open.
        """
        left = [one.entry.id for one in judged if one.fault]
        if not self._asks_later:
            return left
        undecided = [one for one in judged if one.match.relation in {"", "related_to"}]
        undecided.sort(key=lambda one: -one.match.similarity)
        nearest = (one.entry.id for one in undecided[:MOST_ASKED])
        return [*dict.fromkeys((*left, *nearest))]

    def _known(
        self, draft: "Draft", belief: "Belief", completed: "Completed", known: "Judgement"
    ) -> Decision:
        """Returns the decision `known`, and adds the draft's other fields to the memory if allowed."""
        entry, match = known.entry, known.match
        head = self._store.memories.head(entry.id)
        fields: Fields = head.fields
        changed: tuple[str, ...] = ()
        reason = match.reason + self._told_below(entry)
        if known.own and confirms(belief, entry, own=True):
            seen = fields.replace(state="active", needs_review=False, review="", disputed="")
            sure = draft.replace(verified=draft.verified is not False)
            if draft.confidence is None:
                # Whoever confirms it is as sure of it as if they had stated it first.
                sure = sure.replace(confidence=max(fields.confidence, belief.fields.confidence))
            stated = belief.fields.replace(
                verified=bool(sure.verified), confidence=sure.confidence or 0.0
            )
            again = restated(seen, stated, sure)
            waited = ("state",) if fields.state != seen.state else ()
            fields, changed = again.fields, (*waited, *again.changed)
            change = self._change("confirmed", belief, RAISED[entry.trust])
            revise(self._store, head, fields, change)
            self._store.memories.set_trust(entry.id, belief.trust)
            entry = entry.replace(trust=belief.trust)
            reason += "; it awaited review, and is confirmed now" if waited else "; it is confirmed"
            if draft.verified:
                prevail(self._store, entry, change.replace(action="reviewed"))
        elif match.relation == "same" and reaches(belief.trust, entry.trust):
            again = restated(fields, belief.fields, draft)
            names = ", ".join(again.changed)
            own = known.own and of_author(belief, entry)
            change = self._change("updated", belief, f"remembered again with other {names}")
            if names and not own:
                # A global memory is visible to every project and must not get one project's tags or
                # expiry, and that of somebody else not what a member gives theirs.
                whose = f"to {entry.speaker or 'the owner'}"
                if entry.project == GLOBAL.uid:
                    whose = "to every project"
                elif not known.own:
                    whose = "to all"
                reason += f"; it belongs {whose} and does not gain from this one: {names}"
            elif names:
                fields, changed = again.fields, again.changed
                revise(self._store, head, fields, change)
                reason += f"; it gained: {names}"
            if draft.verified and own:
                prevail(self._store, entry, change.replace(action="reviewed", reason=""))
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

    def _told_below(self, example: "Entry") -> str:
        """Counts that the patterns of an example were told again with it, and says which."""
        patterns = summed_up(self._store, example.id) if example.state == BELOW else ()
        for one in patterns:
            self._store.memories.touch(one)
        return "".join(f"; it is an example of {one[:SHORT_ID]}" for one in patterns)

    def _create(self, surveyed: "Survey", moment: "Moment", judged: "list[Judgement]") -> Decision:
        """Writes the memory, supersedes the one it replaces, and links related ones."""
        case = surveyed.case
        project, model = self._ensure_project(case, moment), self._ensure_model(case, moment)
        replaced = [one for one in judged if one.match.relation == "supersedes"]
        opposed = [one for one in judged if one.match.relation == "contradicts"]
        # A memory that says otherwise from a later day, or later: the draft holds before it.
        later = [one for one in opposed if one.over]
        over = min(later, key=lambda one: one.entry.valid_from or one.entry.created, default=None)
        ended = over is not None and (over.entry.valid_from or over.entry.created) <= case.now
        opposed = [] if ended else [one for one in opposed if not one.over]
        close = [one for one in judged if one.match.relation == "related_to"]
        words = (*case.belief.fields.keywords, *keywords(case.belief.text, surveyed.moment.counts))
        fields = case.belief.fields.replace(keywords=tuple(dict.fromkeys(words)))
        if opposed:
            fields = reviewed(fields, opposed[0])
        belief, kind_reason = case.belief.replace(fields=fields), case.completed.kind_reason
        heads = {one.entry.id: self._store.memories.head(one.entry.id) for one in replaced}
        for one in replaced:
            its = heads[one.entry.id].fields
            belief, inherited = succeeding(belief, one.entry, its, case.draft, self._kinds)
            kind_reason = inherited or kind_reason
        fields = belief.fields
        quarantined = fields.state == "quarantined"
        decision = "quarantined" if quarantined else "superseded" if replaced else "created"
        is_to_come = fields.valid_from is not None and fields.valid_from > case.now
        begins = day(fields.valid_from, localtime) if fields.valid_from and is_to_come else ""
        reason = reason_for(quarantined, replaced, opposed, close, begins)
        if wrong := impossible(belief.text):
            reason += f"; {wrong} is no day of the calendar, and dates nothing"
        elif remark := unclear(belief.text, case.now):
            reason += f"; {remark}"
        action = "imported" if belief.origin == "import" else "created"
        create = self._change(action, belief, reason)
        understood = self._readable(case.understood, moment)
        with self._store.memories.together():
            id = self._store.memories.add(project, belief, case.vector, model, create, understood)
            since = fields.valid_from if fields.valid_from is not None else belief.occurred
            # Plans first: what they would have ended may be ended by this one.
            for one in sorted(replaced, key=lambda one: not is_plan(one.entry, case.now)):
                change = create.replace(action="superseded", reason=one.match.reason)
                plan = is_plan(one.entry, case.now)
                withdrawn = plan and (
                    corrects(belief.text) or gives_another_day(belief, one.entry, case.now)
                )
                head = heads[one.entry.id]
                supersede(self._store, one.entry, head, change, since, withdrawn=withdrawn)
                if plan:
                    heads = {id: self._store.memories.head(id) for id in heads}
            # A quarantined memory flags no other, and neither does one that a person has verified.
            if not quarantined and not fields.verified:
                flag(self._store, opposed, id, belief.trust, create)
        matched = (*replaced, *opposed, *close)
        self._store.relations.begin(relations(id, matched, create, case.now))
        if over is not None:
            matched = (over, *matched)
            fields, until_then = self._outdated(id, over, create, since, case.now, opposed)
            reason = until_then if ended else f"{reason}; {until_then}"
        return Decision(
            id=id,
            decision=decision,
            kind=fields.kind,
            summary=fields.summary,
            reason=reason + (self._told_meanwhile(id) if opposed else ""),
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

    def _told_meanwhile(self, id: str) -> str:
        """Which one agents get until somebody decides between a memory and what it contradicts."""
        contest = self._store.entries.get(id)[0].contest
        if contest is None:
            return ""
        told = "both" if contest.both else "this one" if contest.stands else "the other one"
        return f"; agents get {told} until then"

    def _outdated(
        self,
        id: str,
        over: "Judgement",
        create: Change,
        begins: int | None,
        now: int,
        unsettled: "Sequence[Judgement]",
    ) -> "tuple[Fields, str]":
        """Ends a memory that was just written when another one begins to hold; its fields, and why.

        Those that it contradicts, which is `unsettled` until a review, stay as they are.
        """
        memories = self._store.memories
        change = create.replace(action="superseded", reason=over.match.reason)
        until, newer = insert(
            self._store, id, begins or now, over.entry, change, {one.entry.id for one in unsettled}
        )
        head, ahead = memories.head(id), until > now
        reason = (
            f"it holds until {day(until - 1, localtime)}, as {newer.id[:SHORT_ID]} says otherwise from"
            " then on"
            if ahead
            else f"{newer.id[:SHORT_ID]} says otherwise and came later: {over.match.reason}"
        )
        change = create.replace(action="superseded", reason=reason)
        state = head.fields.state if ahead else "superseded"
        revise(self._store, head, head.fields.replace(state=state, valid_to=until), change)
        strength = round(max(over.match.similarity, 0.0), 3)
        relation = Relation(
            newer.id, id, "supersedes", strength, automatic=True, created=self._clock()
        )
        self._store.relations.put(relation, create.replace(action="linked", reason=reason))
        return memories.head(id).fields, reason

    def _ensure_project(self, case: Case, moment: "Moment") -> int:
        if whose(case.project.uid) and beside(case.project.uid) != GLOBAL.uid:
            # Else the project would not be known by its name.
            named = redact(self._project.name, self._allow).text
            self._store.projects.ensure(self._project.replace(name=named))
        # The name is the folder's, which may contain a secret.
        name = redact(case.project.name, self._allow).text
        return self._store.projects.ensure(case.project.replace(name=name), moment.project)

    def _ensure_model(self, case: Case, moment: "Moment") -> int | None:
        if moment.model is None and case.identity is not None:
            return self._store.ensure_model(case.identity)
        return moment.model

    def _readable(self, understood: "Vector | None", moment: "Moment") -> "Vector | None":
        """Returns a contextual vector to store, after registering its model; None if there is none."""
        if understood is None or self._contextual is None:
            return None
        if moment.reader != str(self._contextual.identity):
            self._store.contextual.write({}, self._contextual.identity)
        return understood

    def _change(self, action: str, belief: "Belief", reason: str) -> Change:
        return Change(new_id(self._clock()), action, belief.actor, reason)
