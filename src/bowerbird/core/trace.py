"""The trace of an answer: stages, their contributions to each hit, and what was skipped and why."""

from time import perf_counter

from bowerbird.core.value import Advice, Note, Record, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from bowerbird.core.value import Do

# How people are told of a stage that is left out, where its name is a term.
LEFT_OUT = {"dense": "words alone"}


class Stage(Record):
    """One step of the pipeline: how many candidates it left, how long it took, why it was skipped.

    `skipped` is empty for a stage that ran. `note` says in words what it did.
    """

    name: str
    count: int = 0
    ms: float = 0.0
    note: str = ""
    skipped: str = ""
    TABLE = ("count", "ms", "name", "note", "skipped")


class Trace:
    """Collects stages as they end; the contributions of a hit sum to its score.

    A stage's contribution is the score after it minus the score before it, its time what has passed
    since the stage before.
    """

    __slots__ = (
        "_contributions",
        "_mark",
        "_scores",
        "_start",
        "explain",
        "notes",
        "stages",
        "words",
    )

    def __init__(self, *, explain: bool = False) -> None:
        self.explain = explain
        self.stages: list[Stage] = []
        # Notes beside the answer, each with the stage or part that added it.
        self.notes: list[tuple[str, Note]] = []
        # The words of the query that were searched.
        self.words: tuple[str, ...] = ()
        self._scores: dict[int, float] = {}
        self._contributions: dict[int, dict[str, float]] = {}
        self._start = self._mark = perf_counter()

    def ran(
        self, name: str, count: int, note: str, scores: "Mapping[int, float] | None" = None
    ) -> None:
        """Records that a stage ended with `count` candidates, and `scores` by row if it changed any."""
        now = perf_counter()
        self.stages.append(Stage(name, count, round((now - self._mark) * 1000, 3), note))
        self._mark = now
        if self.explain and scores is not None:
            self._contribute(name, scores)

    def skip(self, name: str, *why: "str | Do", kind: str = "degraded") -> None:
        """Records that a stage was skipped; `kind` is that of a Note."""
        note = Note(kind, *why)
        self.stages.append(Stage(name, skipped=note))
        self.notes.append((name, note))

    def remark(self, name: str, note: Note) -> None:
        """Adds a note that belongs to no stage."""
        self.notes.append((name, note))

    def again(self) -> "Trace":
        """A trace that starts now, with the stages of this one: for a cached answer."""
        trace = Trace(explain=self.explain)
        trace.stages = list(self.stages)
        trace.notes = list(self.notes)
        trace.words = self.words
        trace._contributions = self._contributions
        return trace

    def _contribute(self, name: str, scores: "Mapping[int, float]") -> None:
        for row, score in scores.items():
            delta = score - self._scores.get(row, 0.0)
            if delta:
                parts = self._contributions.setdefault(row, {})
                parts[name] = parts.get(name, 0.0) + delta
        self._scores.update(scores)

    def contributions(self, row: int) -> dict[str, float]:
        """The contribution of each stage to the score of one row, in order.

        Empty unless an explanation was requested.
        """
        return dict(self._contributions.get(row, {}))

    @property
    def took_ms(self) -> float:
        """Milliseconds since the query began."""
        return round((perf_counter() - self._start) * 1000, 3)

    @property
    def degraded(self) -> list[Advice]:
        """Deviations from the usual, a line each: skipped stages and notes."""
        return [Advice(f"{name}: ", note) for name, note in self.notes]

    @property
    def remarks(self) -> list[Remark]:
        """The same as values."""
        return [Remark(note.kind, note, name) for name, note in self.notes]
