"""Python: a module's definitions, imports, calls and base classes."""

import builtins

from bowerbird.code.syntax.chains import chain
from bowerbird.code.syntax.drawing import Drawing
from bowerbird.core.outline import GIVES, MODULE, Import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from bowerbird.code.syntax.grammar import Parsed
    from bowerbird.core.outline import Outline

_DEFINED = """
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(module (expression_statement (assignment left: (identifier) @name) @constant))
(module (_ (block (expression_statement (assignment left: (identifier) @name) @constant))))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @constant)))
"""
_KINDS = ("function", "class", "constant", "constant", "constant")
_SAID = """
(import_statement) @import
(import_from_statement) @from
(call function: (_) @called)
(decorator) @decorator
(assignment) @assigned
(typed_parameter type: (_) @type) @parameter
(typed_default_parameter name: (_) @name type: (_) @type)
(as_pattern (_) @value alias: (as_pattern_target (identifier) @name))
(for_statement left: (identifier) @name right: (_) @value)
(for_in_clause left: (identifier) @name right: (_) @value)
(return_statement [(call) (identifier) (attribute) (await)] @given)
(argument_list [(identifier) (attribute)] @named)
(keyword_argument value: [(identifier) (attribute)] @named)
(type) @typed
(except_clause [(identifier) (attribute)] @named)
(except_clause (tuple [(identifier) (attribute)] @named))
(except_clause (as_pattern [(identifier) (attribute)] @named))
(list [(identifier) (attribute)] @named)
(tuple [(identifier) (attribute)] @named)
(set [(identifier) (attribute)] @named)
(pair value: [(identifier) (attribute)] @named)
(subscript value: [(identifier) (attribute)] @named)
(comparison_operator [(identifier) (attribute)] @named)
(binary_operator [(identifier) (attribute)] @named)
(return_statement [(identifier) (attribute)] @named)
(default_parameter value: [(identifier) (attribute)] @named)
(_ condition: [(identifier) (attribute)] @named)
(_ body: [(identifier) (attribute)] @named)
(assignment right: [(identifier) (attribute)] @named)
(augmented_assignment right: [(identifier) (attribute)] @named)
(for_statement right: [(identifier) (attribute)] @named)
(for_in_clause right: [(identifier) (attribute)] @named)
(pair key: [(identifier) (attribute)] @named)
(named_expression name: (identifier) @name value: (_) @value)
""" + "".join(
    f"({one} [(identifier) (attribute)] @named)\n"
    for one in (
        "conditional_expression boolean_operator not_operator unary_operator interpolation yield"
        " assert_statement expression_list list_splat dictionary_splat if_clause"
    ).split()
)
_BUILTINS = frozenset(dir(builtins))
_PROPERTIES = frozenset(("property", "cached_property", "cached", "hybrid_property"))


def outline(parsed: "Parsed") -> "Outline":
    """The outline of a module."""
    drawing = Drawing(parsed)
    found = []
    seen: set[int] = set()
    for pattern, nodes in drawing.matches(_DEFINED):
        kind = _KINDS[pattern]
        node, name = nodes[kind], nodes["name"]
        if kind == "constant" and name.start_byte in seen:
            continue
        seen.add(name.start_byte)
        outer = node.parent
        first, traits = node, ""
        if outer is not None and outer.type == "decorated_definition":
            first, traits = outer, _traits(outer, drawing)
        found.append((kind, drawing.text(name), node, name, first.start_point[0] + 1, traits))
    classes = [node for kind, _, node, *_ in found if kind == "class"]
    functions = [node for kind, _, node, *_ in found if kind == "function"]
    drawing.define(found)
    for node in classes:
        _bases(node, drawing)
    for node in functions:
        _signature(node, drawing)
    for _, nodes in drawing.matches(_SAID):
        _said(nodes, drawing)
    return drawing.done(_BUILTINS)


def _traits(decorated: "Node", drawing: Drawing) -> str:
    names = set()
    for one in decorated.named_children:
        if one.type == "decorator" and one.named_children:
            found = chain(one.named_children[0], drawing.text).removesuffix("()")
            names.add(found.rpartition(".")[2])
    traits = []
    if names & _PROPERTIES:
        traits.append("property")
    traits += [name for name in ("staticmethod", "classmethod", "overload") if name in names]
    return " ".join(traits)


def _bases(node: "Node", drawing: Drawing) -> None:
    bases = node.child_by_field_name("superclasses")
    for base in bases.named_children if bases is not None else ():
        if base.type != "keyword_argument":
            found = chain(base, drawing.text).removesuffix("[]")
            drawing.use_chain(found, "inherits", base, drawing.scope(node))


def _signature(node: "Node", drawing: Drawing) -> None:
    """Records what a function returns, and the type of its first parameter."""
    scope = drawing.scope(node)
    given = node.child_by_field_name("return_type")
    if given is not None:
        drawing.bind_type(scope, GIVES, drawing.text(given), scope)
    definitions = drawing.outline.definitions
    parent = definitions[scope].parent
    if parent == MODULE or definitions[parent].kind != "class":
        return
    traits = definitions[scope].traits
    parameters = node.child_by_field_name("parameters")
    names = parameters.named_children if parameters is not None else []
    if names and names[0].type == "identifier" and "static" not in traits:
        own = "#class" if "classmethod" in traits or _is_new(definitions[scope].name) else "#self"
        drawing.bind_chain(scope, drawing.text(names[0]), own, scope)


def _is_new(name: str) -> bool:
    return name in {"__new__", "__init_subclass__", "__class_getitem__"}


def _said(nodes: "dict[str, Node]", drawing: Drawing) -> None:
    kind, node = next(iter(nodes.items()))
    if kind in _ALONE:
        _ALONE[kind](node, drawing)
    elif "type" in nodes:
        name = nodes.get("name") or nodes["parameter"].named_children[0]
        scope = drawing.scope(name)
        drawing.bind_type(scope, drawing.text(name), drawing.text(nodes["type"]), scope)
    elif "value" in nodes:
        _valued(nodes["name"], nodes["value"], drawing)


def _called(node: "Node", drawing: Drawing) -> None:
    drawing.use(node, "calls")


def _referred(node: "Node", drawing: Drawing) -> None:
    drawing.use(node, "references")


def _decorated(node: "Node", drawing: Drawing) -> None:
    inner = node.named_children[0] if node.named_child_count else None
    if inner is not None and inner.type != "call":  # calls are matched separately
        drawing.use(inner, "references")


def _given(node: "Node", drawing: Drawing) -> None:
    scope = drawing.scope(node)
    drawing.bind(scope, GIVES, node, scope)


def _typed(node: "Node", drawing: Drawing) -> None:
    for one in _named(node):
        drawing.use(one, "references")


def _valued(name: "Node", value: "Node", drawing: Drawing) -> None:
    """Records the value of a name in a `for`, a `with` or an assignment expression."""
    scope = drawing.scope(name)
    found = chain(value, drawing.text)
    outer = name.parent.type if name.parent is not None else ""
    if outer in {"for_statement", "for_in_clause"}:
        found += "[]" if found else ""
    elif outer == "as_pattern_target":
        pattern = name.parent.parent if name.parent is not None else None
        above = pattern.parent.type if pattern is not None and pattern.parent is not None else ""
        if above == "with_item":
            found += ".__enter__()" if found else ""
        elif found:  # a caught exception is an instance of its class
            drawing.bind_type(scope, drawing.text(name), found, scope)
            return
    drawing.bind_chain(scope, drawing.text(name), found, scope)


def _named(node: "Node") -> "list[Node]":
    """The names in a type, up to a depth that nobody's types exceed."""
    found: list[Node] = []
    left = [node]
    while left and len(found) < 20:  # noqa: PLR2004 as long as no type is
        one = left.pop()
        if one.type in {"identifier", "attribute"}:
            found.append(one)
        elif one.type != "string":
            left += one.named_children
    return found


def _assigned(node: "Node", drawing: Drawing) -> None:
    """Records an assignment to a name, or to an attribute of the own object."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    typed = node.child_by_field_name("type")
    if left is None or left.type not in {"identifier", "attribute"}:
        return
    scope = owner = drawing.scope(node)
    name = drawing.text(left)
    if left.type == "attribute":
        first, _, rest = name.partition(".")
        owner = drawing.holder(scope)
        if owner == MODULE or first not in {"self", "cls"} or "." in rest:
            return
        name = rest
    if typed is not None:
        drawing.bind_type(owner, name, drawing.text(typed), scope)
    elif right is not None:
        drawing.bind(owner, name, right, scope)


def _import(node: "Node", drawing: Drawing) -> None:
    scope = drawing.scope(node)
    row, column = node.start_point
    module_node = node.child_by_field_name("module_name")
    module = drawing.text(module_node).replace(" ", "") if module_node is not None else ""
    names = node.children_by_field_name("name")
    if any(child.type == "wildcard_import" for child in node.named_children):
        drawing.bring(Import(scope, "*", module, "*", row + 1, column))
    for one in names:
        alias = one.child_by_field_name("alias")
        inner = one.child_by_field_name("name") if one.type == "aliased_import" else one
        if inner is None:
            continue
        name = drawing.text(inner)
        local = drawing.text(alias) if alias is not None else name
        row, column = inner.start_point
        if module:
            drawing.bring(Import(scope, local, module, name, row + 1, column, local))
        elif alias is not None:
            drawing.bring(Import(scope, local, name, "", row + 1, column, local))
        else:
            first = name.partition(".")[0]
            drawing.bring(Import(scope, first, first, "", row + 1, column, first))
            if first != name:
                drawing.bring(Import(scope, "", name, "", row + 1, column))


_ALONE = {
    "called": _called,
    "named": _referred,
    "typed": _typed,
    "decorator": _decorated,
    "import": _import,
    "from": _import,
    "assigned": _assigned,
    "given": _given,
}
