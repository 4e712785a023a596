"""How consolidation reads: each pattern with the number of its examples, and how to take it back."""

from bowerbird.core.text import clean
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.consolidated import Consolidated

_INDENT = "    "


def text(done: "Consolidated", page: Page) -> str:
    """A count, then the patterns."""
    if page.quiet:
        return "\n".join(one.id or one.examples[0] for one in done.patterns)
    if not done.patterns:
        # Notes say what could not be done: then it is not known whether any three do.
        why = "" if done.notes else ": no three memories say the like"
        return f"Nothing to sum up{why}."
    would = "would become" if done.dry_run else "became"
    count = f"{counted(done.compressed, 'memory')} {would} examples of"
    lines = [page.style(f"{count} {counted(len(done.patterns), 'pattern')}", "bold")]
    for one in done.patterns:
        head = f"  {one.id[:SHORT_ID]}  " if one.id else "  "
        trust = f", trust: {one.trust}"
        lines.append(page.style(f"{head}{len(one.examples)} examples{trust}", "cyan"))
        lines += page.below(clean(one.text), _INDENT)
    if done.dry_run:
        lines.append(page.style("nothing was changed; leave out --dry-run to sum them up", "dim"))
    else:
        first = done.patterns[0].id[:SHORT_ID]
        lines.append(page.style(f"take one back with its examples: bower revert {first}", "dim"))
    return "\n".join(lines)
