"""``bower cache``: what is kept of texts that a model behind a server has read.

The built-in model needs none of it. With embed.provider set, each text is sent once, and its vector is
kept in the store, whatever becomes of the entry; cache.max_entries says how many.
"""

from bowerbird.core.errors import BadInput
from bowerbird.surfaces.cli.call import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower cache", "how many vectors are kept, and how often they were used"),
    ("bower cache prune --older-than 30d", "take out what was not used for a month"),
    ("bower cache clear", "take out everything"),
)
WHAT = ("status", "prune", "clear")


def arguments(parser: "argparse.ArgumentParser") -> None:
    """What to do, and how old is old."""
    parser.add_argument(
        "what", nargs="?", choices=WHAT, default="status", metavar="WHAT", help=", ".join(WHAT)
    )
    parser.add_argument(
        "--older-than", metavar="AGE", help="prune: unused for so long, such as 30d, 12h, 2w"
    )


def run(call: "Call") -> Outcome:
    """Show it, or take out what nobody uses."""
    what, age = call.options.what, call.options.older_than
    if what == "prune" and age is None:
        raise BadInput("prune what?", "say how old: bower cache prune --older-than 30d")
    if what != "prune" and age is not None:
        raise BadInput(f"--older-than says nothing to {what}", "leave it out, or prune")
    with call.open() as bird:
        removed = None if what == "status" else bird.admin.prune_cache(older_than=age)
        state = bird.admin.cache_state()
    data = state.to_dict()
    if removed is not None:
        data["removed"] = removed
    return Outcome(data, (state, removed))
