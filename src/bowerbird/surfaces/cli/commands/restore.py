"""``bower restore``: go back to a backup.

The backup is checked first. The store that stands there is put aside, with its log, and named in the
answer; nothing is overwritten. End other processes that use the store before.
"""

from bowerbird.surfaces.cli.call import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (("bower restore ~/backups/memory-20260101-120000.db", "go back to that day"),)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """What to go back to."""
    parser.add_argument("path", metavar="FILE", help="a backup")


def run(call: "Call") -> Outcome:
    """Put the store aside and the backup in its place."""
    with call.open() as bird:
        done = bird.admin.restore(call.options.path, progress=call.progress())
    return Outcome(done.to_dict(), done)
