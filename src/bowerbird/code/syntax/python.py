"""Python: a module's definitions, imports, calls and base classes."""

import builtins
import re

from bowerbird.code.syntax.chains import chain
from bowerbird.code.syntax.drawing import Drawing
from bowerbird.code.syntax.references import FIRST, Places, local, refer
from bowerbird.core.outline import GIVES, MODULE, Import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

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
(assignment) @assigned
(typed_parameter type: (_) @type) @parameter
(typed_default_parameter name: (_) @name type: (_) @type)
(as_pattern (_) @value alias: (as_pattern_target (identifier) @name))
(for_statement left: (identifier) @name right: (_) @value)
(for_in_clause left: (identifier) @name right: (_) @value)
(return_statement [(call) (identifier) (attribute) (await)] @given)
(yield [(call) (identifier) (attribute) (await)] @yielded)
(named_expression name: (identifier) @name value: (_) @value)
(call function: (identifier) @_is arguments: (argument_list . (identifier) @tested . (_) @kinds .)
    (#eq? @_is "isinstance"))
"""
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_BUILTINS = frozenset(dir(builtins))
_FIXTURE = "fixture"
_MANAGERS = ("contextmanager", "asynccontextmanager")
_DECORATORS = ("staticmethod", "classmethod", "overload", _FIXTURE, *_MANAGERS)
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
    refer(drawing, _PLACES)
    return drawing.done(_BUILTINS)


def _special(node: "Node", around: "Sequence[Node]", drawing: Drawing) -> bool:
    """Treats names in `case`, `global` and quoted types, and the names of arguments."""
    above = around[-1]
    if node.type == "string_content":
        if len(around) > 1 and around[-2].type == "type":
            for written in _DOTTED.findall(drawing.text(node)):
                drawing.use_chain(written, "references", node, drawing.scope(node))
        return True
    if above.type in {"global_statement", "nonlocal_statement"}:
        drawing.share(node)
        return True
    if above.type == "dotted_name":
        _dotted(node, around, drawing)
        return True
    if above.type == "keyword_argument" and above.start_byte == node.start_byte:
        _argument(node, around, drawing)
        return True
    return False


_PLACES = Places(
    "identifier string_content",
    binds={
        **dict.fromkeys(
            "parameters lambda_parameters typed_parameter list_splat_pattern dictionary_splat_pattern"
            " pattern_list tuple_pattern list_pattern as_pattern_target keyword_pattern"
            " splat_pattern".split(),
            "",
        ),
        **dict.fromkeys(
            ("default_parameter", "typed_default_parameter", "named_expression", "assignment"),
            FIRST,
        ),
        **dict.fromkeys(("for_statement", "for_in_clause"), "left"),
    },
    defines="function_definition class_definition",
    ignored="import_from_statement aliased_import",
    own_locals="function_definition lambda class_definition",
    whole="list_comprehension set_comprehension dictionary_comprehension generator_expression",
    members="attribute",
    calls={"call": "function"},
    goes_on="subscript",
    around="await parenthesized_expression",
    special=_special,
)


def _argument(node: "Node", around: "Sequence[Node]", drawing: Drawing) -> None:
    """Records the field that an argument sets: ``Page(size=1)`` refers to ``Page.size``."""
    function = around[-3].child_by_field_name("function") if len(around) > 2 else None  # noqa: PLR2004 above the arguments
    found = chain(function, drawing.text) if function is not None else ""
    if found.rpartition(".")[2][:1].isupper():
        name = drawing.text(node)
        drawing.use_chain(f"{found}.{name}=", "references", node, drawing.scope(node))


def _dotted(node: "Node", around: "Sequence[Node]", drawing: Drawing) -> None:
    """Records a name in a `case`: of a class, a constant of a module, or a local."""
    above = around[-1]
    outer = around[-2].type if len(around) > 1 else ""
    if outer == "class_pattern" or (outer == "case_pattern" and above.named_child_count > 1):
        if above.start_byte == node.start_byte:
            drawing.use_chain(drawing.text(node), "references", node, drawing.scope(node))
            if above.named_child_count > 1:
                drawing.use_chain(
                    drawing.text(above), "references", above.named_children[-1], drawing.scope(node)
                )
    elif outer == "case_pattern":
        local(node, around, drawing, _PLACES)


def _traits(decorated: "Node", drawing: Drawing) -> str:
    names = set()
    for one in decorated.named_children:
        if one.type == "decorator" and one.named_children:
            found = chain(one.named_children[0], drawing.text).removesuffix("()")
            names.add(found.rpartition(".")[2])
    traits = []
    if names & _PROPERTIES:
        traits.append("property")
    traits += [name for name in _DECORATORS if name in names]
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
        drawing.bind_type(scope, GIVES, drawing.text(given), drawing.sees(scope, given))
    definitions = drawing.outline.definitions
    one, parent = definitions[scope], definitions[scope].parent
    parameters = node.child_by_field_name("parameters")
    names = parameters.named_children if parameters is not None else []
    of_class = parent != MODULE and definitions[parent].kind == "class"
    if of_class and names and names[0].type == "identifier" and "static" not in one.traits:
        own = "#class" if "classmethod" in one.traits or _is_new(one.name) else "#self"
        drawing.bind_chain(scope, drawing.text(names[0]), own, scope)
        names = names[1:]
    if one.name.startswith("test") or _FIXTURE in one.traits:
        for name in names:
            if name.type == "identifier":
                found = f"#fixture.{drawing.text(name)}"
                drawing.use_chain(found, "references", name, scope)
                drawing.bind_chain(scope, drawing.text(name), f"{found}()", scope)


def _is_new(name: str) -> bool:
    return name in {"__new__", "__init_subclass__", "__class_getitem__"}


def _said(nodes: "dict[str, Node]", drawing: Drawing) -> None:
    kind, node = next(iter(nodes.items()))
    if kind in _ALONE:
        _ALONE[kind](node, drawing)
    elif "tested" in nodes:
        kinds = nodes["kinds"]
        several = kinds.type in {"tuple", "binary_operator"}
        drawing.bind_tested(nodes["tested"], kinds.named_children if several else [kinds])
    elif "type" in nodes:
        name = nodes.get("name") or nodes["parameter"].named_children[0]
        scope = drawing.scope(name)
        seen = drawing.sees(scope, name)
        drawing.bind_type(scope, drawing.text(name), drawing.text(nodes["type"]), seen)
    elif "value" in nodes:
        _valued(nodes["name"], nodes["value"], drawing)


def _called(node: "Node", drawing: Drawing) -> None:
    drawing.use(node, "calls")


def _given(node: "Node", drawing: Drawing) -> None:
    scope = drawing.scope(node)
    drawing.bind(scope, GIVES, node, scope)


def _yielded(node: "Node", drawing: Drawing) -> None:
    """Records what a fixture or a context manager gives: what its function yields."""
    scope = drawing.scope(node)
    traits = drawing.outline.definitions[scope].traits.split() if scope != MODULE else []
    if _FIXTURE in traits or any(one in traits for one in _MANAGERS):
        drawing.bind(scope, GIVES, node, scope)


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
    "import": _import,
    "from": _import,
    "assigned": _assigned,
    "given": _given,
    "yielded": _yielded,
}
