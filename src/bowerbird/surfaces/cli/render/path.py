"""How ways between memories and groups of them read: a line a point."""

from bowerbird.core.text import one_line
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, counted, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.ways import Communities, Leg, Point, Way


def text(way: "Way", page: Page) -> str:
    """The points in order, each with what it is to the one before it."""
    if way.candidates:
        lines = ["it may be any of these; name one as file:symbol"]
        lines += [f"  {one.kind} {one.name}  {page.path(one.path)}" for one in way.candidates]
        return "\n".join(lines)
    if not way.points:
        lines = [f"no way from {way.start} to {way.end} within {counted(way.depth, 'step')}"]
    elif way.end:
        lines = [_point(way.points[0], page, "")]
        for number, (point, leg) in enumerate(zip(way.points[1:], way.legs, strict=True), 1):
            said = f"{leg.kind} ({_said(leg, page)})"
            arrow = f"{said} →" if leg.target == number else f"← {said}"
            lines.append(_point(point, page, f"  {arrow} "))
    else:
        lines = _chain(way, page)
    if way.stale:
        paths = ", ".join(page.path(path) for path in way.stale)
        lines.append(f"changed or gone since indexed, what they say is left out: {paths}")
        lines.append("  → bower index")
    return "\n".join(lines)


def _chain(way: "Way", page: Page) -> list[str]:
    lines = [_point(one, page, f"{'  ' * abs(one.depth)}{_side(one.depth)}") for one in way.points]
    if len(way.points) == 1:
        return [*lines, "  nothing is said to cause it or to follow from it"]
    shown = [one.id[:SHORT_ID] for one in way.points]
    lines += [
        f"  {shown[one.source]} {one.kind} {shown[one.target]} ({_said(one, page)})"
        for one in way.legs
    ]
    return lines


def _said(leg: "Leg", page: Page) -> str:
    """Where it is said, and by whom: a file's tree, another tool, a rule, or who wrote the memory."""
    return f"{page.path(leg.path)}:{leg.line}, {leg.origin}" if leg.path else leg.origin


def _side(depth: int) -> str:
    return "" if not depth else "before: " if depth < 0 else "after: "


def _point(point: "Point", page: Page, before: str) -> str:
    if not point.id:
        name = f" {point.name}" if point.name else ""
        return f"{before}{point.kind}{name}  {page.path(point.path)}:{point.line}"
    head = f"{before}{point.kind} {point.id[:SHORT_ID]}  "
    return head + cut(one_line(point.name), max(20, page.columns - len(head)))


def groups(found: "Communities", page: Page) -> str:
    """Each group with its members, the most connected first."""
    lines: list[str] = []
    for number, one in enumerate(found.communities, 1):
        lines.append(page.style(f"{number}. {counted(len(one.points), 'memory')}", "bold"))
        lines += [_point(point, page, "  ") for point in one.points]
    more = f"; {found.more:,} more groups" if found.more else ""
    lines.append(
        f"{counted(len(found.communities), 'group')}{more}, modularity {found.modularity:.2f};"
        f" {counted(found.alone, 'memory')} without a link"
    )
    return "\n".join(lines)
