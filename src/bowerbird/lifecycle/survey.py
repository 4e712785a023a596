"""Compares a draft with the stored memories on a read snapshot, and with later changes under the lock.

Judging takes time in proportion to the texts, and a writer blocks all others. So a draft is judged on a
snapshot without the write lock; under it, only memories changed since are judged.
"""

from bowerbird.core.history import MomentRequest
from bowerbird.core.kinds import DEFAULT
from bowerbird.core.memories import UNDECIDED, Verdict
from bowerbird.core.query import Filter
from bowerbird.core.types import BELOW, GLOBAL, MEMORY, RECORDS, beside
from bowerbird.core.value import Record
from bowerbird.core.who import MEMBER
from bowerbird.lifecycle.judge import MEANWHILE, Judgement, confirms, judged, judgement, outranks
from bowerbird.lifecycle.keywords import terms
from bowerbird.lifecycle.retrieve_candidates import Candidate, retrieve_candidates, with_alignment
from bowerbird.lifecycle.weighing import may_change, states_one_thing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.draft import Draft
    from bowerbird.core.history import Moment
    from bowerbird.core.memories import Belief
    from bowerbird.core.ports.models import Reader
    from bowerbird.core.ports.store import Store
    from bowerbird.core.ports.thinking import Judge
    from bowerbird.core.types import Entry, ModelIdentity, Project, Vector
    from bowerbird.lifecycle.complete import Completed

# At most this many characters of pairs are judged under the lock, 10 µs each at worst. The short memories
# of a dozen writers fit; for long ones the lock is released and the survey repeated.
MOST_UNDER_LOCK = 3_000
# At most this many are judged in one transaction of many drafts. Of an import those are some thirty notes
# of two sentences, or five of a page; with all that is written of them they take .2 s, while others wait.
MOST_TOGETHER = 200_000
# At most this number of changed memories is read under the lock.
MOST_CHANGED = 64
# Kinds of a person's decisions, which a later decision ends in different words. On lessons of other kinds
# from 156 sessions the contextual model reported 25 contradictions and 1 replacement, all of them wrong.
DECIDED = frozenset({"requirement", "preference", "decision"})
# Kinds that decisions end: of 382 replacements detected among 805 labelled ones, the older text was of
# one of these in 379.
ENDED = (*sorted(DECIDED), DEFAULT)
# Least cosine by the embedder between the two, and the same if the newer text has a word of change, as
# all have that supersede. Below are seven of those 382, of which six are not detected then: all of them
# are flags for review, none supersedes.
MAY_END = 0.3
MAY_END_IF_IT_CHANGES = 0.2
_SAME = Verdict("same", "the same text is kept already")


class Overtaken(Exception):
    """Too many memories changed after a survey to judge them under the lock."""


class Case(Record):
    """A draft during admission: completed, with its vectors and the project to store it in.

    `vector` is the embedder's, `understood` the contextual model's or None. If its text is that of the
    memory `over` with the value that a later text gives it, that one is `said`. `edited`: it is to be the
    text of this memory, with which it is not compared.
    """

    draft: "Draft"
    completed: "Completed"
    vector: "Vector"
    identity: "ModelIdentity | None"
    project: "Project"
    now: int
    understood: "Vector | None" = None
    over: str = ""
    said: str = ""
    edited: tuple[str, ...] = ()

    @property
    def belief(self) -> "Belief":
        """The completed draft."""
        return self.completed.belief

    @property
    def projects(self) -> tuple[str, ...]:
        """Ids of the projects with whose memories it is compared: what all see is not with one's own."""
        return tuple({self.project.uid, beside(self.project.uid), GLOBAL.uid})

    @property
    def states(self) -> tuple[str, ...]:
        """States of the memories with which it is compared."""
        return tuple({"active", self.belief.fields.state})

    @property
    def confirmed(self) -> tuple[str, ...]:
        """States in which the same text counts as stored: the user also confirms quarantined memories."""
        if self.belief.origin == "user":
            return ("active", "quarantined")
        return self.states


class Survey(Record):
    """The judgements of a case on one snapshot.

    `case` is without its contextual vector if the store's vectors come from another contextual model.
    `known`: the same text is stored already, and nothing else was judged.
    """

    case: Case
    moment: "Moment"
    judged: list[Judgement]
    known: bool

    @property
    def characters(self) -> int:
        """The length of all pairs of texts that were judged."""
        own = len(self.case.belief.text)
        return sum(own + len(one.entry.text) for one in self.judged)


def survey(
    store: "Store",
    case: Case,
    judge: "Judge",
    contextual: "Reader | None" = None,
    sources: tuple[str, ...] = (),
) -> Survey:
    """Compares a case with the stored memories, or those of some `sources`.

    Reads one snapshot, and judges after closing it.
    """
    with store.reading():
        met = _Met(store, case, contextual, sources)
    known = met.same is not None
    return Survey(met.case, met.moment, [] if known else met.judged(judge), known=known)


def survey_under_lock(store: "Store", case: Case, judge: "Judge", most: int) -> Survey | None:
    """Compares a case, by no model, with what is stored now; None if pairs exceed `most` characters.

    Call inside a transaction: the survey holds until its end.
    """
    met = _Met(store, case, None)
    if met.characters > most:
        return None
    return Survey(met.case, met.moment, met.judged(judge), known=met.same is not None)


class _Met:
    """The memories that a case is compared with. The constructor reads the store; judging does not."""

    def __init__(
        self,
        store: "Store",
        case: Case,
        contextual: "Reader | None",
        sources: tuple[str, ...] = (),
    ) -> None:
        belief = case.belief
        request = MomentRequest(terms(belief.text), case.project, case.identity, belief.hash)
        self.moment = moment = store.moment(request)
        if contextual is None or moment.reader not in {"", str(contextual.identity)}:
            case, contextual = case.replace(understood=None), None
        self.case = case
        self._contextual = None if case.understood is None else contextual
        same = _same(store, case) if moment.said else None
        # A memory with the same text and at least the same trust decides alone.
        self.same = None if same is None or outranks(belief, same, case.project) else same
        near: list[Candidate] = []
        if self.same is None and belief.fields.kind not in RECORDS:
            near = retrieve_candidates(
                store,
                belief.text,
                belief.fields.state,
                case.vector,
                case.understood,
                Filter(
                    projects=case.projects,
                    families=(MEMORY,),
                    sources=sources,
                    now=case.now,
                    coming=True,
                    exclude=case.edited,
                ),
                moment,
            )
            if same is not None:
                others = (one for one in near if one.entry.row != same.row)
                near = [Candidate(same, 1.0, 1.0), *others]
        self._near = [one for one in near if one.entry.kind not in RECORDS]

    @property
    def characters(self) -> int:
        """The length of all pairs of texts to be judged."""
        own = len(self.case.belief.text)
        return sum(own + len(one.entry.text) for one in self._near)

    def judged(self, judge: "Judge") -> list[Judgement]:
        """The judgements on all."""
        case = self.case
        if self.same is not None:
            return [judgement(self.same, _SAME, 1.0, case.project)]
        near = with_alignment(self._near, case.belief.text, self._contextual)
        return [_judged(judge, case, one) for one in near]


def may_end_another(store: "Store", case: Case) -> bool:
    """Whether a case is a decision near a stored one by the embedder: it may end it in other words.

    Only the contextual model detects that, and it takes longer than the rest of an admission. Longer
    texts than `weighing` reads are not weighed by what it says.
    """
    belief = case.belief
    if belief.fields.kind not in DECIDED or not states_one_thing(belief.text):
        return False
    with store.reading():
        moment = store.moment(MomentRequest((), case.project, case.identity, belief.hash))
        if moment.model is None or not case.vector.norm:
            # The embedder has no vectors to compare.
            return bool(moment.entries)
        ended = Filter(
            projects=case.projects,
            families=(MEMORY,),
            kinds=ENDED,
            states=case.states,
            now=case.now,
            coming=True,
        )
        near = store.candidates.dense(case.vector, moment.model, ended, 1, moment.entries)
    least = MAY_END_IF_IT_CHANGES if may_change(belief.text) else MAY_END
    return any(cosine >= least for _, cosine in near)


def refreshed(store: "Store", survey: Survey, judge: "Judge", *, last: bool) -> Survey:
    """Returns a survey updated by judging the memories changed since, without the lock.

    Raises Overtaken if those are too many; at the `last` attempt returns the survey unchanged.
    """
    if survey.known:
        return survey
    with store.reading():
        since = _Since(store, survey)
    if since.same is not None:
        # Reported under the lock, where it cannot be removed meanwhile.
        return survey.replace(known=True)
    if since.too_much:
        if last:
            return survey
        raise Overtaken
    moment = survey.moment.replace(seen=since.moment.seen)
    return survey.replace(moment=moment, judged=since.judged(judge))


def completed_under_lock(
    store: "Store", survey: Survey, judge: "Judge", *, last: bool
) -> "tuple[list[Judgement], Moment]":
    """Returns a survey's judgements and those on memories changed since, and the store's present state.

    Call inside a transaction. Raises Overtaken if those are too many; at the `last` attempt the excess is
    reported as not compared.
    """
    since = _Since(store, survey)
    if since.same is not None:
        return [judgement(since.same, _SAME, 1.0, survey.case.project)], since.moment
    if not last and (survey.known or since.too_much):
        raise Overtaken
    return since.judged(judge), since.moment


class _Since:
    """The memories changed since a survey. The constructor reads the store; judging does not need it."""

    def __init__(self, store: "Store", survey: Survey) -> None:
        case = survey.case
        self._survey = survey
        request = MomentRequest((), case.project, case.identity, case.belief.hash)
        self.moment = moment = store.moment(request, survey.moment.seen, MOST_CHANGED)
        # Without changes, no memory can have the same text now if none had it then.
        changed = moment.said and (moment.changed or survey.known)
        same = _same(store, case) if changed else None
        # A memory with the same text and at least the same trust decides alone.
        self.same = None if same is None or outranks(case.belief, same, case.project) else same
        self._compared: list[Candidate] = []
        # Candidates too long to be judged under the lock.
        self._left: list[Candidate] = []
        record = case.belief.fields.kind in RECORDS
        if moment.changed and self.same is None and not record:
            self._split(store, case)
        self.too_much = bool(self._left) or len(moment.changed) == MOST_CHANGED

    def _split(self, store: "Store", case: Case) -> None:
        entries = store.entries.named(self.moment.changed, case.projects)
        entries = [
            entry for entry in entries if entry.state in case.states and entry.kind not in RECORDS
        ]
        rows = [entry.row for entry in entries]
        cosines = _cosines(store, case, self.moment.model, rows)
        understood = _understood(store, case, rows)
        room = MOST_UNDER_LOCK
        for entry in entries:
            room -= len(entry.text) + len(case.belief.text)
            row = entry.row
            one = Candidate(entry, cosines.get(row, 0.0), understood.get(row, 0.0))
            (self._compared if room >= 0 else self._left).append(one)

    def judged(self, judge: "Judge") -> list[Judgement]:
        """Returns all judgements; candidates that are too long count as not compared."""
        case, changed = self._survey.case, self.moment.changed
        found = [one for one in self._survey.judged if one.entry.id not in changed]
        found += [_judged(judge, case, one) for one in self._compared]
        return found + [
            judgement(one.entry, UNDECIDED, one.cosine, case.project, MEANWHILE)
            for one in self._left
        ]


def _judged(judge: "Judge", case: Case, one: Candidate) -> Judgement:
    return judged(judge, case.belief, one, case.project, case.now)


def _same(store: "Store", case: Case) -> "Entry | None":
    """Returns the memory with the same normal form, or None; not that of another author.

    What a member of a team says again is known: they speak of what they share, not of themselves.
    """
    # What a pattern sums up is known, too.
    states = (case.states, (*case.confirmed, BELOW))
    belief = case.belief
    author = "" if belief.origin == MEMBER else belief.fields.author
    found = store.entries.saying(belief.hash, case.projects, case.now, *states, author=author)
    # A person's own word is told by itself.
    told = found is not None and found.state == BELOW and confirms(belief, found, own=True)
    return None if told else found


def _cosines(store: "Store", case: Case, model: int | None, rows: list[int]) -> dict[int, float]:
    if not rows or model is None or not case.vector.norm:
        return {}
    return store.candidates.cosines(case.vector, model, rows)


def _understood(store: "Store", case: Case, rows: list[int]) -> dict[int, float]:
    if not rows or case.understood is None:
        return {}
    return store.contextual.cosines(case.understood, rows)
