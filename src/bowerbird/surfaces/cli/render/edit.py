"""How an edited memory reads."""

from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import cut, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.history import Edited
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page


def text(outcome: "Outcome", page: "Page") -> str:
    """What is another one now, and how to take it back; with --quiet the id alone."""
    done: Edited = outcome.value
    if page.quiet:
        return done.id
    head = "Edited" if done.changed else "It stood so already"
    lines = [f"{page.style(head, 'bold')}: {cut(done.summary, page.columns - len(head) - 2)}"]
    if done.redacted:
        told = f"  taken out before it was kept: {', '.join(done.redacted)}"
        lines.append(page.style(told, "yellow"))
    if done.changed:
        changed = f"changed: {', '.join(done.changed)} · bower revert {done.id[:SHORT_ID]}"
        lines += [page.style(f"  {line}", "dim") for line in wrap(changed, page.columns - 2)]
    return "\n".join(lines)
