"""A question with operators (`core.matching`), as FTS5 is asked: every word stands in quotation marks."""

from bowerbird.core.matching import Either, Phrase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.matching import Node


def expression(node: "Node") -> str:
    """What FTS5 is to look for. No character of a word means anything to it."""
    if isinstance(node, Phrase):
        begins = "*" if node.begins else ""
        quoted = [f'"{form}"{begins}' for form in node.forms]
        return quoted[0] if len(quoted) == 1 else f"({' OR '.join(quoted)})"
    if isinstance(node, Either):
        return f"({' OR '.join(map(expression, node.parts))})"
    wanted = " AND ".join(map(expression, node.wanted))
    if not node.others:
        return f"({wanted})"
    return f"(({wanted}) NOT ({' OR '.join(map(expression, node.others))}))"
