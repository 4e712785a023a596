"""How reading anew reads."""

from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page


def text(outcome: "Outcome", page: "Page") -> str:
    """How much was read, and by whom."""
    read, model = outcome.value
    if not read:
        return f"{clean(model)} had read everything"
    return page.style(f"{counted(read, 'text')} read by {clean(model)}", "bold")
