"""``bower states``: the states of a memory, what is done with each, and what leads from one to another.

A move that is not listed is refused, with those that are. Each one is in the history, and `bower revert`
takes it back.
"""

from bowerbird.core.states import STATE_TABLE, States
from bowerbird.surfaces.fields import Bowerbird, Given, Verb

EXAMPLES = (
    ("bower states", "the table"),
    ("bower list --state deprecated", "what is in one of them"),
)
VERB = Verb(
    "states",
    "Show the states of a memory and the moves between them",
    (),
    States,
    group="About",
    order=3,
    route=("GET", "/states"),
    reach="nowhere",
)


def run(bird: Bowerbird, given: Given) -> States:
    """Show them."""
    del bird, given
    return States(tuple(STATE_TABLE.values()))
