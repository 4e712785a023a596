"""Imports in all languages but Python and JavaScript."""

import re
from functools import partial

from bowerbird.core.outline import Import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from bowerbird.code.syntax.drawing import Drawing


# The captures that stand for an import.
IMPORTS = ("import", "use", "mod", "include", "requires", "brings", "opens")
_WRITTEN = re.compile(
    r"(?:global\s+)?(?:import|using|use)\s+(?:static\s+|function\s+|const\s+)?([^{;]*)\{?([^};]*)"
)
_AS = re.compile(r"\s+as\s+|\s*=>\s*")
# What stands for all names of a package.
_ALL = frozenset("*_")


def bring_import(kind: str, node: "Node", drawing: "Drawing", named: "Node | None" = None) -> None:
    """Records the import that a node stands for; `named` is the name that is given to it."""
    row, column = node.start_point
    scope, line = drawing.scope(node), row + 1
    if kind in {"brings", "opens"}:
        for brought in _written(drawing.text(node), opens=kind == "opens"):
            drawing.bring(Import(scope, *brought, line, column))
    elif kind == "requires":
        said = ("*", "*") if named is None else ("", "")
        name = "*" if named is None else drawing.text(named)
        module = drawing.text(node).lstrip("/")
        drawing.bring(Import(scope, name, module, said[0], line, column, said[1]))
    elif kind == "include":
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


def _written(text: str, *, opens: bool) -> "Iterator[tuple[str, str, str]]":
    """What an import says: local name, package and name; if it `opens` one, all names of it.

    ``import a.b.C``, ``import a.{B, C => D}``, ``use A as C``, ``using C = A.B``.
    """
    found = _WRITTEN.match(text)
    if found is None:
        return
    head, inner = (part.replace("\\", ".").strip() for part in found.groups())
    for part in (inner or head).split(","):
        path, *alias = _AS.split(part.strip(), maxsplit=1)
        if "=" in path:
            before, _, path = path.partition("=")
            alias = [before.strip()]
        whole = f"{head.rstrip('.')}.{path}" if inner else path
        module, _, name = whole.strip().strip(".").rpartition(".")
        if opens and not alias:
            yield "*", f"{module}.{name}".strip("."), "*"
        elif name in _ALL:
            yield "*", module, "*"
        elif module:
            yield (alias or [name])[0].strip(), module, name


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
