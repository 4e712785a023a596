"""How what waits reads: each with its id, its words, and why it waits."""

from bowerbird.core.text import one_line
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.types import Entry
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page

_INDENT = "    "


def text(outcome: "Outcome", page: "Page") -> str:
    """One after the other, and how to decide."""
    entries: Sequence[Entry] = outcome.value
    if not entries:
        return "Nothing waits." if not page.quiet else ""
    lines = []
    for entry in entries:
        held = "verified" if entry.details is not None and entry.details.fields.verified else ""
        facts = filter(None, (entry.kind, entry.state, held, page.age(entry.created)))
        lines.append(f"{page.style(entry.id[:SHORT_ID], 'bold')}  {', '.join(facts)}")
        width = max(20, page.columns - len(_INDENT))
        lines += [_INDENT + line for line in wrap(one_line(entry.text), width)]
        if entry.review:
            lines.append(_INDENT + page.style(one_line(entry.review), "dim"))
    if any(entry.review or entry.state == "quarantined" for entry in entries):
        lines.append("right: bower review --confirm ID   wrong: bower review --reject ID")
    return "\n".join(lines)
