"""How an answer came about: stages, what each added to each hit, and what was skipped and why."""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Stage(Value):
    """One step of the pipeline: how many candidates it left, how long it took, why it was skipped.

    `skipped` is empty for a stage that ran. `note` says in words what it did.
    """

    __slots__ = ("count", "ms", "name", "note", "skipped")

    def __init__(
        self, name: str, count: int = 0, ms: float = 0.0, note: str = "", skipped: str = ""
    ) -> None:
        self.name = name
        self.count = count
        self.ms = ms
        self.note = note
        self.skipped = skipped


class Trace:
    """Collects stages; the contributions of a hit sum to its score.

    A stage's contribution is the score after it minus the score before it.
    """

    __slots__ = ("_contributions", "_scores", "explain", "stages")

    def __init__(self, *, explain: bool = False) -> None:
        self.explain = explain
        self.stages: list[Stage] = []
        self._scores: dict[int, float] = {}
        self._contributions: dict[int, dict[str, float]] = {}

    def ran(self, name: str, count: int, ms: float, note: str = "") -> None:
        """A stage ran and left `count` candidates."""
        self.stages.append(Stage(name, count=count, ms=round(ms, 3), note=note))

    def skip(self, name: str, why: str) -> None:
        """A stage did not run."""
        self.stages.append(Stage(name, skipped=why))

    def scored(self, name: str, scores: "Mapping[int, float]") -> None:
        """A stage gave or changed scores, by row; kept only when an explanation was asked for."""
        if not self.explain:
            return
        for row, score in scores.items():
            delta = score - self._scores.get(row, 0.0)
            if delta:
                parts = self._contributions.setdefault(row, {})
                parts[name] = parts.get(name, 0.0) + delta
        self._scores.update(scores)

    def contributions(self, row: int) -> dict[str, float]:
        """What each stage added to the score of one row, in the order of the stages."""
        return dict(self._contributions.get(row, {}))

    @property
    def degraded(self) -> list[str]:
        """The stages that did not run, with their reasons."""
        return [f"{stage.name}: {stage.skipped}" for stage in self.stages if stage.skipped]
