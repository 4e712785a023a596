"""Finds what a target names in the code graph: a file, a symbol, a module or a folder."""

import os

from bowerbird.core.value import Advice, Do

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.graph import Node
    from bowerbird.core.ports.graph import Graph
    from bowerbird.core.ports.store import Store

# Extensions tried for a module that is given by its import name.
_MODULES = (".py", ".ts", ".js", ".rs")


def find_target(
    store: "Store", target: str, seen: "Sequence[str]"
) -> "tuple[list[Node], list[Node]]":
    """The node that a target names in some projects, or the candidates if it is ambiguous.

    Raises NotFound, also if the file of a symbol is indexed and does not define it.
    """
    from bowerbird.core.errors import NotFound

    graph = store.documents.graph
    for path, name in _readings(target):
        found = graph.at(path, name, seen) or _inherited(graph, path, name, seen)
        if path and name and not found:
            _require_no_file(graph, target, path, seen)
        files = {node.path for node in found}
        names = {(node.path, node.name) for node in found}
        exact = [node for node in found if path and node.path == os.path.abspath(path)]
        # A name without a path may also be a method's.
        whole = [node for node in found if node.name == name and (path or "." in name)]
        if exact and len({(one.path, one.name) for one in exact}) == 1:
            return exact[:1], []
        if len({(one.path, one.name) for one in whole}) == 1:
            return whole[:1], []
        if found and (len(files) == 1 or len(names) == 1) and len(names) == 1:
            return found[:1], []
        if found:
            return [], found
    way = _way(target)
    modules = [one for end in _MODULES for one in graph.at(way + end, "", seen)]
    if modules:
        return (modules, []) if len(modules) == 1 else ([], modules)
    folders = graph.folders(way, seen)
    if folders:
        nodes = [folder(one) for one in folders]
        return (nodes, []) if len(nodes) == 1 else ([], nodes)
    raise NotFound(
        f"nothing in the indexed code is called {target}",
        Advice("give a file, file:symbol or a symbol, and index the code by ", Do("index")),
    )


def _inherited(graph: "Graph", path: str, name: str, seen: "Sequence[str]") -> "list[Node]":
    """The definitions of a member in the nearest bases of its class."""
    holder, _, member = name.rpartition(".")
    classes = graph.at(path, holder, seen) if holder else []
    known = {one.id for one in classes}
    while classes:
        rows = graph.edges([one.id for one in classes], into=False, kind="inherits")
        bases = {row[1] for row in rows} - known
        known |= bases
        classes = [*graph.nodes(sorted(bases)).values()]
        of_base = ((one.name, graph.at(one.path, f"{one.name}.{member}", seen)) for one in classes)
        found = [one for base, some in of_base for one in some if one.name == f"{base}.{member}"]
        if found:
            return found
    return []


def _require_no_file(graph: "Graph", target: str, path: str, seen: "Sequence[str]") -> None:
    """Raises NotFound if a target's path is of an indexed file, which does not define its name then."""
    from bowerbird.code.naming import parted
    from bowerbird.core.errors import NotFound, nearest

    spelled, name = parted(target)
    for file in graph.at(path, "", seen)[:1]:
        names = [one.name for one in graph.nodes(graph.within(file.id)).values() if one.name]
        near = nearest(name, names)
        remedy = f"did you mean {spelled}:{near}? " if near else ""
        raise NotFound(
            f"nothing in {spelled} is called {name}",
            Advice(f"{remedy}if the file has changed, index it again: ", Do("index")),
        )


def folder(path: str) -> "Node":
    """The node of a folder, which the store does not number."""
    from bowerbird.core.graph import FOLDER, Node

    return Node(FOLDER, path, "", "module", 1, 1)


def _readings(target: str) -> "list[tuple[str, str]]":
    """The interpretations of a target, in order: a symbol in a file, a file, a symbol."""
    from bowerbird.code.naming import dotted, parted

    path, name = parted(target)
    readings = [(_whole(path), name)] if name else []
    if "/" in path or "." in path:
        readings.append((_whole(path), ""))
    return [*readings, ("", dotted(target))]


def _whole(path: str) -> str:
    """The absolute path of an existing file; otherwise the target, to be matched as a path's end."""
    return os.path.realpath(path) if os.path.exists(path) else path.removeprefix("./")


def _way(target: str) -> str:
    """The absolute path of a folder, or a dotted module name as the end of a path."""
    if os.path.isdir(target):
        return os.path.realpath(target)
    plain = target.strip().rstrip("/").removeprefix("./")
    return plain if "/" in plain else plain.replace("::", "/").replace(".", "/")
