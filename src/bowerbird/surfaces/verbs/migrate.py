"""``bower migrate``: move in from another memory, or move the whole store to a server and back.

`from-brv` reads the context tree that ByteRover (`brv`) keeps in a project's .brv folder, also if
.brv is a file that points to another project's. Each note becomes a memory of this folder's project,
or of --project, with its title, summary, tags, keywords, files and links; importance, reason and open
reviews come from ByteRover's own records, if there are any. Files that ByteRover derives from notes
are skipped; archived notes are read in full. The data of `brv` is not changed.

`to-postgres postgresql://HOST/NAME` copies this whole store to a PostgreSQL server, `to-file PATH` into a
file: documents, memories with their versions, verdicts, digests, the graph and vectors, row by row, while
others go on reading and writing. At the end writers wait while the rows of both are compared. The store
that was copied stays as it is. After an interruption the same command goes on where it was; the copy is
not to be used before it is whole. To use it, set `store` to it.

An installed package may add importers of other tools, which `bower plugins` lists.

Known notes are not stored twice, so a second run adds only new ones. Notes have the trust of imports:
queries return them, `bower context` excludes them until you store the same text yourself. A note that
is too long for a memory is reported, with the command that indexes it as a document. If a note is
invalid, the others are stored and the exit code is 1.
"""

from bowerbird.core.migrated import Migrated
from bowerbird.surfaces.cli.call import INTERRUPTED, Call
from bowerbird.surfaces.fields import Bowerbird, Field, Given, Notes, Verb

EXAMPLES = (
    ("bower migrate from-brv --dry-run", "what would be stored from this folder's .brv"),
    ("bower migrate from-brv", "store it"),
    ("bower migrate from-brv --path ~/shop --project shop", "from another folder, for one project"),
    ("bower migrate to-postgres postgresql://db.example.org/memory", "copy this store to a server"),
    ("bower migrate to-file memory.db", "and into a file"),
)
VERB = Verb(
    "migrate",
    "Import the memory of ByteRover, or move the whole store to a server and back",
    (
        Field(
            "what", "text", "from-brv, to-postgres, to-file, or the importer of a package",
            needed=True, option=("FROM",),
        ),
        Field(
            "to", "text", "where this store is moved to", option=("PATH|URL",), words="?",
        ),
        Field(
            "path", "text", "the project, or its .brv (default: here)", metavar="DIR",
        ),
        Field(
            "sources", "flag", "also the notes of the other projects that it includes",
            default=False,
        ),
        Field(
            "dry_run", "flag", "only show what would be stored",
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
        given.get("to") or given.get("path", "."),
        given["what"],
        dry_run=given.get("dry_run", False),
        with_sources=given.get("sources", False),
        progress=given.get("progress"),
    )


def notes(done: Migrated, _: Given) -> Notes:
    """What was left."""
    yield from Call.note(done.new_project)
    if done.sources:
        also = ", ".join(done.sources)
        yield f"it reads along {also}; to take those notes too: --sources"


def exit_code(done: Migrated) -> int:
    """1 where a note could not be taken."""
    failed = INTERRUPTED if done.stopped else 1
    return failed if done.errors else 0
