"""``bower index``: take in files and folders.

Notes, documents, code, transcripts and exported chats are cut into passages and can be found a moment
later. What has not changed since the last time is skipped; what is gone from the folder is removed, and
so is all of a folder that is gone itself.

Hidden folders, those that tools make, and what .gitignore or .bowerignore names are passed over inside
of a folder, and taken where they are named themselves.

Sessions of agents, which these keep in one folder, belong to the repository that each was held in, by
the folder that it tells; --project NAME puts them all into one.

Passages of files that are not your own are kept as `imported`. Of a repository with a remote you are
asked once, on a terminal; `bower trust` changes the answer, and names a folder of notes.
"""

import os
import sys

from bowerbird.core.answers import Report, Stopped
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.runs import Run
from bowerbird.core.text import clean
from bowerbird.surfaces import HTTP, TEXT, TYPED, Bowerbird, Field, Given, Verb
from bowerbird.surfaces.cli.call import INTERRUPTED, Call, Outcome
from bowerbird.surfaces.cli.page import counted, tell
from bowerbird.surfaces.cli.speaker import who

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


EXAMPLES = (
    ("bower index", "the working directory"),
    ("bower index ~/notes README.md", "a folder and a file"),
    ("bower index ~/.claude/projects", "sessions with an agent, each for its own repository"),
)


class Interrupted(BowerbirdError):
    """Ctrl-C, with what a shell reports for it."""

    exit_code = INTERRUPTED


VERB = Verb(
    "index",
    "Take in files and folders: notes, documents, code, transcripts",
    (
        Field(
            "paths", "texts", "files or folders (default: here)", doors=(TYPED,),
            option=("PATH",), words="*",
        ),
        Field(
            "paths", "texts", "of those that the server was started with; none: all of them",
            default=(), high=TEXT, doors=(HTTP,),
        ),
        Field(
            "again", "flag", "read unchanged files too: heals damaged texts", default=False,
            doors=(TYPED,)
        ),
        Field(
            "follow_links", "flag", "take what links lead to outside of a folder",
            default=False, doors=(TYPED,),
        ),
        Field(
            "scip", "text", "make calls exact by an index of another tool (SCIP) of these files",
            doors=(TYPED,), metavar="FILE",
        ),
        Field(
            "wait", "number", "seconds; then the answer is 202, and the run goes on",
            default=25, low=0, high=25, doors=(HTTP,),
        ),
    ),
    Report,
    "after",
    group="Keep",
    order=6,
    route=("POST", "/index"),
    reach="",
    owners=True,
    begun=Run,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Report:
    """Read, cut, embed and store. Raises Stopped for Ctrl-C."""
    about = dict(given)
    return bird.index(*about.pop("paths", ()), **about)


def served(indexing: "Any", given: Given) -> "Report | Run":
    """Take in folders that the server was started with; a run where it goes on."""
    begun: Run = indexing.ask(given["paths"])
    indexing.wait(begun, given["wait"])
    if not begun.done:
        return begun
    if begun.report is None:
        raise begun.failure or RuntimeError("a run that ended has a report or an error")
    return begun.report


def command(call: Call) -> Outcome:
    """Take them in, once a person was asked about what comes from others."""
    given = call.given(VERB)
    with call.open() as bird:
        new = not os.path.exists(bird.path)
        unnamed = _ask(call, bird, given.get("paths", ()))
        try:
            report = run(bird, given | {"progress": call.progress()})
        except Stopped as stopped:
            raise Interrupted(
                f"stopped; this run took in {counted(stopped.kept, 'file')}",
                "run it again to go on: what is kept is not read again",
            ) from stopped
    notes = (*call.first_steps(new=new), *call.made(report.new_project))
    # Once: what stands there is known the next time.
    first = report.added > 0 and not report.unchanged
    return Outcome(report, notes=(*notes, *(unnamed if first else ())))


def _ask(call: Call, bird: Bowerbird, paths: tuple[str, ...]) -> list[str]:
    """Ask a person on a terminal once about each repository that comes from others.

    What to tell them of folders that stand in none, and that they did not name.
    """
    unnamed: list[str] = []
    if not who(writes=True).owner or call.options.format == "json":
        return unnamed
    for grounds in bird.admin.unanswered(*paths):
        if not grounds.repository:
            place = clean(call.page.path(grounds.root))
            unnamed.append(
                f"{place} is in no repository, so agents are not handed it as your own;"
                f" {clean(grounds.remedy)}"
            )
            continue
        tell(
            sys.stderr,
            f"{call.page.path(grounds.root)}: {clean(grounds.reason)}.\n"
            "What you trust is given to agents as your own; other files carry a label, and are left"
            " out of `bower context`.\nDo you trust this repository's files? [y/N] ",
        )
        reply = sys.stdin.readline()
        if reply.strip().lower() in ("y", "yes"):
            bird.admin.trust(grounds.root)
        elif reply:
            bird.admin.distrust(grounds.root)
        else:
            tell(sys.stderr, "\n")  # closed: no answer, so nothing is kept
    return unnamed
