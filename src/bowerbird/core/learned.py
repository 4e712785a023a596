"""What came of learning from sessions: which were read, what was proposed, and what was kept."""

from bowerbird.core.report import Skipped
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.value import Table

# What sorts of sessions there are; `agent/learn/sorts.py` says what each may give.
SORTS = ("build", "insights", "roadmap", "terminal", "changelog", "spec", "review")


class Proposal(Value):
    """One thing that a session taught.

    `decision` is what admission did with it (core.memories), or why it was not submitted: repeated,
    limit (the session gave more than it may), private (it names a place of one machine or an address),
    gate (of that sort of session nothing is kept before its tests pass), little (it is worth too little),
    more (its like was rejected: more sessions have to show it), waiting (the session goes on), or off
    (its signal does not count). On a dry run it is `proposed`. `lines` are those of `transcript`;
    `sessions` taught the same.
    """

    __slots__ = (
        *("confidence", "decision", "id", "kind", "lines", "outside", "session", "sessions"),
        *("signal", "text", "transcript"),
    )
    TABLE: "Table" = (
        *(("signal", "text"), ("decision", "text"), ("id", "text"), ("kind", "text")),
        *(("text", "text"), ("confidence", "number"), ("session", "text"), ("sessions", "texts")),
        *(("transcript", "text"), ("lines", ["whole"]), ("outside", "flag")),
    )

    def __init__(
        self,
        signal: str,
        decision: str,
        id: str,
        kind: str,
        text: str,
        confidence: float,
        session: str,
        sessions: tuple[str, ...],
        transcript: str,
        lines: tuple[int, ...] = (),
        *,
        outside: bool = False,
    ) -> None:
        self.signal = signal
        self.decision = decision
        self.id = id
        self.kind = kind
        self.text = text
        self.confidence = confidence
        self.session = session
        self.sessions = sessions
        self.transcript = transcript
        self.lines = lines
        self.outside = outside


class Tallied(Value):
    """A signal over all sessions of a run: how many lessons it found, and how many were kept.

    `precision` is the share of kept ones that was right when it was measured; `on`: it counts.
    """

    __slots__ = ("found", "kept", "on", "precision", "signal")
    TABLE: "Table" = (
        *(("signal", "text"), ("found", "whole"), ("kept", "whole")),
        *(("on", "flag"), ("precision", "share?")),
    )

    def __init__(
        self, signal: str, found: int, kept: int, *, on: bool, precision: float | None
    ) -> None:
        self.signal = signal
        self.found = found
        self.kept = kept
        self.on = on
        self.precision = precision


class Learned(Value):
    """Sessions that were learned from now, those that were before, and what they taught."""

    __slots__ = ("dry_run", "known", "lessons", "sessions", "signals", "skipped", "took_ms")
    TABLE: "Table" = (
        *(("sessions", "whole"), ("known", "whole"), ("lessons", [Proposal])),
        *(("signals", [Tallied]), ("skipped", [Skipped]), ("dry_run", "flag"), ("took_ms", "ms")),
    )

    def __init__(
        self,
        sessions: int = 0,
        known: int = 0,
        lessons: tuple[Proposal, ...] = (),
        signals: tuple[Tallied, ...] = (),
        skipped: tuple[Skipped, ...] = (),
        took_ms: float = 0.0,
        *,
        dry_run: bool = False,
    ) -> None:
        self.sessions = sessions
        self.known = known
        self.lessons = lessons
        self.signals = signals
        self.skipped = skipped
        self.took_ms = took_ms
        self.dry_run = dry_run


class Quoted(Value):
    """A line of a transcript: its number, when it was written, who wrote it, and what, in short."""

    __slots__ = ("at", "line", "text", "who")
    TABLE: "Table" = (("line", "whole"), ("at", "moment?"), ("who", "text"), ("text", "text"))

    def __init__(self, line: int, who: str, text: str, at: int | None = None) -> None:
        self.line = line
        self.who = who
        self.text = text
        self.at = at


class Evidence(Value):
    """The provenance of a memory.

    `session` taught it, and all of `sessions` the same; `signal` found it, in the `lines` of
    `transcript`, and `commit` followed them. `missing` says why no line is quoted; empty if some are.
    """

    __slots__ = ("commit", "lines", "missing", "session", "sessions", "signal", "transcript")
    TABLE: "Table" = (
        *(("signal", "text"), ("session", "text"), ("sessions", "texts"), ("commit", "text")),
        *(("transcript", "text"), ("lines", [Quoted]), ("missing", "text")),
    )

    def __init__(
        self,
        signal: str,
        session: str,
        sessions: tuple[str, ...],
        commit: str,
        transcript: str,
        lines: tuple[Quoted, ...] = (),
        missing: str = "",
    ) -> None:
        self.signal = signal
        self.session = session
        self.sessions = sessions
        self.commit = commit
        self.transcript = transcript
        self.lines = lines
        self.missing = missing


class Shares(Value):
    """How much of what was changed was foretold, 0 to 1, a number for each change in its order.

    `ours` by the kept numbers, `together` by how often two files were changed in one session, `popular`
    by how often a file was changed.
    """

    __slots__ = ("ours", "popular", "together")
    TABLE: "Table" = (("ours", ["share"]), ("together", ["share"]), ("popular", ["share"]))

    def __init__(
        self, ours: tuple[float, ...], together: tuple[float, ...], popular: tuple[float, ...]
    ) -> None:
        self.ours = ours
        self.together = together
        self.popular = popular


class Foretold(Value):
    """What sessions foretold of what later `sessions` changed, and of `commits` that those were shown.

    Of the commands that `failed`, `cured` were seen to work again, and what made them work.
    """

    __slots__ = ("commits", "cured", "failed", "sessions")
    TABLE: "Table" = (
        *(("sessions", Shares), ("commits", Shares)),
        *(("failed", "whole"), ("cured", "whole")),
    )

    def __init__(self, sessions: Shares, commits: Shares, failed: int = 0, cured: int = 0) -> None:
        self.sessions = sessions
        self.commits = commits
        self.failed = failed
        self.cured = cured
