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

from bowerbird.surfaces.cli.call import INTERRUPTED, Outcome
from bowerbird.surfaces.flat_migrated import flat_migrated

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower migrate from-brv --dry-run", "what would be kept, of this folder's .brv"),
    ("bower migrate from-brv", "keep it"),
    ("bower migrate from-brv --path ~/shop --project shop", "of another folder, for one project"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """From what, where it is, and whether at all."""
    parser.add_argument("what", choices=("from-brv",), metavar="FROM", help="from-brv")
    parser.add_argument(
        "--path", default=".", metavar="DIR", help="the project, or its .brv (default: here)"
    )
    parser.add_argument(
        "--sources",
        action="store_true",
        help="also the notes of other projects that it reads along",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="only say what would be kept; nothing is changed"
    )


def run(call: "Call") -> Outcome:
    """Read the other memory, and keep what it held or only say so."""
    options = call.options
    with call.open(writes=True) as bird:
        done = bird.admin.migrate_brv(
            options.path,
            dry_run=options.dry_run,
            with_sources=options.sources,
            progress=call.progress(),
        )
    notes = call.made(done.new_project)
    if done.sources:
        also = ", ".join(done.sources)
        notes = (*notes, f"it reads along {also}; to take those notes too: --sources")
    failed = INTERRUPTED if done.stopped else 1
    return Outcome(flat_migrated(done), done, notes, exit_code=failed if done.errors else 0)
