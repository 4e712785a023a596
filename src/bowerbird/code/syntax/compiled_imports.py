"""Imports in Go, Rust, Java, C and C++."""

from functools import partial

from bowerbird.core.outline import Import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from bowerbird.code.syntax.drawing import Drawing


def bring_import(kind: str, node: "Node", drawing: "Drawing") -> None:
    """Records the import that a node of one of these languages stands for."""
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


def _use(node: "Node", above: str, drawing: "Drawing", depth: int) -> None:
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
    node: "Node", drawing: "Drawing", local: str, module: str, name: str, exported: str
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
