"""``bower get``: one entry in full.

Ids stand in the answers of query and list; their first characters are enough where they name
one entry alone.
"""

import argparse

from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.cli.flat import flat_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower get 019a2f6c-81d4-7000", "by the first characters of its id"),
    ("bower get 019a2f6c-81d4-7000 --format json", "every field"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The id."""
    parser.add_argument("id", metavar="ID", help="the id or its first characters, at least six")


def run(call: "Call") -> Outcome:
    """Load the entry."""
    with call.open() as bird:
        entry = bird.get(call.options.id)
    return Outcome(flat_entry(entry), [entry])
