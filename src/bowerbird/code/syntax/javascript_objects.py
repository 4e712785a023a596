"""What the keys of object literals stand for in JavaScript and TypeScript."""

from bowerbird.code.syntax.chains import chain
from bowerbird.core.outline import KEY, KEYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from bowerbird.code.syntax.drawing import Drawing

# What may stand around a literal without changing its keys: ``({…})``, ``{…} as const``.
_AROUND = frozenset(("parenthesized_expression", "as_expression", "satisfies_expression"))
# Maximum nesting of literals whose keys are read; deeper ones are data.
_DEEPEST = 6


def bind_value(owner: int, name: str, value: "Node", scope: int, drawing: "Drawing") -> None:
    """Records the assignment of a value to a name; of an object literal, that of each of its keys too."""
    found = [(name, value, 0)]
    for at, one, depth in found:
        while one.type in _AROUND and one.named_child_count:
            one = one.named_children[0]  # noqa: PLW2901 the literal inside
        if one.type != "object" or depth > _DEEPEST:
            drawing.bind(owner, at, one, scope)
            continue
        drawing.bind_chain(owner, at, KEYS, scope)
        for key, inner in _keys(one, drawing):
            if isinstance(inner, str):
                drawing.bind_chain(owner, f"{at}.{key}", inner, scope)
            else:
                found.append((f"{at}.{key}", inner, depth + 1))


def _keys(literal: "Node", drawing: "Drawing") -> "Iterator[tuple[str, Node | str]]":
    """The keys of a literal with their values: a function that is a definition as its chain."""
    for one in literal.named_children:
        if one.type == "shorthand_property_identifier":
            yield drawing.text(one), one
        elif one.type == "spread_element":
            yield "*", chain(one, drawing.text)
        elif one.type in {"pair", "method_definition"}:
            name = one.child_by_field_name("key") or one.child_by_field_name("name")
            if name is None or name.type == "computed_property_name":
                continue
            key, value = drawing.text(name).strip("\"'"), one.child_by_field_name("value")
            at = drawing.scope(one)
            if drawing.is_at(at, one) and KEY in drawing.outline.definitions[at].traits.split():
                yield key, drawing.key_chain(at)
            elif value is not None:
                yield key, value
