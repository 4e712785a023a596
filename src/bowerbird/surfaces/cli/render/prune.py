"""How a run of pruning reads: who goes, a line each, why, and what brings it back."""

from bowerbird.core.pruned import CACHE_DAYS, REMOVED
from bowerbird.core.text import clean
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, counted, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.pruned import Leaving, Pruned

_INDENT = "    "


def text(done: "Pruned", page: Page) -> str:
    """Counts, then each memory with its reason, then what can be done about it."""
    if page.quiet:
        return "\n".join(one.id for one in done.leaving)
    lines = [page.style(_counts(done), "bold"), *_cached(done)]
    for one in done.leaving:
        lines += _line(one, page)
    return "\n".join([*lines, *(page.style(line, "dim") for line in _remedies(done))])


def markdown(done: "Pruned", page: Page) -> str:
    """The same as a list."""
    lines = [f"{_counts(done)}.", *(f"{line.strip()}." for line in _cached(done)), ""]
    lines += [
        f"- `{one.id[:SHORT_ID]}` {one.kind}, {one.becomes}: {clean(one.summary)}"
        f" ({clean(one.reason)})"
        for one in done.leaving
    ]
    return "\n".join([*lines, "", *_remedies(done)]).strip()


def _counts(done: "Pruned") -> str:
    """How many go and how many stay."""
    stay = f"{counted(done.remaining, 'memory')} in force"
    if not done.leaving:
        return f"Nothing to prune, {stay}"
    counts = ", ".join(f"{count} {name}" for name, count in done.counts().items() if count)
    return f"{'Would be' if done.dry_run else 'Now'} {counts}; {stay}"


def _cached(done: "Pruned") -> list[str]:
    """What went of a model server's reading, where any did."""
    if not done.unused_vectors:
        return []
    cached = counted(done.unused_vectors, "vector")
    would = "would go" if done.dry_run else "went"
    return [f"  from the cache {would} {cached} not used for {CACHE_DAYS} days"]


def _line(one: "Leaving", page: Page) -> list[str]:
    head = f"  {one.becomes:<10}  {one.id[:SHORT_ID]}  {one.kind}  "
    words = cut(clean(one.summary), max(20, page.columns - len(head)))
    return [page.style(head, "cyan") + words, *page.below(clean(one.reason), _INDENT, "dim")]


def _remedies(done: "Pruned") -> list[str]:
    """What to type next; what left one project is one change."""
    if done.dry_run:
        some = done.leaving or done.unused_vectors
        return ["nothing was changed; leave out --dry-run to let them go"] if some else []
    soft = [one for one in done.leaving if one.becomes != REMOVED]
    first = {one.project: one.id[:SHORT_ID] for one in reversed(soft)}
    return [
        f"take back {sum(one.project == project for one in soft):,} of them: bower revert {id}"
        for project, id in first.items()
    ]
