"""Hits together with the shape in which they were asked for."""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.answers import Hits

SHAPES = ("full", "compact", "digest")


class Answer(Value):
    """`shape` is one of SHAPES; `wide` says that every project was searched."""

    __slots__ = ("explain", "hits", "shape", "wide")

    def __init__(
        self, hits: "Hits", shape: str = "full", explain: bool = False, wide: bool = False
    ) -> None:
        self.hits = hits
        self.shape = shape
        self.explain = explain
        self.wide = wide
