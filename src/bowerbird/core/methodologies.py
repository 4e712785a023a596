"""Methodologies that name their own phases, one row each, and the kinds that help in each phase.

A package may add another (core.plugins); the setting agent.methodology chooses it.
"""

from bowerbird.core.phases import OTHER, PHASES, Phase
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bowerbird.core.kinds import Kind

    # Called at the end of a work unit with its name and outcome; returns texts to store, with their
    # kinds.
    Ended = Callable[[str, str], Iterable[tuple[str, str]]]

NAME = "native"
# The fallback for a phase that a methodology does not know.
UNKNOWN = "explore"


# Which roles (core.roles) receive what earlier roles recorded on the same work unit, by kind; empty: any
# kind. The planner comes first.
RELAYS = {"coder": (), "qa": (), "fixer": ("error_pattern", "requirement")}


class Methodology(Record):
    """A methodology: its `phases`, each with its budget, weights and shares by kind (core.phases).

    `relays` says which role receives what others recorded on its work unit, and of which kinds. `kinds`
    are additional kinds of memory. `ended` is called with a work unit and its outcome when an outcome is
    recorded; the texts that it returns are stored too.
    """

    name: str
    meaning: str
    phases: tuple[Phase, ...]
    relays: "Mapping[str, tuple[str, ...]]" = RELAYS
    kinds: "tuple[Kind, ...]" = ()
    ended: "Ended | None" = None

    def phase(self, name: str) -> Phase | None:
        """The phase with that name, or None."""
        return next((one for one in self.phases if one.name == name), None)


def _like(name: str, known: str, meaning: str) -> Phase:
    """A phase with another name and the weights of a built-in one."""
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
# The built-in methodologies.
OURS = {one.name: one for one in (NATIVE, BMAD, TDD)}
