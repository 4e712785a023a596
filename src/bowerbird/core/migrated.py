"""The results of migrating from another memory tool."""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.draft import Draft
    from bowerbird.core.memories import Decision


class Note(Value):
    """A note of another memory tool as a draft; `links` are the paths of the notes that it refers to.

    Paths are those of the other store, with slashes; `alias` names the store if it is not the requested
    one.
    """

    __slots__ = ("alias", "draft", "links", "path")

    def __init__(
        self, path: str, draft: "Draft", links: tuple[str, ...] = (), alias: str = ""
    ) -> None:
        self.path = path
        self.draft = draft
        self.links = links
        self.alias = alias


class Unmoved(Value):
    """A note that could not be migrated, why, and the remedy."""

    __slots__ = ("error", "path", "remedy")

    def __init__(self, path: str, error: str, remedy: str = "") -> None:
        self.path = path
        self.error = error
        self.remedy = remedy


class Found(Value):
    """The content of another tool's store: its notes ordered by path.

    `root` is the folder that was read, `sources` the stores that it references and that were not read.
    """

    __slots__ = ("errors", "notes", "root", "sources")

    def __init__(
        self,
        root: str,
        notes: tuple[Note, ...],
        errors: tuple[Unmoved, ...] = (),
        sources: tuple[str, ...] = (),
    ) -> None:
        self.root = root
        self.notes = notes
        self.errors = errors
        self.sources = sources


class Moved(Value):
    """The result for one note, or the predicted one; without an id if nothing was written."""

    __slots__ = ("decision", "path")
    TABLE = (
        *(
            ("path", "text"),
            ("id", "text", "decision.id"),
            ("decision", "text", "decision.decision"),
        ),
        *(("kind", "text", "decision.kind"), ("summary", "text", "decision.summary")),
        *(("reason", "text", "decision.reason"), ("redacted", "texts", "decision.redacted")),
        *(("needs_review", "flag", "decision.needs_review"), ("review", "text", "decision.review")),
    )

    def __init__(self, path: str, decision: "Decision") -> None:
        self.path = path
        self.decision = decision


class Migrated(Value):
    """The result of a migration, or of a `dry_run`: `links` counts the active relations.

    `stopped`: Ctrl-C was pressed; what `moved` lists is stored. `new_project` is the project that the run
    created, or empty.
    """

    __slots__ = (
        *("dry_run", "errors", "links", "moved", "new_project"),
        *("root", "sources", "stopped", "took_ms"),
    )
    TABLE = (
        *(("migrated", "whole"), ("known", "whole"), ("links", "whole"), ("errors", [Unmoved])),
        *(("notes", [Moved], "moved"), ("dry_run", "flag"), ("root", "text")),
        *(("sources", "texts"), ("took_ms", "ms"), ("new_project", "text-")),
    )

    def __init__(
        self,
        root: str,
        moved: tuple[Moved, ...] = (),
        errors: tuple[Unmoved, ...] = (),
        links: int = 0,
        sources: tuple[str, ...] = (),
        dry_run: bool = False,
        stopped: bool = False,
        took_ms: float = 0.0,
        new_project: str = "",
    ) -> None:
        self.new_project = new_project
        self.root = root
        self.moved = moved
        self.errors = errors
        self.links = links
        self.sources = sources
        self.dry_run = dry_run
        self.stopped = stopped
        self.took_ms = took_ms

    @property
    def known(self) -> int:
        """How many notes existed already, or occurred twice."""
        return sum(one.decision.decision == "known" for one in self.moved)

    @property
    def migrated(self) -> int:
        """How many notes are new."""
        return len(self.moved) - self.known
