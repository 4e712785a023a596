"""What hooks would inject for a prompt, and what keeps the nearest other entries out."""

from bowerbird.core.value import Value


class Considered(Value):
    """An entry near a prompt. `reason` says what keeps it out; it is empty if it would be injected."""

    __slots__ = ("id", "kind", "reason", "relevance", "text")
    TABLE = (
        *(("id", "text"), ("kind", "text"), ("text", "text"), ("relevance", "score")),
        ("reason", "text"),
    )

    def __init__(self, id: str, kind: str, text: str, relevance: float, reason: str) -> None:
        self.id = id
        self.kind = kind
        self.text = text
        self.relevance = relevance
        self.reason = reason


class Why(Value):
    """What would be injected for a prompt, here and now, and the nearest entries that would not.

    `least` is the relevance that the best entry needs, `confidence` what a memory's must exceed at the
    project's `level`, `project` its name. `obstacles` are what keeps everything out, whatever is asked.
    """

    __slots__ = (
        *("confidence", "injected", "least", "level", "obstacles", "project", "prompt", "withheld"),
    )
    TABLE = (
        *(("prompt", "text"), ("project", "text"), ("level", "whole"), ("confidence", "number")),
        *(("least", "number"), ("obstacles", "texts"), ("injected", [Considered])),
        ("withheld", [Considered]),
    )

    def __init__(
        self,
        prompt: str,
        project: str,
        level: int,
        confidence: float,
        least: float,
        obstacles: tuple[str, ...] = (),
        injected: tuple[Considered, ...] = (),
        withheld: tuple[Considered, ...] = (),
    ) -> None:
        self.prompt = prompt
        self.project = project
        self.level = level
        self.confidence = confidence
        self.least = least
        self.obstacles = obstacles
        self.injected = injected
        self.withheld = withheld
