"""Records people's verdicts on memories, and computes the confidence level of a project from them."""

from bowerbird.host.places import project_of, working_folder
from bowerbird.sessions.levels import (
    FLAGGED,
    HELD,
    LATER,
    LEVEL,
    UNDONE,
    USED,
    LevelState,
    level_state,
)
from bowerbird.sessions.observe.journal import Journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.config import Config
    from bowerbird.core.types import Entry
    from bowerbird.wiring.opened import Opened
    from bowerbird.wiring.reach import Reach


class Reviewing:
    """The outcomes of one project's memories."""

    def __init__(self, config: "Config", opened: "Opened", reach: "Reach") -> None:
        self._config = config
        self._opened = opened
        self._reach = reach
        self._outcomes = opened.outcomes

    def level_state(self) -> LevelState:
        """The level of this project, with its reasons."""
        pinned = self._config["agent.level"]
        return level_state(max(1, self._sessions()), self._outcomes.of(self._project), pinned)

    def choose(self, level: int) -> LevelState:
        """Sets the level from now on. Raises OSError."""
        self._add(LEVEL, level=level)
        return self.level_state()

    def judged(self, entry: "Entry", verdict: str, *, session: str = "") -> None:
        """Records a verdict on a memory, of what a session got. Raises OSError."""
        learned = entry.details.fields.metadata.get("learned") if entry.details else None
        signal = learned.get("signal") if isinstance(learned, dict) else None
        about = {"session": session} if session else {}
        self._add(verdict, id=entry.id, kind=entry.kind, signal=str(signal or ""), **about)

    def noted(self, what: str, **details: object) -> None:
        """Records another fact of this project. Raises OSError."""
        self._add(what, **details)

    def outcomes(self) -> "list[dict[str, Any]]":
        """The outcomes of this project's memories, in the order in which they were recorded."""
        return [*self._outcomes.of(self._project)]

    def citing(self, id: str) -> frozenset[str]:
        """The sessions whose agent said that it used a memory."""
        used = [one for one in self.outcomes() if one.get("what") == USED]
        return frozenset(str(one.get("session")) for one in used if id in (one.get("cited") or ()))

    def flags(self, session: str) -> int:
        """How many memories were called wrong in a session."""
        named = [one for one in self.outcomes() if one.get("what") == FLAGGED]
        return len({one.get("id") for one in named if one.get("session", "") == session})

    def postponed(self) -> dict[str, int]:
        """The memories left for later or held back, by id with the number of the outcome that says so."""
        found: dict[str, int] = {}
        for at, one in enumerate(self._outcomes.of(self._project), 1):
            if one.get("what") in (LATER, HELD):
                found[str(one.get("id"))] = at
            elif one.get("what") == UNDONE:
                found.pop(str(one.get("id")), None)
        return found

    def _add(self, what: str, **details: object) -> None:
        sessions = max(1, self._sessions())
        self._outcomes.add(self._project, sessions, what, self._opened.clock(), **details)

    def _sessions(self) -> int:
        return Journal(self._opened.path).counted(self._project)

    @property
    def _project(self) -> str:
        """The project's name as hooks use it: they do not look up aliases in the store."""
        if self._reach.named:
            return self._reach.project.uid
        return project_of(working_folder()).uid
