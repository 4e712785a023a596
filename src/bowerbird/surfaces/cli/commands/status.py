"""``bower status``: what the store holds and where it rests.

Counts are those of this folder's project and of what is global.
"""

import argparse

from bowerbird.surfaces.cli.call import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower status", "at a glance"),
    ("bower status --store team.db --format json", "another store, for a script"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """None of its own."""


def run(call: "Call") -> Outcome:
    """Ask the store about itself."""
    with call.open() as bird:
        status = bird.status()
    data = status.to_dict()
    data["notes"] = list(status.notes)
    return Outcome(data, status, status.notes)
