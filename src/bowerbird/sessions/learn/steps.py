"""The data of learning: a session's steps, its digest, marks and lessons."""

from bowerbird.core.value import Record, Value, fresh
from bowerbird.sessions.learn.failures import no_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from bowerbird.core.events import Event
    from bowerbird.guard.heard import Heard
    from bowerbird.sessions.learn.lasting_statements import Encode, SaidBefore

    T = TypeVar("T")


class Step(Value):
    """An event of a session with its position: `at` in UTC milliseconds, `line` of the transcript.

    `failed` is derived from the exit code or the output, never from a person's interruption; `error`
    holds the error lines. `foreign` says where this step read what others wrote (guard.reading); empty
    if it did not. `outside`: the agent had read such text at this step or before it, `follows`: before
    it, so that what it did in this step may rest on that. `repeats`: its own words repeat those of
    others, as far as anybody can tell. `paths` are files within the session's folder, relative to it.
    `took` is in milliseconds; 0: unknown.
    """

    __slots__ = (
        "at",
        "error",
        "event",
        "failed",
        "follows",
        "foreign",
        "line",
        "outside",
        "paths",
        "repeats",
        "took",
    )

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
        follows: bool = False,
        foreign: str = "",
        repeats: bool = False,
    ) -> None:
        self.repeats = repeats
        self.follows = follows
        self.foreign = foreign
        self.event = event
        self.at = at
        self.line = line
        self.error = error
        self.paths = paths
        self.took = took
        self.failed = failed
        self.outside = outside

    @property
    def did(self) -> bool:
        """Whether a call did what it was to do: it did not fail, and was neither stopped nor denied."""
        return not self.failed and not no_result(self.event.answer)


class RecordedSession(Value):
    """A recorded session: its id, its working directory, its steps in order.

    `ended_on` is the last branch that was checked out, `branch` the last one before an external read,
    which may be named; empty: unknown. `sort` is one of `session_types.py`; empty: it is inferred.
    `goes_on`: it has not ended yet. `encode` is a model that reads sentences; None: there is
    none. `said_before` is what the same person said for good in this project; None: it does not count.
    `heard` knows the words of others that came up in it; `brought` are the files that it wrote with
    them, each with how; `windows` the times, in UTC milliseconds, in which commands of others ran.
    `worked_out` caches results of functions marked with `once`.
    """

    __slots__ = (
        "branch",
        "brought",
        "encode",
        "ended_on",
        "folder",
        "goes_on",
        "heard",
        "id",
        "said_before",
        "sort",
        "steps",
        "windows",
        "worked_out",
    )

    def __init__(
        self,
        id: str,
        folder: str,
        steps: tuple[Step, ...],
        sort: str = "",
        branch: str = "",
        ended_on: str = "",
    ) -> None:
        self.branch = branch
        self.ended_on = ended_on or branch
        self.id = id
        self.folder = folder
        self.steps = steps
        self.sort = sort
        self.goes_on = False
        self.encode: Encode | None = None
        self.said_before: SaidBefore | None = None
        self.heard: Heard | None = None
        self.brought: tuple[tuple[str, str], ...] = ()
        self.windows: tuple[tuple[int, int], ...] = ()
        self.worked_out: dict[object, Any] = {}

    def drop_until(self, at: int) -> None:
        """Drops the steps until a time, and those of no known time: they were erased then; 0: none."""
        if at:
            self.steps = tuple(step for step in self.steps if step.at > at)


def once(compute: "Callable[[RecordedSession], T]") -> "Callable[[RecordedSession], T]":
    """Decorate a function of a session so that its result is cached; callers must not modify it."""

    def worked_out_once(session: RecordedSession) -> "T":
        if compute not in session.worked_out:
            session.worked_out[compute] = compute(session)
        found: T = session.worked_out[compute]
        return found

    worked_out_once.__doc__ = compute.__doc__
    return worked_out_once


class Digest(Record):
    """What is kept of a session for later ones: numbers and keys, no text.

    `touched` are the files that it read or edited; `marks` holds what signals met, by signal and key,
    with a number whose meaning the signal defines. Steps after an external read do not count. `kept` are
    the keys of lessons that became memories, `again` those that duplicated a memory, `held` those that
    need more sessions first; `steps` detects a session that went on since; `told`: its digest for people
    (`session_digest.py`) was stored.
    """

    session: str
    project: str = ""
    steps: int = 0
    began: int = 0
    sort: str = ""
    touched: tuple[str, ...] = ()
    marks: "dict[str, dict[str, int]]" = fresh(dict)
    kept: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    told: bool = False


class Mark(Record):
    """What a signal met in a session: a `number` whose meaning the signal defines, and its position.

    `detail` is what the text of a memory adds to the key, and `files` the files that it is about.
    """

    number: int = 1
    lines: tuple[int, ...] = ()
    detail: str = ""
    files: tuple[str, ...] = ()
    outside: bool = False


class Lesson(Record):
    """A memory that a signal proposes; `text` is self-contained.

    `key` identifies the finding across sessions, `strength` (0 to 1) orders the lessons of one signal,
    `lines` of the transcript and `sessions` are the evidence. `source` is its origin (core.origins);
    `asked`: the user asked to remember it; `tentative`: they said it, perhaps for the moment alone;
    `accepted`: the agent proposed it in these words, and the user accepted that;
    `recorded`: it states what happened on a day, no belief, and needs no review unless it is `outside`.
    It takes the place of earlier lessons of its signal by the keys in `replaces`, and of the memory with
    the id `ends`. It holds `everywhere` if its author says that it does in all projects.
    """

    signal: str
    key: str
    kind: str
    text: str
    lines: tuple[int, ...] = ()
    sessions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    strength: float = 0.5
    payload: "dict[str, Any] | None" = None
    source: str = "observer_inferred"
    replaces: tuple[str, ...] = ()
    outside: bool = False
    asked: bool = False
    tentative: bool = False
    accepted: bool = False
    recorded: bool = False
    ends: str = ""
    everywhere: bool = False
