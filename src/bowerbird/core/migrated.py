"""The results of importing: from another memory tool, or from another store."""

from bowerbird.core.exchange import Received
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.draft import Draft
    from bowerbird.core.memories import Decision

# Memories of an import that the contextual model reads at once, and their characters, of which it reads
# ten in a millisecond. `warm`, a server or a session's end reads the others.
READ_AT_ONCE = 50
MOST_READ_AT_ONCE = 8_000


# What is no importer of another tool: another store, an export as JSON lines, and notes of an export.
STORE, EXPORT, NOTES = "store", "export", "notes"
OWN = (STORE, EXPORT, NOTES)


class Note(Record):
    """A note of another memory tool as a draft; `links` are the paths of the notes that it refers to.

    `kinds` are the relations to them, one each; none: they are related. Paths are those of the other
    store, with slashes; `alias` names the store if it is not the requested one.
    """

    path: str
    draft: "Draft"
    links: tuple[str, ...] = ()
    alias: str = ""
    kinds: tuple[str, ...] = ()


class Unmoved(Record):
    """A note that could not be migrated, why, and the remedy."""

    path: str
    error: str
    remedy: str = ""


class Found(Record):
    """The content of another tool's store: its notes ordered by path.

    `root` is the folder that was read, `sources` the stores that it references and that were not read.
    """

    root: str
    notes: tuple[Note, ...]
    errors: tuple[Unmoved, ...] = ()
    sources: tuple[str, ...] = ()


class Moved(Record):
    """The result for one note, or the predicted one; without an id if nothing was written."""

    path: str
    decision: "Decision"
    TABLE = (
        ("path", "text"),
        ("id", "text", "decision.id"),
        ("decision", "text", "decision.decision"),
        ("kind", "text", "decision.kind"),
        ("summary", "text", "decision.summary"),
        ("reason", "text", "decision.reason"),
        ("redacted", "texts", "decision.redacted"),
        ("needs_review", "flag", "decision.needs_review"),
        ("review", "text", "decision.review"),
    )


class MovedTable(Record):
    """A table of a store that was moved: how many rows it has, and the digest of both copies' rows."""

    name: str
    rows: int
    digest: str
    TABLE = ("*",)


class Migrated(Record):
    """The result of a migration, or of a `dry_run`: `links` counts the active relations.

    `stopped`: Ctrl-C was pressed; what `moved` lists is stored. `new_project` is the project that the run
    created, or empty. If this store was moved to another place, `root` is that, and `tables` are all that
    were compared.
    """

    root: str
    moved: tuple[Moved, ...] = ()
    errors: tuple[Unmoved, ...] = ()
    links: int = 0
    sources: tuple[str, ...] = ()
    dry_run: bool = False
    stopped: bool = False
    took_ms: float = 0.0
    new_project: str = ""
    tables: tuple[MovedTable, ...] = ()
    TABLE = (
        ("migrated", "whole"),
        ("known", "whole"),
        ("links", "whole"),
        ("errors", [Unmoved]),
        ("notes", [Moved], "moved"),
        ("dry_run", "flag"),
        ("root", "text"),
        ("sources", "texts"),
        ("tables", [MovedTable]),
        ("took_ms", "ms"),
        ("new_project", "text-"),
    )

    @property
    def known(self) -> int:
        """How many notes existed already, or occurred twice."""
        return sum(one.decision.decision == "known" for one in self.moved)

    @property
    def migrated(self) -> int:
        """How many notes are new."""
        return len(self.moved) - self.known


class Offered(Record):
    """What can be imported on this machine: by which importer, where it is, and where it would go.

    `project` is the name of the project that its memories would come into; empty: all projects.
    """

    what: str
    path: str
    project: str = ""
    TABLE = ("*",)


class Imported(Record):
    """What came in, by which importer (`what`), and from where.

    Of notes, `notes` says what became of each, `links` counts the relations between them. Of another
    store or an export, `received` says what became of its memories. `offered` is what was found, if
    nothing was named. `project` is the name of the project that notes came into, empty: they are global.
    With `dry_run` nothing was written.
    """

    what: str = ""
    path: str = ""
    added: int = 0
    changed: int = 0
    known: int = 0
    links: int = 0
    moved: tuple[Moved, ...] = ()
    received: "Received | None" = None
    errors: tuple[Unmoved, ...] = ()
    sources: tuple[str, ...] = ()
    offered: tuple[Offered, ...] = ()
    dry_run: bool = False
    stopped: bool = False
    took_ms: float = 0.0
    new_project: str = ""
    project: str = ""
    TABLE = (
        ("what", "text"),
        ("path", "text"),
        ("added", "whole"),
        ("changed", "whole"),
        ("known", "whole"),
        ("links", "whole"),
        ("errors", [Unmoved]),
        ("notes", [Moved], "moved"),
        ("received", "received?"),
        ("sources", "texts"),
        ("offered", [Offered]),
        ("dry_run", "flag"),
        ("took_ms", "ms"),
        ("new_project", "text-"),
        ("project", "text"),
    )

    @classmethod
    def of_notes(cls, what: str, done: Migrated) -> "Imported":
        """What became of the notes of another tool."""
        return cls(
            what,
            done.root,
            added=done.migrated,
            changed=sum(bool(one.decision.changed) for one in done.moved),
            known=done.known,
            links=done.links,
            moved=done.moved,
            errors=done.errors,
            sources=done.sources,
            dry_run=done.dry_run,
            stopped=done.stopped,
        )

    @classmethod
    def of_store(cls, what: str, path: str, got: Received, *, dry_run: bool) -> "Imported":
        """What became of the contents of another store."""
        errors = tuple(Unmoved(one.place, one.error) for one in got.refused)
        return cls(
            what,
            path,
            added=got.added,
            changed=got.changed,
            known=got.same + got.known,
            links=got.rows.get("relation", 0),
            received=got,
            errors=errors,
            dry_run=dry_run,
        )
