"""Moving in from another memory as values: what it held, and what became of each note."""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.draft import Draft
    from bowerbird.core.memories import Decision


class Note(Value):
    """A note of another memory as a draft; `links` are the paths of the notes that it refers to.

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
    """What could not be taken, why, and what to do about it."""

    __slots__ = ("error", "path", "remedy")

    def __init__(self, path: str, error: str, remedy: str = "") -> None:
        self.path = path
        self.error = error
        self.remedy = remedy


class Found(Value):
    """What a store of another memory holds: its notes in the order of their paths.

    `root` is the folder that was read, `sources` the stores beside it that it names and that were
    not read.
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
    """What became of one note, or would: its decision holds no id where nothing was written."""

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
    """What one run did, or a `dry_run` would do: `links` counts the relations in force.

    `stopped`: Ctrl-C was pressed; what `moved` lists is kept. `new_project` is the project that
    the run made, or empty.
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
        """How many notes are kept already, or came twice."""
        return sum(one.decision.decision == "known" for one in self.moved)

    @property
    def migrated(self) -> int:
        """How many notes are new here."""
        return len(self.moved) - self.known
