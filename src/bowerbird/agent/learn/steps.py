"""What learning reads and makes: the steps of a session, what stays of it in numbers, and lessons."""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from bowerbird.core.events import Event

    T = TypeVar("T")


class Step(Value):
    """An event of a session with where it stands: `at` in UTC milliseconds, `line` of the transcript.

    `failed` is what the exit code or the output says, never what a person stopped; `error` are the lines
    that tell of it. `outside`: this step, or one before it, read what somebody outside wrote. `paths` are
    files within the folder of the session, from it on. `took` milliseconds; 0: not told.
    """

    __slots__ = ("at", "error", "event", "failed", "line", "outside", "paths", "took")

    def __init__(
        self,
        event: "Event",
        at: int = 0,
        line: int = 0,
        error: str = "",
        paths: tuple[str, ...] = (),
        took: int = 0,
        *,
        failed: bool = False,
        outside: bool = False,
    ) -> None:
        self.event = event
        self.at = at
        self.line = line
        self.error = error
        self.paths = paths
        self.took = took
        self.failed = failed
        self.outside = outside


class RecordedSession(Value):
    """A session as it was recorded: its name, the folder it was held in, its steps in order.

    `sort` is what kind of session it was, one of `sorts.py`; empty: found out. `worked_out` is what
    functions of it told already (`once`).
    """

    __slots__ = ("folder", "id", "sort", "steps", "worked_out")

    def __init__(self, id: str, folder: str, steps: tuple[Step, ...], sort: str = "") -> None:
        self.id = id
        self.folder = folder
        self.steps = steps
        self.sort = sort
        self.worked_out: dict[object, Any] = {}


def once(tell: "Callable[[RecordedSession], T]") -> "Callable[[RecordedSession], T]":
    """A function of a session that is worked out once for each; nobody changes what it tells."""

    def worked_out_once(session: RecordedSession) -> "T":
        if tell not in session.worked_out:
            session.worked_out[tell] = tell(session)
        found: T = session.worked_out[tell]
        return found

    worked_out_once.__doc__ = tell.__doc__
    return worked_out_once


class Touched(Value):
    """What a session did to one file: how often it was read and edited.

    `first` is its place among all files that were touched, `edited` that among those that were edited
    (-1: never).
    """

    __slots__ = ("edited", "edits", "first", "reads")

    def __init__(self, first: int, edited: int = -1, reads: int = 0, edits: int = 0) -> None:
        self.first = first
        self.edited = edited
        self.reads = reads
        self.edits = edits


class Digest(Value):
    """What stays of a session for those that come after it: numbers, no words of anybody.

    `touched` tells what it did to each file; `marks` what its signals met, by signal and by what they
    know it by, with a number each signal gives it a meaning. Steps behind an external read do not count.
    `kept` are the keys of lessons that became memories, `again` those that said what a memory says,
    `held` those that have to be seen in more sessions first; `steps` tells a session that went on since.
    `commits` are the files of each commit that git listed in it.
    """

    __slots__ = (
        *(
            "again",
            "began",
            "commits",
            "held",
            "kept",
            "marks",
            "project",
            "session",
            "sort",
            "steps",
        ),
        "touched",
    )

    def __init__(
        self,
        session: str,
        project: str = "",
        steps: int = 0,
        began: int = 0,
        sort: str = "",
        touched: "dict[str, Touched] | None" = None,
        marks: "dict[str, dict[str, int]] | None" = None,
        kept: tuple[str, ...] = (),
        again: tuple[str, ...] = (),
        held: tuple[str, ...] = (),
        commits: tuple[tuple[str, ...], ...] = (),
    ) -> None:
        self.commits = commits
        self.held = held
        self.session = session
        self.project = project
        self.steps = steps
        self.began = began
        self.sort = sort
        self.touched = touched or {}
        self.marks = marks or {}
        self.kept = kept
        self.again = again

    @property
    def edited(self) -> tuple[str, ...]:
        """The files that it changed."""
        return tuple(path for path, one in self.touched.items() if one.edits)


class Mark(Value):
    """What a signal met in a session: a `number` of its own meaning, and where.

    `detail` is what a memory of it says beyond its key, and `files` what it is about.
    """

    __slots__ = ("detail", "files", "lines", "number", "outside")

    def __init__(
        self,
        number: int = 1,
        lines: tuple[int, ...] = (),
        detail: str = "",
        files: tuple[str, ...] = (),
        *,
        outside: bool = False,
    ) -> None:
        self.number = number
        self.lines = lines
        self.detail = detail
        self.files = files
        self.outside = outside


class Lesson(Value):
    """A memory that a signal proposes: `text` stands alone.

    `key` is the same for the same finding in another session, `strength` (0 to 1) orders those of one
    signal, `lines` of the transcript and `sessions` are the evidence. `source` is how it came to be
    (core.origins); `asked`: its user asked for it to be remembered.
    """

    __slots__ = (
        *("asked", "files", "key", "kind", "lines", "outside", "payload", "sessions", "signal"),
        *("source", "strength", "text"),
    )

    def __init__(
        self,
        signal: str,
        key: str,
        kind: str,
        text: str,
        lines: tuple[int, ...] = (),
        sessions: tuple[str, ...] = (),
        files: tuple[str, ...] = (),
        strength: float = 0.5,
        payload: "dict[str, Any] | None" = None,
        source: str = "observer_inferred",
        *,
        outside: bool = False,
        asked: bool = False,
    ) -> None:
        self.signal = signal
        self.key = key
        self.kind = kind
        self.text = text
        self.lines = lines
        self.sessions = sessions
        self.files = files
        self.strength = strength
        self.payload = payload
        self.source = source
        self.outside = outside
        self.asked = asked
