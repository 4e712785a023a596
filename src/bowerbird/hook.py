"""What is done at each step of an agent's session: the same as `bird.py` for a door that has no time.

An event is recorded first, without opening the store; then, where there may be something to say, what
is to be put before the agent is looked for. Imports stand in functions so that what is only recorded
loads neither the bird nor the wiring of a store.
"""

import time
from contextlib import suppress

from bowerbird.agent.observe import health
from bowerbird.core.config import OFF
from bowerbird.core.events import CALLED, FAILED, STARTED
from bowerbird.wiring.hooking import Hooking, patience, state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bowerbird.core.events import Event

    Above = Callable[[], tuple[str, ...]]


class Hook:
    """One event of one agent."""

    def __init__(self, event: "Event", flags: "dict[str, Any]", above: "Above") -> None:
        """`above` names the processes above this one, as doors of the same agent name theirs.

        Raises BadConfig.
        """
        self.event = event
        self._above = above
        self._hooking = Hooking(flags)
        self._now = time.time_ns() // 1_000_000

    def record(self) -> None:
        """Write down what happened, as far as the settings let it. Raises OSError."""
        event, hooking = self.event, self._hooking
        health.fired(hooking.state, event.agent, event.name, self._now)
        self._taint()
        capture = hooking.config["agent.capture"]
        if capture == OFF or not event.session:
            return
        from bowerbird.agent.observe.record import line

        told = line(event, self._now, capture, hooking.cleaner(event.cwd))
        hooking.journal.add(self._session, told)

    def _taint(self) -> None:
        """From an external read on a session is believed less, through every door."""
        event, hooking = self.event, self._hooking
        if not event.session:
            return
        if event.what in (CALLED, FAILED):
            from bowerbird.agent.observe.calls import external

            if external(event):
                hooking.taint((event.session, *self._above()))
        elif event.what == STARTED and hooking.tainted(event.session):
            # It goes on in another process, which other doors know the session by.
            hooking.taint(self._above())

    @property
    def _session(self) -> str:
        return f"{self.event.agent}-{self.event.session}"


def box(seconds: float) -> float:
    """The seconds that an event may take on this machine."""
    return seconds * patience()


def note_failure(agent: str, event: str, why: str) -> None:
    """An event was not answered or not recorded; for the doctor. It never raises."""
    with suppress(Exception):
        health.failed(state_folder(), agent, event, time.time_ns() // 1_000_000, why)
