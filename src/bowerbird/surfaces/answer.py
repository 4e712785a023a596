"""Hits together with the shape in which they were asked for."""

from bowerbird.core.text import count_tokens
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.answers import Hits

SHAPES = ("full", "compact", "digest")


class Answer(Value):
    """`shape` is one of SHAPES; `wide` says that every project was searched.

    `budget` is the cap in tokens that was asked for, 0 without one.
    """

    __slots__ = ("budget", "explain", "hits", "shape", "wide")

    def __init__(
        self,
        hits: "Hits",
        shape: str = "full",
        explain: bool = False,
        wide: bool = False,
        budget: int = 0,
    ) -> None:
        self.hits = hits
        self.shape = shape
        self.explain = explain
        self.wide = wide
        self.budget = budget

    @property
    def spent(self) -> int:
        """The tokens of all hits' texts."""
        return sum(count_tokens(hit.text) for hit in self.hits)
