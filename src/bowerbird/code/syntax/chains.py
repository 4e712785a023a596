"""Expressions and types as chains of names, in one form for all languages."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

# Longer chains cannot be resolved usefully, and very deep trees are hostile.
MOST_STEPS = 24
_LONGEST = 200
_PLAIN = re.compile(r"[\w$#]+(?:\.[\w$#]+)*")
# By node type: the fields that hold the object and name of a member, the called function, the indexed
# value; and node types that stand for their content.
_MEMBERS = {
    "attribute": ("object", "attribute"),
    "member_expression": ("object", "property"),
    "nested_identifier": ("object", "property"),
    "selector_expression": ("operand", "field"),
    "field_expression": ("value", "field"),
    "scoped_identifier": ("path", "name"),
    "scoped_type_identifier": ("path", "name"),
    "qualified_identifier": ("scope", "name"),
    "field_access": ("object", "field"),
    "method_invocation": ("object", "name"),
    "nested_type_identifier": ("module", "name"),
    "member_access_expression": ("expression", "name"),
    "member_call_expression": ("object", "name"),
    "scoped_call_expression": ("scope", "name"),
    "scope_resolution": ("scope", "name"),
    "dot_index_expression": ("table", "field"),
    "method_index_expression": ("table", "method"),
    "navigation_expression": ("target", "suffix"),
    "class_constant_access_expression": ("scope", "name"),
    "qualified_name": ("qualifier", "name"),
    "qualified_type": ("package", "name"),
}
_CALLS = {
    "call": "function",
    "call_expression": "function",
    "new_expression": "constructor",
    "object_creation_expression": "type",
    "composite_literal": "type",
    "struct_expression": "name",
    "invocation_expression": "function",
    "function_call": "name",
    "instance_expression": "type",
}
_INDEXED = {"subscript", "subscript_expression", "index_expression", "array_access"}
_INSIDE = {
    "parenthesized_expression",
    "await",
    "await_expression",
    "non_null_expression",
    "as_expression",
    "satisfies_expression",
    "unary_expression",
    "reference_expression",
    "try_expression",
    "pointer_expression",
    "type",
    "pointer_type",
    "reference_type",
    "expression_statement",
    "type_conversion_expression",
    "cast_expression",
    "generic_type",
    "list_splat",
    "dictionary_splat",
    "spread_element",
    "generic_function",
    "template_function",
    "template_type",
    "type_annotation",
    "user_type",
    "named_type",
    "generic_name",
}
# Members that are called where they stand, and those whose parts have no fields in some grammars.
_CALLED = {"method_invocation", "member_call_expression", "scoped_call_expression"}
_BY_PLACE = {"navigation_expression", "class_constant_access_expression"}
# Members that may be named without an object.
_ALONE = {"method_invocation", "qualified_identifier", "scoped_identifier"}
_NAMES = {
    "identifier",
    "type_identifier",
    "property_identifier",
    "private_property_identifier",
    "field_identifier",
    "package_identifier",
    "namespace_identifier",
    "this",
    "self",
    "super",
    "crate",
    "shorthand_property_identifier",
    "primitive_type",
    "statement_identifier",
    "constant",
    "name",
    "relative_scope",
    "self_expression",
    "simple_identifier",
    "this_expression",
    "variable_name",
}


def chain(node: "Node", text: "Callable[[Node], str]") -> str:
    """The chain of an expression; empty if it has none, such as an operator or a literal."""
    written = text(node) if node.end_byte - node.start_byte <= _LONGEST else ""
    # In Ruby a call may look like a name: ``Store.new``.
    if node.type != "call" and _PLAIN.fullmatch(written):
        return "" if written[0].isdigit() else written
    # From the last step to the first: `left` is the part before the known steps.
    steps: list[str] = []
    left: Node | None = node
    while left is not None and len(steps) < MOST_STEPS:
        if left.type in _NAMES:
            steps.append(text(left))
            left = None
            break
        step, left = _step(left, text)
        if step is None:
            return ""
        steps.append(step)
        if left is not None and step[:1] not in {"", "(", "["}:
            steps.append(".")
    found = "".join(reversed(steps))
    return found if left is None and len(found) <= _LONGEST and "\n" not in found else ""


def _step(node: "Node", text: "Callable[[Node], str]") -> "tuple[str | None, Node | None]":
    """The last step of an expression, and the part before it; (None, None) if it is no step."""
    kind = node.type
    if kind in _MEMBERS:
        return _member(node, text)
    if kind in _CALLS:
        method = node.child_by_field_name("method")
        if method is not None:  # a call of Ruby, where ``Store.new`` makes a Store
            before, name = node.child_by_field_name("receiver"), text(method)
            return ("()" if name == "new" and before is not None else f"{name}()"), before
        before = node.child_by_field_name(_CALLS[kind])
        if before is None and node.named_child_count:
            before = node.named_children[0]
        return ("()" if before is not None else None), before
    if not node.named_child_count:
        return None, None
    if kind in _INDEXED:
        return "[]", node.named_children[0]
    inside = node.child_by_field_name("type") or node.named_children[0]
    return ("" if kind in _INSIDE else None), inside


def _member(node: "Node", text: "Callable[[Node], str]") -> "tuple[str | None, Node | None]":
    """The name of a member, and its object."""
    kind = node.type
    at, name_at = _MEMBERS[kind]
    name, before = node.child_by_field_name(name_at), None
    for field in (at, "argument", "object"):
        before = before or node.child_by_field_name(field)
    if kind in _BY_PLACE and node.named_child_count > 1:
        children = node.named_children
        name, before = name or children[-1], before or children[0]
    if name is None or (before is None and kind not in _ALONE):
        return None, None
    called = "()" if kind in _CALLED else ""
    return text(name).partition("<")[0].lstrip(".?") + called, before


# Generic types around another one: those that keep its members; those that hold several of it; those that
# map a key to it.
_AROUND = frozenset(
    "Optional Annotated Final ClassVar Required NotRequired ReadOnly Awaitable Coroutine Promise"
    " Readonly Partial Pick Omit NonNullable Box Rc Arc RefCell Ref Option Result unique_ptr"
    " shared_ptr ContextManager AbstractContextManager AsyncContextManager".split()
)
_SEVERAL = frozenset(
    "list List Sequence MutableSequence Iterable Iterator Collection set Set frozenset FrozenSet"
    " AbstractSet tuple Tuple deque Generator AsyncIterator AsyncIterable Array ReadonlyArray"
    " ReadonlySet Vec vector ArrayList Stream".split()
)
_KEYED = frozenset(
    "dict Dict Mapping MutableMapping defaultdict OrderedDict Map ReadonlyMap WeakMap Record HashMap"
    " BTreeMap map unordered_map".split()
)
_NOTHING = frozenset(("None", "null", "undefined", "void"))
_GENERIC = re.compile(r"([\w.$]+)\s*[\[<](.*)[\]>]", re.DOTALL)
# An object of TypeScript whose values have one type: `{[key: string]: T}`, `{readonly [K in Keys]: T}`.
_INDEX = re.compile(r"\{\s*(?:readonly\s+)?\[[^\]]*\]\??\s*:\s*([^;]*);?\s*\}", re.DOTALL)
_TYPE = re.compile(r"[A-Za-z_$][\w$]*(?:\.[\w$]+)*")
_UNION = re.compile(r"(?:typing\.|t\.)?Union\[(.*)\]", re.DOTALL)
# Maximum types of a union: those of syntax trees have fifty, and their members are asked of each.
_MOST_OF_UNION = 8
# Maximum nesting of types that is parsed.
_MOST_NESTED = 6


def type_chain(written: str, depth: int = 0) -> str:
    """The chain of a written type; empty if it cannot be resolved.

    For an optional type, its other type; a union of several types gives none.
    """
    if len(written) > _LONGEST or depth > _MOST_NESTED:
        return ""
    written = written.strip().strip("\"'").strip().lstrip("&*").removeprefix("mut ")
    written = written.removeprefix("readonly ").removeprefix("const ").replace("::", ".").strip()
    parts = [part for part in _parts(written, "|") if part.strip() not in _NOTHING]
    if len(parts) != 1:
        return ""
    one = parts[0].strip().strip("\"'")
    if _TYPE.fullmatch(one):
        return one
    held = one[:-2] if one.endswith("[]") else one[2:] if one.startswith("[]") else ""
    if values := _INDEX.fullmatch(one):
        held = values[1]
    if held:
        inner = type_chain(held, depth + 1)
        return f"{inner}[]" if inner else ""
    both = _parts(one, "&")
    if len(both) > 1:  # an intersection has the members of each
        return next(filter(None, (type_chain(part, depth + 1) for part in both)), "")
    found = _GENERIC.fullmatch(one)
    if found is None:
        return ""
    outer, arguments = found.group(1), _parts(found.group(2), ",")
    last = outer.rpartition(".")[2]
    if last in _AROUND:
        return type_chain(arguments[-1] if last == "Coroutine" else arguments[0], depth + 1)
    if last in _SEVERAL or (last in _KEYED and len(arguments) > 1):
        inner = type_chain(arguments[1 if last in _KEYED else 0], depth + 1)
        return f"{inner}[]" if inner else ""
    return outer


def type_chains(written: str) -> list[str]:
    """The chains of a written type: of a union those of each of its types."""
    union = _UNION.fullmatch(written.strip().strip("\"'"))
    parts = _parts(union[1], ",") if union else _parts(written.strip().strip("\"'"), "|")
    whole = "" if union else type_chain(written)
    found = [whole] if whole else [type_chain(part) for part in parts[:_MOST_OF_UNION]]
    return [one for one in found if one]


def _parts(written: str, mark: str) -> list[str]:
    """Splits at a mark outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(written):
        if letter in "[(<{":
            depth += 1
        elif letter in "])>}":
            depth -= 1
        elif letter == mark and not depth:
            parts.append(written[start:at])
            start = at + 1
    return [*parts, written[start:]]
