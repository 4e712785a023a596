"""Imports and exports in JavaScript and TypeScript, by statements and by ``require`` and ``exports``."""

from bowerbird.code.syntax.chains import chain
from bowerbird.core.outline import MODULE, Import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from bowerbird.code.syntax.drawing import Drawing


def bring_import(node: "Node", drawing: "Drawing") -> None:
    """Records an import statement."""
    module = _source(node, drawing)
    if not module:
        return
    scope, bound = drawing.scope(node), False
    row, column = node.start_point
    for clause in node.named_children:
        if clause.type == "import_clause":
            for one in clause.named_children:
                bound = True
                if one.type == "identifier":
                    row, column = one.start_point
                    name = drawing.text(one)
                    drawing.bring(Import(scope, name, module, "default", row + 1, column))
                elif one.type == "namespace_import":
                    name = drawing.text(one.named_children[0])
                    drawing.bring(Import(scope, name, module, "", row + 1, column))
                else:
                    for name, alias, at in _specifiers(one, drawing):
                        row, column = at.start_point
                        drawing.bring(Import(scope, alias, module, name, row + 1, column))
    if not bound:
        drawing.bring(Import(scope, "", module, "", row + 1, column))


def bring_export(node: "Node", drawing: "Drawing") -> None:
    """Records an export statement."""
    module = _source(node, drawing)
    row, column = node.start_point
    scope = drawing.scope(node)
    clauses = [one for one in node.named_children if one.type == "export_clause"]
    if scope != MODULE:  # of a namespace: its member is the name around it
        outer = drawing.outline.definitions[scope].parent
        for clause in clauses:
            for name, alias, _ in _specifiers(clause, drawing):
                drawing.bind_chain(scope, alias, name, outer)
        return
    spaces = [one for one in node.named_children if one.type == "namespace_export"]
    for clause in clauses:
        for name, alias, at in _specifiers(clause, drawing):
            row, column = at.start_point
            drawing.bring(Import(MODULE, "", module, name, row + 1, column, alias))
    for space in spaces:
        name = drawing.text(space.named_children[0])
        drawing.bring(Import(MODULE, "", module, "", row + 1, column, name))
    if module and not clauses and not spaces:
        drawing.bring(Import(MODULE, "", module, "*", row + 1, column, "*"))
    value = node.child_by_field_name("value")
    if value is not None and value.type == "identifier":
        drawing.bring(Import(MODULE, "", "", drawing.text(value), row + 1, column, "default"))


def bring_required(node: "Node", arguments: "Node | None", drawing: "Drawing") -> None:
    """Records ``require("x")`` and ``import("x")``, with the name assigned to it."""
    first = (
        arguments.named_children[0] if arguments is not None and arguments.named_children else None
    )
    if first is None or first.type != "string":
        return
    module = drawing.text(first).strip("\"'`")
    scope = drawing.scope(node)
    row, column = node.start_point
    call = node.parent
    holder = call.parent if call is not None else None
    member = ""
    if holder is not None and holder.type == "member_expression":
        name = holder.child_by_field_name("property")
        member = drawing.text(name) if name is not None else ""
        holder = holder.parent
    left = holder.child_by_field_name("name") if holder is not None else None
    if holder is None or holder.type != "variable_declarator" or left is None:
        drawing.bring(Import(scope, "", module, "", row + 1, column))
    elif left.type == "identifier":
        drawing.bring(Import(scope, drawing.text(left), module, member, row + 1, column))
    else:
        for local, member, at in picked(left, drawing):
            row, column = at.start_point
            drawing.bring(Import(scope, local, module, member, row + 1, column))


def bring_exported(name: str, value: "Node | None", drawing: "Drawing") -> None:
    """Records ``module.exports = x`` and ``exports.a = b`` as exports."""
    if value is None or drawing.scope(value, outside=True) != MODULE:
        return
    row, column = value.start_point
    if name == "module.exports" and value.type == "object":
        for one in value.named_children:
            key = one.child_by_field_name("key") if one.type == "pair" else one
            inner = one.child_by_field_name("value") if one.type == "pair" else one
            if key is not None and inner is not None and "identifier" in inner.type:
                drawing.bring(
                    Import(MODULE, "", "", drawing.text(inner), row + 1, column, drawing.text(key))
                )
    elif name == "module.exports" or name.startswith(("exports.", "module.exports.")):
        found = chain(value, drawing.text)
        exported = "default" if name == "module.exports" else name.rpartition(".")[2]
        if found and "." not in found:
            drawing.bring(
                Import(MODULE, "", "", found.removesuffix("()"), row + 1, column, exported)
            )


def _specifiers(node: "Node", drawing: "Drawing") -> "list[tuple[str, str, Node]]":
    """Name, alias and node of each in ``{ a, b as c }``."""
    found = []
    for one in node.named_children:
        name, alias = one.child_by_field_name("name"), one.child_by_field_name("alias")
        if name is not None:
            found.append((drawing.text(name), drawing.text(alias or name), name))
    return found


def picked(pattern: "Node", drawing: "Drawing") -> "list[tuple[str, str, Node]]":
    """Local name, original name and node of each in ``{ a, b: c }``."""
    found = []
    for one in pattern.named_children:
        if one.type == "shorthand_property_identifier_pattern":
            found.append((drawing.text(one), drawing.text(one), one))
        elif one.type == "pair_pattern":
            key, value = one.child_by_field_name("key"), one.child_by_field_name("value")
            if key is not None and value is not None and value.type == "identifier":
                found.append((drawing.text(value), drawing.text(key), key))
    return found


def _source(node: "Node", drawing: "Drawing") -> str:
    source = node.child_by_field_name("source")
    return drawing.text(source).strip("\"'") if source is not None else ""
