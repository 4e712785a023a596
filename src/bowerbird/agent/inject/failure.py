"""Whether a call failed, according to its hook event, and with what output. Pure."""

from bowerbird.agent.learn.failures import failed, stopped
from bowerbird.agent.observe.calls import command
from bowerbird.agent.observe.record import output_of
from bowerbird.core.events import FAILED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.events import Event

_REFUSED = "<tool_use_error>"


def failure(event: "Event") -> str:
    """Return the output of a failed call; empty for a successful one, whose output may mention errors."""
    if event.what == FAILED:
        text = event.error or output_of(event.answer)
        # A refusal by the agent's own tool is not an error of the project.
        return "" if stopped(text) or _REFUSED in text[:200] else text
    text = output_of(event.answer)
    return text if failed(command(event.given), text, flagged=False) else ""
