"""``bower list``: entries, newest first.

Without a filter: what was remembered and what was indexed for this folder's project and globally.
"""

import argparse

from bowerbird.core.errors import BadInput
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.cli.commands.query import add_filters, filters
from bowerbird.surfaces.cli.flat import flat_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower list --memories", "what was remembered, without passages of files"),
    ("bower list --kind decision --since 3mo", "this quarter's decisions"),
    ("bower list --path incidents --limit 50", "passages of some files"),
)
DEFAULT_LIMIT = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    """The filters and how many."""
    narrow = parser.add_argument_group("which entries")
    narrow.add_argument("--memories", action="store_true", help="memories only, no passages")
    narrow.add_argument("--all-projects", action="store_true", help="of every project")
    add_filters(narrow)
    shape = parser.add_argument_group("shape of the answer")
    shape.add_argument(
        "--limit", type=int, default=DEFAULT_LIMIT, metavar="N", help="at most so many (default 20)"
    )
    shape.add_argument("--offset", type=int, default=0, metavar="N", help="leave out the first N")


def run(call: "Call") -> Outcome:
    """Load the entries."""
    options = call.options
    if options.limit < 1 or options.offset < 0:
        raise BadInput("--limit and --offset count entries", "give --limit 1 or more")
    with call.open() as bird:
        entries = bird.list(
            memories_only=options.memories,
            limit=options.limit,
            offset=options.offset,
            **filters(options),
        )
    data = {"entries": [flat_entry(entry) for entry in entries], "count": len(entries)}
    return Outcome(data, entries)
