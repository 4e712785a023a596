"""Computes trust: from the author, from the sources, and from what the author had read.

Pure: the caller passes the lineage.
"""

from bowerbird.core import origins
from bowerbird.core.types import TRUSTS, known_trust
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_NOT_OWN = "learned from a transcript that is not known to be yours"
FOLLOWS = "written after the session read unverified text"
REPEATS = "repeats a name that this project knows from text of others alone"
# The trust of what a session writes after reading external text.
TAINTED = "low"


def trust_of(origin: str, *, lineage: "Iterable[str]" = (), tainted: bool = False) -> str:
    """The trust of a text of that origin: the lowest of the origin's and of everything it came from.

    `lineage` contains trusts. Raises UnknownName for an unknown origin or trust.
    """
    own = lowest((origins.trust_of(origin), *lineage))
    return lowest((own, TAINTED)) if tainted else own


class Evidence(Record):
    """What a learned text rests on: its origin, the trusts that limit it, and why it waits for review.

    `tainted`: its author had read what others wrote. `reason` is empty if it does not wait for that.
    """

    origin: str
    lineage: tuple[str, ...] = ()
    reason: str = ""
    tainted: bool = False


def evidence(
    origin: str, *, own: bool, kept: bool, follows: bool, shown: str = "", reason: str = ""
) -> Evidence:
    """The trust of what was learned from a session, by what it rests on.

    What a person typed is theirs, whatever their agent had read: normal, full if they asked to keep it.
    What an agent said or did counts as its own, unless it `follows` text of others, which `reason` names;
    then it waits. A record that is not the user's `own` says nothing of who typed. `shown` is the lowest
    trust that the session was shown without a step that tells when.
    """
    if not own:
        return Evidence("import", ("imported",), _NOT_OWN, tainted=follows)
    if origin == "user":
        return Evidence(origin, () if kept else ("normal",))
    if follows:
        return Evidence(origin, reason=f"{FOLLOWS}: {reason}" if reason else FOLLOWS, tainted=True)
    if shown:
        return Evidence(origin, (shown,), FOLLOWS)
    return Evidence(origin)


def lowest(trusts: "Iterable[str]") -> str:
    """The lowest of some trusts; the highest if there are none. Raises UnknownName."""
    return min(trusts, key=rank, default=TRUSTS[-1])


def rank(trust: str) -> int:
    """A trust's position in the order, lowest first. Raises UnknownName."""
    return TRUSTS.index(known_trust(trust))


def reaches(trust: str, floor: str) -> bool:
    """Whether a trust is at least as high as a threshold."""
    return rank(trust) >= rank(floor)
