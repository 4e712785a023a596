"""Where names are bound and read in Go, Rust, Java, C and C++."""

from functools import partial

from bowerbird.code.syntax.chains import chain
from bowerbird.code.syntax.references import Places, local, refer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from bowerbird.code.syntax.drawing import Drawing


def _nowhere(*types: str) -> dict[str, str]:
    return dict.fromkeys(types, "")


def _go_special(node: "Node", around: "Sequence[Node]", drawing: "Drawing") -> bool:
    """Treats the left of a short declaration or range, and the keys of a struct's fields."""
    if len(around) < 2:  # noqa: PLR2004
        return False
    above, outer = around[-1], around[-2]
    if above.type == "expression_list" and outer.type in _GO_DECLARES:
        if above in outer.children_by_field_name(_GO_DECLARES[outer.type]):
            local(node, around, drawing, _GO)
            return True
    elif above.type == "literal_element" and outer.type == "keyed_element":
        typed = around[-4].child_by_field_name("type")
        is_key = outer.child_by_field_name("key") == above
        return is_key and (typed is None or typed.type != "map_type")
    return False


_GO_DECLARES = {
    "short_var_declaration": "left",
    "range_clause": "left",
    "receive_statement": "left",
    "type_switch_statement": "alias",
}
_GO = Places(
    "identifier type_identifier package_identifier",
    binds={
        "parameter_declaration": "name",
        "variadic_parameter_declaration": "name",
        "type_parameter_declaration": "name",
        "var_spec": "name",
        "const_spec": "name",
    },
    defines="function_declaration type_spec type_alias",
    ignored="import_spec package_clause labeled_statement",
    own_locals="function_declaration method_declaration func_literal",
    members="selector_expression qualified_type",
    calls={"call_expression": "function"},
    goes_on="index_expression type_assertion_expression",
    around="parenthesized_expression unary_expression",
    special=_go_special,
)


def _java_special(node: "Node", around: "Sequence[Node]", drawing: "Drawing") -> bool:
    """Treats a method's name, which is recorded with its call, and the second name of ``A::go``."""
    above = around[-1]
    if above.type == "method_invocation":
        return above.child_by_field_name("name") == node
    if above.type == "method_reference" and above.named_children[0] != node:
        first = chain(above.named_children[0], drawing.text)
        found = f"{first}.{drawing.text(node)}" if first else ""
        drawing.use_chain(found, "references", node, drawing.scope(node))
        return True
    return False


_JAVA = Places(
    "identifier type_identifier this",
    binds={
        "variable_declarator": "name",
        "formal_parameter": "name",
        "catch_formal_parameter": "name",
        "enhanced_for_statement": "name",
        "resource": "name",
        "lambda_expression": "parameters",
        **_nowhere("inferred_parameters", "type_parameter"),
    },
    defines="class_declaration interface_declaration enum_declaration record_declaration"
    " method_declaration constructor_declaration annotation_type_declaration enum_constant",
    ignored="import_declaration package_declaration labeled_statement break_statement"
    " continue_statement",
    own_locals="method_declaration constructor_declaration lambda_expression catch_clause",
    members="field_access scoped_type_identifier",
    calls={"object_creation_expression": "type"},
    goes_on="method_invocation array_access",
    around="parenthesized_expression",
    special=_java_special,
)


def _rust_special(node: "Node", around: "Sequence[Node]", drawing: "Drawing") -> bool:
    """Treats names in patterns, where a capital tells a constant from a local."""
    if around[-1].type in _RUST_PATTERNS and not drawing.text(node)[:1].isupper():
        local(node, around, drawing, _RUST)
        return True
    return False


def _in_macros(drawing: "Drawing") -> None:
    """Records the names within the arguments of Rust's macros, which the grammar reads as mere tokens."""
    for tree in drawing.nodes("(token_tree) @at"):
        tokens = tree.children
        place = 0
        while place < len(tokens):
            first = place
            while place + 2 < len(tokens) and tokens[place + 1].type in _JOINS:
                place += 2
            names = tokens[first : place + 1 : 2]
            place += 1
            if names[0].type not in _TOKENS or not drawing.may_refer(drawing.text(names[0])):
                continue
            called = place < len(tokens) and drawing.text(tokens[place])[:1] == "("
            found = ".".join(drawing.text(one) for one in names)
            kind = "calls" if called else "references"
            drawing.use_chain(found, kind, names[-1], drawing.scope(names[0]))


_JOINS = frozenset(("::", "."))
_TOKENS = frozenset(("identifier", "self", "crate"))
_RUST_PATTERNS = frozenset(
    "match_pattern tuple_pattern slice_pattern or_pattern ref_pattern mut_pattern reference_pattern"
    " captured_pattern tuple_struct_pattern field_pattern closure_parameters".split()
)
_RUST = Places(
    "identifier type_identifier self crate",
    binds={
        "let_declaration": "pattern",
        "let_condition": "pattern",
        "parameter": "pattern",
        "for_expression": "pattern",
        "type_parameter": "name",
        "const_parameter": "name",
    },
    defines="function_item function_signature_item struct_item enum_item trait_item union_item"
    " mod_item const_item static_item type_item macro_definition enum_variant associated_type",
    ignored="use_declaration use_list use_as_clause scoped_use_list use_wildcard lifetime attribute"
    " self_parameter macro_invocation token_tree",
    own_locals="function_item",
    whole="closure_expression match_arm",
    members="scoped_identifier scoped_type_identifier field_expression",
    calls={"call_expression": "function"},
    goes_on="index_expression try_expression",
    around="parenthesized_expression await_expression reference_expression generic_function",
    special=_rust_special,
)


def _c_special(node: "Node", around: "Sequence[Node]", _drawing: "Drawing") -> bool:
    """Whether a name is that of a definition rather than a value."""
    above = around[-1]
    if above.type in {"struct_specifier", "union_specifier", "enum_specifier", "class_specifier"}:
        return above.child_by_field_name("body") is not None
    return above.type == "type_definition" and above.child_by_field_name("declarator") == node


_c_places = partial(
    Places,
    binds={
        "init_declarator": "declarator",
        "declaration": "declarator",
        "parameter_declaration": "declarator",
        "optional_parameter_declaration": "declarator",
        "for_range_loop": "declarator",
        "array_declarator": "declarator",
        **_nowhere("pointer_declarator", "reference_declarator"),
        **_nowhere("structured_binding_declarator", "type_parameter_declaration"),
    },
    defines="enumerator preproc_def preproc_function_def namespace_definition alias_declaration",
    ignored="function_declarator preproc_params labeled_statement goto_statement using_declaration",
    own_locals="function_definition for_range_loop",
    whole="lambda_expression",
    members="field_expression qualified_identifier",
    calls={"call_expression": "function", "new_expression": "type"},
    goes_on="subscript_expression",
    around="parenthesized_expression pointer_expression",
    special=_c_special,
)
_C = _c_places("identifier type_identifier")
_CPP = _c_places("identifier type_identifier namespace_identifier this")
_PLACES = {"go": _GO, "rust": _RUST, "java": _JAVA, "c": _C, "cpp": _CPP}


def refer_in(language: str, drawing: "Drawing") -> None:
    """Records the references of a file, if it is in one of these languages."""
    if language in _PLACES:
        refer(drawing, _PLACES[language])
    if language == "rust":
        _in_macros(drawing)
