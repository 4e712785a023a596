"""``bower index``: take in files and folders.

Notes, plain text and transcripts are cut into passages and can be found a moment later. What has
not changed since the last time is skipped; what is gone from the folder is removed, and so is all of
a folder that is gone itself.

Hidden folders, those that tools make, and what .gitignore or .bowerignore names are passed over inside
of a folder, and taken where they are named themselves.
"""

import os

from bowerbird.core.answers import Stopped
from bowerbird.core.errors import BowerbirdError
from bowerbird.surfaces.cli.call import INTERRUPTED, Outcome
from bowerbird.surfaces.cli.page import counted
from bowerbird.surfaces.flat_report import flat_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower index", "the working directory"),
    ("bower index ~/notes README.md", "a folder and a file"),
    ("bower index ~/.claude/projects --project shop", "transcripts, for one project"),
)


class Interrupted(BowerbirdError):
    """Ctrl-C, with what a shell reports for it."""

    exit_code = INTERRUPTED


def arguments(parser: "argparse.ArgumentParser") -> None:
    """What to take in."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files or folders (default: here)")


def run(call: "Call") -> Outcome:
    """Read, cut, embed and store."""
    with call.open() as bird:
        new = not os.path.exists(bird.path)
        try:
            report = bird.index(*call.options.paths, progress=call.progress())
        except Stopped as stopped:
            raise Interrupted(
                f"stopped; this run took in {counted(stopped.kept, 'file')}",
                "run it again to go on: what is kept is not read again",
            ) from stopped
    made = bird.project_told[1]
    return Outcome(
        flat_report(report, made), report, (*call.first_steps(new=new), *call.made(made))
    )
