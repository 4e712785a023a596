"""Methodologies that name their own phases, one row each, and the kinds that help in each phase.

A package adds another by an entry point of the group `bowerbird.methodologies` that names a
`Methodology`; the setting agent.methodology chooses it.
"""

from bowerbird.core.phases import OTHER, PHASES, Phase
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bowerbird.core.kinds import Kind

    # What is kept when a piece of work has ended: by its name and its outcome, texts with their kinds.
    Ended = Callable[[str, str], Iterable[tuple[str, str]]]

GROUP = "bowerbird.methodologies"
NAME = "native"
# The fallback for a phase that a methodology does not know.
UNKNOWN = "explore"


# Which roles (core.roles) receive what earlier roles kept on the same piece of work, and of which kinds,
# or of any. A planner comes first.
RELAYS = {"coder": (), "qa": (), "fixer": ("error_pattern", "requirement")}


class Methodology(Value):
    """A way of working: its `phases`, each with its budget, weights and shares by kind (core.phases).

    `relays` say which role receives what others kept on its piece of work, and of which kinds. `kinds`
    are its additional kinds of memory. `ended` is called with a piece of work and its outcome when that
    is kept: the texts that it returns are kept too.
    """

    __slots__ = ("ended", "kinds", "meaning", "name", "phases", "relays")

    def __init__(
        self,
        name: str,
        meaning: str,
        phases: tuple[Phase, ...],
        relays: "Mapping[str, tuple[str, ...]]" = RELAYS,
        kinds: "tuple[Kind, ...]" = (),
        ended: "Ended | None" = None,
    ) -> None:
        self.name = name
        self.meaning = meaning
        self.phases = phases
        self.relays = relays
        self.kinds = kinds
        self.ended = ended

    def phase(self, name: str) -> Phase | None:
        """Its phase of that name; None where it has none."""
        return next((one for one in self.phases if one.name == name), None)


def _like(name: str, known: str, meaning: str) -> Phase:
    """A phase in which the same helps as in one of ours."""
    return PHASES[known].replace(name=name, meaning=meaning)


NATIVE = Methodology(NAME, "the phases of core.phases", tuple(PHASES.values()))
BMAD = Methodology(
    "bmad",
    "analysis to quality assurance, story by story",
    (
        _like("analysis", "explore", "finding out what is there"),
        _like("planning", "define", "requirements and epics"),
        _like("solutioning", "define", "architecture"),
        _like("story", "define", "one story made ready"),
        _like("implementation", "implement", "one story done"),
        _like("qa", "validate", "one story checked"),
        _like("retrospective", "reflect", "learning from an epic"),
    ),
)
TDD = Methodology(
    "tdd",
    "a failing test, the code that passes it, the same in better shape",
    (
        Phase(
            "red", "writing the test that fails", 1_500,
            {"requirement": 1.4, "e2e_observation": 1.2, "error_pattern": 1.1},
            {"requirement": 0.40, "e2e_observation": 0.20, "error_pattern": 0.20, OTHER: 0.20},
        ),
        _like("green", "implement", "making it pass"),
        _like("refactor", "refine", "the same in better shape"),
    ),
)  # fmt: skip
# Those that come with the package.
OURS = {one.name: one for one in (NATIVE, BMAD, TDD)}
