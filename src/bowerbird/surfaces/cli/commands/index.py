"""``bower index``: take in files and folders.

Notes, plain text and transcripts are cut into passages and can be found a moment later. What has
not changed since the last time is skipped; what is gone from the folder is removed, and so is all of
a folder that is gone itself.

Hidden folders, those that tools make, and what .gitignore or .bowerignore names are passed over inside
of a folder, and taken where they are named themselves.

Passages of files that are not your own are kept as `imported`. Of a repository with a remote you are
asked once, on a terminal; `bower trust` changes the answer.
"""

import os
import sys

from bowerbird.core.answers import Stopped
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.text import clean
from bowerbird.surfaces.cli.call import INTERRUPTED, Outcome
from bowerbird.surfaces.cli.page import counted, tell
from bowerbird.surfaces.cli.speaker import who
from bowerbird.surfaces.flat_report import flat_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.bird import Bowerbird
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
    parser.add_argument(
        "--again", action="store_true", help="read unchanged files too: heals damaged texts"
    )
    parser.add_argument(
        "--follow-links", action="store_true", help="take what links lead to outside of a folder"
    )


def run(call: "Call") -> Outcome:
    """Read, cut, embed and store."""
    with call.open() as bird:
        new = not os.path.exists(bird.path)
        _ask(call, bird)
        try:
            report = bird.index(
                *call.options.paths,
                again=call.options.again,
                follow_links=call.options.follow_links,
                progress=call.progress(),
            )
        except Stopped as stopped:
            raise Interrupted(
                f"stopped; this run took in {counted(stopped.kept, 'file')}",
                "run it again to go on: what is kept is not read again",
            ) from stopped
    made = call.made(report.new_project)
    return Outcome(flat_report(report), report, (*call.first_steps(new=new), *made))


def _ask(call: "Call", bird: "Bowerbird") -> None:
    """Ask a person on a terminal once about each repository that comes from others."""
    if not who(writes=True).owner or call.options.format == "json":
        return
    for grounds in bird.admin.unanswered(*call.options.paths):
        tell(
            sys.stderr,
            f"{call.page.path(grounds.root)}: {clean(grounds.reason)}.\n"
            "What you trust is given to agents as your own; other files carry a label, and are left"
            " out of `bower context`.\nDo you trust this repository's files? [y/N] ",
        )
        told = sys.stdin.readline()
        if told.strip().lower() in ("y", "yes"):
            bird.admin.trust(grounds.root)
        elif told:
            bird.admin.distrust(grounds.root)
        else:
            tell(sys.stderr, "\n")  # closed: no answer, so nothing is kept
