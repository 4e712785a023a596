"""How an import reads: counts in a line, a table of notes, and what could not be taken."""

from bowerbird.core.text import clean
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, counted, cut, table
from bowerbird.surfaces.cli.render.received import left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.migrated import Imported, Moved

# Columns that a summary has at least, and what id and place take beside it.
_NARROWEST = 24
_BESIDE = 60
# Notes and errors that are shown before the rest is only counted.
_SHOWN = 20


def text(done: "Imported", page: Page) -> str:
    """What came in, or what is there to take in."""
    if page.quiet:
        return "\n".join(one.decision.id for one in done.moved if one.decision.id)
    lines = [_counts(done, page)] if done.what else []
    if done.path:
        lines.append(page.style(f"from {clean(page.path(done.path))}", "dim"))
    redacted = sum(bool(one.decision.redacted) for one in done.moved)
    if redacted:
        lines.append(page.style(f"  secrets are redacted in {redacted:,} before storing", "yellow"))
    new = [one for one in done.moved if one.decision.decision != "known"]
    shown = done.moved if page.verbose else new[:_SHOWN]
    lines += ["  " + row for row in table([_row(one, page) for one in shown])]
    if not page.verbose and len(new) > len(shown):
        lines.append(f"  and {len(new) - len(shown):,} more (--verbose lists them)")
    if done.received is not None:
        lines += left(done.received, page, dry_run=done.dry_run)
    return "\n".join((*lines, *_errors(done, page), *_offered(done, page)))


def _row(one: "Moved", page: Page) -> tuple[str, ...]:
    """A note: what became of it, its kind, what it says, and where it stood."""
    decision = one.decision
    kind = decision.kind + (" (needs review)" if decision.needs_review else "")
    label = decision.id[:SHORT_ID] or decision.decision
    width = max(_NARROWEST, page.columns - _BESIDE - len(kind))
    return label, kind, cut(clean(decision.summary), width), clean(one.path)


def _errors(done: "Imported", page: Page) -> "Iterator[str]":
    for error in done.errors[:_SHOWN]:
        yield f"  not taken: {clean(page.path(error.path))}: {clean(error.error)}"
        if error.remedy:
            yield f"    {page.remedy(clean(error.remedy))}"
    if len(done.errors) > _SHOWN:
        yield f"  and {len(done.errors) - _SHOWN:,} more (--format json lists them)"


def _offered(done: "Imported", page: Page) -> "Iterator[str]":
    if done.offered:
        yield page.style("on this machine:", "bold")
        found = [(one.what, clean(page.path(one.path))) for one in done.offered]
        yield from ("  " + row for row in table(found))
        yield f"  {page.remedy('take one in with: bower import NAME PATH')}"
    elif not done.what:
        yield "nothing of another tool was found; name it: bower import NAME PATH"


def _counts(done: "Imported", page: Page) -> str:
    would = "would be kept" if done.dry_run else "kept"
    counts = [f"{counted(done.added, 'memory')} {would}"]
    if done.changed:
        counts.append(f"{done.changed:,} {'would be ' if done.dry_run else ''}changed")
    if done.known:
        counts.append(f"{done.known:,} known already")
    if done.received is not None and done.received.gone:
        counts.append(f"{done.received.gone:,} erased or pruned on one side")
    if done.links:
        counts.append(f"{counted(done.links, 'link')} between them")
    if done.errors:
        counts.append(page.style(f"{len(done.errors):,} not taken", "red"))
    shown = [page.style(", ".join(counts), "bold")]
    new = (one.decision for one in done.moved if one.decision.decision != "known")
    if waiting := sum(one.needs_review for one in new):
        shown.append(f"  {page.remedy(f'{waiting:,} of them wait for you: bower review')}")
    return "\n".join(shown)
