"""``bower trust``: say that the files of a folder are your own.

Passages of files that are not are kept as `imported`: queries show them with that label, and `bower
context` leaves them out. Your own are the repositories that belong to you and have no remote; others can
write to any other, so it counts as yours only once you name it. A folder of notes can be named too. It
holds for everything below, but not for repositories inside, which are named by themselves, and only for
files that belong to you. What is indexed already follows at once.

A repository that gets another remote, or another one that is put in its place, has to be named anew.
"""

from bowerbird.core.errors import UsageError
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.cli.speaker import who

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower trust", "the repository of the working directory"),
    ("bower trust ~/notes", "a folder of notes"),
    ("bower trust --remove ~/src/shop", "no longer, or not even without a remote"),
    ("bower trust --list", "what you said, and what holds of it"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """Of which folder, and what."""
    parser.add_argument(
        "path", nargs="?", default=None, metavar="PATH", help="a folder (default: here)"
    )
    parser.add_argument("--remove", action="store_true", help="say that they are not")
    parser.add_argument("--list", action="store_true", help="show what you said")


def run(call: "Call") -> Outcome:
    """Keep a person's word. Raises UsageError for anybody else."""
    options = call.options
    path = "." if options.path is None else options.path
    if options.list:
        if options.remove or options.path is not None:
            raise UsageError("--list stands alone", "bower trust --list")
        with call.open() as bird:
            answers = bird.admin.trusted()
        return Outcome({"folders": [one.told() for one in answers]}, answers)
    if not who(writes=True).owner:
        raise UsageError(
            "only a person says whose files are trusted, on a terminal",
            "ask yours to type: bower trust PATH",
        )
    with call.open() as bird:
        done = bird.admin.distrust(path) if options.remove else bird.admin.trust(path)
    counts = {"raised": done.raised, "lowered": done.lowered}
    return Outcome(done.grounds.told() | counts, done)
