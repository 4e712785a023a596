"""Whether a call failed, as its hook was told of it, and what it says. Pure."""

from bowerbird.agent.learn.failing import failed, stopped
from bowerbird.agent.observe.calls import command
from bowerbird.agent.observe.record import output_of
from bowerbird.core.events import FAILED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.events import Event

_REFUSED = "<tool_use_error>"


def failure(event: "Event") -> str:
    """What a call that failed says; empty where none did: an output may speak of errors that are none."""
    if event.what == FAILED:
        text = event.error or output_of(event.answer)
        # What the agent's own tool refuses is no error of the project.
        return "" if stopped(text) or _REFUSED in text[:200] else text
    text = output_of(event.answer)
    return text if failed(command(event.given), text, flagged=False) else ""
