"""``bower erase``: take memories out of the store for good, at once.

Erased memories cannot be restored: use `bower forget` for what is wrong, and this for what must not
be kept. Name memories by their ids, or one of:

  --session ID      all that was learned, recorded and archived of a session
  --origin NAME     what came from there, such as import or tool_external, and what was derived from it
  --tag NAME        the memories with this tag (--author NAME: said by them) in every state, superseded
                    ones too, and what was derived from them: of this folder's project and global ones,
                    with --all-projects, or in a folder of no project, of every one
  --whole-project   this folder's project (or --project): its memories, indexed files and sessions;
                    global memories stay
  --everything      the store with all beside it, and archived transcripts; your settings stay

Previous versions, words, vectors, records of hooks, lines of archived transcripts and of kept blocks (in
a CLAUDE.md or AGENTS.md that `bower export` wrote) go with them, and so do digests of sessions and turns
of indexed transcripts that say it; the turns are not indexed again. What remains is that there was a
memory, by its id. The answer is a receipt: what, when, how many, and the SHA-256 of each text. It lists
backups and exports that hold the words, or may (--backups deletes them, of exported notes only what says
it; copies from before the memory stay), agents' own transcripts that still say it, and files and other
memories that quote them or say a name or number of them, or that an erased one replaced or was replaced
by: these are not changed. --backups with the ids of a receipt deletes the copies of what was erased
earlier. The command asks first; --yes confirms, --dry-run shows what would go. Only you can erase, in a
terminal of your own: a script of yours calls `Bowerbird.admin.erase` in Python.
"""

import sys

from bowerbird.core.erased import Erased
from bowerbird.core.errors import UsageError
from bowerbird.core.origins import TRUST_OF
from bowerbird.surfaces.cli.caller import who
from bowerbird.surfaces.cli.page import emit
from bowerbird.surfaces.fields import NAME, TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower erase 019a2f6c-81d4-7000 --yes", "one memory, in your terminal, without being asked"),
    ("bower erase --tag user:ada --dry-run", "what would go of one user, whatever its state"),
    ("bower erase --origin import --dry-run", "what imports brought, without changing anything"),
    ("bower erase --everything --backups", "all that Bowerbird has"),
)
VERB = Verb(
    "erase",
    "Delete memories from the store permanently",
    (
        Field(
            "ids", "texts", "memories, by id or its first characters", option=("ID",), words="*",
        ),
        Field("session", "text", "what is known of a session", metavar="ID"),
        Field(
            "origin", "text", "what came from there, with what was derived from it",
            choices=tuple(TRUST_OF), metavar="NAME",
        ),
        Field(
            "tags", "texts", "the memories with all of these tags, in every state", low=1, high=NAME,
            default=(), option=("--tag",), metavar="TAG",
        ),
        Field(
            "author", "text", "the memories that they said, in every state", high=NAME, metavar="NAME"
        ),
        Field(
            "all_projects", "flag", "with a tag or an author: of every project", default=False,
            interfaces=(TYPED,),
        ),
        Field("whole_project", "flag", "the present project", default=False),
        Field(
            "everything", "flag", "the store and all beside it", default=False, interfaces=(TYPED,)
        ),
        Field("backups", "flag", "also the backups and exports that hold it", default=False),
        Field("dry_run", "flag", "only show what would go", default=False),
        Field(
            "yes", "flag", "confirm without being asked", default=False, interfaces=(TYPED,)
        ),
    ),
    Erased,
    "write",
    group="Keep",
    order=3,
    route=("POST", "/erase"),
    owners=True,
    renderer="memory:erased",
)  # fmt: skip
_NAMED = ("ids", "session", "origin", "tags", "author", "whole_project", "everything")


def run(bird: Bowerbird, given: Given) -> Erased:
    """Erase it."""
    if not any(given.get(one) for one in _NAMED):
        raise UsageError("nothing to erase was named", "name memories, or a part: bower help erase")
    return bird.admin.erase(**given)


def typed(given: Given) -> Given:
    """What was typed, once its owner agrees. Raises Denied for anybody else, before it asks."""
    who(writes=True).require_owner("erase")
    if not given.pop("yes", False) and not given.get("dry_run"):
        emit(sys.stderr, f"Erase {_told(given)} for good? Nothing brings it back. [y/N] ")
        if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
            raise UsageError("nothing was erased", "answer y, or write --yes")
    return given


def _told(given: Given) -> str:
    """What is about to go, in the question."""
    also = " and all backups and exports" if given.get("backups") else ""
    if given.get("everything"):
        return "EVERYTHING: the store, what is beside it, archived transcripts" + also
    if given.get("whole_project"):
        return "the whole project: its memories, indexed files and sessions" + also
    for one in ("session", "origin"):
        if given.get(one):
            return f"all of {one} {given[one]}{also}"
    if given.get("tags") or given.get("author"):
        tags = "".join(f" tagged {one}" for one in given.get("tags", ()))
        said = f" by {given['author']}" if given.get("author") else ""
        named = given.get("all_projects")
        where = " in every project" if named else " here (outside a project: in every one)"
        return f"all memories{said}{tags}{where}, in every state{also}"
    return f"{len(given.get('ids', ()))}{also}"
