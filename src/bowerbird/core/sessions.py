"""Recorded sessions of agents, and what was injected into them.

Times are UTC milliseconds, tokens as core.text counts them.
"""

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Handed(Record):
    """What was injected into an agent's context at one event.

    `sign` is what its envelope ended with; `lines` counts lines about sessions themselves. `items`
    are the entries: id, kind, citation, relevance (0: nothing was asked), tokens, and the reason; when a
    single injection is requested, also their text of then, and `now` where they say something else now.
    """

    sign: str
    at: int
    event: str
    why: str
    tokens: int
    lines: int = 0
    items: "tuple[dict[str, Any], ...]" = ()
    TABLE = ("*", ("at", "moment"), ("items", ["data"]))


class GivenMemory(Record):
    """A memory that was injected into a session; `cited`: its agent said that it used it."""

    id: str
    kind: str
    citation: str
    cited: bool = False
    TABLE = ("*",)


class LearnedMemory(Record):
    """A memory that a session created; `review` says why it awaits review, or is empty."""

    id: str
    kind: str
    text: str
    state: str
    review: str = ""
    TABLE = ("*",)


class SoFar(Record):
    """What a session was given and has left so far, for the agent whose context was cut.

    `injected` are the memories that it was given, `kept` those that it stored, `noted` the lessons of its
    scratchpad, which no memory holds yet: the kind and the text.
    """

    session: str
    injected: tuple[GivenMemory, ...] = ()
    kept: tuple[LearnedMemory, ...] = ()
    noted: tuple[str, ...] = ()
    TABLE = ("*",)


class Summary(Record):
    """A session: its `digest`, the memories injected, cited and created, and the tokens saved.

    `tokens` counts everything injected; `saved` is an estimate, by `formula`. `level` is that
    of its project: from 3 on only memories that await review are reported, and nothing at a session's
    end.
    """

    session: str
    given: tuple[GivenMemory, ...]
    tokens: int
    saved: int
    formula: str
    learned: tuple[LearnedMemory, ...] = ()
    level: int = 1
    digest: str = ""
    TABLE = (
        ("session", "text"),
        ("digest", "text"),
        ("given", [GivenMemory]),
        ("tokens", "whole"),
        ("saved", "whole"),
        ("formula", "text"),
        ("learned", [LearnedMemory]),
        ("level", "whole"),
    )


class Session(Record):
    """One session of an agent.

    `project` is the uid of the project that it began in, empty: unknown. `external` says whether it read
    what outsiders wrote. `recorded` are the lines of its journal, present
    when a single session is requested; `summary` when the summary is.
    """

    id: str
    agent: str = ""
    cwd: str = ""
    project: str = ""
    began: int = 0
    last: int = 0
    events: int = 0
    prompts: int = 0
    calls: int = 0
    failed: int = 0
    external: bool = False
    handed: tuple[Handed, ...] = ()
    recorded: "tuple[dict[str, Any], ...]" = ()
    summary: Summary | None = None
    TABLE = (
        ("id", "text"),
        ("agent", "text"),
        ("cwd", "text"),
        ("project", "text"),
        ("began", "moment"),
        ("last", "moment"),
        ("events", "whole"),
        ("prompts", "whole"),
        ("calls", "whole"),
        ("failed", "whole"),
        ("external", "flag"),
        ("tokens", "whole"),
        ("handed", [Handed]),
        ("recorded", ["data"]),
        ("summary", "data-"),
    )

    @property
    def tokens(self) -> int:
        """The tokens of all that was put before it."""
        if self.summary is not None:
            return self.summary.tokens
        return sum(one.tokens for one in self.handed)


class Compared(Record):
    """A figure of one arm of the experiment, compared with the sessions that receive everything (`full`).

    `own` and `full` are means over the sessions that have the figure; None if none has. `chance` is how
    often chance alone gives such a difference between sessions; None if there are too few.
    """

    metric: str
    arm: str
    own: float | None
    full: float | None
    chance: float | None
    says: str
    TABLE = ("*", ("own", "number?"), ("full", "number?"), ("chance", "number?"))


class Weighed(Record):
    """How one kind of memory did in a phase of the work, compared with all other kinds injected there.

    `given` counts memories, once a session, `used` those that were cited or confirmed, `others` and
    `others_used` the same of the rest; `sessions` had some of this kind. `chance` is how often chance
    alone gives such a difference of shares; None if there are too few sessions. `weight` is the current
    weight; `proposed` is None if there is no evidence for another one.
    """

    phase: str
    kind: str
    given: int
    used: int
    others: int
    others_used: int
    sessions: int
    chance: float | None
    weight: float
    proposed: float | None
    TABLE = ("*", ("chance", "number?"), ("proposed", "number?"))


class Comparison(Record):
    """The arms of the experiment: how many sessions each had, and each figure in both arms.

    `weighed` are the kinds of memory by phase, over `handed` sessions of any arm; `proposal` is the value
    of agent.phase_weights with the proposed weights, or is empty.
    """

    sessions: dict[str, int]
    rows: tuple[Compared, ...]
    handed: int = 0
    weighed: tuple[Weighed, ...] = ()
    proposal: str = ""
    TABLE = ("*",)


class Sessions(Record):
    """Some sessions, the one that was written to last first; or how the arms of an experiment compare."""

    sessions: tuple[Session, ...] = ()
    comparison: Comparison | None = None
    notes: tuple[str, ...] = ()
    TABLE = (("sessions", [Session]), ("comparison", "data-"))


class DigestedSession(Record):
    """A session as its digest tells it.

    `id` is that of the digest, a memory; `began` and `ended` are UTC milliseconds, 0: unknown. `learned`
    counts the memories that it left, also those replaced since, `waiting` those of them that wait for
    review. `refuted` quotes what the person objected.
    """

    id: str
    session: str
    project: str
    branch: str
    began: int
    ended: int
    summary: str
    text: str
    asked: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()
    refuted: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    learned: int = 0
    waiting: int = 0
    TABLE = ("*", ("began", "moment"), ("ended", "moment"))


class Timeline(Record):
    """The sessions of a project or of all of them, the latest first."""

    sessions: tuple[DigestedSession, ...] = ()
    notes: tuple[str, ...] = ()
    TABLE = ("*",)
