"""Draws graphs of memories and code: for Mermaid, for Graphviz, and as a self-contained HTML page."""

import json
import os

from bowerbird.core.text import one_line
from bowerbird.core.value import Record
from bowerbird.surfaces.cli.call import Call, Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Any

    from bowerbird.core.graph import Impact, Node
    from bowerbird.core.ways import Communities, Leg, Point, Way
    from bowerbird.surfaces.fields import Verb

    Drawn = tuple[int, int, str, str]

# Maximum nodes of a picture: more cannot be read.
_MOST = 150
# The page in pixels, with columns by depth: height, minimum width and gaps of boxes, and maximum width of
# a letter. A box is as wide as its longest label; between columns lines need room.
_HIGH = 34
_BOX = 230
_GAP = 24
_BETWEEN = 40
_LETTER = 7

# Maximum lines with a label: more would overlap, so they show it when pointed at.
_WORDED = 12
# Maximum characters of a memory's text within a box.
_WORDS = 28


class Drawing(Record):
    """A picture: its title, boxes with a label, a tooltip and a column, and lines.

    A line leads from one box to another, by their indices, with a label and the location of its evidence,
    if any. `first` are the highlighted boxes.
    """

    title: str
    boxes: "list[tuple[str, str, int]]"
    lines: "list[Drawn]"
    first: "Collection[int]"


def mermaid(drawing: Drawing) -> str:
    """A flowchart of Mermaid."""
    lines = [
        "---",
        f"title: {json.dumps(drawing.title, ensure_ascii=False)}",
        "---",
        "flowchart LR",
    ]
    lines += [f'  n{at}["{_escaped(label)}"]' for at, (label, *_) in enumerate(drawing.boxes)]
    lines += [
        f'  n{one} -->|"{_escaped(_word(*said))}"| n{other}' for one, other, *said in drawing.lines
    ]
    return "\n".join(lines)


def dot(drawing: Drawing) -> str:
    """A digraph of Graphviz."""
    lines = ["digraph bowerbird {", "  rankdir=LR;", "  node [shape=box];"]
    lines.append(f"  label={_quoted(drawing.title)};")
    lines += [f"  n{at} [label={_quoted(label)}];" for at, (label, *_) in enumerate(drawing.boxes)]
    lines += [
        f"  n{one} -> n{other} [label={_quoted(_word(*said))}];"
        for one, other, *said in drawing.lines
    ]
    return "\n".join([*lines, "}"])


def _word(kind: str, where: str) -> str:
    return f"{kind} {where}" if where else kind


def _quoted(text: str) -> str:
    """A quoted string of Graphviz, which interprets backslashes."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


def page(drawing: Drawing) -> str:
    """An HTML page with the picture; it loads nothing and runs nothing."""
    rows: dict[int, int] = {}
    at: list[tuple[int, int]] = []
    longest = max((len(label) for label, *_ in drawing.boxes), default=0)
    box = max(_BOX, _LETTER * longest + 16)
    columns = [column for *_, column in drawing.boxes]
    # Within a column the boxes are in the way.
    between = {
        index: _word(*said)
        for index, (one, other, *said) in enumerate(drawing.lines)
        if len(drawing.lines) <= _WORDED and columns[one] != columns[other]
    }
    gap = max(_BETWEEN, _LETTER * max(map(len, between.values()), default=0) + 16)
    for _, _, column in drawing.boxes:
        row = rows.get(column, 0)
        rows[column] = row + 1
        at.append((_GAP + column * (box + gap), _GAP + row * (_HIGH + _GAP // 2)))
    wide = _GAP + (max(rows, default=0) + 1) * (box + gap)
    high = 2 * _GAP + max(rows.values(), default=1) * (_HIGH + _GAP // 2)
    drawn = [
        _line(at[one], at[other], said, box, between.get(index, ""))
        for index, (one, other, *said) in enumerate(drawing.lines)
    ]
    drawn += [
        _box(at[index], label, title, box, first=index in drawing.first)
        for index, (label, title, _) in enumerate(drawing.boxes)
    ]
    title = _safe(drawing.title)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}'
        f'</style><h1>{title}</h1><svg width="{wide}" height="{high}">{_HEAD}{"".join(drawn)}'
        "</svg></html>"
    )


_HEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8"'
    ' orient="auto-start-reverse"><path d="M0,0 L8,4 L0,8 z" class="head"/></marker></defs>'
)
_STYLE = (
    "body{font:14px system-ui;margin:1rem;background:#fff;color:#222}rect{fill:#f4f6f8;stroke:#8899a6}"
    ".first rect{fill:#dbeafe}path{fill:none;stroke:#b0bec5}.inherits{stroke:#7c3aed}"
    ".calls{stroke:#0369a1}.imports,.contains,.documents{stroke-dasharray:4}.tests{stroke:#15803d}"
    ".head{fill:#78909c;stroke:none}text{font-size:12px}"
    ".word{fill:#546e7a;text-anchor:middle}"
)
PICTURES: "dict[str, Callable[[Drawing], str]]" = {"mermaid": mermaid, "dot": dot, "html": page}


def _safe(text: str) -> str:
    """Escapes a text for HTML; the standard library's function costs a cold command 3 ms to load."""
    for char, entity in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot")):
        text = text.replace(char, f"&{entity};")
    return text


def _line(
    one: tuple[int, int], other: tuple[int, int], said: "Sequence[str]", wide: int, word: str
) -> str:
    # Between the sides that face each other, with the arrowhead at the target.
    back = other[0] < one[0]
    left, right, head = (other, one, "start") if back else (one, other, "end")
    x, y = left[0] + wide, left[1] + _HIGH // 2
    to_x, to_y = right[0], right[1] + _HIGH // 2
    middle = (x + to_x) // 2
    way = f"M{x},{y} C{middle},{y} {middle},{to_y} {to_x},{to_y}"
    beside = f'<text class="word" x="{middle}" y="{(y + to_y) // 2 - 4}">{_safe(word)}</text>'
    return (
        f'<path class="{_safe(said[0])}" marker-{head}="url(#head)" d="{way}">'
        f"<title>{_safe(_word(*said))}</title></path>{beside if word else ''}"
    )


def _box(at: tuple[int, int], label: str, title: str, wide: int, *, first: bool) -> str:
    mark = ' class="first"' if first else ""
    return (
        f'<g{mark}><title>{_safe(title)}</title><rect x="{at[0]}" y="{at[1]}" width="{wide}"'
        f' height="{_HIGH}" rx="4"/><text x="{at[0] + 8}" y="{at[1] + 21}">{_safe(label)}'
        "</text></g>"
    )


def of_impact(impact: "Impact") -> Drawing:
    """The result of an impact query, by depth."""
    numbers: dict[int, int] = {}
    shown = impact.reached[:_MOST]
    nodes: list[tuple[Node, int]] = [(node, 0) for node in impact.found]
    nodes += [(one.node, one.depth) for one in shown]
    for index, (node, _) in enumerate(nodes):
        numbers[node.id] = index
    lines: list[Drawn] = []
    for one in shown:
        ends = (numbers.get(one.by, 0), numbers[one.node.id])
        # From the dependent to what it depends on, whichever is reached from which.
        onward = (impact.direction == "dependencies") is not one.back
        source, target = ends if onward else ends[::-1]
        lines.append((source, target, one.edge, _at(nodes[source][0].path, one.line)))
    boxes = [
        (_label(node), f"{node.kind} {node.path}:{node.start_line}", depth) for node, depth in nodes
    ]
    for memory in impact.memories:
        lines += [(len(boxes), 0, memory.edge, "")] if impact.found else []
        boxes.append((_short(memory.summary), f"{memory.kind} {memory.id} {memory.summary}", 1))
    left = len(impact.reached) - len(shown) + impact.more
    title = f"{impact.direction} of {impact.target}"
    if left:
        title += f": the nearest {len(shown)} of {len(shown) + left:,}"
        title += " or more" if impact.more else ""
    return Drawing(title, boxes, lines, range(len(impact.found)))


def of_way(way: "Way") -> Drawing:
    """A path, one column per step; in a chain, what comes before is on the left."""
    leftmost = min((one.depth for one in way.points), default=0)
    boxes = [(_named(one), _hint(one), one.depth - leftmost) for one in way.points]
    title = f"{way.start} to {way.end}" if way.end else f"causes and effects of {way.start}"
    first = [index for index, one in enumerate(way.points) if one.depth == 0]
    return Drawing(title, boxes, _legs(way.legs), first)


def of_groups(found: "Communities") -> Drawing:
    """Communities, one column each."""
    boxes: list[tuple[str, str, int]] = []
    lines: list[Drawn] = []
    first = []
    for column, one in enumerate(found.communities):
        first.append(len(boxes))
        lines += _legs(one.legs, len(boxes))
        boxes += [(_named(point), _hint(point), column) for point in one.points]
    return Drawing("communities of memories", boxes, lines, first)


def _legs(legs: "Iterable[Leg]", base: int = 0) -> "list[Drawn]":
    return [
        (one.source + base, one.target + base, one.kind, _at(one.path, one.line)) for one in legs
    ]


def _at(path: str, line: int) -> str:
    return f"{os.path.basename(path)}:{line}" if path and line else ""


def _named(point: "Point") -> str:
    if not point.id:
        base = os.path.basename(point.path)
        return f"{base}:{point.name}" if point.name else base
    return _short(point.name)


def _short(said: str) -> str:
    said = one_line(said)
    return said if len(said) <= _WORDS else said[: _WORDS - 1] + "…"


def _hint(point: "Point") -> str:
    where = point.id or f"{point.path}:{point.line}"
    return f"{point.kind} {where} {one_line(point.name)}"


def _label(node: "Node") -> str:
    base = os.path.basename(node.path)
    return f"{base}:{node.name}" if node.name else base


def _escaped(label: str) -> str:
    return label.replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")


def drawn(call: Call, verb: "Verb", run: "Callable[..., Any]") -> Outcome:
    """The outcome of a verb on a command line, as a picture if one is requested."""
    given = call.given(verb)
    picture = given.pop("picture", None)
    with call.open() as bird:
        found = run(bird, given)
    if picture is None:
        return Outcome(found, notes=found.notes)
    # A picture is text for another program, in a pipe too.
    call.options.format = "text"
    return Outcome(found, PICTURES[picture](_DRAWINGS[verb.name](found)), found.notes)


_DRAWINGS: "dict[str, Callable[[Any], Drawing]]" = {
    "impact": of_impact,
    "path": of_way,
    "communities": of_groups,
}
