"""How a synchronisation reads: what came, what left, and what could not be read."""

from bowerbird.core.text import clean
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, counted, table
from bowerbird.surfaces.cli.render.received import left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.syncing import Synced

# Memories and files that are shown before the rest is only counted.
_SHOWN = 20


def text(done: "Synced", page: Page) -> str:
    """What came and left, or would leave."""
    if page.quiet:
        return "\n".join(one.id for one in done.leaving)
    return "\n".join((*_dry(done, page), *_done(done, page)))


def _dry(done: "Synced", page: Page) -> "Iterator[str]":
    if not done.dry_run:
        return
    yield page.style(f"{counted(done.sent, 'memory')} would leave", "bold")
    shown = done.leaving if page.verbose else done.leaving[:_SHOWN]
    rows = [(one.id[:SHORT_ID], one.kind, clean(one.project), clean(one.text)) for one in shown]
    yield from ("  " + row for row in table(rows))
    if len(done.leaving) > len(shown):
        yield f"  and {len(done.leaving) - len(shown):,} more (--verbose lists them)"
    for why, number in done.staying.items():
        yield f"  stay: {number:,}, {why}"


def _done(done: "Synced", page: Page) -> "Iterator[str]":
    if done.dry_run:
        return
    got = done.received
    counts = [f"{got.added:,} came"]
    if got.changed:
        counts.append(f"{got.changed:,} merged")
    if got.known:
        counts.append(f"{got.known:,} known already")
    if got.gone:
        counts.append(f"{got.gone:,} erased or pruned")
    counts.append(f"{done.sent:,} left")
    yield page.style(", ".join(counts), "bold")
    yield page.style(
        f"{clean(page.path(done.target))}, {counted(done.devices, 'other device')}", "dim"
    )
    yield from left(got, page)
    for one in done.unread[:_SHOWN]:
        yield f"  not read: {clean(one.place)}: {clean(one.error)}"
    if len(done.unread) > _SHOWN:
        yield f"  and {len(done.unread) - _SHOWN:,} more (--format json lists them)"
