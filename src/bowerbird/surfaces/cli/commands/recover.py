"""``bower recover``: save what can be read of a damaged store into a new one.

The damaged one stays as it is. Its rows are read one by one where they cannot be read together; the word
indexes are made anew from the texts. Told is what was saved, what is lost, and what can be read but is
not what was written. Vectors that are lost are made by: bower reindex --store NEW
"""

from bowerbird.surfaces.cli.call import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower recover", "into a new file beside the store"),
    ("bower recover --into saved.db", "into another one"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """Where to."""
    parser.add_argument("--into", metavar="PATH", help="a file that is not there yet")


def run(call: "Call") -> Outcome:
    """Save what can be saved."""
    with call.open() as bird:
        done = bird.admin.recover(call.options.into, progress=call.progress())
    return Outcome(done.to_dict(), done)
