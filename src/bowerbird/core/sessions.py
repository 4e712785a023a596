"""Recorded sessions of agents, and what was injected into them.

Times are UTC milliseconds, tokens as core.text counts them.
"""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Handed(Value):
    """What was injected into an agent's context at one event.

    `sign` is what its envelope ended with; `lines` counts lines about sessions themselves. `items`
    are the entries: id, kind, citation, relevance (0: nothing was asked), tokens, and the reason; when a
    single injection is requested, also their current text.
    """

    __slots__ = ("at", "event", "items", "lines", "sign", "tokens", "why")
    TABLE = (
        *(("sign", "text"), ("at", "moment"), ("event", "text"), ("why", "text")),
        *(("tokens", "whole"), ("lines", "whole"), ("items", ["data"])),
    )

    def __init__(
        self,
        sign: str,
        at: int,
        event: str,
        why: str,
        tokens: int,
        lines: int = 0,
        items: "tuple[dict[str, Any], ...]" = (),
    ) -> None:
        self.sign = sign
        self.at = at
        self.event = event
        self.why = why
        self.tokens = tokens
        self.lines = lines
        self.items = items


class GivenMemory(Value):
    """A memory that was injected into a session; `cited`: its agent said that it used it."""

    __slots__ = ("citation", "cited", "id", "kind")
    TABLE = (("id", "text"), ("kind", "text"), ("citation", "text"), ("cited", "flag"))

    def __init__(self, id: str, kind: str, citation: str, *, cited: bool = False) -> None:
        self.id = id
        self.kind = kind
        self.citation = citation
        self.cited = cited


class LearnedMemory(Value):
    """A memory that a session created; `review` says why it awaits review, or is empty."""

    __slots__ = ("id", "kind", "review", "state", "text")
    TABLE = (
        *(("id", "text"), ("kind", "text"), ("text", "text"), ("state", "text")),
        ("review", "text"),
    )

    def __init__(self, id: str, kind: str, text: str, state: str, review: str = "") -> None:
        self.id = id
        self.kind = kind
        self.text = text
        self.state = state
        self.review = review


class Summary(Value):
    """A session: its `digest`, the memories injected, cited and created, and the tokens saved.

    `tokens` counts everything injected; `saved` is an estimate, by `formula`. `level` is that
    of its project: from 3 on only memories that await review are reported, and nothing at a session's
    end.
    """

    __slots__ = ("digest", "formula", "given", "learned", "level", "saved", "session", "tokens")
    TABLE = (
        *(
            ("session", "text"),
            ("digest", "text"),
            ("given", [GivenMemory]),
            ("tokens", "whole"),
            ("saved", "whole"),
        ),
        *(("formula", "text"), ("learned", [LearnedMemory]), ("level", "whole")),
    )

    def __init__(
        self,
        session: str,
        given: tuple[GivenMemory, ...],
        tokens: int,
        saved: int,
        formula: str,
        learned: tuple[LearnedMemory, ...] = (),
        level: int = 1,
        digest: str = "",
    ) -> None:
        self.digest = digest
        self.session = session
        self.given = given
        self.tokens = tokens
        self.saved = saved
        self.formula = formula
        self.learned = learned
        self.level = level


class Session(Value):
    """One session of an agent.

    `external` says whether it read what outsiders wrote. `recorded` are the lines of its journal, present
    when a single session is requested; `summary` when the summary is.
    """

    __slots__ = (
        *("agent", "began", "calls", "cwd", "events", "external", "failed", "handed", "id"),
        *("last", "prompts", "recorded", "summary"),
    )
    TABLE = (
        *(("id", "text"), ("agent", "text"), ("cwd", "text"), ("began", "moment")),
        *(("last", "moment"), ("events", "whole"), ("prompts", "whole"), ("calls", "whole")),
        *(("failed", "whole"), ("external", "flag"), ("tokens", "whole")),
        *(("handed", [Handed]), ("recorded", ["data"]), ("summary", "data-")),
    )

    def __init__(
        self,
        id: str,
        agent: str = "",
        cwd: str = "",
        began: int = 0,
        last: int = 0,
        events: int = 0,
        prompts: int = 0,
        calls: int = 0,
        failed: int = 0,
        external: bool = False,
        handed: tuple[Handed, ...] = (),
        recorded: "tuple[dict[str, Any], ...]" = (),
        summary: Summary | None = None,
    ) -> None:
        self.summary = summary
        self.id = id
        self.agent = agent
        self.cwd = cwd
        self.began = began
        self.last = last
        self.events = events
        self.prompts = prompts
        self.calls = calls
        self.failed = failed
        self.external = external
        self.handed = handed
        self.recorded = recorded

    @property
    def tokens(self) -> int:
        """The tokens of all that was put before it."""
        if self.summary is not None:
            return self.summary.tokens
        return sum(one.tokens for one in self.handed)


class Compared(Value):
    """A figure of one arm of the experiment, compared with the sessions that receive everything (`full`).

    `own` and `full` are means over the sessions that have the figure; None if none has. `chance` is how
    often chance alone gives such a difference between sessions; None if there are too few.
    """

    __slots__ = ("arm", "chance", "full", "metric", "own", "says")
    TABLE = (
        *(("metric", "text"), ("arm", "text"), ("own", "number?"), ("full", "number?")),
        *(("chance", "number?"), ("says", "text")),
    )

    def __init__(
        self,
        metric: str,
        arm: str,
        own: float | None,
        full: float | None,
        chance: float | None,
        says: str,
    ) -> None:
        self.metric = metric
        self.arm = arm
        self.own = own
        self.full = full
        self.chance = chance
        self.says = says


class Weighed(Value):
    """How one kind of memory did in a phase of the work, compared with all other kinds injected there.

    `given` counts memories, once a session, `used` those that were cited or confirmed, `others` and
    `others_used` the same of the rest; `sessions` had some of this kind. `chance` is how often chance
    alone gives such a difference of shares; None if there are too few sessions. `weight` is the current
    weight; `proposed` is None if there is no evidence for another one.
    """

    __slots__ = (
        *("chance", "given", "kind", "others", "others_used", "phase", "proposed", "sessions"),
        *("used", "weight"),
    )
    TABLE = (
        *(("phase", "text"), ("kind", "text"), ("given", "whole"), ("used", "whole")),
        *(("others", "whole"), ("others_used", "whole"), ("sessions", "whole")),
        *(("chance", "number?"), ("weight", "number"), ("proposed", "number?")),
    )

    def __init__(
        self,
        phase: str,
        kind: str,
        given: int,
        used: int,
        others: int,
        others_used: int,
        sessions: int,
        chance: float | None,
        weight: float,
        proposed: float | None,
    ) -> None:
        self.phase = phase
        self.kind = kind
        self.given = given
        self.used = used
        self.others = others
        self.others_used = others_used
        self.sessions = sessions
        self.chance = chance
        self.weight = weight
        self.proposed = proposed


class Comparison(Value):
    """The arms of the experiment: how many sessions each had, and each figure in both arms.

    `weighed` are the kinds of memory by phase, over `handed` sessions of any arm; `proposal` is the value
    of agent.phase_weights with the proposed weights, or is empty.
    """

    __slots__ = ("handed", "proposal", "rows", "sessions", "weighed")
    TABLE = (
        *(("sessions", "counts"), ("rows", [Compared]), ("handed", "whole")),
        *(("weighed", [Weighed]), ("proposal", "text")),
    )

    def __init__(
        self,
        sessions: dict[str, int],
        rows: tuple[Compared, ...],
        handed: int = 0,
        weighed: tuple[Weighed, ...] = (),
        proposal: str = "",
    ) -> None:
        self.sessions = sessions
        self.rows = rows
        self.handed = handed
        self.weighed = weighed
        self.proposal = proposal


class Sessions(Value):
    """Some sessions, the one that was written to last first; or how the arms of an experiment compare."""

    __slots__ = ("comparison", "notes", "sessions")
    TABLE = (("sessions", [Session]), ("comparison", "data-"))

    def __init__(
        self,
        sessions: tuple[Session, ...] = (),
        comparison: Comparison | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        self.sessions = sessions
        self.comparison = comparison
        self.notes = notes


class DigestedSession(Value):
    """A session as its digest tells it.

    `id` is that of the digest, a memory; `began` and `ended` are UTC milliseconds, 0: unknown. `learned`
    counts the memories that it left, `waiting` those of them that wait for review.
    """

    __slots__ = (
        *("asked", "began", "branch", "done", "ended", "id", "learned", "left", "project"),
        *("session", "summary", "text", "waiting"),
    )
    TABLE = (
        *(("id", "text"), ("session", "text"), ("project", "text"), ("branch", "text")),
        *(("began", "moment"), ("ended", "moment"), ("summary", "text"), ("text", "text")),
        *(("asked", "texts"), ("done", "texts"), ("left", "texts")),
        *(("learned", "whole"), ("waiting", "whole")),
    )

    def __init__(
        self,
        id: str,
        session: str,
        project: str,
        branch: str,
        began: int,
        ended: int,
        summary: str,
        text: str,
        asked: tuple[str, ...] = (),
        done: tuple[str, ...] = (),
        left: tuple[str, ...] = (),
        learned: int = 0,
        waiting: int = 0,
    ) -> None:
        self.id = id
        self.session = session
        self.project = project
        self.branch = branch
        self.began = began
        self.ended = ended
        self.summary = summary
        self.text = text
        self.asked = asked
        self.done = done
        self.left = left
        self.learned = learned
        self.waiting = waiting


class Timeline(Value):
    """The sessions of a project or of all of them, the latest first."""

    __slots__ = ("notes", "sessions")
    TABLE = (("sessions", [DigestedSession]), ("notes", "texts"))

    def __init__(
        self, sessions: tuple[DigestedSession, ...] = (), notes: tuple[str, ...] = ()
    ) -> None:
        self.sessions = sessions
        self.notes = notes
