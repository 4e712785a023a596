"""What a draft is to the memories of one moment, and what became of them until it is written.

Judging takes as long as texts are long, and who writes holds up all others: so the judging is done on
a moment that is only read, and what was changed since is all that is looked at under the lock.
"""

from bowerbird.core.history import MomentRequest
from bowerbird.core.types import GLOBAL
from bowerbird.core.value import Value
from bowerbird.lifecycle.duplicates import UNDECIDED, Verdict
from bowerbird.lifecycle.judge import Judgement, judge, judgement, outranks
from bowerbird.lifecycle.keywords import terms
from bowerbird.lifecycle.retrieve_candidates import Candidate, aligned, retrieve_candidates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.draft import Draft
    from bowerbird.core.history import Moment
    from bowerbird.core.memories import Belief
    from bowerbird.core.ports.models import Reader
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry, ModelIdentity, Project, Vector
    from bowerbird.lifecycle.complete import Completed
    from bowerbird.lifecycle.judge import Judges

# How many characters of pairs are judged under the lock: 10 µs each at the worst. Short memories
# of a dozen writers fit; for long ones the lock is let go and the survey made again.
MOST_UNDER_LOCK = 3_000
# At most this number of changes is read under the lock.
MOST_CHANGED = 64
_SAME = Verdict("same", "the same text is kept already")
# The fault of a judgement that there was no time for.
MEANWHILE = "Overtaken"


class Overtaken(Exception):
    """Too much was changed since a survey was made to judge it under the lock."""


class Case(Value):
    """A draft on its way in: completed, read by the model, and where it shall stand."""

    __slots__ = (
        "completed",
        "draft",
        "identity",
        "now",
        "project",
        "understood",
        "vector",
    )

    def __init__(
        self,
        draft: "Draft",
        completed: "Completed",
        vector: "Vector",
        identity: "ModelIdentity | None",
        project: "Project",
        now: int,
        understood: "Vector | None" = None,
    ) -> None:
        """`vector` is the embedder's, `understood` the contextual model's, where there is one."""
        self.draft = draft
        self.completed = completed
        self.vector = vector
        self.identity = identity
        self.project = project
        self.now = now
        self.understood = understood

    @property
    def belief(self) -> "Belief":
        """The draft, filled in."""
        return self.completed.belief

    @property
    def projects(self) -> tuple[str, ...]:
        """Whose memories it is held against."""
        return tuple({self.project.uid, GLOBAL.uid})

    @property
    def states(self) -> tuple[str, ...]:
        """In which states they count."""
        return tuple({"active", self.belief.fields.state})

    @property
    def confirmed(self) -> tuple[str, ...]:
        """In which states the same text counts: a person confirms what waits to be looked at."""
        if self.belief.origin == "user":
            return ("active", "quarantined")
        return self.states


class Survey(Value):
    """What a case is to the memories of one moment.

    `case` is without what the contextual model made of it where another one read this store. `known`:
    the same text was kept already; then nothing else was judged.
    """

    __slots__ = ("case", "judged", "known", "moment")

    def __init__(
        self, case: Case, moment: "Moment", judged: list[Judgement], *, known: bool
    ) -> None:
        self.case = case
        self.moment = moment
        self.judged = judged
        self.known = known


def survey(
    store: "Store", case: Case, judges: "Judges", contextual: "Reader | None" = None
) -> Survey:
    """Hold a case against what is known now. Reads one moment, and judges when that is over."""
    belief = case.belief
    with store.reading():
        asked = MomentRequest(terms(belief.text), case.project, case.identity, belief.hash)
        moment = store.moment(asked)
        if contextual is None or moment.reader not in {"", str(contextual.identity)}:
            case, contextual = case.replace(understood=None), None
        same = _same(store, case) if moment.said else None
        if same is not None and not outranks(belief, same):
            return Survey(case, moment, [], known=True)
        near = retrieve_candidates(
            store, belief, case.vector, case.understood, case.projects, case.now, moment
        )
    if same is not None:
        near = [Candidate(same, 1.0, 1.0), *(one for one in near if one.entry.row != same.row)]
    near = aligned(near, belief.text, None if case.understood is None else contextual)
    judged = [_judged(judges, case, one) for one in near]
    return Survey(case, moment, judged, known=False)


def brought_up(store: "Store", survey: Survey, judges: "Judges", *, last: bool) -> Survey:
    """A survey as it would be now: what was changed since it was made is judged, without the lock.

    Raises Overtaken where that is too much; at the `last` attempt it is left to `caught_up`.
    """
    if survey.known:
        return survey
    with store.reading():
        since = _Since(store, survey)
    if since.same is not None:
        # It is told under the lock, where it cannot go away again.
        return survey.replace(known=True)
    if since.too_much:
        if last:
            return survey
        raise Overtaken
    moment = survey.moment.replace(seen=since.moment.seen)
    return survey.replace(moment=moment, judged=since.judged(judges))


def caught_up(
    store: "Store", survey: Survey, judges: "Judges", *, last: bool
) -> "tuple[list[Judgement], Moment]":
    """The judgements of a survey with those on what was changed since, and the store as it is now.

    Inside a transaction. Raises Overtaken where that is too much; at the `last` attempt what is too much
    is not compared.
    """
    since = _Since(store, survey)
    if since.same is not None:
        return [judgement(since.same, _SAME, 1.0, survey.case.project)], since.moment
    if not last and (survey.known or since.too_much):
        raise Overtaken
    return since.judged(judges), since.moment


class _Since:
    """What was changed since a survey was made. Reads one moment; judging needs no store."""

    def __init__(self, store: "Store", survey: Survey) -> None:
        case = survey.case
        self._made = survey
        asked = MomentRequest((), case.project, case.identity, case.belief.hash)
        self.moment = moment = store.moment(asked, survey.moment.seen, MOST_CHANGED)
        # Where no memory was changed, none says by now what none said then.
        changed = moment.said and (moment.changed or survey.known)
        same = _same(store, case) if changed else None
        # What says the same word for word and is believed enough; nothing else counts then.
        self.same = None if same is None or outranks(case.belief, same) else same
        self._compared: list[Candidate] = []
        # What is too long to be judged under the lock.
        self._left: list[Candidate] = []
        if moment.changed and self.same is None:
            self._split(store, case)
        self.too_much = bool(self._left) or len(moment.changed) == MOST_CHANGED

    def _split(self, store: "Store", case: Case) -> None:
        entries = store.entries.named(self.moment.changed, case.projects)
        entries = [entry for entry in entries if entry.state in case.states]
        rows = [entry.row for entry in entries]
        cosines = _cosines(store, case, self.moment.model, rows)
        understood = _understood(store, case, rows)
        room = MOST_UNDER_LOCK
        for entry in entries:
            room -= len(entry.text) + len(case.belief.text)
            row = entry.row
            one = Candidate(entry, cosines.get(row, 0.0), understood.get(row, 0.0))
            (self._compared if room >= 0 else self._left).append(one)

    def judged(self, judges: "Judges") -> list[Judgement]:
        """All judgements; what is too long is told as not compared."""
        case, changed = self._made.case, self.moment.changed
        judged = [one for one in self._made.judged if one.entry.id not in changed]
        judged += [_judged(judges, case, one) for one in self._compared]
        return judged + [
            judgement(one.entry, UNDECIDED, one.cosine, case.project, MEANWHILE)
            for one in self._left
        ]


def _judged(judges: "Judges", case: Case, one: Candidate) -> Judgement:
    return judge(judges, case.belief, one, case.project, case.now)


def _same(store: "Store", case: Case) -> "Entry | None":
    """The memory that says the same word for word, or None."""
    states = (case.states, case.confirmed)
    return store.entries.saying(case.belief.hash, case.projects, case.now, *states)


def _cosines(store: "Store", case: Case, model: int | None, rows: list[int]) -> dict[int, float]:
    if not rows or model is None or not case.vector.norm:
        return {}
    return store.candidates.cosines(case.vector, model, rows)


def _understood(store: "Store", case: Case, rows: list[int]) -> dict[int, float]:
    if not rows or case.understood is None:
        return {}
    return store.contextual.cosines(case.understood, rows)
