"""How building anew reads."""

from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.health import Reread
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page


def text(outcome: "Outcome", page: "Page") -> str:
    """How much was indexed, and how much was read by whom."""
    done: Reread = outcome.value
    lines = []
    if done.indexed is not None:
        indexed = counted(done.indexed, "text")
        lines.append(page.style(f"{indexed} indexed by their words", "bold"))
        if done.unreadable:
            told = counted(done.unreadable, "damaged text")
            lines.append(f"{told} left out; which: bower verify")
    if done.read:
        read = f"{counted(done.read, 'text')} read by {clean(done.model)}"
        lines.append(page.style(read, "bold"))
    elif done.read is not None:
        lines.append(f"{clean(done.model)} had read everything")
    return "\n".join(lines)
