"""What learning reads and makes: the steps of a session, what stays of it in numbers, and candidates."""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.events import Event


class Step(Value):
    """An event of a session with where it stands: `at` in UTC milliseconds, `line` of the transcript.

    `failed` is what the exit code or the output says, never what a person stopped; `error` are the lines
    that tell of it. `outside`: this step, or one before it, read what somebody outside wrote. `paths` are
    files within the folder of the session, from it on.
    """

    __slots__ = ("at", "error", "event", "failed", "line", "outside", "paths")

    def __init__(
        self,
        event: "Event",
        at: int = 0,
        line: int = 0,
        error: str = "",
        paths: tuple[str, ...] = (),
        *,
        failed: bool = False,
        outside: bool = False,
    ) -> None:
        self.event = event
        self.at = at
        self.line = line
        self.error = error
        self.paths = paths
        self.failed = failed
        self.outside = outside


class Told(Value):
    """A session as it was recorded: its name, the folder it was held in, its steps in order."""

    __slots__ = ("folder", "id", "steps")

    def __init__(self, id: str, folder: str, steps: tuple[Step, ...]) -> None:
        self.id = id
        self.folder = folder
        self.steps = steps


class Digest(Value):
    """What stays of a session for those that come after it: numbers, no words of anybody.

    `edited` are the files it changed, `worked` the commands that worked and how often, `errors` the
    fingerprints of what failed and was cured. Steps behind an external read do not count. `kept` are
    the keys of candidates that became memories; `steps` tells a session that went on since.
    """

    __slots__ = ("edited", "errors", "kept", "project", "session", "steps", "worked")

    def __init__(
        self,
        session: str,
        project: str = "",
        steps: int = 0,
        edited: tuple[str, ...] = (),
        worked: "dict[str, int] | None" = None,
        errors: tuple[str, ...] = (),
        kept: tuple[str, ...] = (),
    ) -> None:
        self.session = session
        self.project = project
        self.steps = steps
        self.edited = edited
        self.worked = worked or {}
        self.errors = errors
        self.kept = kept


class Candidate(Value):
    """A memory that a signal proposes: `text` stands alone.

    `key` is the same for the same finding in another session, `strength` (0 to 1) orders those of one
    signal, `lines` of the transcript and `sessions` are the evidence.
    """

    __slots__ = (
        *("files", "key", "kind", "lines", "outside", "payload", "sessions", "signal"),
        *("strength", "text"),
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
        *,
        outside: bool = False,
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
        self.outside = outside
