"""What a belief is to one known memory: asked of each judge in turn, and no judge stops a write."""

from bowerbird.core.life import DAY
from bowerbird.core.memories import Match
from bowerbird.core.value import Value
from bowerbird.guard.redact import redact
from bowerbird.guard.trust import reaches
from bowerbird.lifecycle.contradiction import contradicts, says_since_when
from bowerbird.lifecycle.duplicates import UNDECIDED, Verdict, compare
from bowerbird.lifecycle.weighing import weighed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.memories import Belief
    from bowerbird.core.types import Entry, Project
    from bowerbird.guard.redact import Allow
    from bowerbird.lifecycle.retrieve_candidates import Candidate

    # Of the known text and the new one; the first that decides is believed.
    Judges = tuple[Callable[[str, str], Verdict], ...]

JUDGES: "Judges" = (compare, contradicts)
# Two memories this near are about the same: 95 % of paraphrases are, and 0.3 % of unrelated pairs.
CLOSE = 0.6
# The same by both, the contextual model's counted twice: it links .93 to .99 of what ten authors wrote
# about one thing (what replaces, announces, refines or says the same), and 44 of 7,020 pairs of notes on
# one project. From .47 of the contextual model's on it were .85 to .98, and 28.
CLOSE_TOGETHER = 1.2
# So much later, what clearly says another thing takes the older one's place; within it, one of the two
# may be a slip.
NEWER = 7 * DAY
ERROR = "error_pattern"
# An order of steps and one of its steps.
_STEPS = frozenset({"procedure", "workflow_recipe"})
# How many of each relation are reported and linked; of thirty candidates most may be about the same.
MOST_TOLD = 3
# The most telling first.
_ORDER = ("same", "covers", "supersedes", "contradicts", "related_to", "")


class Judgement(Value):
    """What a belief is to one known memory; `own`: of the same project.

    `fault` names the class of error that kept the two from being compared; the relation is empty then.
    """

    __slots__ = ("entry", "fault", "match", "own")

    def __init__(self, entry: "Entry", match: Match, own: bool, fault: str = "") -> None:
        self.entry = entry
        self.match = match
        self.own = own
        self.fault = fault


def judge(
    judges: "Judges",
    belief: "Belief",
    candidate: "Candidate",
    project: "Project",
    now: int,
) -> Judgement:
    """What a belief is to one memory; its relation is empty where it is nothing to it.

    A judge that raises is a fault of ours: it costs this judgement, and what was said is kept.
    """
    fault, verdict, entry = "", UNDECIDED, candidate.entry
    together = candidate.cosine + 2 * candidate.understood
    close = candidate.cosine >= CLOSE or together >= CLOSE_TOGETHER
    try:
        verdict = _asked(judges, belief, candidate, project, now)
    except Exception as error:  # noqa: BLE001 - told in the answer and counted in the store
        fault = type(error).__name__
    if not verdict.relation and not fault and close:
        verdict = verdict.replace(relation="related_to", reason="it is about the same")
    return judgement(entry, verdict, candidate.similarity, project, fault)


def judgement(
    entry: "Entry", verdict: Verdict, cosine: float, project: "Project", fault: str = ""
) -> Judgement:
    """A verdict on one memory; it quotes what was kept as it stands there."""
    near = round(cosine, 3)
    match = Match(entry.id, verdict.relation, verdict.reason, entry.summary, near, entry.trust)
    return Judgement(entry, match, entry.project == project.uid, fault)


def most_telling_first(
    judged: "list[Judgement]", allow: "Allow", most: int = MOST_TOLD
) -> "list[Judgement]":
    """Judgements with a relation, by importance: of each relation at most a number of them.

    What an older version of the rules let in is not quoted on, for reasons go into the history: what is
    told holds no secret.
    """
    chosen: list[Judgement] = []
    for relation in _ORDER:
        some = [one for one in judged if one.match.relation == relation]
        if relation:
            chosen += [_quotable(one, allow) for one in some[:most]]
        else:
            chosen += [one for one in some if one.fault]
    return chosen


def _quotable(one: Judgement, allow: "Allow") -> Judgement:
    match = one.match
    reason, summary = redact(match.reason, allow).text, redact(match.summary, allow).text
    return one.replace(match=match.replace(reason=reason, summary=summary))


def outranks(belief: "Belief", entry: "Entry") -> bool:
    """What is believed more takes the place of the same text that is believed less."""
    return not reaches(entry.trust, belief.trust) and not confirms(belief, entry)


def confirms(belief: "Belief", entry: "Entry") -> bool:
    """Whether it is a person's own words that wait until somebody has looked at it."""
    waits = entry.state == "quarantined" and belief.fields.state == "active"
    return waits and belief.origin == "user"


def _asked(
    judges: "Judges", belief: "Belief", candidate: "Candidate", project: "Project", now: int
) -> Verdict:
    entry = candidate.entry
    for asked in judges:
        verdict = _allowed(asked(entry.text, belief.text), belief, entry, project)
        if verdict.relation:
            break
    else:
        verdict = UNDECIDED
    if verdict.relation not in {"", "contradicts"}:
        return verdict
    by_difference = _weighed(belief, candidate)
    if by_difference.relation == "supersedes" or not verdict.relation:
        verdict = by_difference
    if verdict.clear and says_since_when(belief.text):
        reason = f"{verdict.reason}; it says since when"
        verdict = verdict.replace(relation="supersedes", reason=reason)
    elif verdict.clear and now - entry.created > NEWER:
        # The newest wins: both were sure of it at their time.
        reason = f"{verdict.reason}; it is newer by more than {NEWER // DAY} days"
        verdict = verdict.replace(relation="supersedes", reason=reason)
    return _replacing(verdict, belief, entry, project)


def _weighed(belief: "Belief", candidate: "Candidate") -> Verdict:
    """What the differences of the two texts tell.

    Of two errors they tell nothing: what became another is the code that cured each. Of 137 memories
    that 156 sessions taught two were flagged, both pairs of errors that hold side by side. Nor of an
    order of steps (“after a change run …, then …”) and one of them, which holds in it.
    """
    entry = candidate.entry
    kinds = {entry.kind, belief.fields.kind}
    if kinds in ({ERROR}, _STEPS):
        return UNDECIDED
    alignment, understood = candidate.alignment, candidate.understood
    return weighed(
        entry.text, belief.text, alignment, understood=understood, nearest=candidate.nearest
    )


def _replacing(verdict: Verdict, belief: "Belief", entry: "Entry", project: "Project") -> Verdict:
    """That the belief replaces a memory, as far as it may; else both wait."""
    if verdict.relation != "supersedes":
        return verdict
    if entry.pinned:
        reason = f"{verdict.reason}; the older one is pinned, and stays"
        return verdict.replace(relation="contradicts", reason=reason)
    if not _may_replace(belief, entry, project):
        return verdict.replace(relation="contradicts")
    return verdict


def _allowed(verdict: Verdict, belief: "Belief", entry: "Entry", project: "Project") -> Verdict:
    """What the words say, as far as pins, trust and projects let it be so."""
    if verdict.relation == "supersedes" and entry.pinned:
        verdict = verdict.replace(
            relation="related_to", reason=f"{verdict.reason}; the older one is pinned, and stays"
        )
    if verdict.relation in {"same", "covers"} and outranks(belief, entry):
        verdict = verdict.replace(
            relation="supersedes", reason=f"{verdict.reason}, and it is believed more"
        )
    if verdict.relation == "supersedes" and not _may_replace(belief, entry, project):
        verdict = verdict.replace(relation="related_to")
    return verdict


def _may_replace(belief: "Belief", entry: "Entry", project: "Project") -> bool:
    """Never what is believed more, stands in another project, or waits to be looked at."""
    believed = reaches(belief.trust, entry.trust)
    return believed and entry.project == project.uid and belief.fields.state == "active"
