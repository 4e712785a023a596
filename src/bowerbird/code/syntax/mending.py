"""Recovers code from a syntax error that hides the rest of a file from the parser.

After an unclosed bracket nothing is parsed as code to the end of the file. The definition around the
error is blanked, and the text parsed again, if that recovers more lines than it loses.
"""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

# Maximum errors that are repaired in a file, minimum lines of an error, maximum bytes of a file, and
# maximum lines tried for each error: each try parses the file again.
_MOST = 8
_WORTH = 3
_MOST_BYTES = 200_000
_TRIED = 4
_HEAD = re.compile(
    rb"[ \t]*(?:@|(?:export|default|async|public|private|protected|static|final|abstract|unsafe"
    rb"|pub(?:\([a-z]+\))?)[ \t]+)*"
    rb"(?:def|class|function|func|fn|impl|struct|enum|trait|interface|type|mod)\b"
)
_CLOSING = b")]}"


def mended(root: "Node", data: bytes, read: "Callable[[bytes], Node | None]") -> "Node":
    """The tree of a text after such repairs; `read` parses a text."""
    lost = _lost(root)
    for _ in range(_MOST if len(data) <= _MOST_BYTES else 0):
        if lost < _WORTH:
            break
        best: tuple[int, bytes, Node] | None = None
        for line in _damaged(root):
            blanked, cost = _without(data, line)
            tree = read(blanked)
            if tree is None:
                continue
            left = _lost(tree) + cost
            if left < (best[0] if best else lost):
                best = (left, blanked, tree)
        if best is None:
            break
        _, data, root = best
        lost = _lost(root)
    return root


def _lost(root: "Node") -> int:
    """How many lines are in errors, plus one for each missing token."""
    if root.is_error:
        return int(root.end_point[0] - root.start_point[0] + 1)
    lines, left = 0, [root] if root.has_error else []
    while left:
        node = left.pop()
        if node.is_missing:
            lines += 1
        elif node.is_error:
            lines += node.end_point[0] - node.start_point[0] + 1
        else:
            left += [child for child in node.children if child.has_error]
    return lines


def _damaged(root: "Node") -> list[int]:
    """The lines, from 0, where the first large error and the errors within it begin."""
    found: dict[int, None] = {}
    left = [root]
    while left and len(found) < _TRIED:
        node = left.pop()
        great = node.end_point[0] - node.start_point[0] + 1 >= _WORTH
        if node.is_error and (found or great):
            left = [] if not found else left
            found[node.start_point[0]] = None
        left += [child for child in reversed(node.children) if child.has_error]
    return list(found)


def _without(data: bytes, line: int) -> tuple[bytes, int]:
    """A text without the definition around a line, and how many nonblank lines that removes."""
    lines = data.split(b"\n")
    line = min(line, len(lines) - 1)
    start = next((at for at in range(line, -1, -1) if _HEAD.match(lines[at])), line)
    deep = _indent(lines[start])
    end = line + 1
    while end < len(lines) and not _begins(lines[end], deep):
        end += 1
    blank = [re.sub(rb"[^\r]", b" ", one) for one in lines[start:end]]
    cost = sum(bool(one.strip()) for one in lines[start:end])
    return b"\n".join([*lines[:start], *blank, *lines[end:]]), cost


def _begins(line: bytes, deep: int) -> bool:
    bare = line.strip()
    return bool(bare) and _indent(line) <= deep and bare[:1] not in _CLOSING


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip())
