"""``bower prune``: let go of memories that faded, and of those whose day has passed.

They leave every search, and `bower revert` brings them back; thirty days later at the earliest the
next run removes them for good. Low importance alone takes only what nobody touched for 90 days (what
you said yourself: a year). Pinned memories, decisions and procedures never go. What `bower cache`
keeps and nobody used for 30 days goes along. It works on this folder's project and on what is global;
`bower serve` does it by itself each day, in every project. docs/operations.md has the rules.
"""

from bowerbird.core.pruned import THRESHOLD
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.flat_memory import flat_pruned

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower prune --dry-run", "who would go, and why"),
    ("bower prune", "let them go"),
    ("bower prune --threshold 0.1 --all-projects", "a higher bar, everywhere"),
    ("bower list --state deprecated", "who went"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """How much, where, and whether at all."""
    parser.add_argument(
        "--dry-run", action="store_true", help="only say who would go; nothing is changed"
    )
    parser.add_argument(
        "--threshold",
        type=float,
        default=THRESHOLD,
        metavar="X",
        help=f"effective importance below which memories may go, 0 to 1 (default {THRESHOLD:g})",
    )
    parser.add_argument("--all-projects", action="store_true", help="of every project")


def run(call: "Call") -> Outcome:
    """Let them go, or only say who would."""
    options = call.options
    with call.open(writes=True) as bird:
        done = bird.prune(
            dry_run=options.dry_run,
            threshold=options.threshold,
            all_projects=options.all_projects,
        )
    return Outcome(flat_pruned(done), done, done.notes)
