"""The phases of work: the token budget of each, and the kinds of memory that help in it."""

from bowerbird.core.errors import UnknownName
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# The share of all kinds that a phase does not name.
OTHER = "other"
# The maximum weight of a kind in the settings: five times the lowest built-in weight.
MOST_WEIGHT = 4.0


class Phase(Record):
    """A phase.

    `budget` is the maximum tokens of its context, `weights` are factors by kind (1.0 for others),
    `shares` limit the part of the budget that a kind may take (`other`: all the rest together); what a
    kind leaves unused is available to the others. A phase of a methodology is named `methodology:phase`.
    """

    name: str
    meaning: str
    budget: int
    weights: "Mapping[str, float]"
    shares: "Mapping[str, float]"

    def __hash__(self) -> int:
        # Part of the key of a cached answer.
        return hash(self.name)


# Budgets, weights and shares are start values; `bower session --compare` measures the weights in use.
PHASES = {
    phase.name: phase
    for phase in (
        Phase(
            "define", "what is to be done", 2_500,
            {"workflow_recipe": 1.4, "dead_end": 1.2, "requirement": 1.2, "decision": 1.1,
             "task_calibration": 1.1, "gotcha": 0.8, "error_pattern": 0.8},
            {"workflow_recipe": 0.30, "requirement": 0.20, "decision": 0.20, "dead_end": 0.15,
             "task_calibration": 0.10, OTHER: 0.05},
        ),
        Phase(
            "implement", "doing it", 3_000,
            {"gotcha": 1.4, "error_pattern": 1.3, "causal_dependency": 1.2, "dead_end": 1.2,
             "pattern": 1.1, "prefetch_pattern": 1.1},
            {"gotcha": 0.30, "error_pattern": 0.25, "causal_dependency": 0.15, "pattern": 0.15,
             "dead_end": 0.10, OTHER: 0.05},
        ),
        Phase(
            "validate", "seeing whether it holds", 2_500,
            {"error_pattern": 1.4, "e2e_observation": 1.4, "requirement": 1.2,
             "work_unit_outcome": 1.1},
            {"error_pattern": 0.30, "requirement": 0.25, "e2e_observation": 0.25,
             "work_unit_outcome": 0.15, OTHER: 0.05},
        ),
        Phase(
            "refine", "making it better", 2_000,
            {"error_pattern": 1.3, "gotcha": 1.2, "dead_end": 1.2},
            {"error_pattern": 0.35, "gotcha": 0.25, "dead_end": 0.20, "pattern": 0.15, OTHER: 0.05},
        ),
        Phase(
            "explore", "finding one's way", 2_000,
            {"module_insight": 1.4, "decision": 1.2, "pattern": 1.1},
            {"module_insight": 0.40, "decision": 0.25, "pattern": 0.20, "causal_dependency": 0.15},
        ),
        Phase(
            "reflect", "learning from it", 1_500,
            {"work_unit_outcome": 1.4, "task_calibration": 1.3, "dead_end": 1.1},
            {"work_unit_outcome": 0.40, "task_calibration": 0.35, "dead_end": 0.15, OTHER: 0.10},
        ),
    )
}  # fmt: skip


def phase(name: str) -> Phase:
    """The built-in phase of that name. Raises UnknownName with the nearest known one."""
    found = PHASES.get(name)
    if found is None:
        raise UnknownName.among("phase", name, list(PHASES))
    return found
