"""Decides which lessons of a session are proposed as memories. Pure.

Filters in this order: validity (work that was rejected teaches dead ends only), frequency, novelty,
privacy, worth, and the gate and limit of the sort of session. Admission lowers trust, and detects
memories that exist already.
"""

from collections import Counter

from bowerbird.core.ids import text_hash
from bowerbird.core.origins import TAUGHT
from bowerbird.core.value import Value
from bowerbird.guard.privacy import private
from bowerbird.guard.redact import ALLOW_NOTHING, redact
from bowerbird.sessions.learn import registry
from bowerbird.sessions.learn.session_types import SORTS, passed, sort_of
from bowerbird.sessions.learn.signals import instructions
from bowerbird.sessions.learn.signals.commits import recorded_commit
from bowerbird.sessions.learn.steps import Digest
from bowerbird.sessions.learn.touched_files import touched
from bowerbird.sessions.learn.turns import turns
from bowerbird.sessions.substance import shared, substance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from bowerbird.core.ports.thinking import Extractor
    from bowerbird.guard.redact import Allow
    from bowerbird.sessions.learn.registry import Signal
    from bowerbird.sessions.learn.session_types import Sort
    from bowerbird.sessions.learn.steps import Lesson, RecordedSession

PROPOSED = "proposed"
REPEATED = "repeated"
OVER = "limit"
OFF = "off"
PRIVATE = "private"
GATED = "gate"
LITTLE = "little"
WAITING = "waiting"
MORE = "more"
# With more turns than this, a session proposes its explicit lessons before it ends.
_MANY_PIECES = 5
_INFERRED = "observer_inferred"
# Lessons worth less are dropped.
_LEAST = 0.4
# Orders lessons of equal worth by their strength.
_TIE = 0.1
# Confidence that each session beyond the needed ones adds, the factor after an external read, and the
# maximum without a person's review.
_SURE = 0.03
_TAINTED = 0.7
_MOST_SURE = 0.95
# The share of a commit's words with which it says what a person had said: the rest is grammar and
# another word for one of theirs.
_RESTATED = 0.7
# Signals whose lessons are valid even if the work failed.
_ANYWAY = frozenset({instructions.NAME})


class Judged(Value):
    """A lesson with its signal, its decision (one of the words above), its worth and its confidence."""

    __slots__ = ("confidence", "decision", "lesson", "signal", "worth")

    def __init__(self, lesson: "Lesson", signal: "Signal", decision: str, worth: float) -> None:
        self.lesson = lesson
        self.signal = signal
        self.decision = decision
        self.worth = worth
        self.confidence = _confidence(signal, lesson)


def judged(
    session: "RecordedSession",
    past: "Sequence[Digest]",
    *,
    ended: bool = True,
    more: "Mapping[str, int] | None" = None,
    allow: "Allow" = ALLOW_NOTHING,
    extractor: "Extractor[RecordedSession, Digest, Lesson]" = registry.RULES,
) -> list[Judged]:
    """Return every lesson of a session with its decision, the highest worth first.

    Of a session that has not `ended`, what a person typed is proposed at once,
    since it may never end properly, and other explicit lessons after each successful turn of a session
    with many turns; the rest waits. The limit of the sort of session does not apply to a person's words.
    `more` gives, by signal, how many more sessions must show a lesson, since similar ones were rejected;
    `allow` are the exceptions from what counts as a secret.
    Raises ModelError if the extractor fails.
    """
    known = {key for one in past for key in one.kept}
    sort = SORTS[sort_of(session)]
    gated = sort.passed and not passed(session)
    held = Counter(key for other in past for key in {*other.held})
    lessons = _said_once(session, extractor.lessons(session, past))
    signals = [registry.BY_NAME[one.signal] for one in lessons]
    found = [
        (signal.value(len(one.sessions)) + one.strength * _TIE, signal, one)
        for signal, one in zip(signals, lessons, strict=True)
    ]
    found = [(max(worth, _acute(signal, found)), signal, one) for worth, signal, one in found]
    early = not ended and _may_go_ahead(session)
    left = sort.most
    result = []
    for worth, signal, one in sorted(found, key=lambda some: -some[0]):
        decision = _excluded(one, signal, worth, known, sort)
        if decision == PROPOSED and one.source == TAUGHT and redact(one.text, allow).findings:
            decision = PRIVATE  # without its secret, a sentence tells nothing
        if decision == PROPOSED and one.source == TAUGHT:
            decision = PROPOSED if sort.most else OVER
        elif decision == PROPOSED and more and held[named(one)] < more.get(signal.name, 0):
            decision = MORE
        elif decision == PROPOSED:
            waits = not ended and not (early and one.source != _INFERRED)
            fails = gated and not one.recorded and signal.name not in _ANYWAY
            decision = WAITING if waits else GATED if fails else PROPOSED if left > 0 else OVER
        left -= decision == PROPOSED and one.source != TAUGHT
        result.append(Judged(one, signal, decision, round(worth, 3)))
    return result


def _said_once(session: "RecordedSession", lessons: "Sequence[Lesson]") -> "list[Lesson]":
    """Return lessons without the commits whose message says what the person said in that session."""
    taught = [substance(one.text) for one in lessons if one.source == TAUGHT]
    found = []
    for one in lessons:
        commit = recorded_commit(session, one) if taught else None
        if commit is not None:
            said = substance(f"{commit.subject} {commit.body}")
            if any(shared(said, known) >= _RESTATED * len(said) for known in taught):
                continue
        found.append(one)
    return found


def _acute(signal: "Signal", found: "Sequence[tuple[float, Signal, Lesson]]") -> float:
    """Return the least worth of a signal's lessons in a session that shows enough of them."""
    needed, worth = registry.ACUTE.get(signal.name, (0, 0.0))
    return worth if sum(other is signal for _, other, _ in found) >= needed else 0.0


def _excluded(
    lesson: "Lesson",
    signal: "Signal",
    worth: float,
    known: "Collection[str]",
    sort: "Sort",
) -> str:
    """Return why a lesson becomes no memory in any session like this one; PROPOSED if nothing says so."""
    if sort.signals and signal.name not in sort.signals:
        return OFF
    # An address that a person types is theirs to keep.
    if private(lesson.text, addresses=lesson.source == TAUGHT):
        return PRIVATE
    if named(lesson) in known:
        return REPEATED
    return LITTLE if worth < _LEAST else PROPOSED


def restored(left: "Sequence[Lesson]") -> list[Judged]:
    """Return noted lessons as proposals."""
    signals = [registry.BY_NAME[one.signal] for one in left]
    return [
        Judged(one, signal, PROPOSED, signal.value(len(one.sessions)))
        for one, signal in zip(left, signals, strict=True)
    ]


def room(session: "RecordedSession", found: "Sequence[Judged]") -> int:
    """Return how many more lessons a session may give."""
    sort = SORTS[sort_of(session)]
    if sort.passed and not passed(session):
        return 0
    taken = sum(one.decision == PROPOSED and one.lesson.source != TAUGHT for one in found)
    return max(0, sort.most - taken)


def _may_go_ahead(session: "RecordedSession") -> bool:
    """Return whether an unfinished session has many turns, of which the last one succeeded."""
    pieces = turns(session)
    return len(pieces) > _MANY_PIECES and pieces[-1].succeeded


def _confidence(signal: "Signal", one: "Lesson") -> float:
    """Return the confidence: the signal's precision, more for each further session, less if tainted.

    Of a person's words it is 1.
    """
    if one.source == TAUGHT:
        return 1.0
    sure = signal.score if signal.precision is None else signal.precision * _MOST_SURE
    more = _SURE * max(0, len(one.sessions) - signal.needed)
    return round(min(_MOST_SURE, sure + more) * (_TAINTED if one.outside else 1.0), 2)


def named(lesson: "Lesson") -> str:
    """Return the key of a lesson, unique among all signals."""
    return _hashed(lesson.signal, lesson.key)


def replaced(lesson: "Lesson") -> frozenset[str]:
    """Return the keys, unique among all signals, of the lessons whose place this one takes."""
    return frozenset(_hashed(lesson.signal, key) for key in lesson.replaces)


def withdrawn(session: "RecordedSession") -> frozenset[str]:
    """Return the keys, unique among all signals, of what a person said and took back in a session."""
    return frozenset(_hashed(instructions.NAME, key) for key in instructions.taken_back(session))


def _hashed(signal: str, key: str) -> str:
    # Keys are derived from what a person typed, and the ledger is a file outside of the store.
    return f"{signal} {text_hash(key).hex()}"


def digest(
    session: "RecordedSession",
    project: str,
    kept: "Sequence[str]" = (),
    again: "Sequence[str]" = (),
    waiting: "Sequence[str]" = (),
) -> Digest:
    """Return the digest of a session."""
    marks = {
        one.name: {key: mark.number for key, mark in one.marks(session).items() if not mark.outside}
        for one in registry.SIGNALS
        if one.marks is not None
    }
    return Digest(
        session.id,
        project,
        len(session.steps),
        session.steps[0].at if session.steps else 0,
        sort_of(session),
        touched(session),
        {name: some for name, some in marks.items() if some},
        tuple(kept),
        tuple(again),
        tuple(waiting),
    )
