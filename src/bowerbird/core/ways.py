"""How memories hang together, and with code, as values: ways from one to another, and communities."""

from bowerbird.core.graph import Node
from bowerbird.core.value import Record, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Point(Record):
    """A memory, or a place in code, that a way leads through.

    Of a memory `id`, its kind and what it says; of code the `path`, the line, the kind and the name.
    `depth` is how many steps from the start it is, less than 0 where it comes before.
    """

    id: str
    kind: str
    name: str
    path: str = ""
    line: int = 0
    depth: int = 0
    trust: str = ""
    TABLE = ("id", ("type", "text", "kind"), "name", "path", "line", "depth", ("trust", "text-"))


class Leg(Record):
    """What one point is to another, each by its place among the points; `strength` is 0 to 1.

    `path`, `line` and `column` are where it is said, empty and 0 of what no file says. `origin` is who
    says it: a file's tree (ast), another tool's index (scip), a rule (by a name alone, or as memories
    were compared), or whoever wrote the memory or the link, a person or an agent (stated).
    """

    source: int
    target: int
    kind: str
    strength: float
    origin: str
    path: str = ""
    line: int = 0
    column: int = 0
    TABLE = ("*", ("strength", "share"))


class Way(Record):
    """How one memory or place in code leads to another; without `end`, causes and effects of the start.

    No points: there is no way within the steps allowed. `candidates` are what an ambiguous name may mean.
    `stale` are files that changed since they were indexed: no way leads through what they said.
    """

    start: str
    end: str = ""
    depth: int = 0
    points: "tuple[Point, ...]" = ()
    legs: "tuple[Leg, ...]" = ()
    candidates: "tuple[Node, ...]" = ()
    stale: "tuple[str, ...]" = ()
    notes: "tuple[str, ...]" = ()
    TABLE = ("*", ("points", [Point]), ("legs", [Leg]), ("candidates", [Node]))

    @property
    def trusts(self) -> list[str]:
        """The trust of each memory on it."""
        return [one.trust for one in self.points if one.trust]


class Community(Value):
    """Memories that hang together more than with others, the most connected first."""

    __slots__ = ("legs", "points")
    TABLE = (("points", [Point]), ("legs", [Leg]))

    def __init__(self, points: "Sequence[Point]", legs: "Sequence[Leg]" = ()) -> None:
        self.points = tuple(points)
        self.legs = tuple(legs)


class Communities(Record):
    """The communities of some projects, the largest first; `alone` counts memories that hang on nothing.

    `modularity` (-.5 to 1) is how much more hangs together within them than chance would have it. `more`
    communities were left out for their number.
    """

    communities: "tuple[Community, ...]" = ()
    modularity: float = 0.0
    alone: int = 0
    more: int = 0
    notes: "tuple[str, ...]" = ()
    TABLE = ("*", ("communities", [Community]), ("modularity", "score"))

    @property
    def trusts(self) -> list[str]:
        """The trust of each memory in them."""
        return [point.trust for one in self.communities for point in one.points]
