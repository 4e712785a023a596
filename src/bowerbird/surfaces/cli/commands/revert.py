"""``bower revert``: take back the last change of a memory, or go back to a version.

A change is taken back as a whole: remembering what took the place of another memory brings that one
back; forgetting is undone; a link is taken away. What was done for another memory is taken back as far
as it changed this one; no other memory is ever forgotten by it. On a terminal you are asked first where
others change with it. Again, it takes back the change before. Nothing is
lost by it: that, too, is a version.
"""

import sys

from bowerbird.core.errors import UsageError
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.cli.page import tell
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
    parser.add_argument("--yes", action="store_true", help="do not ask where others change with it")
    parser.add_argument("--reason", default="", metavar="TEXT", help="why, for the history")


def run(call: "Call") -> Outcome:
    """Take it back."""
    options = call.options
    with call.open(writes=True) as bird:
        if not options.yes and sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
            _ask(bird.revert(options.id, options.to, dry_run=True).others)
        reverted = bird.revert(options.id, options.to, reason=options.reason)
    return Outcome(flat_reverted(reverted), reverted)


def _ask(others: tuple[str, ...]) -> None:
    """Go on only if whoever sits there agrees to what becomes of other memories. Raises UsageError."""
    if not others:
        return
    told = "".join(f"  {line}\n" for line in others)
    tell(sys.stderr, f"{told}Take it back? [y/N] ")
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise UsageError("nothing was changed", "answer y, or write --yes")
