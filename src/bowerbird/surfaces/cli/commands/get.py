"""``bower get``: one entry in full.

With --history also how a memory came to be what it is. Ids stand in the answers of query and list;
their first characters are enough where they name one entry alone.
"""

import argparse

from bowerbird.core.errors import BadInput
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.cli.flat import flat_entry
from bowerbird.surfaces.cli.flat_memory import flat_history
from bowerbird.surfaces.cli.speaker import session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower get 019a2f6c-81d4-7000", "by the first characters of its id"),
    ("bower get 019a2f6c-81d4-7000 --format json", "every field"),
    ("bower get 019a2f6c-81d4-7000 --history", "and what became of it"),
)
# Fewer characters of an id name nothing.
SHORTEST = 6


def arguments(parser: argparse.ArgumentParser) -> None:
    """The id, and how much of it."""
    parser.add_argument("id", metavar="ID", help="the id or its first characters, at least six")
    parser.add_argument("--history", action="store_true", help="its versions and changes too")


def run(call: "Call") -> Outcome:
    """Load the entry."""
    if len(call.options.id) < SHORTEST:
        raise BadInput(
            f"{call.options.id!r} is too short for an id", "give six or more of its characters"
        )
    with call.open() as bird:
        entry = bird.get(call.options.id)
        history = bird.history(entry.id) if call.options.history else None
    data = flat_entry(entry)
    if history is not None:
        data["history"] = flat_history(history)
    return Outcome(data, (entry, history), after=lambda: bird.used([entry.id], session()))
