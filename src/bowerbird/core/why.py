"""What hooks would inject for a prompt, and what keeps the nearest other entries out."""

from bowerbird.core.value import Record


class Considered(Record):
    """An entry near a prompt. `reason` says what keeps it out; it is empty if it would be injected."""

    id: str
    kind: str
    text: str
    relevance: float
    reason: str
    TABLE = ("*", ("relevance", "score"))


class Why(Record):
    """What would be injected for a prompt, here and now, and the nearest entries that would not.

    `least` is the relevance that the best entry needs, `confidence` what a memory's must exceed at the
    project's `level`, `project` its name. `obstacles` are what keeps everything out, whatever is asked.
    `waiting` counts the decisions that `bower review` asks for in this project; `typed` are those of what
    a person typed in sessions, the nearest first.
    """

    prompt: str
    project: str
    level: int
    confidence: float
    least: float
    obstacles: tuple[str, ...] = ()
    injected: tuple[Considered, ...] = ()
    withheld: tuple[Considered, ...] = ()
    waiting: int = 0
    typed: tuple[str, ...] = ()
    TABLE = ("*",)
