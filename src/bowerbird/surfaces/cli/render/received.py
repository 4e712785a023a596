"""How what a merge leaves to a person reads: two texts of a memory, and memories that count for less."""

from bowerbird.core.text import one_line
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.exchange import Received
    from bowerbird.surfaces.cli.page import Page

# Memories that are shown before the rest is only counted.
_SHOWN = 20
# Columns that a summary has at least, and what an id and the words before take beside it.
_NARROWEST, _BESIDE = 24, 66


def left(got: "Received", page: "Page", *, dry_run: bool = False) -> "Iterator[str]":
    """Lines on the memories that a person should look at after a merge, or before one."""
    yield from _removed(got, page, "would go" if dry_run else "gone")
    for id in got.waiting:
        yield f"  the copies differ, waits for you: {id[:SHORT_ID]}"
    for id in got.lowered[:_SHOWN]:
        yield f"  changed there: not trusted, pinned or in force as before: {id[:SHORT_ID]}"
    if len(got.lowered) > _SHOWN:
        yield f"  and {len(got.lowered) - _SHOWN:,} more (--format json lists them)"
    if got.lowered:
        yield f"    {page.remedy(f'see what was changed: bower history {got.lowered[0][:SHORT_ID]}')}"
    for id in got.opposed[:_SHOWN]:
        yield f"  contradicts a memory of the other store: {id[:SHORT_ID]}"
    if len(got.opposed) > _SHOWN:
        yield f"  and {len(got.opposed) - _SHOWN:,} more (--format json lists them)"
    if got.opposed:
        yield f"    {page.remedy('which holds is decided by: bower review')}"
    if got.uncompared:
        yield f"  {got.uncompared:,} were not compared for contradictions: too many at once"


def _removed(got: "Received", page: "Page", goes: str) -> "Iterator[str]":
    for one in got.removed[:_SHOWN]:
        said = cut(one_line(one.summary), max(_NARROWEST, page.columns - _BESIDE))
        yield f"  {goes} for good, as erased or pruned there: {one.id[:SHORT_ID]} {said}"
    if len(got.removed) > _SHOWN:
        yield f"  and {len(got.removed) - _SHOWN:,} more (--format json lists them)"
