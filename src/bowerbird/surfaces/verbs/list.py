"""``bower list``: entries, newest first.

Without a filter: what was remembered and what was indexed for this folder's project and globally.
Options that only memories have leave passages out.
"""

from bowerbird.core.answers import Listed
from bowerbird.core.errors import BadInput
from bowerbird.surfaces import Field, Verb
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.narrowing import FILTERS, placed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower list --memories", "what was remembered, without passages of files"),
    ("bower list --kind decision --since 3mo", "this quarter's decisions"),
    ("bower list --state quarantined", "what waits until somebody has looked at it"),
    ("bower list --path incidents --limit 50", "passages of some files"),
)
_SHAPE = "shape of the answer"
VERB = Verb(
    "list",
    "List entries, newest first",
    (
        *FILTERS,
        Field(
            "limit", "whole", "at most so many (default 20)",
            default=20, low=1, high=200, metavar="N", group=_SHAPE, option=("-n", "--limit"),
        ),
        Field(
            "offset", "whole", "leave out the first N",
            default=0, low=0, high=1_000_000, metavar="N", group=_SHAPE,
        ),
    ),
    Listed,
    group="Ask",
    order=4,
    route=("GET", "/list"),
    renderer="entries",
)  # fmt: skip


def run(bird: "Bowerbird", given: "dict[str, Any]") -> Listed:
    """List them."""
    return Listed(bird.list(**given))


def command(call: "Call") -> Outcome:
    """Load the entries, and say how there come to be some."""
    given = placed(call.given(VERB))
    if given.get("limit", 1) < 1 or given.get("offset", 0) < 0:
        raise BadInput("--limit and --offset count entries", "give --limit 1 or more")
    with call.open() as bird:
        found = run(bird, given)
    told: list[str] = [*found.entries.notes]
    missing = any(note.kind == "missing" for note in found.entries.notes)
    if not found.entries and (missing or not given.keys() - {"limit"}):
        told.append("bower index and bower curate make some")
    return Outcome(found.as_dict(), found.entries, tuple(told))
