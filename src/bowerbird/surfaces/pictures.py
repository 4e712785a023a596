"""An impact as a picture: for Mermaid, for Graphviz, and as one page that loads nothing."""

import html
import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.graph import Impact, Node

# Nodes that a picture shows: more is a tangle that nobody reads.
_MOST = 150
# The page: columns by depth, in pixels.
_WIDE, _HIGH, _BOX, _GAP = 270, 34, 230, 24


def mermaid(impact: "Impact") -> str:
    """A flowchart of Mermaid."""
    nodes, edges = _parts(impact)
    lines = ["flowchart LR"]
    lines += [f'  n{number}["{_escaped(_label(node))}"]' for number, node, _ in nodes]
    lines += [f"  n{one} -->|{kind}| n{other}" for one, other, kind in edges]
    return "\n".join(lines)


def dot(impact: "Impact") -> str:
    """A digraph of Graphviz."""
    nodes, edges = _parts(impact)
    lines = ["digraph impact {", "  rankdir=LR;", "  node [shape=box];"]
    lines += [f"  n{number} [label={json.dumps(_label(node))}];" for number, node, _ in nodes]
    lines += [f"  n{one} -> n{other} [label={json.dumps(kind)}];" for one, other, kind in edges]
    return "\n".join([*lines, "}"])


def page(impact: "Impact") -> str:
    """One page of HTML with the picture in it; it loads nothing and runs nothing."""
    nodes, edges = _parts(impact)
    rows: dict[int, int] = {}
    at: dict[int, tuple[int, int]] = {}
    for number, _, depth in nodes:
        row = rows.get(depth, 0)
        rows[depth] = row + 1
        at[number] = (_GAP + depth * _WIDE, _GAP + row * (_HIGH + _GAP // 2))
    wide = _GAP + (max(rows, default=0) + 1) * _WIDE
    high = 2 * _GAP + max(rows.values(), default=1) * (_HIGH + _GAP // 2)
    drawn = [_line(at[one], at[other], kind) for one, other, kind in edges]
    drawn += [_box(at[number], node, first=depth == 0) for number, node, depth in nodes]
    title = html.escape(f"{impact.direction} of {impact.target}")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}'
        f'</style><h1>{title}</h1><svg width="{wide}" height="{high}">{"".join(drawn)}</svg></html>'
    )


_STYLE = (
    "body{font:14px system-ui;margin:1rem;background:#fff;color:#222}rect{fill:#f4f6f8;stroke:#8899a6}"
    ".first rect{fill:#dbeafe}path{fill:none;stroke:#b0bec5}.inherits{stroke:#7c3aed}"
    ".calls{stroke:#0369a1}.imports{stroke-dasharray:4}text{font-size:12px}"
)
PICTURES: "dict[str, Callable[[Impact], str]]" = {"mermaid": mermaid, "dot": dot, "html": page}


def _line(one: tuple[int, int], other: tuple[int, int], kind: str) -> str:
    x, y = one[0] + _BOX, one[1] + _HIGH // 2
    to_x, to_y = other[0], other[1] + _HIGH // 2
    middle = (x + to_x) // 2
    way = f"M{x},{y} C{middle},{y} {middle},{to_y} {to_x},{to_y}"
    return f'<path class="{html.escape(kind)}" d="{way}"><title>{html.escape(kind)}</title></path>'


def _box(at: tuple[int, int], node: "Node", *, first: bool) -> str:
    label = html.escape(_label(node))
    told = html.escape(f"{node.kind} {node.path}:{node.start_line}")
    mark = ' class="first"' if first else ""
    return (
        f'<g{mark}><title>{told}</title><rect x="{at[0]}" y="{at[1]}" width="{_BOX}" height="{_HIGH}"'
        f' rx="4"/><text x="{at[0] + 8}" y="{at[1] + 21}">{label}</text></g>'
    )


def _parts(
    impact: "Impact",
) -> "tuple[list[tuple[int, Node, int]], list[tuple[int, int, str]]]":
    """The nodes with their depth, and the edges between them, by number."""
    numbers: dict[int, int] = {}
    nodes: list[tuple[int, Node, int]] = []
    edges: list[tuple[int, int, str]] = []
    for node in impact.found:
        numbers[node.id] = len(nodes)
        nodes.append((len(nodes), node, 0))
    for one in impact.reached[:_MOST]:
        numbers[one.node.id] = len(nodes)
        nodes.append((len(nodes), one.node, one.depth))
        edges.append((numbers.get(one.by, 0), numbers[one.node.id], one.edge))
    return nodes, edges


def _label(node: "Node") -> str:
    base = os.path.basename(node.path)
    return f"{base}:{node.name}" if node.name else base


def _escaped(label: str) -> str:
    return label.replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")
