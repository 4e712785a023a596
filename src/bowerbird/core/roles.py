"""Roles such as planner and coder: the kinds of memory in each one's context, and how many of each."""

import math

from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

# Maximum steps of a work unit, whatever was planned or experienced.
MOST_STEPS = 1_000
# Experience can raise the planned steps by at most this factor.
_MOST_RATIO = 2.0
# Files listed for a coder, and their tokens in all: start values, not measured.
MOST_FILES = 12
FILE_TOKENS = 32_000
CALIBRATION = "task_calibration"
# The kind that lists the files of a task: those of > 80 % of its sessions, and those of > 50 %.
PREFETCH = "prefetch_pattern"
ALWAYS = "always_read_files"
OFTEN = "frequently_read_files"
# How many memories are read to compute the ratio, and the files.
MOST_CALIBRATIONS = 5
MOST_PATTERNS = 5


class Section(Record):
    """At most `most` memories of one kind, the most relevant first, or the newest."""

    kind: str
    most: int
    sort: str = "relevance"


class Role(Record):
    """A role: the phase that sets its budget, its sections in order, and whether it lists files."""

    name: str
    meaning: str
    phase: str
    sections: tuple[Section, ...]
    files: bool = False


ROLES = {
    one.name: one
    for one in (
        Role(
            "planner", "who plans: estimates, constraints, what hangs together", "define",
            (Section(CALIBRATION, MOST_CALIBRATIONS), Section("dead_end", 8),
             Section("causal_dependency", 10), Section("work_unit_outcome", 5, "recency"),
             Section("workflow_recipe", 2)),
        ),
        Role(
            "coder", "who does it: traps, known errors, and the files that it takes", "implement",
            (Section("gotcha", 6), Section("error_pattern", 6), Section("dead_end", 4),
             Section("causal_dependency", 4), Section("pattern", 4)),
            files=True,
        ),
        Role(
            "qa", "who checks it: what was seen, known errors, requirements", "validate",
            (Section("e2e_observation", 6), Section("error_pattern", 6), Section("requirement", 6)),
        ),
        Role(
            "fixer", "who mends what a check found: known errors, requirements", "refine",
            (Section("error_pattern", 6), Section("requirement", 6)),
        ),
    )
}  # fmt: skip


def role(name: str) -> Role:
    """The role of that name. Raises UnknownName with the nearest known one."""
    if name not in ROLES:
        raise UnknownName.among("role", name, list(ROLES))
    return ROLES[name]


def ratio_of(payloads: "Iterable[dict[str, Any] | None]") -> float | None:
    """The ratio of steps taken to steps planned.

    The mean over calibrations, weighted by their number of observations.
    """
    weighed = [
        (float(one["ratio"]), float(one.get("sample_count") or 1))
        for one in payloads
        if one and isinstance(one.get("ratio"), (int, float))
    ]
    samples = sum(count for _, count in weighed)
    return sum(ratio * count for ratio, count in weighed) / samples if samples else None


def step_limit(planned: int, ratio: float | None) -> int:
    """The maximum steps of a work unit: the planned ones times the ratio, twice as many at most.

    Raises BadInput.
    """
    if planned < 1:
        raise BadInput(f"steps cannot be {planned}", "give it a whole number from 1")
    return min(math.ceil(planned * min(1.0 if ratio is None else ratio, _MOST_RATIO)), MOST_STEPS)
