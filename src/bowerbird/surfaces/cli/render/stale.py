"""How memories that are out of date read: each with what became of its files."""

from bowerbird.core.anchors import astray
from bowerbird.core.text import one_line
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, counted, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.anchors import Strayed


def text(found: "Strayed", page: Page) -> str:
    """A memory with its anchors below it."""
    if not found.memories:
        count = f"none of {found.tied:,}" if found.tied else "none"
        return f"Of the memories that are about files, {count} is out of date."
    lines: list[str] = []
    for one in found.memories:
        head = f"{one.kind} {one.id[:SHORT_ID]}  {one.confidence:.2f}  "
        words = cut(one_line(one.summary), max(20, page.columns - len(head)))
        lines.append(page.style(head, "cyan") + words)
        lines += [f"    {page.style(one_line(line), 'yellow')}" for line in astray(one.anchors)]
    more = found.total - len(found.memories)
    lines.append(
        f"\n{counted(found.total, 'memory')} of {found.tied:,} that are about files"
        + (f"; {more:,} more are not shown" if more else "")
    )
    return "\n".join(lines)
