"""How the decision about a draft reads."""

from bowerbird.surfaces.cli.flat import SHORT_ID
from bowerbird.surfaces.cli.page import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.memories import Decision
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page

_VERBS = {"created": "Kept", "known": "Known already", "quarantined": "Waiting for review"}


def text(outcome: "Outcome", page: "Page") -> str:
    """What became of it, and how to see it again; with --quiet the id alone."""
    decision: Decision = outcome.value
    if page.quiet:
        return decision.id
    sign = page.glyph("✓", "*") if decision.decision == "created" else page.glyph("·", "-")
    verb = _VERBS.get(decision.decision, decision.decision)
    head = f"{page.style(sign, 'green')} {page.style(verb, 'bold')} as {decision.kind}"
    lines = [
        f"{head}: {cut(decision.summary, page.columns)}",
        page.style(f"  {decision.reason} · bower get {decision.id[:SHORT_ID]}", "dim"),
    ]
    return "\n".join(lines)
