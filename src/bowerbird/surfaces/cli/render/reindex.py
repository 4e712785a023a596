"""How building anew reads."""

from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page


def text(outcome: "Outcome", page: "Page") -> str:
    """How much was indexed, and how much was read by whom."""
    data = outcome.value
    lines = []
    if "indexed" in data:
        indexed = counted(data["indexed"], "text")
        lines.append(page.style(f"{indexed} indexed by their words", "bold"))
        if data["unreadable"]:
            told = counted(data["unreadable"], "damaged text")
            lines.append(f"{told} left out; which: bower verify")
    if data.get("read"):
        read = f"{counted(data['read'], 'text')} read by {clean(data['model_used'])}"
        lines.append(page.style(read, "bold"))
    elif "read" in data:
        lines.append(f"{clean(data['model_used'])} had read everything")
    return "\n".join(lines)
