"""How saving a damaged store reads."""

from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page


def text(outcome: "Outcome", page: "Page") -> str:
    """How much was saved, lost and is doubtful, table by table where not all was saved."""
    done = outcome.value
    lines = [
        page.style(f"{done.entries:,} entries saved: {clean(page.path(done.path))}", "bold"),
    ]
    hurt = [name for name in done.saved if name in done.lost or name in done.doubtful]
    rows = []
    for name in hurt:
        told = f"{done.saved[name]:,} saved"
        if name in done.lost:
            told += f", {done.lost[name]:,} lost"
        if name in done.doubtful:
            told += f", {done.doubtful[name]:,} not what was written"
        rows.append((name, told))
    lines += table(rows) if rows else ["nothing is lost"]
    arrow = page.glyph("→", "->")
    lines.append(f"{arrow} look at it: bower verify --store {clean(page.path(done.path))}")
    return "\n".join(lines)
