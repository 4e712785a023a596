"""``bower migrate``: move in from another memory.

`from-brv` reads the context tree that ByteRover (`brv`) keeps in a project's .brv folder, also where
.brv is a file that leads to another project's. Each note becomes a memory of this folder's project, or of
--project, with its title, summary, tags, keywords, files and links; its importance, its reason and a
review that it waited for come from ByteRover's own records, where there are any. What ByteRover derives
from notes is left out; of what it archived the full text counts. The store of `brv` is not changed.

A note that is known already is not kept twice, so running it again adds only what is new. Notes are
trusted as everything that is imported: queries show them, `bower context` leaves them out until you say
the same yourself. One that holds more than a memory does is told, with the command that takes it in as a
document. When a note cannot be taken, the others are kept and the exit code is 1.
"""

from bowerbird.core.migrated import Migrated
from bowerbird.surfaces import Bowerbird, Field, Given, Verb
from bowerbird.surfaces.cli.call import INTERRUPTED, Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


EXAMPLES = (
    ("bower migrate from-brv --dry-run", "what would be kept, of this folder's .brv"),
    ("bower migrate from-brv", "keep it"),
    ("bower migrate from-brv --path ~/shop --project shop", "of another folder, for one project"),
)
VERB = Verb(
    "migrate",
    "Move in from another memory: ByteRover",
    (
        Field(
            "what", "text", "", choices=("from-brv",), needed=True, option=("FROM",),
        ),
        Field(
            "path", "text", "the project, or its .brv (default: here)", metavar="DIR",
        ),
        Field(
            "sources", "flag", "also the notes of other projects that it reads along",
            default=False,
        ),
        Field(
            "dry_run", "flag", "only say what would be kept; nothing is changed",
            default=False,
        ),
    ),
    Migrated,
    "write",
    group="Keep",
    order=8,
    slow=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Migrated:
    """Read the other memory, and keep what it held or only say so."""
    return bird.admin.migrate(
        given.get("path", "."),
        given["what"],
        dry_run=given.get("dry_run", False),
        with_sources=given.get("sources", False),
        progress=given.get("progress"),
    )


def notes(done: Migrated, _: Given) -> "Iterator[str]":
    """What was left."""
    yield from Call.made(done.new_project)
    if done.sources:
        also = ", ".join(done.sources)
        yield f"it reads along {also}; to take those notes too: --sources"


def exit_code(done: Migrated) -> int:
    """1 where a note could not be taken."""
    failed = INTERRUPTED if done.stopped else 1
    return failed if done.errors else 0
