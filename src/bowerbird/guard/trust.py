"""How far something is believed: by who wrote it, what it came from, and what its writer had read.

Pure: whoever knows the lineage hands it in.
"""

from bowerbird.core import origins
from bowerbird.core.types import TRUSTS, known_trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# What is left of trust where the session had read something from outside.
TAINTED = "low"


def trust_of(origin: str, *, lineage: "Iterable[str]" = (), tainted: bool = False) -> str:
    """The trust of what that origin wrote: the lowest of its own and of everything it came from.

    `lineage` holds trusts. Raises UnknownName for an origin or a trust that does not exist.
    """
    own = lowest((origins.trust_of(origin), *lineage))
    return lowest((own, TAINTED)) if tainted else own


def lowest(trusts: "Iterable[str]") -> str:
    """The lowest of some trusts; nothing lowers nothing. Raises UnknownName."""
    return min(trusts, key=rank, default=TRUSTS[-1])


def rank(trust: str) -> int:
    """A trust's place in the order, lowest first. Raises UnknownName."""
    return TRUSTS.index(known_trust(trust))


def reaches(trust: str, floor: str) -> bool:
    """Whether something is believed at least as far as a floor asks."""
    return rank(trust) >= rank(floor)
