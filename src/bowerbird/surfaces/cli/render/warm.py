"""How warming reads."""

from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.health import Warmed
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page


def text(outcome: "Outcome", page: "Page") -> str:
    """How much was read, of how much, and by whom."""
    done: Warmed = outcome.value
    read = counted(done.newly_cached, "text")
    told = f"{read} newly read, of {done.total:,}"
    return page.style(f"{told}, by {clean(done.model)}" if done.model else told, "bold")
