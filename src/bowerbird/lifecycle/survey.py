"""What a draft is to the memories of one moment, and what became of them until it is written.

Judging takes as long as texts are long, and who writes holds up all others: so the judging is done on
a moment that is only read, and what was changed since is all that is looked at under the lock.
"""

from bowerbird.core.types import GLOBAL
from bowerbird.core.value import Value
from bowerbird.lifecycle.duplicates import UNDECIDED, Verdict
from bowerbird.lifecycle.judge import Judgement, judge, judgement, outranks
from bowerbird.lifecycle.keywords import terms
from bowerbird.lifecycle.retrieve_candidates import Candidate, aligned, retrieve_candidates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.draft import Draft
    from bowerbird.core.memories import Belief
    from bowerbird.core.ports.models import Aligner
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry, ModelIdentity, Project, Vector
    from bowerbird.lifecycle.complete import Completed
    from bowerbird.lifecycle.judge import Judges

# So many characters of pairs are judged under the lock: they take 10 µs each at the worst. Short memories
# of a dozen writers fit; for long ones the lock is let go and the survey made again.
MOST_UNDER_LOCK = 3_000
# So many changes are looked through under the lock.
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

    `seen` is the number of the last change then, `counts` in how many entries its words stand, `known`
    whether the same text was kept already: then nothing else was judged.
    """

    __slots__ = ("counts", "judged", "known", "seen")

    def __init__(
        self, seen: int, counts: dict[str, int], judged: list[Judgement], *, known: bool
    ) -> None:
        self.seen = seen
        self.counts = counts
        self.judged = judged
        self.known = known


def survey(
    store: "Store", case: Case, judges: "Judges", aligner: "Aligner | None" = None
) -> Survey:
    """Hold a case against what is known now. Reads one moment, and judges when that is over.

    `aligner` is the contextual model, if there is one.
    """
    belief = case.belief
    with store.reading():
        seen = store.audit.last()
        counts, size, _ = store.words.counted(terms(belief.text))
        same = _same(store, case)
        if same is not None and not outranks(belief, same):
            return Survey(seen, counts, [], known=True)
        model = None if case.identity is None else store.model_row(case.identity)
        near = retrieve_candidates(
            store,
            belief,
            case.vector,
            model,
            case.understood,
            case.projects,
            case.now,
            counts,
            size,
        )
    if same is not None:
        near = [Candidate(same, 1.0, 1.0), *(one for one in near if one.entry.row != same.row)]
    near = aligned(near, belief.text, aligner)
    judged = [_judged(judges, case, one) for one in near]
    return Survey(seen, counts, judged, known=False)


def caught_up(
    store: "Store", case: Case, made: Survey, judges: "Judges", *, last: bool
) -> list[Judgement]:
    """The judgements of a survey with those on what was changed since. Inside a transaction.

    Raises Overtaken where that is too much; at the `last` attempt what is too much is not compared.
    """
    belief = case.belief
    same = _same(store, case)
    if same is not None and not outranks(belief, same):
        return [judgement(same, _SAME, 1.0, case.project)]
    changed = store.audit.changed_since(made.seen, MOST_CHANGED)
    if not last and (made.known or len(changed) == MOST_CHANGED):
        raise Overtaken
    judged = [one for one in made.judged if one.entry.id not in changed]
    entries = [entry for id in changed for entry in store.entries.get(id, case.projects)]
    entries = [entry for entry in entries if entry.state in case.states]
    rows = [entry.row for entry in entries]
    cosines, understood = _cosines(store, case, rows), _understood(store, case, rows)
    room = MOST_UNDER_LOCK
    for entry in entries:
        room -= len(entry.text) + len(belief.text)
        cosine = cosines.get(entry.row, 0.0)
        if room >= 0:
            one = Candidate(entry, cosine, understood.get(entry.row, 0.0))
            judged.append(_judged(judges, case, one))
        elif last:
            judged.append(judgement(entry, UNDECIDED, cosine, case.project, MEANWHILE))
        else:
            raise Overtaken
    return judged


def _judged(judges: "Judges", case: Case, one: Candidate) -> Judgement:
    return judge(judges, case.belief, one, case.project, case.now)


def _same(store: "Store", case: Case) -> "Entry | None":
    """The memory that says the same word for word, or None."""
    projects = {0, store.projects.row(case.project.uid) or 0}
    for states in (case.states, case.confirmed):
        row = store.memories.same_text(tuple(projects), case.belief.hash, states, case.now)
        if row is not None:
            return store.entries.load([row]).get(row)
    return None


def _cosines(store: "Store", case: Case, rows: list[int]) -> dict[int, float]:
    if not rows or case.identity is None or not case.vector.norm:
        return {}
    model = store.model_row(case.identity)
    if model is None:
        return {}
    return store.candidates.cosines(case.vector, model, rows)


def _understood(store: "Store", case: Case, rows: list[int]) -> dict[int, float]:
    if not rows or case.understood is None:
        return {}
    return store.contextual.cosines(case.understood, rows)
