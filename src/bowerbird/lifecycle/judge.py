"""Decides the relation of a new memory to a stored one: a judge on their texts, then what is allowed.

An exception in a judge is recorded in its result and never fails the write.
"""

from contextlib import suppress

from bowerbird.core.errors import ModelError
from bowerbird.core.history import Relation
from bowerbird.core.language import content_words
from bowerbird.core.life import DAY
from bowerbird.core.memories import UNDECIDED, Match, Pair, Verdict
from bowerbird.core.normal import normal_hash
from bowerbird.core.origins import INFERRED, ON_ASKING, TAUGHT
from bowerbird.core.text import words
from bowerbird.core.types import SHORT_ID
from bowerbird.core.value import Record
from bowerbird.guard.redact import redact, without_marks
from bowerbird.guard.trust import reaches
from bowerbird.lifecycle.contradiction import contradicts, contradicts_in_a_sentence
from bowerbird.lifecycle.dated import begins
from bowerbird.lifecycle.duplicates import compare, repeats
from bowerbird.lifecycle.keywords import terms
from bowerbird.lifecycle.other_value import without_ended
from bowerbird.lifecycle.prepared import prepared
from bowerbird.lifecycle.restatement import restates
from bowerbird.lifecycle.slots import of_others, of_two_labels, opposes, replaces
from bowerbird.lifecycle.timeline import calls_off, follows, gives_another_day, is_over
from bowerbird.lifecycle.weighing import may_change, states_one_thing, weighed
from bowerbird.lifecycle.wording import root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.history import Change
    from bowerbird.core.memories import Alignment, Belief, Fields
    from bowerbird.core.ports.models import Aligner
    from bowerbird.core.ports.thinking import Judge
    from bowerbird.core.types import Entry, Project
    from bowerbird.guard.redact import Allow
    from bowerbird.lifecycle.retrieve_candidates import Candidate

# From this cosine on two memories are linked: 95 % of paraphrases reach it, and 0.3 % of unrelated pairs.
CLOSE = 0.6
# The same threshold for the cosine plus twice the contextual model's: it links .93 to .99 of ten authors'
# pairs on one subject (replacing, announcing, refining or repeating), and 44 of 7,020 pairs of notes on
# one project. A threshold of .47 on the contextual model's cosine alone gives .85 to .98, and 28.
CLOSE_COMBINED = 1.2
# A clear contradiction supersedes a memory that is at least this much older (ms); of two newer ones
# either may be a mistake.
NEWER = 7 * DAY
# So does one that is surer than the older one by more than this.
SURER = 0.2
ERROR = "error_pattern"
_DEAD_END = "dead_end"
# The kinds of a sequence of steps and of a single step.
_STEPS = frozenset({"procedure", "workflow_recipe"})
# The fault of a judgement that was skipped because judging it would block other writers.
MEANWHILE = "Overtaken"
# The trust of an agent's own memories: any lower one comes from outside.
_AGENT = "normal"
# How many memories of each relation are reported and linked: of thirty candidates most may be related.
MOST_REPORTED = 3
# The relations, the most important first.
_ORDER = ("same", "covers", "supersedes", "contradicts", "related_to", "")


class Judgement(Record):
    """The relation of a belief to one stored memory; `own` if that belongs to the same project.

    `fault` is the name of the exception that prevented the comparison; the relation is empty then.
    `clear`: they contradict each other in a value, and the belief may replace the memory; `over`: the
    memory may replace the belief, which was said before it or holds from an earlier day.
    """

    entry: "Entry"
    match: Match
    own: bool
    fault: str = ""
    clear: bool = False
    over: bool = False


def judged(
    judge: "Judge",
    belief: "Belief",
    candidate: "Candidate",
    project: "Project",
    now: int,
) -> Judgement:
    """Returns the relation of a belief to one candidate; empty if they are unrelated.

    An exception in a judge is a bug: only this comparison is lost, and the memory is still written.
    """
    fault, verdict, entry = "", UNDECIDED, candidate.entry
    combined = candidate.cosine + 2 * candidate.understood
    close = candidate.cosine >= CLOSE or combined >= CLOSE_COMBINED
    try:
        verdict = _permitted(judge.judge(_pair(belief, candidate)), belief, entry, project, now)
    except Exception as error:  # noqa: BLE001 - reported in the answer and counted in the store
        fault = type(error).__name__
    if not verdict.relation and not fault and close:
        verdict = verdict.replace(relation="related_to", reason="it is related")
    found = judgement(entry, verdict, candidate.similarity, project, fault)
    if verdict.relation != "contradicts" or not verdict.clear:
        return found
    later = follows(belief, entry, now)
    said_later = entry.created - (belief.occurred or now) > NEWER and entry.state == "active"
    may_end = found.own and belief.fields.state == "active" and not belief.fields.pinned
    return found.replace(
        clear=not later and not entry.pinned and _may_replace(belief, entry, project),
        over=(later or said_later) and may_end and reaches(entry.trust, belief.trust),
    )


def surer(belief: "Belief", one: Judgement, confidence: float) -> Judgement:
    """Returns a judgement; `supersedes` for a contradiction if the belief is much surer than the memory.

    `confidence` is that of the memory.
    """
    if not one.clear or round(belief.fields.confidence - confidence, 6) <= SURER:
        return one
    reason = f"{one.match.reason}; it is surer: {belief.fields.confidence:g} against {confidence:g}"
    return one.replace(match=one.match.replace(relation="supersedes", reason=reason), clear=False)


def stated(belief: "Belief", one: Judgement) -> Judgement:
    """Returns a judgement of what an agent noted and a person states: their words are told as theirs.

    They replace the note if it says no more; else both stay.
    """
    relation = "supersedes" if _says_no_more(one.entry.text, belief.text) else "related_to"
    match = one.match.replace(relation=relation, reason="a person said it in their own words")
    return one.replace(match=match)


def noted(belief: "Belief", one: Judgement) -> Judgement:
    """Returns a judgement of what a person stated and an agent notes with more: both stay."""
    if not _says_no_more(one.entry.text, belief.text):
        return one
    reason = f"{one.match.reason}; a person said the older in their own words, and it stays"
    return one.replace(match=one.match.replace(relation="related_to", reason=reason))


def _says_no_more(text: str, than: str) -> bool:
    few, many = ({*content_words(tuple(words(one)))} for one in (text, than))
    return few <= many


def _pair(belief: "Belief", candidate: "Candidate") -> Pair:
    entry = candidate.entry
    return Pair(
        entry.text,
        belief.text,
        entry.kind,
        belief.fields.kind,
        candidate.alignment,
        candidate.understood,
        nearest=candidate.nearest,
    )


def paired(old: "Entry", new: "Entry", aligner: "Aligner | None") -> Pair:
    """Two stored memories as a judge compares them."""
    alignment = None
    if aligner is not None:
        with suppress(ModelError):  # the words decide
            (alignment,) = aligner.aligned(without_marks(new.text), [without_marks(old.text)])
    near = 0.0 if alignment is None else alignment.near
    return Pair(old.text, new.text, old.kind, new.kind, alignment, near)


def judgement(
    entry: "Entry", verdict: Verdict, cosine: float, project: "Project", fault: str = ""
) -> Judgement:
    """Returns a verdict on one memory with the memory's summary, as it is stored."""
    similarity = round(cosine, 3)
    match = Match(
        entry.id, verdict.relation, verdict.reason, entry.summary, similarity, entry.trust
    )
    return Judgement(entry, match, entry.project == project.uid, fault)


def most_important(judged: "list[Judgement]", allow: "Allow") -> "list[Judgement]":
    """Returns judgements with a relation or a fault, by importance: a few of each relation.

    Their reasons and summaries are redacted again: they are copied into the history, and the memory may
    have been stored under older redaction rules.
    """
    chosen: list[Judgement] = []
    for relation in _ORDER:
        some = [one for one in judged if one.match.relation == relation]
        if relation:
            chosen += [_quotable(one, allow) for one in some[:MOST_REPORTED]]
        else:
            chosen += [one for one in some if one.fault]
    return chosen


def _quotable(one: Judgement, allow: "Allow") -> Judgement:
    match = one.match
    reason, summary = redact(match.reason, allow).text, redact(match.summary, allow).text
    return one.replace(match=match.replace(reason=reason, summary=summary))


def outranks(belief: "Belief", entry: "Entry", project: "Project") -> bool:
    """Whether a belief replaces a memory of the same text because its trust is higher."""
    if reaches(entry.trust, belief.trust):
        return False
    return not confirms(belief, entry, own=entry.project == project.uid)


def confirms(belief: "Belief", entry: "Entry", *, own: bool) -> bool:
    """Whether the user repeats, and thereby confirms, a memory that is quarantined or trusted less.

    `own`: it belongs to the belief's project. One of all projects is not confirmed from one of them.
    A text from outside is confirmed in review only: its words say nothing about its other fields.
    """
    if belief.origin != "user" or belief.fields.state != "active":
        return False
    if entry.state == "quarantined":
        return True
    if not own or reaches(entry.trust, belief.trust) or belief.hash != normal_hash(entry.text):
        return False
    return belief.fields.verified or reaches(entry.trust, _AGENT)


def relations(
    id: str, judged: "Sequence[Judgement]", create: "Change", now: int
) -> "list[tuple[Relation, Change]]":
    """Returns the relations of a new memory to those that it was compared with, each with its change."""
    return [
        (
            Relation(
                id,
                one.entry.id,
                one.match.relation,
                strength=round(max(one.match.similarity, 0.0), 3),
                automatic=True,
                created=now,
            ),
            create.replace(action="linked", reason=one.match.reason),
        )
        for one in judged
    ]


def reviewed(fields: "Fields", other: Judgement) -> "Fields":
    """Returns fields that ask for a review of a contradiction, unless a person verified the memory."""
    waits = fields.needs_review and fields.review != ON_ASKING
    if waits or fields.verified:
        return fields
    review = f"it contradicts {other.entry.id[:SHORT_ID]}: {other.match.reason}"
    return fields.replace(needs_review=True, review=review)


def reason_for(
    quarantined: bool,
    replaced: "list[Judgement]",
    opposed: "list[Judgement]",
    close: "list[Judgement]",
    begins: str = "",
) -> str:
    """Returns the reason of a decision on a new memory; `begins`: the day to come from which it holds."""
    then = f" from {begins} on" if begins else ""
    parts = ["it awaits review"] if quarantined else []
    parts += [f"replaces an older one{then}: {one.match.reason}" for one in replaced]
    parts += [
        f"may contradict another memory; both are kept, bower review decides: {one.match.reason}"
        for one in opposed[:1]
    ]
    if not parts and close:
        parts.append(f"new, and related to {len(close)}")
    if begins and not replaced:
        parts = [*(parts or ["new"]), f"it holds from {begins}"]
    return "; ".join(parts) or "new"


def uncompared(failed: "list[Judgement]") -> str:
    """Returns the end of a reason that names the memories not compared, or an empty text."""
    late = [one for one in failed if one.fault == MEANWHILE]
    raised = [one.entry.id[:SHORT_ID] for one in failed if one.fault != MEANWHILE]
    message = ""
    if raised:
        message = (
            f"; could not be compared with {', '.join(raised)}: internal error, please report it"
        )
    if late:
        message += f"; not compared with {len(late)} long ones that were kept at the same moment"
    return message


class Rules:
    """The judge of today: what contains the other text is known by its words, the rest is weighed."""

    slow = False

    def __init__(self, *, of_one_person: bool = False) -> None:
        """`of_one_person`: both texts are a person's own words, and the later one counts."""
        self._of_one_person = of_one_person

    def judge(self, pair: "Pair") -> Verdict:
        """The relation of the new text to the stored one."""
        if without_ended(pair.new, pair.old):
            return Verdict("contradicts", "it says that a part of it is over")
        verdict = self._of_texts(pair)
        changes = verdict.relation in {"supersedes", "contradicts"}
        if changes and restates(pair.old, pair.new):
            return Verdict("related_to", "it gives the same values")
        return verdict

    def _of_texts(self, pair: "Pair") -> Verdict:
        if of_two_labels(pair.old, pair.new):
            return UNDECIDED
        if _say_different_things(pair.old, pair.new):
            return contradicts_in_a_sentence(pair.old, pair.new)
        verdict = by_words(pair.old, pair.new, pair.alignment)
        # What is said again in the same words is still so.
        if verdict.relation not in {"", "contradicts"} or repeats(pair.old, pair.new):
            return verdict
        changed = _changed(pair)
        if changed.relation == "supersedes":
            return changed
        by_weights = _weighed(pair, verdict, of_one_person=self._of_one_person)
        qualified = verdict.relation and compare(pair.old, pair.new).relation == "contradicts"
        if qualified and by_weights.relation != "supersedes":
            return verdict
        if by_weights.relation == "contradicts" and not verdict.relation:
            # What the weights take for another value may be one of another subject.
            by_weights = UNDECIDED if of_others(pair.old, pair.new) else by_weights
        return by_weights if by_weights.relation else changed


def by_words(old: str, new: str, alignment: "Alignment | None") -> Verdict:
    """The verdict of the word rules: whether one text contains the other, or gives another value.

    Which of two was said first makes a difference only where the newer says that something changed.
    """
    found = _by_words(old, new, alignment)
    if found.relation != "contradicts" or begins(new) or may_change(new):
        return found
    return found if _by_words(new, old, alignment).relation == "contradicts" else UNDECIDED


def _by_words(old: str, new: str, alignment: "Alignment | None") -> Verdict:
    """The same in one order.

    The model of an alignment says whether two properties are of one attribute, unless the newer text
    itself says that something changed.
    """
    contained = compare(old, new)
    if contained.relation:
        return contained
    if alignment is None or begins(new) or may_change(new):
        return contradicts(old, new)
    return contradicts(old, new, alignment.of_one_sort)


def _say_different_things(old: str, new: str) -> bool:
    """Whether no rule but that for a single sentence can find a relation between two texts.

    All others compare texts that share all words but a value, and the weights two short ones.
    """
    (long, left), (longer, right) = _subjects(old), _subjects(new)
    fewer = min(len(left), len(right))
    return (long or longer) and fewer >= _FEWEST and len(left & right) < _SHARED * fewer


@prepared
def _subjects(text: str) -> tuple[bool, frozenset[str]]:
    """Whether a text is too long to be weighed, and the roots of its content words."""
    return not states_one_thing(text), frozenset(map(root, terms(text)))


# Two texts of so many content words that share less than this part of them say different things.
_FEWEST = 20
_SHARED = 0.5

RULES = Rules()
OF_ONE_PERSON = Rules(of_one_person=True)


def _changed(pair: "Pair") -> Verdict:
    """Returns the verdict on another value, announced as such, and on what is turned down."""
    kinds = {pair.old_kind, pair.new_kind}
    if _happened(kinds):
        return UNDECIDED
    changed = replaces(pair.old, pair.new)
    if changed.relation == "supersedes" or _DEAD_END in kinds:
        return changed
    turned_down = opposes(pair.old, pair.new)
    if turned_down.relation or pair.nearest:
        return turned_down if turned_down.relation else changed
    return UNDECIDED


def _weighed(pair: "Pair", by_rules: Verdict, *, of_one_person: bool) -> Verdict:
    """Returns the verdict of the classifiers on the differences of the two texts, the rules' among them.

    They are not applied to two errors, whose fixes differ although both hold: of 137 memories learned
    from 156 sessions they flagged two, both such pairs. Nor to a sequence of steps (“after a change run
    …, then …”) and one of these steps. Two failed attempts both happened, and an attempt is no value of
    what is so now: a dead end is compared with other memories for a change alone.
    """
    kinds = {pair.old_kind, pair.new_kind}
    if _happened(kinds):
        return by_rules
    return weighed(
        pair.old,
        pair.new,
        pair.alignment,
        understood=pair.near,
        nearest=pair.nearest,
        values=_DEAD_END not in kinds,
        by_rules=by_rules,
        of_one_person=of_one_person,
    )


def _happened(kinds: "set[str]") -> bool:
    """Whether two memories of these kinds hold together, whatever they say."""
    return kinds in ({ERROR}, _STEPS, {_DEAD_END})


def _permitted(
    verdict: Verdict, belief: "Belief", entry: "Entry", project: "Project", now: int
) -> Verdict:
    """Returns a judge's verdict, adjusted to what time, pins, trust and projects permit."""
    if belief.fields.valid_to is not None and verdict.relation in {"supersedes", "contradicts"}:
        # “Closed from 20 December to 6 January”: what holds at other times stays.
        return verdict.replace(
            relation="related_to", reason=f"{verdict.reason}, for a time", clear=False
        )
    verdict = _of_plan(verdict, belief, entry, now)
    if (timed := _in_time(verdict, belief, entry, now)) is not None:
        return timed
    if verdict.relation in {"same", "covers", "extends"}:
        if belief.fields.author and entry.speaker and belief.fields.author != entry.speaker:
            reason = f"{verdict.reason}, by {entry.speaker}"
            return verdict.replace(relation="related_to", reason=reason)
        return _allowed(verdict, belief, entry, project)
    if verdict.clear and begins(belief.text):
        reason = f"{verdict.reason}; it says since when"
        verdict = verdict.replace(relation="supersedes", reason=reason)
    elif verdict.clear and (belief.occurred or now) - entry.created > NEWER:
        # Both were certain when they were written: the newer one wins.
        reason = f"{verdict.reason}; it is newer by more than {NEWER // DAY} days"
        verdict = verdict.replace(relation="supersedes", reason=reason)
    return _replacing(verdict, belief, entry, project)


def _of_plan(verdict: Verdict, belief: "Belief", entry: "Entry", now: int) -> Verdict:
    """Returns the verdict; another one if the belief puts off a plan, or calls it off."""
    if gives_another_day(belief, entry, now):
        return Verdict("supersedes", "it gives another day")
    if verdict.relation != "supersedes" and calls_off(belief, entry, now):
        return Verdict("contradicts", "it is called off")
    return verdict


def _in_time(verdict: Verdict, belief: "Belief", entry: "Entry", now: int) -> Verdict | None:
    """Returns the verdict on two that do not begin to oppose each other today; None for all others."""
    if verdict.relation in {"supersedes", "contradicts"} and is_over(belief, entry, now):
        reason = f"{verdict.reason}, when the older one is over"
        return verdict.replace(relation="related_to", reason=reason, clear=False)
    if (verdict.relation == "supersedes" or verdict.clear) and follows(belief, entry, now):
        return Verdict("contradicts", "it gives another value from a later day on", clear=True)
    return None


def _replacing(verdict: Verdict, belief: "Belief", entry: "Entry", project: "Project") -> Verdict:
    """Returns the verdict; `contradicts` for `supersedes` if the belief may not replace the memory."""
    if verdict.relation != "supersedes":
        return verdict
    if entry.pinned:
        reason = f"{verdict.reason}; the older one is pinned, and stays"
        return verdict.replace(relation="contradicts", reason=reason)
    if not _may_replace(belief, entry, project):
        return verdict.replace(relation="contradicts")
    return verdict


def _allowed(verdict: Verdict, belief: "Belief", entry: "Entry", project: "Project") -> Verdict:
    """Returns the verdict on texts of which one contains the other; only some replace a memory."""
    extends = verdict.relation == "extends"
    if extends and entry.pinned:
        verdict = verdict.replace(reason=f"{verdict.reason}; the older one is pinned, and stays")
    elif not extends and not outranks(belief, entry, project):
        return verdict
    elif not extends:
        verdict = verdict.replace(reason=f"{verdict.reason}, and it is trusted more")
    replaces = not (extends and entry.pinned) and _may_replace(belief, entry, project)
    return verdict.replace(relation="supersedes" if replaces else "related_to")


def of_author(belief: "Belief", entry: "Entry") -> bool:
    """Whether a memory is the author's own, or the author is the owner of the store."""
    return belief.fields.author in ("", entry.speaker)


def may_put_in(belief: "Belief", one: Judgement) -> bool:
    """Whether a belief may stand in the words of a memory: of its author, and trusted as much."""
    entry = one.entry
    same = entry.state == belief.fields.state == "active" and entry.trust == belief.trust
    return one.own and same and not entry.pinned and of_author(belief, entry)


def _may_replace(belief: "Belief", entry: "Entry", project: "Project") -> bool:
    """Whether a belief is trusted as much as a memory, of the same project, and not quarantined.

    A member of the team replaces nobody else's: they may say otherwise, or dispute it. What was inferred
    and waits for review replaces nothing that a person said.
    """
    if belief.source in INFERRED and belief.fields.needs_review:
        details = entry.details
        if details is None or details.source == TAUGHT:
            return False
    trusted = reaches(belief.trust, entry.trust) and of_author(belief, entry)
    return trusted and entry.project == project.uid and belief.fields.state == "active"
