"""``bower warm``: let today's model read now what it has not read yet, the newest alone if asked.

With the built-in model alone nothing is left to do: it reads what is written. One behind a server or in
a folder has something to read when it was away, or when another one read before; that takes time, and
may cost money. It is read a batch at a time, found by its words meanwhile; stopped, the next run goes on.
`bower reindex` does the same for the whole store. --recent takes what was written last, with the rest of
the documents that it stands in, and leaves what another model read of the others until all is read.
`bower serve` warms by itself.
"""

from bowerbird.core.errors import BadInput
from bowerbird.surfaces.cli.call import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower warm", "all that the model has not read yet"),
    ("bower warm --recent 500", "of the 500 entries that were written last"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """How far back."""
    parser.add_argument("--all", action="store_true", help="the whole store, as without options")
    parser.add_argument(
        "--recent", type=int, metavar="N", help="only of the N entries that were written last"
    )


def run(call: "Call") -> Outcome:
    """Read, a batch at a time."""
    options = call.options
    if options.all and options.recent is not None:
        raise BadInput("--all and --recent contradict each other", "give one of them")
    with call.open() as bird:
        done = bird.admin.warm(recent=options.recent, progress=call.progress())
        model = bird.status().model_used
    return Outcome(done.to_dict(), (done, model))
