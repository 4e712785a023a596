"""The turns of a session: what was done, the agent's last message, and how it was received. Pure."""

import re

from bowerbird.core.events import PROMPTED, SAID, STOPPED
from bowerbird.core.value import Record
from bowerbird.sessions.learn.commands import checks
from bowerbird.sessions.learn.steps import once
from bowerbird.sessions.observe.calls import command, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import RecordedSession, Step

# Words by which a person rejects a result.
_REFUSED = re.compile(
    r"(?i)^\W*(?:no\b|nope|wrong|stop|wait|hmm|undo|revert|that'?s not|not (?:what|quite|right)|still\b"
    r"|it still"
    r"|(?:this|that|it) (?:is|does|did|was)(?:n'?t| not)|doesn'?t|didn'?t|why (?:did|do|are|is)"
    r"|are you sure"
    r"|actually|but\b|nein|falsch|non\b)|\b(?:does ?n[o']t work|did ?n[o']t work|still (?:fail|broken"
    r"|see|get)"
    r"|not working|same error|broke|go back|roll ?back|undo|revert)"
)
# The minimum number of calls in a turn with findings.
_SOME = 3
# In characters, for a prompt that is searched for a rejection; longer ones are new work.
LONGEST_ANSWER = 400


class Turn(Record):
    """The work for one prompt.

    `closing` is the agent's last message; `edits` and `calls` are the numbers of file edits and tool
    calls; `tested`: the last check that ran passed; `broken`: it failed; `refused`: a person stopped the
    turn, or rejected it in the next prompt.
    """

    steps: "tuple[Step, ...]"
    closing: "Step | None"
    edits: int
    calls: int
    tested: bool
    broken: bool
    refused: bool

    @property
    def succeeded(self) -> bool:
        """Whether something was done, no check failed at the end, and nobody objected."""
        return self.calls >= _SOME and not self.broken and not self.refused


@once
def turns(session: "RecordedSession") -> list[Turn]:
    """Return the turns of a session; steps of sub-agents belong to the turn that started them."""
    cuts = [at for at, step in enumerate(session.steps) if _begins(step)]
    parts = [
        session.steps[at:end]
        for at, end in zip(cuts, [*cuts[1:], len(session.steps)], strict=False)
    ]
    return [_turn(part, after) for part, after in zip(parts, [*parts[1:], ()], strict=False)]


def _begins(step: "Step") -> bool:
    return step.event.what == PROMPTED and not step.event.sub


def _turn(steps: "Sequence[Step]", after: "Sequence[Step]") -> Turn:
    own = [step for step in steps if not step.event.sub]
    said = [step for step in own if step.event.what == SAID]
    checked = [step.failed for step in own if checks(command(step.event.given))]
    answer = after[0].event.text if after else ""
    stopped = any(step.event.what == STOPPED for step in own)
    objected = len(answer) <= LONGEST_ANSWER and bool(_REFUSED.search(answer))
    edits = sum(kind_of(step.event.tool) == "edit" and step.did for step in steps)
    return Turn(
        tuple(steps),
        said[-1] if said else None,
        edits,
        sum(bool(step.event.tool) for step in steps),
        tested=bool(checked) and not checked[-1],
        broken=bool(checked) and checked[-1],
        refused=stopped or objected,
    )
