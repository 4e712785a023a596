"""How a backup reads."""

from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import counted
from bowerbird.surfaces.cli.render.status import size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page


def text(outcome: "Outcome", page: "Page") -> str:
    """Where it is, that it holds, and what went for it."""
    done = outcome.value
    lines = [page.style(clean(page.path(done.path)), "bold")]
    if not page.quiet:
        lines.append(f"{done.entries:,} entries in {size(done.size_bytes)}, checked")
        if done.removed:
            lines.append(f"{counted(len(done.removed), 'old backup')} removed")
    return "\n".join(lines)
