"""Computes trust: from the author, from the sources, and from what the author had read.

Pure: the caller passes the lineage.
"""

from bowerbird.core import origins
from bowerbird.core.types import TRUSTS, known_trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# The trust of what a session writes after reading external text.
TAINTED = "low"


def trust_of(origin: str, *, lineage: "Iterable[str]" = (), tainted: bool = False) -> str:
    """The trust of a text of that origin: the lowest of the origin's and of everything it came from.

    `lineage` contains trusts. Raises UnknownName for an unknown origin or trust.
    """
    own = lowest((origins.trust_of(origin), *lineage))
    return lowest((own, TAINTED)) if tainted else own


def lowest(trusts: "Iterable[str]") -> str:
    """The lowest of some trusts; the highest if there are none. Raises UnknownName."""
    return min(trusts, key=rank, default=TRUSTS[-1])


def rank(trust: str) -> int:
    """A trust's position in the order, lowest first. Raises UnknownName."""
    return TRUSTS.index(known_trust(trust))


def reaches(trust: str, floor: str) -> bool:
    """Whether a trust is at least as high as a threshold."""
    return rank(trust) >= rank(floor)
