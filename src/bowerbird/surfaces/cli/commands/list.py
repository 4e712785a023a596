"""``bower list``: entries, newest first.

Without a filter: what was remembered and what was indexed for this folder's project and globally.
Options that only memories have leave passages out.
"""

from bowerbird.core.errors import BadInput
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.cli.commands.query import add_filters, filters
from bowerbird.surfaces.flat import flat_entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower list --memories", "what was remembered, without passages of files"),
    ("bower list --kind decision --since 3mo", "this quarter's decisions"),
    ("bower list --state quarantined", "what waits until somebody has looked at it"),
    ("bower list --path incidents --limit 50", "passages of some files"),
)
DEFAULT_LIMIT = 20


def arguments(parser: "argparse.ArgumentParser") -> None:
    """The filters and how many."""
    add_filters(parser)
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
            limit=options.limit,
            offset=options.offset,
            all_projects=options.all_projects,
            **filters(options),
        )
    told: list[str] = [*entries.notes]
    missing = any(note.kind == "missing" for note in entries.notes)
    if not entries and (missing or not _narrowed(options)):
        told.append("bower index and bower curate make some")
    return Outcome(flat_entries(entries), entries, tuple(told))


def _narrowed(options: "argparse.Namespace") -> bool:
    """Whether entries may be there that were not asked for."""
    usual = ("store", "project", "format", "quiet", "verbose", "version", "help", "limit")
    return any(value for name, value in vars(options).items() if name not in usual)
