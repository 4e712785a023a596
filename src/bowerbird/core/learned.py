"""The results of learning: the sessions read, the lessons proposed, and those that became memories."""

from bowerbird.core.report import Skipped
from bowerbird.core.value import Record

TYPE_CHECKING = False

# The types of sessions; `sessions/learn/session_types.py` sets the limits of each.
SORTS = ("build", "insights", "roadmap", "terminal", "changelog", "spec", "review")


class Proposal(Record):
    """One lesson of a session.

    `decision` is admission's (core.memories), or why it was not submitted: repeated, limit (the session
    reached its limit), private (it names a location of one machine or an address, or a person
    typed a secret in it), gate (a session of
    this type stores nothing before its tests pass), little (its score is too low), more (similar ones
    were rejected, so more sessions have to show it), waiting (the session goes on), or off (a session of
    this type does not learn from its signal). On a dry run it is `proposed`. `lines` are those of
    `transcript`; `sessions` showed the same.
    """

    signal: str
    decision: str
    id: str
    kind: str
    text: str
    confidence: float
    session: str
    sessions: tuple[str, ...]
    transcript: str
    lines: tuple[int, ...] = ()
    outside: bool = False
    TABLE = ("*", ("lines", ["whole"]))


class Tallied(Record):
    """A signal over all sessions of a run: the number of lessons, and of those stored.

    `precision` is the measured share of stored lessons that were right.
    """

    signal: str
    found: int
    kept: int
    precision: float | None
    TABLE = ("*", ("precision", "share?"))


class Learned(Record):
    """The sessions processed now, those processed before, their lessons; pairs that a model compared."""

    sessions: int = 0
    known: int = 0
    lessons: tuple[Proposal, ...] = ()
    signals: tuple[Tallied, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    took_ms: float = 0.0
    dry_run: bool = False
    pairs: int = 0
    TABLE = (
        ("sessions", "whole"),
        ("known", "whole"),
        ("lessons", [Proposal]),
        ("signals", [Tallied]),
        ("skipped", [Skipped]),
        ("pairs", "whole"),
        ("dry_run", "flag"),
        ("took_ms", "ms"),
    )


class Thought(Record):
    """What a language model did of what waited: pairs judged, sessions read, and their lessons.

    Lessons that failed a check are among them with the reason. `left` sessions still wait; `notes` say
    which model was asked in place of another.
    """

    pairs: int = 0
    sessions: int = 0
    lessons: tuple[Proposal, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    left: int = 0
    notes: tuple[str, ...] = ()


class Quoted(Record):
    """A line of a transcript: its number, time, author and shortened text."""

    TABLE = ("line", ("at", "moment?"), "who", "text")

    line: int
    who: str
    text: str
    at: int | None = None


class Evidence(Record):
    """The provenance of a memory.

    It was learned from `session`, and all of `sessions` showed the same; `signal` found it, in the
    `lines` of `transcript`, and `commit` followed them. `missing` says why no line is quoted; empty if
    some are.
    """

    signal: str
    session: str
    sessions: tuple[str, ...]
    commit: str
    transcript: str
    lines: tuple[Quoted, ...] = ()
    missing: str = ""
    TABLE = ("*",)
