"""Whether a call failed, according to its hook event, and with what output. Pure."""

from bowerbird.core.events import FAILED
from bowerbird.sessions.observe.calls import command
from bowerbird.sessions.observe.record import output_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.events import Event


def failure(event: "Event", failed: "Callable[..., bool]") -> str | None:
    """Return the output of a failed call; None for a successful one, whose output may mention errors.

    `failed` is that of agent.learn.test_runs; for a call that the agent reports as failed that of
    agent.learn.failures gives the same.
    """
    flagged = event.what == FAILED
    text = (event.error if flagged else "") or output_of(event.answer)
    return text if failed(command(event.given), text, flagged=flagged) else None
