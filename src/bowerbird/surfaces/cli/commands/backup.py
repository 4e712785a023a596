"""``bower backup``: copy the store as it is now, and check the copy.

Others may write meanwhile. Without a PATH the copy goes into the folder backups beside the store, named
by the time; --keep says how many of those stay. It holds everything that is kept: guard it as the store.
"""

from bowerbird.surfaces.cli.call import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower backup --keep 7", "beside the store; the seven newest stay"),
    ("bower backup ~/copies/memory.db", "somewhere else"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """Where to, and how many."""
    parser.add_argument("path", nargs="?", metavar="PATH", help="a file that is not there yet")
    parser.add_argument(
        "--keep", type=int, metavar="N", help="of those in backups the N newest stay"
    )


def run(call: "Call") -> Outcome:
    """Copy and check."""
    with call.open() as bird:
        done = bird.admin.backup(
            call.options.path, keep=call.options.keep, progress=call.progress()
        )
    return Outcome(done.to_dict(), done)
