"""All languages but Python and JavaScript: a file's definitions, imports, calls and base classes."""

from bowerbird.code.syntax.chains import chain
from bowerbird.code.syntax.compiled_imports import IMPORTS, bring_import
from bowerbird.code.syntax.compiled_patterns import RULES
from bowerbird.code.syntax.compiled_places import refer_in
from bowerbird.code.syntax.drawing import Drawing
from bowerbird.code.syntax.further_patterns import FURTHER
from bowerbird.core.outline import GIVES, MODULE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from bowerbird.code.syntax.grammar import Parsed
    from bowerbird.core.outline import Outline


# What these languages bring themselves, so that nothing of a project is meant.
_BUILTINS = frozenset(
    "append bool byte cap close complex64 complex128 copy delete error false float32 float64 imag int"
    " int8 int16 int32 int64 iota len make new nil panic print println real recover rune string true"
    " uint uint8 uint16 uint32 uint64 uintptr any String Object Integer Override NULL size_t std Some"
    " None Ok Err Option Result Vec Box str i8 i16 i32 i64 u8 u16 u32 u64 usize isize f32 f64 char"
    " int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t var".split()
)
_KINDS = ("function", "method", "class", "module", "constant", "impl")
# The name of a method's own object.
_SELF = {
    "rust": "self",
    "java": "this",
    "cpp": "this",
    "csharp": "this",
    "kotlin": "this",
    "php": "$this",
    "ruby": "self",
    "scala": "this",
    "swift": "self",
}
# Names of a method's own class.
_OWN_CLASS = {"php": ("self", "static")}
_RULES = RULES | FURTHER


def outline(parsed: "Parsed") -> "Outline":
    """The outline of a file in one of these languages."""
    language = parsed.grammar.language
    rules = _RULES[language]
    drawing = Drawing(parsed, is_open=True)
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
        if kind in {"function", "method"}:
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
    refer_in(language, drawing)
    return drawing.done(_BUILTINS if language in RULES else ("var",))


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
    """The traits of a function: for Go its receiver's type, for Java and C whether it is static."""
    if drawing.outline.language in {"c", "cpp"}:
        return "static" if _is_static(node, drawing) else ""
    if drawing.outline.language == "go" and node.type == "method_declaration":
        return f"of {_receiver(node, drawing)}"
    first = node.named_children[0] if node.named_child_count else None
    marked = first is not None and first.type == "modifiers"
    return "static" if marked and first and "static" in drawing.text(first).split() else ""


def _is_static(node: "Node", drawing: Drawing) -> bool:
    """Whether a function of C is seen in its own file only."""
    return any(
        child.type == "storage_class_specifier" and drawing.text(child) == "static"
        for child in node.children
    )


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
    fields = ("result", "return_type", "returns")
    given = next(filter(None, map(node.child_by_field_name, fields)), None)
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
        for own in _OWN_CLASS.get(language, ()):
            drawing.bind_chain(scope, own, "#class", scope)


def _said(nodes: "dict[str, Node]", drawing: Drawing) -> None:
    kind = next((one for one in IMPORTS if one in nodes), next(iter(nodes)))
    node = nodes[kind]
    if kind == "called":
        drawing.use(node, "calls")
    elif kind == "invoked":
        found = chain(node, drawing.text).removesuffix("()")
        drawing.use_chain(found, "calls", node, drawing.scope(node))
    elif kind == "inferred":
        if drawing.text(node) == "var":
            left = nodes["left"]
            scope = drawing.scope(left)
            drawing.bind(scope, drawing.text(left), nodes["right"], scope)
    elif kind == "base":
        scope = drawing.holder(drawing.scope(node))
        if scope != MODULE:
            drawing.use_chain(chain(node, drawing.text), "inherits", node, scope)
    elif kind == "package":
        drawing.outline.module = drawing.text(node).replace("\\", ".")
    elif kind in IMPORTS:
        bring_import(kind, node, drawing, nodes.get("local"))
    else:
        _bound(nodes, drawing)


def _bound(nodes: "dict[str, Node]", drawing: Drawing) -> None:
    """Records the type or value of a variable, or of several that are declared together.

    Several are one match: to match each by itself takes quadratic time in their number.
    """
    several = nodes.pop("names", None)
    for one in several.children_by_field_name("name") if several is not None else ():
        _bound({**nodes, "left": one}, drawing)
    if several is not None:
        return
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
        qualified = typed.type == "qualified_identifier"  # `geo::Shape`, of another namespace
        name_of = None if qualified else typed.child_by_field_name("name")
        written = drawing.text(name_of or typed)
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
