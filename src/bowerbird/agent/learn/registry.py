"""The signals: which there are, how far what they find is believed, and which of them count."""

from bowerbird.agent.learn.signals import cures, instructions, routines, together
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.agent.learn.steps import Candidate, Digest, Told

    Find = Callable[[Told, Sequence[Digest]], list[Candidate]]

# Below this share of right ones a signal does not count; from the other on, of enough that were
# judged one by one, nobody need look first.
_GOOD, _SURE, _ENOUGH = 0.75, 0.9, 10


class Signal(Value):
    """A signal: the `confidence` of what it finds, and how many of so many `judged` ones were right."""

    __slots__ = ("confidence", "find", "judged", "name", "right")

    def __init__(self, name: str, find: "Find", confidence: float, right: int, judged: int) -> None:
        self.name = name
        self.find = find
        self.confidence = confidence
        self.right = right
        self.judged = judged

    @property
    def precision(self) -> float | None:
        """The share of right ones; None where too few were judged to tell."""
        return self.right / self.judged if self.judged >= _ENOUGH else None

    @property
    def on(self) -> bool:
        """Whether it counts."""
        return self.precision is None or self.precision >= _GOOD

    @property
    def waits(self) -> bool:
        """Whether somebody has to look at what it finds before an agent is told unasked."""
        return self.precision is None or self.precision < _SURE


# The order is that in which a session's candidates are kept, where there are more than it may give.
# The counts stand in docs/learning.md with how they came about.
SIGNALS = (
    Signal(instructions.NAME, instructions.candidates, 0.85, 0, 1),
    Signal(cures.NAME, cures.candidates, 0.8, 10, 10),
    Signal(routines.NAME, routines.candidates, 0.9, 10, 10),
    Signal(together.NAME, together.candidates, 0.5, 30, 97),
)
