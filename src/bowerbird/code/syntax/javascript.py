"""JavaScript and TypeScript: a module's definitions, imports, exports, calls and base classes."""

from functools import partial

from bowerbird.code.syntax.chains import chain
from bowerbird.code.syntax.drawing import Drawing
from bowerbird.code.syntax.javascript_imports import (
    bring_export,
    bring_exported,
    bring_import,
    bring_required,
    picked,
)
from bowerbird.code.syntax.javascript_objects import bind_value
from bowerbird.code.syntax.references import Places, refer
from bowerbird.core.outline import GIVES, KEY, MODULE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from bowerbird.code.syntax.grammar import Parsed
    from bowerbird.core.outline import Outline

_DEFINED = """
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(class name: (_) @name) @class
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name
    value: [(arrow_function) (function_expression) (generator_function)]) @function
(assignment_expression left: (member_expression property: (property_identifier) @name)
    right: [(arrow_function) (function_expression) (generator_function)]) @function
(pair key: (property_identifier) @name
    value: [(arrow_function) (function_expression) (generator_function)]) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @constant))
(program (export_statement (lexical_declaration
    (variable_declarator name: (identifier) @name) @constant)))
"""
_DEFINED_TYPED = """
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(type_alias_declaration name: (_) @name) @constant
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(function_signature name: (_) @name) @function
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @method
(enum_body (property_identifier) @name @constant)
(enum_assignment name: (_) @name) @constant
(public_field_definition "static" name: (_) @name) @constant
(internal_module name: (_) @name) @module
(module name: (identifier) @name) @module
"""
_DEFINED_PLAIN = """
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @method
"""
_SAID = """
(import_statement) @import
(export_statement) @export
(call_expression function: (_) @called)
(new_expression constructor: (_) @called)
(variable_declarator name: (_) @left value: (_) @right) @declared
(assignment_expression left: (_) @left right: (_) @right)
(return_statement [(call_expression) (new_expression) (identifier) (member_expression) (this)
    (object) (parenthesized_expression)] @given)
(for_in_statement left: (identifier) @each right: (_) @right)
(binary_expression left: (identifier) @tested "instanceof" right: (_) @kinds)
(class_heritage) @heritage
"""
_SAID_TYPED = """
(required_parameter pattern: (identifier) @left type: (type_annotation) @type)
(optional_parameter pattern: (identifier) @left type: (type_annotation) @type)
(public_field_definition name: (_) @left type: (type_annotation) @type) @field
(public_field_definition name: (_) @left value: (_) @right) @field
(property_signature name: (_) @left type: (type_annotation) @type) @field
(variable_declarator name: (identifier) @left type: (type_annotation) @type) @declared
(return_statement [(as_expression) (satisfies_expression)] @given)
(extends_type_clause) @heritage
(import_alias) @alias
"""
_SAID_PLAIN = """
(field_definition property: (_) @left value: (_) @right) @field
(jsx_opening_element name: (_) @called)
(jsx_self_closing_element name: (_) @called)
"""
_SAID_TSX = """
(jsx_opening_element name: (_) @called)
(jsx_self_closing_element name: (_) @called)
"""
_NAMES = "identifier this super shorthand_property_identifier shorthand_property_identifier_pattern"
_KINDS = ("function", "class", "module", "method", "constant")
_ACCESSORS = ("get", "static", "abstract")


def outline(parsed: "Parsed") -> "Outline":
    """The outline of a module."""
    typed = parsed.grammar.wheel == "tree_sitter_typescript"
    drawing = Drawing(parsed)
    # A name may match twice: one that is assigned a function is a function, not a constant.
    by_name: dict[int, tuple[str, str, Node, Node, int, str]] = {}
    for _, nodes in drawing.matches(_DEFINED + (_DEFINED_TYPED if typed else _DEFINED_PLAIN)):
        name = nodes["name"]
        kind = next(kind for kind in _KINDS if kind in nodes)
        before = by_name.get(name.start_byte)
        if before is not None and before[0] != "constant":
            continue
        node = nodes[kind]
        first, written = _first(node).start_point[0] + 1, drawing.text(name).strip("\"'")
        traits = f"{_traits(node)} {KEY}".strip() if _is_key(node, drawing) else _traits(node)
        by_name[name.start_byte] = (kind, written, node, name, first, traits)
    found = list(by_name.values())
    functions = [node for kind, _, node, *_ in found if kind in {"function", "method"}]
    drawing.define(found)
    for node in functions:
        _signature(node, drawing)
    said = _SAID + (_SAID_TYPED if typed else _SAID_PLAIN)
    if parsed.grammar.function == "language_tsx":
        said += _SAID_TSX
    for _, nodes in drawing.matches(said):
        _said(nodes, drawing)
    refer(drawing, _PLACES_TYPED if typed else _PLACES)
    return drawing.done(("require",))


def _special(node: "Node", around: "Sequence[Node]", drawing: Drawing) -> bool:
    """Whether a name is only re-exported, or that of an alias."""
    above = around[-1]
    if above.type in {"type_alias_declaration", "import_alias"} and above.named_children[0] == node:
        return True
    if above.type == "member_expression":
        return _hands_on(around[-2], drawing)
    return _hands_on(above, drawing)


_places = partial(
    Places,
    binds={
        **dict.fromkeys(
            "formal_parameters rest_pattern array_pattern object_pattern type_parameter".split(), ""
        ),
        "index_signature": "",
        "required_parameter": "pattern",
        "optional_parameter": "pattern",
        "assignment_pattern": "left",
        "object_assignment_pattern": "left",
        "pair_pattern": "value",
        "catch_clause": "parameter",
        "variable_declarator": "name",
        "arrow_function": "parameter",
        "for_in_statement": "left",
    },
    defines="function_declaration generator_function_declaration function_expression"
    " generator_function function_signature class_declaration class abstract_class_declaration"
    " interface_declaration enum_declaration internal_module module",
    ignored="import_specifier import_clause namespace_import export_specifier export_statement"
    " namespace_export labeled_statement jsx_opening_element jsx_closing_element"
    " jsx_self_closing_element",
    own_locals="function_declaration generator_function_declaration function_expression"
    " generator_function arrow_function method_definition catch_clause for_in_statement for_statement",
    members="member_expression nested_type_identifier nested_identifier",
    calls={"call_expression": "function", "new_expression": "constructor"},
    goes_on="subscript_expression non_null_expression",
    around="await_expression parenthesized_expression as_expression satisfies_expression",
    special=_special,
)
_PLACES = _places(_NAMES)
_PLACES_TYPED = _places(f"{_NAMES} type_identifier")


def _hands_on(above: "Node", drawing: Drawing) -> bool:
    """Whether what is around a name only re-exports it: ``module.exports.made = made``."""
    if above.type != "assignment_expression":
        return False
    left = above.child_by_field_name("left")
    return left is not None and drawing.text(left).startswith(("module.exports", "exports."))


def _is_key(node: "Node", drawing: Drawing) -> bool:
    """Whether a definition's name is not in scope: a key of an object, a class expression's own."""
    if node.type == "class":
        return True
    literal = node.parent
    if literal is None or literal.type != "object" or literal.parent is None:
        return False
    return literal.parent.type != "export_statement" and not _hands_on(literal.parent, drawing)


def _first(node: "Node") -> "Node":
    """The statement of a definition, including its export."""
    parents = {
        "export_statement",
        "lexical_declaration",
        "variable_declaration",
        "ambient_declaration",
    }
    parents.add("expression_statement")
    while node.parent is not None and node.parent.type in parents:
        node = node.parent
    return node


def _traits(node: "Node") -> str:
    traits = [child.type for child in node.children if child.type in _ACCESSORS]
    parent = node.parent
    if parent is not None and parent.type == "export_statement":
        traits.append("exported")
        traits += ["default" for child in parent.children if child.type == "default"]
    return " ".join("property" if one == "get" else one for one in traits)


def _signature(node: "Node", drawing: Drawing) -> None:
    """Records what a function returns."""
    value = node.child_by_field_name("value") or node.child_by_field_name("right") or node
    scope = drawing.scope(node)
    given = value.child_by_field_name("return_type")
    if given is not None:
        drawing.bind_type(scope, GIVES, drawing.text(given).lstrip(": "), scope)
        return
    body = value.child_by_field_name("body")
    if value.type == "arrow_function" and body is not None and body.type != "statement_block":
        bind_value(scope, GIVES, body, scope, drawing)


def _said(nodes: "dict[str, Node]", drawing: Drawing) -> None:
    if "called" in nodes:
        _called(nodes["called"], drawing)
    elif "import" in nodes:
        bring_import(nodes["import"], drawing)
    elif "export" in nodes:
        bring_export(nodes["export"], drawing)
    elif "alias" in nodes:
        _alias(nodes["alias"], drawing)
    elif "heritage" in nodes:
        _heritage(nodes["heritage"], drawing)
    elif "given" in nodes:
        scope = drawing.scope(nodes["given"])
        bind_value(scope, GIVES, nodes["given"], scope, drawing)
    elif "tested" in nodes:
        drawing.bind_tested(nodes["tested"], [nodes["kinds"]])
    elif "each" in nodes:
        scope = drawing.scope(nodes["each"])
        found = chain(nodes["right"], drawing.text)
        drawing.bind_chain(scope, drawing.text(nodes["each"]), f"{found}[]" if found else "", scope)
    else:
        _bound(nodes, drawing)


def _alias(node: "Node", drawing: Drawing) -> None:
    """Records ``import Page = Api.Page``, as it stands in a namespace too."""
    parts = [one for one in node.named_children if one.type != "comment"]
    if len(parts) == 2 and not node.has_error:  # noqa: PLR2004 the name and what it stands for
        scope = drawing.scope(node)
        drawing.bind_chain(scope, drawing.text(parts[0]), chain(parts[1], drawing.text), scope)


def _called(node: "Node", drawing: Drawing) -> None:
    if node.type == "import" or (node.type == "identifier" and drawing.text(node) == "require"):
        found = node.parent.child_by_field_name("arguments") if node.parent is not None else None
        bring_required(node, found, drawing)
        return
    drawing.use(node, "calls")


def _bound(nodes: "dict[str, Node]", drawing: Drawing) -> None:
    """Records the value or type of a variable, a parameter, a field or ``this.x``."""
    left = nodes["left"]
    # A variable that is assigned a function belongs to the enclosing scope.
    scope = drawing.scope(left, outside="declared" in nodes)
    owner, name = scope, drawing.text(left)
    if "field" in nodes or (name.startswith("this.") and name.count(".") == 1):
        owner, name = drawing.holder(scope), name.removeprefix("this.")
        if owner == MODULE:
            return
    elif left.type == "object_pattern":
        _parted(left, nodes.get("right"), scope, drawing)
        return
    elif left.type != "identifier":
        bring_exported(name, nodes.get("right"), drawing)
        return
    if "type" in nodes:
        written = drawing.text(nodes["type"]).lstrip(": ")
        drawing.bind_type(owner, name, written, scope)
        if _is_field(left):
            drawing.bind_type(drawing.holder(scope), name, written, scope)
    else:
        bind_value(owner, name, nodes["right"], scope, drawing)


def _parted(left: "Node", right: "Node | None", scope: int, drawing: Drawing) -> None:
    whole = chain(right, drawing.text) if right is not None else ""
    if whole and not whole.startswith(("require()", "import()")):
        for local, member, _ in picked(left, drawing):
            drawing.bind_chain(scope, local, f"{whole}.{member}", scope)


def _is_field(name: "Node") -> bool:
    """Whether a parameter also declares a field: ``constructor(private store: Store)``."""
    parameter = name.parent
    return parameter is not None and any(
        child.type in {"accessibility_modifier", "readonly"} for child in parameter.children
    )


def _heritage(node: "Node", drawing: Drawing) -> None:
    scope = drawing.scope(node)
    clauses = [one for one in node.named_children if one.type.endswith("_clause")] or [node]
    for clause in clauses:
        for base in clause.named_children:
            if base.type == "type_arguments":
                continue
            found = (
                chain(base, drawing.text)
                if base.type != "generic_type"
                else chain(base.named_children[0], drawing.text)
            )
            drawing.use_chain(found, "inherits", base, scope)
