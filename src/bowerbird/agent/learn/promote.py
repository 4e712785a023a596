"""From the candidates of a session to what is proposed as memories: validity, novelty, limit. Pure.

How often something has to be seen is each signal's own affair; whether a memory says the same already,
admission judges.
"""

import re

from bowerbird.agent.learn.registry import SIGNALS
from bowerbird.agent.learn.signals import cures, routines, together
from bowerbird.agent.learn.steps import Digest
from bowerbird.core.ids import text_hash
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.registry import Signal
    from bowerbird.agent.learn.steps import Candidate, Told

# What a session on a terminal may give.
LIMIT = 3
PROPOSED, REPEATED, OVER, OFF, PRIVATE = "proposed", "repeated", "limit", "off", "private"
# Places of one machine, addresses, and what a transcript's own redaction left.
_PRIVATE = re.compile(r"/home/|/Users/|[A-Z]:\\Users|\S+@\S+\.\w{2,}|\bREDACTED\b")
_COMMIT = re.compile(r"(?m)^\[[^\]\n]* (?P<sha>[0-9a-f]{7,40})\] ")


class Judged(Value):
    """A candidate, its signal, and what becomes of it: one of the words above."""

    __slots__ = ("candidate", "decision", "signal")

    def __init__(self, candidate: "Candidate", signal: "Signal", decision: str) -> None:
        self.candidate = candidate
        self.signal = signal
        self.decision = decision


def judged(told: "Told", past: "Sequence[Digest]", *, unsure: bool = False) -> list[Judged]:
    """Every candidate of a session, the most telling first, with what becomes of it.

    `unsure`: signals count that were not right often enough, too.
    """
    known = {key for one in past for key in one.kept}
    found: list[Judged] = []
    for signal in SIGNALS:
        for one in sorted(signal.find(told, past), key=lambda one: -one.strength):
            decision = PROPOSED
            if not (signal.on or unsure):
                decision = OFF
            elif _PRIVATE.search(one.text):
                decision = PRIVATE
            elif named(one) in known:
                decision = REPEATED
            elif sum(other.decision == PROPOSED for other in found) >= LIMIT:
                decision = OVER
            found.append(Judged(one, signal, decision))
    return found


def named(candidate: "Candidate") -> str:
    """What a candidate is known by among those of all signals."""
    # Hashed: keys are made of what somebody typed, and stand in a file outside of the store.
    return f"{candidate.signal} {text_hash(candidate.key).hex()}"


def digest(told: "Told", project: str, kept: "Sequence[str]") -> Digest:
    """What stays of a session."""
    return Digest(
        told.id,
        project,
        len(told.steps),
        together.edited(told),
        routines.worked(told),
        cures.met(told),
        tuple(kept),
    )


def commit_after(told: "Told", line: int) -> str:
    """The commit that a session made first behind a line of its transcript; empty for none."""
    for step in told.steps:
        committed = "git commit" in str(step.event.given.get("command", ""))
        if (
            step.line > line
            and committed
            and isinstance(step.event.answer, str)
            and not step.failed
        ):
            found = _COMMIT.search(step.event.answer)
            if found:
                return found["sha"]
    return ""
