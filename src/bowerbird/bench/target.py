"""The performance targets of the product, and whether a measurement meets them."""

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Up to this number of entries the first value of a pair applies, above it the second.
SMALL = 12_000
COLD_RATIO = {"query": (6.0, 12.0), "status": (4.0, 4.0), "curate": (8.0, 8.0)}
COLD_RSS_MB = (60.0, 60.0)
WARM_RATIO = (2.0, 2.0)
REMEMBER_MS = (100.0, 100.0)
MISSPELT_MS = (200.0, 200.0)
# From this number of entries a vector index is built beside the store.
HNSW_FROM = 2_000_000
INGEST_MB_S = (1.5, 1.5)
STORE_MB = (40.0, 350.0)
# In milliseconds of CPU: the whole store at 100,000 memories, and one merge.
DECIDE_MS = 500.0
PRUNE_MS = 3_000.0
# Of each memory that leaves: 20,000 in three seconds.
LEAVE_MS = 0.15
GROUP_MS = 3_000.0
CONSOLIDATE_MS = 2_000.0
MERGE_MS = 120.0


class Target(Record):
    """A target and the measured figure; with `floor` the limit is a minimum."""

    name: str
    figure: float
    limit: float
    floor: bool = False

    @property
    def met(self) -> bool:
        """Whether the figure meets the target."""
        return self.figure >= self.limit if self.floor else self.figure <= self.limit

    def raw_dict(self) -> "dict[str, Any]":
        """The target, the figure, and whether it is met."""
        return {
            "name": self.name,
            "figure": self.figure,
            "limit": self.limit,
            "at_least": self.floor,
            "met": self.met,
        }


def at(pair: tuple[float, float], passages: int) -> float:
    """The limit for a store of that size."""
    return pair[0] if passages <= SMALL else pair[1]
