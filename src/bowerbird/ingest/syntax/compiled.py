"""Go, Rust, Java, C and C++: a file's definitions, imports, calls and base classes."""

from functools import partial

from bowerbird.core.outline import GIVES, MODULE, Import
from bowerbird.core.value import Value
from bowerbird.ingest.syntax.chains import chain
from bowerbird.ingest.syntax.drawing import Drawing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from bowerbird.core.outline import Outline
    from bowerbird.ingest.syntax.grammar import Parsed


class Rules(Value):
    """The patterns of one language: those for definitions, and those for uses of names."""

    __slots__ = ("defined", "said")

    def __init__(self, defined: str, said: str) -> None:
        self.defined = defined
        self.said = said


_CALLED = "(call_expression function: (_) @called)\n"
_GO = Rules(
    """
(function_declaration name: (_) @name) @function
(method_declaration name: (_) @name) @method
(type_declaration (type_spec name: (_) @name) @class)
(source_file (const_declaration (const_spec name: (_) @name) @constant))
(source_file (var_declaration (var_spec name: (_) @name) @constant))
""",
    _CALLED
    + """
(import_spec) @import
(package_clause (package_identifier) @package)
(short_var_declaration left: (expression_list . (identifier) @left .)
    right: (expression_list . (_) @right .))
(parameter_declaration name: (identifier) @left type: (_) @type)
(var_spec name: (identifier) @left type: (_) @type)
(field_declaration name: (field_identifier) @left type: (_) @type) @field
(field_declaration !name type: (_) @base)
(composite_literal type: (type_identifier) @named)
(parameter_declaration type: (_) @named)
(argument_list [(identifier) (selector_expression)] @named)
""",
)
_RUST = Rules(
    """
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name) @class
(enum_item name: (_) @name) @class
(trait_item name: (_) @name) @class
(union_item name: (_) @name) @class
(mod_item name: (_) @name body: (_)) @module
(impl_item type: (_) @name) @impl
(const_item name: (_) @name) @constant
(static_item name: (_) @name) @constant
(type_item name: (_) @name) @constant
(macro_definition name: (_) @name) @function
""",
    _CALLED
    + """
(use_declaration argument: (_) @use)
(mod_item name: (_) @mod !body)
(let_declaration pattern: (identifier) @left value: (_) @right)
(let_declaration pattern: (identifier) @left type: (_) @type)
(parameter pattern: (identifier) @left type: (_) @type)
(field_declaration name: (_) @left type: (_) @type) @field
(impl_item trait: (_) @base)
(type_identifier) @named
(arguments [(identifier) (scoped_identifier)] @named)
""",
)
_JAVA = Rules(
    """
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(annotation_type_declaration name: (_) @name) @class
(field_declaration declarator: (variable_declarator name: (_) @name)) @constant
""",
    """
(import_declaration) @import
(package_declaration [(scoped_identifier) (identifier)] @package)
(method_invocation) @invoked
(object_creation_expression type: (_) @called)
(superclass (_) @base)
(super_interfaces (type_list (_) @base))
(extends_interfaces (type_list (_) @base))
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (_) @left))
(formal_parameter type: (_) @type name: (_) @left)
(field_declaration type: (_) @type declarator: (variable_declarator name: (_) @left)) @field
(type_identifier) @named
""",
)
_C = Rules(
    """
(function_definition declarator: (_) @name) @function
(struct_specifier name: (_) @name body: (_)) @class
(union_specifier name: (_) @name body: (_)) @class
(enum_specifier name: (_) @name body: (_)) @class
(type_definition declarator: (type_identifier) @name) @constant
(preproc_def name: (_) @name) @constant
(preproc_function_def name: (_) @name) @function
""",
    _CALLED
    + """
(preproc_include path: (_) @include)
(declaration type: (_) @type declarator: (_) @left)
(parameter_declaration type: (_) @type declarator: (_) @left)
(field_declaration type: (_) @type declarator: (_) @left) @field
(parameter_declaration type: (type_identifier) @named)
(argument_list (identifier) @named)
""",
)
_CPP = Rules(
    _C.defined
    + """
(class_specifier name: (_) @name body: (_)) @class
(namespace_definition name: (_) @name) @module
(field_declaration declarator: (function_declarator) @name default_value: (_)) @method
(field_declaration declarator: (_ (function_declarator) @name) default_value: (_)) @method
""",
    _C.said
    + """
(for_range_loop type: (_) @type declarator: (_) @left)
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)
(new_expression type: (_) @called)
""",
)
_RULES = {"go": _GO, "rust": _RUST, "java": _JAVA, "c": _C, "cpp": _CPP}
_KINDS = ("function", "method", "class", "module", "constant", "impl")
_SELF = {"rust": "self", "java": "this", "cpp": "this"}


def outline(parsed: "Parsed") -> "Outline":
    """The outline of a file in one of these languages."""
    language = parsed.grammar.language
    rules = _RULES[language]
    drawing = Drawing(parsed)
    found = []
    for _, nodes in drawing.matches(rules.defined):
        kind = next(kind for kind in _KINDS if kind in nodes)
        name_node = _declared(nodes["name"])
        if name_node is None:
            continue
        node, traits = nodes[kind], ""
        name = chain(name_node, drawing.text).partition("<")[0]
        if kind == "module" and not name:  # namespace a::b
            name = drawing.text(name_node).rpartition("::")[2]
        if kind == "impl":
            kind, traits = "class", "impl"
        if kind == "method":
            traits = _of_method(node, drawing)
        name = name.replace("::", ".")
        if "." in name and kind == "function":
            of, _, name = name.rpartition(".")
            kind, traits = "method", f"of {of}"
        if name:
            first = _above(node).start_point[0] + 1
            found.append((kind, name, node, name_node, first, traits))
    functions = [node for kind, _, node, *_ in found if kind in {"function", "method"}]
    drawing.define(found)
    for node in functions:
        _signature(node, drawing, language)
    for _, nodes in drawing.matches(rules.said):
        _said(nodes, drawing)
    return drawing.done()


def _declared(node: "Node") -> "Node | None":
    """The name in a C declarator, which may be a pointer or have parameters."""
    steps = 0
    while node is not None and node.type.endswith("_declarator") and steps < 10:  # noqa: PLR2004
        inner = node.child_by_field_name("declarator")
        if inner is None:
            return node.named_children[0] if node.named_child_count else None
        node, steps = inner, steps + 1
    return node


def _variable(node: "Node") -> "Node | None":
    """The name of a variable in its declarator; None if it declares a function."""
    name = _declared(node)
    if name is None or name.type not in {"identifier", "field_identifier"}:
        return None if node.type.endswith("declarator") else node
    above = name.parent
    return None if above is not None and above.type == "function_declarator" else name


def _of_method(node: "Node", drawing: Drawing) -> str:
    """The traits of a method: for Go its receiver's type, for Java whether it is static."""
    if drawing.outline.language == "go":
        return f"of {_receiver(node, drawing)}"
    first = node.named_children[0] if node.named_child_count else None
    marked = first is not None and first.type == "modifiers"
    return "static" if marked and first and "static" in drawing.text(first).split() else ""


def _above(node: "Node") -> "Node":
    """The first of the attributes directly above a definition, or the definition itself."""
    while (before := node.prev_named_sibling) is not None and before.type == "attribute_item":
        node = before
    holder = node.parent
    return holder if holder is not None and holder.type == "type_declaration" else node


def _receiver(node: "Node", drawing: Drawing) -> str:
    """The type of a Go method's receiver."""
    receiver = node.child_by_field_name("receiver")
    for one in receiver.named_children if receiver is not None else ():
        typed = one.child_by_field_name("type")
        if typed is not None:
            return drawing.text(typed).lstrip("*").partition("[")[0]
    return ""


def _signature(node: "Node", drawing: Drawing, language: str) -> None:
    scope = drawing.scope(node)
    given = node.child_by_field_name("result") or node.child_by_field_name("return_type")
    if given is None and language in {"java", "c", "cpp"}:
        given = node.child_by_field_name("type")
    if given is not None:
        drawing.bind_type(scope, GIVES, drawing.text(given), scope)
    if language == "go" and node.type == "method_declaration":
        receiver = node.child_by_field_name("receiver")
        for one in receiver.named_children if receiver is not None else ():
            name = one.child_by_field_name("name")
            if name is not None:
                drawing.bind_type(scope, drawing.text(name), _receiver(node, drawing), scope)
    elif language in _SELF:
        drawing.bind_chain(scope, _SELF[language], "#self", scope)


def _said(nodes: "dict[str, Node]", drawing: Drawing) -> None:
    kind, node = next(iter(nodes.items()))
    if kind == "called":
        drawing.use(node, "calls")
    elif kind == "invoked":
        found = chain(node, drawing.text).removesuffix("()")
        drawing.use_chain(found, "calls", node, drawing.scope(node))
    elif kind == "named":
        drawing.use(node, "references")
    elif kind == "base":
        scope = drawing.holder(drawing.scope(node))
        if scope != MODULE:
            drawing.use_chain(chain(node, drawing.text), "inherits", node, scope)
    elif kind == "package":
        drawing.outline.module = drawing.text(node)
    elif kind in {"import", "use", "mod", "include"}:
        _import(kind, node, drawing)
    else:
        _bound(nodes, drawing)


def _bound(nodes: "dict[str, Node]", drawing: Drawing) -> None:
    left = _variable(nodes["left"])
    if left is None:
        return
    scope = owner = drawing.scope(left)
    if "field" in nodes:
        owner = drawing.holder(scope)
    name = drawing.text(left)
    typed = nodes.get("type")
    if typed is not None and typed.type == "primitive_type":
        return
    if typed is not None and typed.type == "placeholder_type_specifier":  # auto
        _by_value(nodes["left"], name, drawing, owner)
    elif typed is not None:
        written = drawing.text(typed.child_by_field_name("name") or typed)
        if drawing.outline.language in {"c", "cpp"} and written == name:
            # The variable hides the struct with the same name.
            drawing.bind_chain(owner, name, "#self.#hidden", scope)
        else:
            drawing.bind_type(owner, name, written, scope)
    else:
        drawing.bind(owner, name, nodes["right"], scope)


def _by_value(declarator: "Node", name: str, drawing: Drawing, owner: int) -> None:
    """Infers the type of an `auto` variable in C++ from its value or the range it iterates over."""
    scope, given = drawing.scope(declarator), declarator.child_by_field_name("value")
    if given is not None:
        drawing.bind(owner, name, given, scope)
        return
    loop = declarator.parent
    through = loop.child_by_field_name("right") if loop is not None else None
    found = chain(through, drawing.text) if through is not None else ""
    drawing.bind_chain(owner, name, f"{found}[]" if found else "", scope)


def _import(kind: str, node: "Node", drawing: Drawing) -> None:
    row, column = node.start_point
    scope, line = drawing.scope(node), row + 1
    if kind == "include":
        drawing.bring(Import(scope, "*", drawing.text(node).strip('"<>'), "*", line, column, "*"))
    elif kind == "mod":
        name = drawing.text(node)
        drawing.bring(Import(scope, name, f"self.{name}", "", line, column, name))
    elif kind == "use":
        _use(node, "", drawing, 0)
    elif drawing.outline.language == "java":
        written = drawing.text(node).removeprefix("import").strip().rstrip(";").strip()
        written = written.removeprefix("static").strip()
        module, _, name = written.rpartition(".")
        drawing.bring(Import(scope, name, module, name, line, column))
    else:
        path, alias = node.child_by_field_name("path"), node.child_by_field_name("name")
        module = drawing.text(path).strip('"`') if path is not None else ""
        local = drawing.text(alias) if alias is not None else module.rpartition("/")[2]
        drawing.bring(Import(scope, local, module, "", line, column))


def _use(node: "Node", above: str, drawing: Drawing, depth: int) -> None:
    """Each name of ``use a::{b, c as d, e::*}``."""
    if depth > 10:  # noqa: PLR2004 deeper than anybody writes
        return

    def joined(name: str) -> str:
        return ".".join(part for part in (above, name.replace("::", ".")) if part)

    bring = partial(_bring, node, drawing)
    if node.type in {"scoped_use_list", "use_list"}:
        path, inner = node.child_by_field_name("path"), node.child_by_field_name("list") or node
        way = joined(drawing.text(path)) if path is not None else above
        for one in inner.named_children:
            _use(one, way, drawing, depth + 1)
    elif node.type == "use_as_clause":
        path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
        if path is not None and alias is not None:
            module, _, name = joined(drawing.text(path)).rpartition(".")
            local = drawing.text(alias)
            bring(local, module, name, local)
    elif node.type == "use_wildcard":
        way = joined(drawing.text(node).removesuffix("*").removesuffix("::"))
        bring("*", way, "*", "*")
    else:
        way = joined(drawing.text(node))
        module, _, name = way.rpartition(".")
        local = name
        if name == "self":
            module, _, name = module.rpartition(".")
            local = name
        bring(local, module, name, local)


def _bring(
    node: "Node", drawing: Drawing, local: str, module: str, name: str, exported: str
) -> None:
    """Records an import of Rust, with the module relative to the file."""
    row, column = node.start_point
    scope = drawing.scope(node)
    module = _outside(module, drawing.modules(scope))
    if module or name != "*":  # a module sees all names of the enclosing file
        drawing.bring(Import(scope, local, module, name, row + 1, column, exported))


def _outside(module: str, modules: int) -> str:
    """A Rust module path relative to the file, as used inside `modules` nested modules.

    Empty for the file itself, such as ``super`` in one of its modules.
    """
    parts = module.split(".")
    if not modules or parts[0] != "super":
        return module
    left = modules
    while left and parts and parts[0] == "super":
        parts.pop(0)
        left -= 1
    if not parts or left:
        return ".".join(parts)
    return module.partition(".")[2] if parts[0] == "super" else ".".join(("self", *parts))
