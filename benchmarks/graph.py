"""Precision and recall of the code graph (imports, inherits, calls, any use) against SCIP resolvers.

    python benchmarks/graph.py FOLDER INDEX.scip [FOLDER INDEX.scip …]

INDEX.scip is written by `scip-python index .` or `scip-typescript index` in FOLDER. An edge goes from
the innermost function or class around a location to the function, method or class defined at a location
of the same project (imports: to any name or file). Precision counts edges at locations for which SCIP
has an occurrence. *References* are all uses outside of imports, whatever their kind, of functions,
methods, classes and constants.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from bowerbird.code.aliases import Aliases
from bowerbird.code.edges import edges_of
from bowerbird.code.files import World
from bowerbird.code.resolve import Resolver
from bowerbird.code.syntax.grammar import grammar_of, parse, query
from bowerbird.code.syntax.outlining import outlined
from bowerbird.core.outline import MODULE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.code.syntax.grammar import Grammar, Parsed
    from bowerbird.core.outline import Outline

# Field numbers of SCIP's messages (scip.proto).
_DOCUMENTS = 2
_PATH = 1
_OCCURRENCES = 2
_RANGE = 1
_SYMBOL = 2
_ROLES = 3
_DEFINITION = 1
_VARINT = 0
_LENGTH = 2
# Locations of names that are called, inherited from or imported, in each language's syntax tree. These
# patterns are independent of the product's, so that what the product overlooks counts as missed.
_PLACES = {
    "python": {
        "calls": "(call function: [(identifier) @at (attribute attribute: (identifier) @at)])",
        "inherits": "(class_definition superclasses: (argument_list"
        " [(identifier) @at (attribute attribute: (identifier) @at)"
        " (subscript value: (identifier) @at) (subscript value: (attribute attribute: (_) @at))]))",
        "imports": "(import_from_statement name: (dotted_name (identifier) @at .))"
        "(import_from_statement name: (aliased_import name: (dotted_name (identifier) @at .)))"
        "(import_statement name: (dotted_name (identifier) @at .))"
        "(import_statement name: (aliased_import name: (dotted_name (identifier) @at .)))",
    },
    "script": {
        "calls": "(call_expression function: [(identifier) @at"
        " (member_expression property: (_) @at)])"
        "(new_expression constructor: [(identifier) @at (member_expression property: (_) @at)])",
        "inherits": "(class_heritage (extends_clause value: (identifier) @at))"
        "(class_heritage (implements_clause (type_identifier) @at))"
        "(class_heritage (implements_clause (generic_type name: (type_identifier) @at)))"
        "(extends_type_clause (type_identifier) @at)"
        "(extends_type_clause (generic_type name: (type_identifier) @at))"
        "(extends_clause value: (member_expression property: (_) @at))"
        + "".join(
            f"({clause} {field}(nested_type_identifier name: (_) @at))"
            f"({clause} {field}(generic_type name: (nested_type_identifier name: (_) @at)))"
            for clause, field in (("implements_clause", ""), ("extends_type_clause", "type: "))
        ),
        "imports": "(import_specifier name: (identifier) @at)(import_clause (identifier) @at)"
        "(export_specifier name: (_) @at)",
    },
}
# A JSX component is called by its tag.
_TAGS = "(jsx_opening_element name: (_) @at)(jsx_self_closing_element name: (_) @at)"
# The symbol that scip-typescript gives the target of `new`.
_CONSTRUCTOR = "`<constructor>`()."
_KINDS = ("imports", "inherits", "calls", "references")
# Statements that import: what they name is no use.
_IMPORTING = {
    "python": "[(import_statement) (import_from_statement)] @at",
    "script": "[(import_statement) (export_statement source: (_)) (export_clause)] @at",
}


class Place(NamedTuple):
    """A line of a file, from 1; a file itself has line 0."""

    path: str
    line: int


def fields(data: bytes) -> Iterator[tuple[int, bytes | int]]:
    """The fields of one protocol buffers message: number, and bytes or an integer."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        if key & 7 == _VARINT:
            value, at = _varint(data, at)
            yield key >> 3, value
        elif key & 7 == _LENGTH:
            size, at = _varint(data, at)
            yield key >> 3, data[at : at + size]
            at += size
        else:
            raise SystemExit(f"a field of wire type {key & 7} is none that SCIP has")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at += 1
        if byte < 128:  # noqa: PLR2004 the highest bit says that more follows
            return value, at
        shift += 7


def occurrences(path: str) -> Iterator[tuple[str, int, int, str, bool]]:
    """File, line (from 1), column, symbol, and whether it is a definition, for every occurrence."""
    with open(path, "rb") as file:
        index = file.read()
    for number, document in fields(index):
        if number != _DOCUMENTS or not isinstance(document, bytes):
            continue
        parts = list(fields(document))
        name = next(
            value.decode() for key, value in parts if key == _PATH and isinstance(value, bytes)
        )
        for key, value in parts:
            if key == _OCCURRENCES and isinstance(value, bytes):
                found = dict(fields(value))
                place = found[_RANGE]
                line, after = _varint(place, 0) if isinstance(place, bytes) else (0, 0)
                column, _ = _varint(place, after) if isinstance(place, bytes) else (0, 0)
                symbol, roles = found.get(_SYMBOL, b""), found.get(_ROLES, 0)
                assert isinstance(symbol, bytes)  # noqa: S101 as scip.proto says
                assert isinstance(roles, int)  # noqa: S101 the same
                # Local symbols are unique only within their file.
                whole = (
                    f"{name} {symbol.decode()}" if symbol.startswith(b"local ") else symbol.decode()
                )
                yield name, line + 1, column, whole, bool(roles & _DEFINITION)


def defined(path: str) -> dict[str, Place]:
    """The definition of each symbol of the project; that of a constructor is its class."""
    found: dict[str, Place] = {}
    for name, line, column, symbol, definition in occurrences(path):
        if definition and not symbol.endswith((")", "]")):  # a parameter is on its function's line
            whole = symbol.endswith(("/__init__:", "`/")) and (line, column) == (1, 0)
            found.setdefault(symbol, Place(name, 0 if whole else line))
    for symbol in list(found):
        if (
            symbol.removesuffix(_CONSTRUCTOR) != symbol
            and symbol.removesuffix(_CONSTRUCTOR) in found
        ):
            found[symbol] = found[symbol.removesuffix(_CONSTRUCTOR)]
    return found


def repeated(path: str) -> dict[Place, Place]:
    """For each further definition of a symbol, such as an overload, the first one."""
    first = defined(path)
    return {
        Place(name, line): first[symbol]
        for name, line, _, symbol, definition in occurrences(path)
        if definition and symbol in first and first[symbol].line and first[symbol].line != line
    }


def merged(outlines: dict[str, Outline]) -> dict[Place, Place]:
    """For each further definition of a name, such as a namespace beside its class, the first one."""
    found: dict[Place, Place] = {}
    for name, outline in outlines.items():
        first: dict[str, int] = {}
        for index, one in enumerate(outline.definitions):
            line = first.setdefault(outline.qualified(index), one.line)
            if line != one.line:
                found[Place(name, one.line)] = Place(name, line)
    return found


def resolved_uses(path: str) -> dict[tuple[str, int, int], bool]:
    """The locations that have a SCIP occurrence, and whether it is resolved.

    scip-python gives the module in ``from . import module`` a local symbol, or one that nothing defines.
    """
    places = defined(path)
    own = {tuple(symbol.split(" ")[:4]) for symbol in places}
    return {
        (name, line, column): symbol in places
        or not (f"{name} local " in symbol or tuple(symbol.split(" ")[:4]) in own)
        for name, line, column, symbol, _ in occurrences(path)
    }


def truth(
    root: str, path: str, outlines: dict[str, Outline]
) -> dict[str, set[tuple[Place, Place]]]:
    """The edges in the SCIP index, by kind."""
    places = defined(path)
    said = {
        (name, line, column): places[symbol]
        for name, line, column, symbol, definition in occurrences(path)
        if symbol in places and not definition
    }
    found: dict[str, set[tuple[Place, Place]]] = {kind: set() for kind in _KINDS}
    for name, outline in outlines.items():
        suffix = os.path.splitext(name)[1]
        grammar = grammar_of(suffix)
        with open(os.path.join(root, name), encoding="utf-8") as file:
            parsed = parse(file.read(), grammar) if grammar else None
        if parsed is None or grammar is None:
            continue
        from tree_sitter import QueryCursor

        for kind, places_of in _PLACES[outline.language].items():
            patterns = places_of
            if kind == "calls" and grammar.function == "language_tsx":
                patterns += _TAGS
            cursor = QueryCursor(query(grammar.wheel, grammar.function, patterns))
            for node in cursor.captures(parsed.root).get("at", []):
                row, column = node.start_point
                target = said.get((name, row + 1, column))
                if target is None or (kind != "imports" and not _is_defined(outlines, target)):
                    continue
                if kind == "imports" and target.path == name:
                    continue  # a re-exported name
                source = Place(name, 0 if kind == "imports" else around(outline, row + 1))
                found[kind].add((source, target))
        lines = _importing(outline.language, grammar, parsed)
        found["references"] |= {
            (Place(name, around(outline, line)), target)
            for (path_of, line, _), target in said.items()
            if path_of == name
            and line not in lines
            and _is_defined(outlines, target, any_kind=True)
        }
    found["references"] = {(one, other) for one, other in found["references"] if one != other}
    return found


def _importing(language: str, grammar: Grammar, parsed: Parsed) -> set[int]:
    """The lines of a file that import or export."""
    from tree_sitter import QueryCursor

    patterns = query(grammar.wheel, grammar.function, _IMPORTING[language])
    return {
        line
        for node in QueryCursor(patterns).captures(parsed.root).get("at", [])
        for line in range(node.start_point[0] + 1, node.end_point[0] + 2)
    }


def _is_defined(outlines: dict[str, Outline], place: Place, *, any_kind: bool = False) -> bool:
    """Whether a function, method or class is defined at a location; with `any_kind` a constant too."""
    outline = outlines.get(place.path)
    return outline is not None and any(
        one.line == place.line and (any_kind or one.kind != "constant")
        for one in outline.definitions
    )


def around(outline: Outline, line: int) -> int:
    """The line of the innermost definition around a line; 0 if there is none."""
    found = [
        one
        for one in outline.definitions
        if one.kind != "constant" and one.start_line <= line <= one.end_line
    ]
    return (
        min(found, key=lambda one: (one.end_line - one.start_line, -one.line)).line if found else 0
    )


def drawn(
    root: str, outlines: dict[str, Outline], seen: dict[tuple[str, int, int], bool], *, guess: bool
) -> dict[str, set[tuple[Place, Place]]]:
    """The product's edges, by kind, at locations that have a SCIP occurrence."""
    names = dict(enumerate(outlines))
    paths = {number: os.path.join(root, name) for number, name in names.items()}
    resolver = Resolver(World(paths, lambda number: outlines[names[number]], Aliases().ways))
    found: dict[str, set[tuple[Place, Place]]] = {kind: set() for kind in _KINDS}
    for number, name in names.items():
        file = resolver.world.file(number)
        uses = resolver.world.uses(number)
        edges = edges_of(resolver, file, uses, guess=guess) if file is not None else []
        named = {
            (one.line, one.column)
            for one in edges
            if one.kind == "imports" and one.target is not None and one.target[1] != MODULE
        }
        for one in edges:
            if one.target is None or (name, one.line, one.column) not in seen:
                continue
            if one.kind == "overrides":
                continue
            target = outlines[names[one.target[0]]]
            line = 0 if one.target[1] == MODULE else target.definitions[one.target[1]].line
            place = Place(names[one.target[0]], line)
            if one.kind == "imports":
                # If a name has an edge of its own, the edge to its module does not count.
                alone = line or (one.line, one.column) not in named
                if alone and seen[name, one.line, one.column]:
                    found["imports"].add((Place(name, 0), place))
                continue
            source = Place(name, 0)
            if one.source != MODULE:
                source = Place(name, outlines[name].definitions[one.source].line)
            if _is_defined(outlines, place) and one.kind in found and one.kind != "references":
                found[one.kind].add((source, place))
            if place.line and source != place:
                found["references"].add((source, place))
    return found


def outlines_of(root: str) -> dict[str, Outline]:
    """The outlines of the sources below a folder, by path."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(one for one in folders if one not in {"node_modules", ".git", "dist"})
        for name in sorted(names):
            path = os.path.join(folder, name)
            if grammar_of(os.path.splitext(name)[1]) and not name.endswith(".d.ts"):
                with open(path, encoding="utf-8", errors="replace") as file:
                    read = outlined(file.read(), os.path.splitext(name)[1])
                if read is not None and read[0].language in _PLACES:
                    found[os.path.relpath(path, root)] = read[0]
    return found


def main() -> None:
    """Compare each pair and print a table."""
    arguments = [one for one in sys.argv[1:] if not one.startswith("--")]
    guess = "--guess" in sys.argv
    shown = "--show" in sys.argv
    print(
        "| project | imports p / r (n) | inherits p / r (n) | calls p / r (n) | references p / r (n) |"
        "\n|---|---|---|---|---|"
    )
    totals = {kind: [0, 0, 0] for kind in _KINDS}
    for root, index in zip(arguments[::2], arguments[1::2], strict=True):
        outlines = outlines_of(root)
        known = {name for name, *_ in occurrences(index)}
        outlines = {name: one for name, one in outlines.items() if name in known}
        real = truth(root, index, outlines)
        seen = resolved_uses(index)
        ours = drawn(root, outlines, seen, guess=guess)
        same = merged(outlines) | repeated(index)
        for kinds in (real, ours):
            for kind, edges in kinds.items():
                kinds[kind] = {(same.get(a, a), same.get(b, b)) for a, b in edges}
        cells = []
        for kind in _KINDS:
            both = len(real[kind] & ours[kind])
            counts = (both, len(ours[kind]), len(real[kind]))
            totals[kind] = [a + b for a, b in zip(totals[kind], counts, strict=True)]
            cells.append(_cell(*counts))
            if shown:
                for mark, some in (("-", real[kind] - ours[kind]), ("+", ours[kind] - real[kind])):
                    for one, other in sorted(some)[:400]:
                        print(mark, kind, *one, "->", *other, file=sys.stderr)
        print(f"| {os.path.basename(index)} | {' | '.join(cells)} |")
    print(f"| all | {' | '.join(_cell(*totals[kind]) for kind in _KINDS)} |")


def _cell(both: int, ours: int, real: int) -> str:
    return f"{both / max(ours, 1):.3f} / {both / max(real, 1):.3f} ({real:,})"


if __name__ == "__main__":
    main()
