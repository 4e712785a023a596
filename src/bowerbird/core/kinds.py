"""The kinds of memory, a row each. Custom kinds are registered, not patched in."""

from bowerbird.core.errors import UnknownName
from bowerbird.core.value import Value


class Kind(Value):
    """A kind: what it is for, and what it adds to a memory's importance (0 to 1)."""

    __slots__ = ("importance", "meaning", "name")

    def __init__(self, name: str, meaning: str, importance: float = 0.0) -> None:
        self.name = name
        self.meaning = meaning
        self.importance = importance


DEFAULT = "fact"

KINDS = {
    kind.name: kind
    for kind in (
        Kind("fact", "something that is so"),
        Kind("pattern", "something that keeps coming back", 0.25),
        Kind("decision", "what was chosen, and why", 0.30),
        Kind("procedure", "how something is done", 0.20),
        Kind("context", "what one should know of the surroundings"),
        Kind("gotcha", "a trap and how to get around it"),
        Kind("preference", "how somebody likes it"),
        Kind("requirement", "what must hold"),
        Kind("error_pattern", "an error and its cure"),
        Kind("module_insight", "how a part of the code works"),
        Kind("prefetch_pattern", "files that are read together"),
        Kind("work_state", "where a piece of work stands"),
        Kind("causal_dependency", "what changes when something else does"),
        Kind("task_calibration", "how estimates compare with reality"),
        Kind("e2e_observation", "what a test saw in a running system"),
        Kind("dead_end", "an approach that failed, and why"),
        Kind("work_unit_outcome", "how a piece of work ended"),
        Kind("workflow_recipe", "steps that worked"),
        Kind("context_cost", "what a piece of context costs"),
    )
}


def kind(name: str) -> Kind:
    """The kind of that name. Raises UnknownName with the nearest known one."""
    if name not in KINDS:
        raise UnknownName.among("kind", name, list(KINDS))
    return KINDS[name]
