"""How moving in reads."""

from bowerbird.core.text import clean
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, counted, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.migrated import Migrated, Moved

# Notes shown before the rest is only counted.
_SHOWN = 20


def text(done: "Migrated", page: Page) -> str:
    """Counts in a line, the notes with what became of them, and what could not be taken."""
    if done.tables:
        return _moved(done, page)
    if page.quiet:
        return "\n".join(one.decision.id for one in done.moved if one.decision.id)
    would = "would be kept" if done.dry_run else "kept"
    counts = [f"{counted(done.migrated, 'note')} {would}"]
    if done.known:
        counts.append(f"{done.known:,} known already")
    if done.links:
        counts.append(f"{counted(done.links, 'link')} between them")
    if done.errors:
        counts.append(page.style(f"{len(done.errors):,} not taken", "red"))
    lines = [page.style(", ".join(counts), "bold")]
    lines.append(page.style(f"from {page.path(done.root)}", "dim"))
    redacted = sum(bool(one.decision.redacted) for one in done.moved)
    if redacted:
        line = f"  secrets are redacted in {redacted:,} before storing"
        lines.append(page.style(line, "yellow"))
    new = [one for one in done.moved if one.decision.decision != "known"]
    shown = done.moved if page.verbose else new[:_SHOWN]
    lines += ["  " + row for row in table(rows(shown))]
    if not page.verbose and len(new) > len(shown):
        lines.append(f"  and {len(new) - len(shown):,} more (--verbose lists them)")
    for error in done.errors:
        lines.append(f"  not taken: {page.path(error.path)}: {clean(error.error)}")
        if error.remedy:
            lines.append(f"    {page.remedy(clean(error.remedy))}")
    return "\n".join(lines)


def _moved(done: "Migrated", page: Page) -> str:
    """The tables of a store that was moved, with their rows."""
    total = sum(one.rows for one in done.tables)
    lines = [page.style(f"{counted(total, 'row')} moved, and the same in both stores", "bold")]
    lines.append(page.style(f"to {page.path(done.root)}", "dim"))
    kept = done.tables if page.verbose else [one for one in done.tables if one.rows]
    each = [(f"{one.rows:,}", one.name, one.digest if page.verbose else "") for one in kept]
    return "\n".join((*lines, *("  " + row for row in table(each))))


def rows(shown: "Sequence[Moved]") -> "list[tuple[str, ...]]":
    """The rows of a table of notes: id, kind, and where each was."""
    return [_row(one) for one in shown]


def _row(one: "Moved") -> tuple[str, ...]:
    decision = one.decision
    review = " (needs review)" if decision.needs_review else ""
    label = "known" if decision.decision == "known" else decision.kind
    row = (label, clean(one.path) + review)
    return (decision.id[:SHORT_ID], *row) if decision.id else row
