"""Cuts source code by its syntax tree: functions, methods, class heads, and the rest."""

from functools import partial
from itertools import groupby

from bowerbird.core.outline import HOLDERS, MODULE
from bowerbird.ingest.bounds import LONGEST_CONTEXT
from bowerbird.ingest.chunk import INSIDE_FENCE, ITEM, LINE, PARAGRAPH, cut
from bowerbird.ingest.sources.turns import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from bowerbird.core.document import Piece
    from bowerbird.core.outline import Outline
    from bowerbird.ingest.chunk import Size

# Starts of a comment or decorator directly above a definition, which belongs to it.
_REMARKS = ("#", "//", "/*", "*", "--", "@")
# Suffixes of the node types that a passage may begin with.
_STATEMENTS = ("statement", "declaration", "definition", "_item", "assignment", "_clause")
# Deeper statements are cut at the bounds of the enclosing ones.
_DEEPEST = 40
# The depth of a line on which no statement begins.
_NONE = -1


def passages(
    lines: "Sequence[str]", outline: "Outline", root: "Node", size: "Size", context: str
) -> "list[Piece]":
    """The pieces of a file, in order; none spans two definitions.

    A definition begins with the comments and decorators above it, and includes nested functions. A long
    piece is cut between statements.
    """
    owners = _owners(lines, outline)
    pieces = []
    for owner, group in groupby(range(len(lines)), owners.__getitem__):
        indexes = list(group)
        part = lines[indexes[0] : indexes[-1] + 1]
        if not any(letter.isalnum() for line in part for letter in line):
            continue  # closing brackets of a class
        way = context
        if owner != MODULE:
            one = outline.definitions[owner]
            way = shorten(f"{context} | {outline.qualified(owner)} {one.kind}", LONGEST_CONTEXT)
        bounds = partial(_bounds, root=root, first=indexes[0])
        pieces += cut(part, indexes[0] + 1, size, bounds, way)
    return pieces


def _owners(lines: "Sequence[str]", outline: "Outline") -> list[int]:
    """For each line the definition to whose passage it belongs, or MODULE."""
    owners = [MODULE] * len(lines)
    inside: set[int] = set()
    for index, one in enumerate(outline.definitions):
        if one.kind == "constant" or one.parent in inside:
            if one.parent in inside:
                inside.add(index)
            continue
        if one.kind not in HOLDERS:
            inside.add(index)
        first = one.start_line - 1
        while first > 0 and owners[first - 1] == one.parent and _is_remark(lines[first - 1]):
            first -= 1
        last = min(one.end_line, len(lines))
        owners[first:last] = [index] * (last - first)
    return owners


def _is_remark(line: str) -> bool:
    return line.lstrip().startswith(_REMARKS)


def _bounds(part: "Sequence[str]", root: "Node", first: int) -> list[int]:
    """Rates each line as the first of a piece: where a statement begins, the outermost best."""
    last = first + len(part) - 1
    depths: dict[int, int] = {}
    left = [(root, 0)]
    while left:
        node, depth = left.pop()
        for child in node.named_children:
            if child.end_point[0] < first or child.start_point[0] > last:
                continue
            row = child.start_point[0]
            if child.type.endswith(_STATEMENTS) and row >= first:
                depths[row] = min(depth, depths.get(row, depth))
            if depth < _DEEPEST and child.end_point[0] > row:
                left.append((child, depth + 1))
    inner = sorted({depth for row, depth in depths.items() if row > first})
    bounds = []
    for number, line in enumerate(part):
        depth = depths.get(first + number, _NONE)
        if depth == _NONE:
            bounds.append(INSIDE_FENCE)
        elif not inner or depth <= inner[0]:
            after_blank = number > 0 and not part[number - 1].strip()
            bounds.append(PARAGRAPH if after_blank or not line[:1].isspace() else ITEM)
        else:
            bounds.append(LINE)
    return bounds
