"""``bower link``: say what one memory is to another, or to a file.

The source is on the left: it causes, contradicts or supersedes the target.
"""

from bowerbird.core.relations import RELATIONS
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.flat_memory import flat_relation

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower link 019a2f6c-81d4 019a2f6a-07c1", "the two belong together"),
    ("bower link 019a2f6c-81d4 019a2f6a-07c1 --as causes", "the first brings the second about"),
    ("bower link 019a2f6c-81d4 file:src/auth.py --as informs", "what to know about a file"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """The two and what is between them."""
    parser.add_argument("source", metavar="ID", help="a memory, by id or its first characters")
    parser.add_argument("target", metavar="TARGET", help="another memory, or file:PATH")
    parser.add_argument(
        "--as",
        dest="relation",
        choices=tuple(RELATIONS),
        default="related_to",
        metavar="RELATION",
        help=", ".join(RELATIONS),
    )
    parser.add_argument("--strength", type=float, default=1.0, metavar="X", help="0 to 1")
    parser.add_argument(
        "--confidence", type=float, default=1.0, metavar="X", help="how sure it is, 0 to 1"
    )


def run(call: "Call") -> Outcome:
    """Write the relation down."""
    options = call.options
    with call.open(writes=True) as bird:
        relation = bird.link(
            options.source,
            options.target,
            options.relation,
            strength=options.strength,
            confidence=options.confidence,
        )
    return Outcome(flat_relation(relation), relation)
