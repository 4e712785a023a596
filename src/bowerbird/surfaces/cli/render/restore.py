"""How going back to a backup reads."""

from bowerbird.core.text import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page


def text(outcome: "Outcome", page: "Page") -> str:
    """What stands there now, and where what stood there is."""
    done = outcome.value
    told = f"{done.entries:,} entries of {clean(page.path(done.source))} are back"
    lines = [page.style(told, "bold")]
    if done.aside:
        lines.append(f"what stood there is put aside: {clean(page.path(done.aside))}")
    return "\n".join(lines)
