"""``bower verify``: look for damage in everything that is kept.

A disk may change a bit by itself. Compared are the file with SQLite's own checks, every row with the
checksum that was written beside it, and the word indexes with the texts. Each damage is told with the
entry it hurts and with what heals it. Nothing is changed. Exits with 1 when anything is hurt.
"""

from bowerbird.surfaces.cli.call import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower verify", "look at everything"),
    ("bower verify --sample 1000", "look at a thousand entries, chosen at random"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """How much to look at."""
    parser.add_argument(
        "--sample", type=int, metavar="N", help="only N entries, without their words"
    )


def run(call: "Call") -> Outcome:
    """Look, and say what is hurt."""
    with call.open() as bird:
        found = bird.admin.verify(sample=call.options.sample, progress=call.progress())
    data = found.to_dict()
    return Outcome(data, found, exit_code=0 if data["sound"] else 1)
