"""``bower forget``: take memories out of every search.

They stay in the store until they are pruned, and `bower revert ID` brings one back. To take indexed
text out, remove the file and index its folder again.
"""

from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.flat_memory import flat_forgotten

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower forget 019a2f6c-81d4-7000", "one memory"),
    ('bower forget 019a2f6c-81d4 019a2f6a-07c1 --reason "moved to Postgres"', "two, and why"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """Which ones, and why."""
    parser.add_argument(
        "ids", nargs="+", metavar="ID", help="memories, by id or its first characters"
    )
    parser.add_argument("--reason", default="", metavar="TEXT", help="why, for the history")


def run(call: "Call") -> Outcome:
    """Forget them; when one of them cannot be, none is forgotten."""
    options = call.options
    with call.open(writes=True) as bird:
        forgotten = bird.forget_all(options.ids, options.reason)
        entries = [bird.get(one.memory) for one in forgotten]
    return Outcome(flat_forgotten(entries, options.reason), entries)
