"""``bower index``: take in files and folders.

Notes, documents, code, transcripts and exported chats are split into passages and can be found at
once. Unchanged files are skipped; entries of deleted files and folders are removed.

Hidden folders, generated folders, and everything that .gitignore or .bowerignore names are skipped
inside a folder, but indexed if you name them yourself.

Agents keep all sessions in one folder; each is assigned to the repository of its working directory,
as recorded in the session. --project NAME assigns all of them to one project.

Passages of files that are not your own get the trust `imported`. A folder of yours that you index on a
terminal counts as your own from then on; for a repository with a remote, where others can write, the
terminal asks once. In a script neither happens; `bower trust` says it there, and changes the answer.
"""

import os
import shlex
import sys

from bowerbird.core.errors import BowerbirdError
from bowerbird.core.report import Report, Stopped
from bowerbird.core.runs import Run
from bowerbird.core.text import clean
from bowerbird.core.value import Do
from bowerbird.host.places import is_downloaded
from bowerbird.surfaces.cli.call import INTERRUPTED, Call, Outcome
from bowerbird.surfaces.cli.caller import who
from bowerbird.surfaces.cli.page import counted, emit
from bowerbird.surfaces.fields import HTTP, TEXT, TYPED, Bowerbird, Field, Given, Indexing, Verb

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
    "Index files and folders: notes, documents, code, transcripts",
    (
        Field(
            "paths", "texts", "files or folders (default: here)", interfaces=(TYPED,),
            option=("PATH",), words="*",
        ),
        Field(
            "paths", "texts", "folders that the server was started with; none: all of them",
            default=(), high=TEXT, interfaces=(HTTP,),
        ),
        Field(
            "again", "flag", "read unchanged files too: repairs damaged texts", default=False,
            interfaces=(TYPED,)
        ),
        Field(
            "follow_links", "flag", "follow links that lead out of a folder",
            default=False, interfaces=(TYPED,),
        ),
        Field(
            "scip", "text", "use a SCIP index of these files to resolve calls exactly",
            interfaces=(TYPED,), metavar="FILE",
        ),
        Field(
            "wait", "number", "seconds to wait; then the answer is 202, and the run continues",
            default=25, low=0, high=25, interfaces=(HTTP,),
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


def served(indexing: Indexing, given: Given) -> "Report | Run":
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
        named = _ask(call, bird, given.get("paths", ()))
        try:
            report = run(bird, given | {"progress": call.progress()})
        except Stopped as stopped:
            raise Interrupted(
                f"stopped; this run took in {counted(stopped.kept, 'file')}",
                "run it again to go on: what is kept is not read again",
            ) from stopped
    notes = (*call.first_steps(new=new), *call.note(report.new_project))
    return Outcome(report, notes=(*notes, *named))


def _ask(call: Call, bird: Bowerbird, paths: tuple[str, ...]) -> list[str]:
    """Ask a person on a terminal once about each repository that comes from others.

    Folders of their own that stand in none are trusted from now on: returns what to tell of them.
    """
    named: list[str] = []
    if not who(writes=True).owner or call.options.format == "json":
        return named
    for grounds in bird.admin.unanswered(*paths):
        if not grounds.repository and not is_downloaded(grounds.root):
            # Somebody typed its name here, and nobody else can write to it.
            bird.admin.trust(grounds.root)
            root = clean(call.page.path(grounds.root))
            undo = Do("trust", shlex.quote(grounds.root), remove=True).command()
            named.append(f"{root} counts as your own files from now on; to undo: {clean(undo)}")
            continue
        reason = clean(grounds.reason) if grounds.repository else "what is downloaded is of others"
        emit(
            sys.stderr,
            f"{call.page.path(grounds.root)}: {reason}.\n"
            "What you trust is given to agents as your own; other files carry a label, and are left"
            " out of `bower context`.\nDo you trust its files? [y/N] ",
        )
        reply = sys.stdin.readline()
        if reply.strip().lower() in ("y", "yes"):
            bird.admin.trust(grounds.root)
        elif reply:
            bird.admin.distrust(grounds.root)
        else:
            emit(sys.stderr, "\n")  # closed: no answer, so nothing is kept
    return named
