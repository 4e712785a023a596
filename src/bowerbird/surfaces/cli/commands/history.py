"""``bower history``: how a memory came to be what it is.

Every version of its text, who did what to it and why, and what it is linked with. Passages of files
have none: their history is that of the file.
"""

from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.flat_memory import flat_history

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower history 019a2f6c-81d4-7000", "from its first version on"),
    ("bower history 019a2f6c-81d4-7000 --verbose", "with every text in full"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """The memory."""
    parser.add_argument("id", metavar="ID", help="the id or its first characters, at least six")


def run(call: "Call") -> Outcome:
    """Load everything that is known of it."""
    with call.open() as bird:
        history = bird.history(call.options.id)
    return Outcome(flat_history(history), history)
