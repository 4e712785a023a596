"""How archiving reads."""

from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import Page, counted, table
from bowerbird.surfaces.cli.render.status import size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.rescued import Rescued


def text(done: "Rescued", page: Page) -> str:
    """Counts, where it stands, and what could not be read."""
    if done.waited:
        return "done less than a day ago" if not page.quiet else ""
    verb = "would be archived" if done.dry_run else "archived"
    counts = [f"{counted(done.archived, 'session')} {verb}", f"{done.unchanged:,} unchanged"]
    if done.outlived:
        counts.append(f"{done.outlived:,} that the agent has deleted")
    lines = [page.style(", ".join(counts), "bold")]
    lines.append(page.style(f"{size(done.bytes_kept)} in {page.path(done.folder)}", "dim"))
    if done.redacted:
        kinds = ", ".join(counted(count, kind) for kind, count in sorted(done.redacted.items()))
        lines.append(f"redacted before storing: {kinds}")
    if done.skipped:
        rows = [(page.path(one.path), clean(one.reason)) for one in done.skipped]
        lines += ["not read:", *("  " + row for row in table(rows))]
    if done.outlived:
        lines.append(f"to search those too: bower index {page.path(done.folder)}")
    return "\n".join(lines)
