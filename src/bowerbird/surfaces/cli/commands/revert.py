"""``bower revert``: take back the last change of a memory, or go back to a version.

A change is taken back as a whole: remembering what took the place of another memory brings that one
back; forgetting is undone; a link is taken away. Again, it takes back the change before. Nothing is
lost by it: that, too, is a version.
"""

from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.cli.speaker import actor
from bowerbird.surfaces.flat_memory import flat_reverted

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower revert 019a2f6c-81d4-7000", "the last change that still stands"),
    ("bower revert 019a2f6c-81d4-7000 --to 019a2f6a-07c1", "to a version that history shows"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """The memory, and where to go back to."""
    parser.add_argument("id", metavar="ID", help="the memory, by id or its first characters")
    parser.add_argument("--to", metavar="VERSION", help="a version, by id or its first characters")
    parser.add_argument("--reason", default="", metavar="TEXT", help="why, for the history")


def run(call: "Call") -> Outcome:
    """Take it back."""
    options = call.options
    with call.open() as bird:
        reverted = bird.revert(options.id, options.to, reason=options.reason, actor=actor())
    return Outcome(flat_reverted(reverted), reverted)
