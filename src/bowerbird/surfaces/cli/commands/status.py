"""``bower status``: what the store holds and where it rests.

Counts are those of this folder's project and of what is global; below stands every project.
"""

from bowerbird.surfaces.cli.call import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower status", "at a glance"),
    ("bower status --measure", "and how much of the exact answer is found"),
    ("bower status --store team.db --format json", "another store, for a script"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """How closely to look."""
    parser.add_argument(
        "--measure",
        action="store_true",
        help="ask with fifty stored vectors how much of the exact answer search finds",
    )
    # People try it, as `query` and `list` have it; every project is told in any case.
    parser.add_argument("--all-projects", action="store_true", help="told in any case")


def run(call: "Call") -> Outcome:
    """Ask the store about itself."""
    with call.open() as bird:
        status = bird.status(measure=call.options.measure)
    return Outcome(status.as_dict(status.notes), status, status.notes)
