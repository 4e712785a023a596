"""The edges of one file: what its definitions import, call, inherit from, override and reference."""

import re

from bowerbird.code.modules import PACKAGED, module_of, package_of
from bowerbird.core.graph import AST, OVERRIDES, RULE, SCIP, Edge
from bowerbird.core.outline import MODULE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from bowerbird.code.files import File
    from bowerbird.code.resolve import Resolver
    from bowerbird.core.outline import Import, Use

    Key = tuple[int, tuple[int, int] | None, str, str]

# Confidence of an edge: resolved through scopes; through the type of a value; by a method name that only
# one class of the project has, called on a receiver of unknown type.
_SURE = 1.0
_FOLLOWED = 0.9
_ALONE = 0.5
# Constructors are called by the name of their class, and never through a base class.
_MAKES = frozenset(("__init__", "__new__", "__init_subclass__", "constructor"))
# Objects of JavaScript's own.
_GLOBALS = frozenset(
    "Array Atomics BigInt Boolean Buffer Date Error Function Intl JSON Map Math Number Object Promise"
    " Proxy Reflect RegExp Set String Symbol URL WeakMap WeakRef WeakSet console document globalThis"
    " history localStorage location navigator performance process screen sessionStorage window".split()
)
# Method names that standard libraries have too: being unique in a project is no evidence for them.
_COMMON = frozenset(
    name for kind in (str, bytes, int, float, list, dict, set, re.Match) for name in dir(kind)
) | frozenset(
    "get set add pop append extend insert remove update clear copy keys values items sort reverse index"
    " count find replace split join strip format encode decode read write close open seek flush push"
    " shift slice splice map filter reduce forEach concat includes toString has delete size length next"
    " send throw then catch finally call apply bind test match exec start stop run main name lower upper"
    " group search sub walk exists mkdir info debug warning error log exception setdefault startswith"
    " endswith partition acquire release wait put submit result cancel done emit on off once unwrap"
    " clone into iter collect equals hashCode println print printf len is_empty as_str to_string".split()
)


def edges_of(
    resolver: "Resolver",
    file: "File",
    uses: "Iterable[Use]",
    *,
    guess: bool = True,
    exact: "Mapping[tuple[int, int], tuple[int, int] | None] | None" = None,
) -> list[Edge]:
    """The edges of a file with these `uses`: one per location, kind and target, with a count.

    An unresolved name has an edge without a target. `guess`: resolve a method that only one class has to
    that class, marked as a guess. `exact` has what another tool resolved, by location (`graph.scip`); it
    takes precedence, and adds the references that the outline overlooked.
    """
    found: dict[Key, Edge] = {}
    for one in file.outline.imports:
        _import(resolver, file, one, found)
    seen = set()
    for use in uses:
        seen.add((use.line, use.column))
        if exact and (use.line, use.column) in exact:
            _indexed(file, use, exact[use.line, use.column], found)
            continue
        _use(resolver, file, use, found, guess=guess)
    if exact:
        _overlooked(resolver, file, seen, exact, found)
    for index in range(len(file.outline.definitions)):
        _override(resolver, file, index, found)
    return list(found.values())


def _put(found: "dict[Key, Edge]", edge: Edge) -> None:
    key = (edge.source, edge.target, edge.kind, edge.name if edge.target is None else "")
    before = found.get(key)
    if before is None:
        found[key] = edge
    else:
        before.count += 1
        before.confidence = max(before.confidence, edge.confidence)


def _import(resolver: "Resolver", file: "File", one: "Import", found: "dict[Key, Edge]") -> None:
    if not one.module:
        return
    documents = [module_of(resolver.world, file, one.module)]
    if documents == [None]:
        documents = [*package_of(resolver.world, file, one.module)]
    value = resolver.imports.brought(file, one) if one.name not in {"", "*"} else None
    name = f"{one.module}.{one.name}" if one.name not in {"", "*"} else one.module
    said = (one.line, one.column)
    targets: list[tuple[int, int]] = [(one, MODULE) for one in documents if one is not None]
    if value is not None and value[0] == "module":
        targets = [(value[1], MODULE)]
    elif value is not None and value[0] == "def":
        _put(found, _edge(one.scope, (value[1], value[2]), "imports", name, said, _SURE))
        if file.outline.language in PACKAGED or file.outline.language == "go":
            targets = [(value[1], MODULE)]
    for other in targets:
        if other[0] != file.document:
            _put(found, _edge(one.scope, other, "imports", name, said, _SURE))
    if not targets and (value is None or value[0] != "def"):
        _put(found, _edge(one.scope, None, "imports", name, said, 0.0))


def _indexed(
    file: "File", use: "Use", target: "tuple[int, int] | None", found: "dict[Key, Edge]"
) -> None:
    """Add the edge for a name that another tool resolved, unless it is an external reference."""
    if use.kind == "references" and target in (None, (file.document, use.owner)):
        return
    sure = 0.0 if target is None else _SURE
    edge = _edge(use.owner, target, use.kind, use.chain, (use.line, use.column), sure)
    edge.origin = SCIP
    _put(found, edge)


def _overlooked(
    resolver: "Resolver",
    file: "File",
    seen: "Collection[tuple[int, int]]",
    exact: "Mapping[tuple[int, int], tuple[int, int] | None]",
    found: "dict[Key, Edge]",
) -> None:
    """Add references at places that the outline does not have; imports are edges already."""
    definitions = file.outline.definitions
    brought = {one.line for one in file.outline.imports}
    ends: list[tuple[int, int]] = []  # the last line and place of the definitions around a line
    begun = 0
    for location in sorted(location for location in exact if location not in seen):
        line = location[0]
        while begun < len(definitions) and definitions[begun].start_line <= line:
            if definitions[begun].kind != "constant":
                ends.append((definitions[begun].end_line, begun))
            begun += 1
        while ends and ends[-1][0] < line:
            ends.pop()
        owner = ends[-1][1] if ends else MODULE
        target = exact[location]
        if target is None or line in brought or target == (file.document, owner):
            continue
        home = resolver.world.file(target[0])
        name = home.outline.definitions[target[1]].name if home is not None else ""
        edge = _edge(owner, target, "references", name, location, _SURE)
        edge.origin = SCIP
        _put(found, edge)


def _use(
    resolver: "Resolver", file: "File", use: "Use", found: "dict[Key, Edge]", *, guess: bool
) -> None:
    value = resolver.follow(file, use.scope, use.chain)
    if use.kind == "references":
        value = resolver.field(file, use.scope, use.chain) or value
    said = (use.line, use.column)
    if use.kind == "calls" and "." in use.chain:
        _called_field(resolver, file, use, found)
    if value is not None and value[0] == "def":
        target = _behind(resolver, use, (value[1], value[2]))
        if use.kind == "references" and target == (file.document, use.owner):
            return
        sure = _SURE if "." not in use.chain or value[3] is None else _FOLLOWED
        _put(found, _edge(use.owner, target, use.kind, use.chain, said, sure))
    elif use.kind != "references":
        unknown = guess and value is None and not _elsewhere(file, use)
        alone = _guessed(resolver, file, use) if unknown else None
        if alone is not None:
            edge = _edge(use.owner, alone, use.kind, use.chain, said, _ALONE)
            edge.origin = RULE
            _put(found, edge)
            return
        name = value[1] if value is not None and value[0] == "outside" else use.chain
        _put(found, _edge(use.owner, None, use.kind, name, said, 0.0))
        if use.kind == "calls" and "." in use.chain:
            _holding(resolver, file, use, found)


def _holding(resolver: "Resolver", file: "File", use: "Use", found: "dict[Key, Edge]") -> None:
    """Add a reference to the constant whose method is called, if the method is external."""
    value = resolver.follow(file, use.scope, use.chain.rpartition(".")[0])
    home = resolver.world.file(value[1]) if value is not None and value[0] == "def" else None
    if value is None or home is None or home.outline.definitions[value[2]].kind != "constant":
        return
    said = (use.line, use.column)
    _put(found, _edge(use.owner, (value[1], value[2]), "references", use.chain, said, _SURE))


def _called_field(resolver: "Resolver", file: "File", use: "Use", found: "dict[Key, Edge]") -> None:
    """Add a reference to the field whose value is called, as in ``self.factory()``."""
    field = resolver.field(file, use.scope, use.chain)
    if field is not None:
        said = (use.line, use.column)
        _put(found, _edge(use.owner, field[1:3], "references", use.chain, said, _SURE))


def _behind(resolver: "Resolver", use: "Use", target: "tuple[int, int]") -> "tuple[int, int]":
    """The function that is called if the name resolved to a C macro; otherwise the target."""
    home = resolver.world.file(target[0])
    if use.kind != "calls" or home is None or home.outline.language not in {"c", "cpp"}:
        return target
    if target[1] == MODULE or home.outline.definitions[target[1]].kind != "constant":
        return target
    functions = resolver.world.functions(use.chain)
    return functions[0] if len(functions) == 1 else target


def _guessed(resolver: "Resolver", file: "File", use: "Use") -> "tuple[int, int] | None":
    """The only method of the language with the called name, unless the name is common."""
    name = use.chain.rpartition(".")[2]
    if use.kind != "calls" or "." not in use.chain or name in _COMMON:
        return None
    methods = [
        definition
        for definition in resolver.world.functions(name)
        if _is_method(resolver, definition, file.outline.language)
    ]
    return methods[0] if len(methods) == 1 else None


def _elsewhere(file: "File", use: "Use") -> bool:
    """Whether a receiver is the language's own or of a type outside: its method is not guessed.

    Of 8 guessed calls in Java and Go, 5 had such types and were wrong; Java classes that are not imported
    belong to the language, as `JSON` does to JavaScript.
    """
    language = file.outline.language
    if language not in {"java", "go", "script"}:
        return False
    first = use.chain.partition(".")[0].partition("(")[0].partition("[")[0]
    scope = use.scope
    while True:
        bindings = file.bindings.get(scope, {}).get(first)
        if bindings:
            return language != "script" and any(one.how == "type" for one in bindings)
        if scope == MODULE:
            named = first[:1].isupper() if language == "java" else first in _GLOBALS
            return language != "go" and named and first not in file.imports.get(MODULE, {})
        scope = file.outline.definitions[scope].parent


def _is_method(resolver: "Resolver", definition: "tuple[int, int]", language: str) -> bool:
    """Whether a definition is a method of a class in this language."""
    file = resolver.world.file(definition[0])
    if file is None or file.outline.language != language:
        return False
    return file.outline.definitions[definition[1]].kind == "method"


def _override(resolver: "Resolver", file: "File", index: int, found: "dict[Key, Edge]") -> None:
    """Add the edge from a method to the method of a base class that it overrides."""
    one = file.outline.definitions[index]
    if one.kind != "method" or one.name in _MAKES or "static" in one.traits.split():
        return
    home, holder = file, one.parent
    if one.traits.startswith("of "):  # declared outside of its class
        value = resolver.look(file, one.parent, one.traits[3:])
        of = resolver.world.file(value[1]) if value is not None and value[0] == "def" else None
        if value is None or of is None:
            return
        home, holder = of, value[2]
    bases = home.bases.get(holder, ())
    if not bases or home.constructs(holder, one.name):
        return
    for chain in bases:
        base = resolver.follow(home, home.outline.definitions[holder].parent, chain)
        if base is None or base[0] != "def":
            continue
        value = resolver.member(("instance", *base[1:3]), one.name)
        if (
            value is not None
            and value[0] == "def"
            and (_is_method(resolver, value[1:3], home.outline.language))
        ):
            said = (one.line, 0)
            name = f"{chain}.{one.name}"
            _put(found, _edge(index, value[1:3], OVERRIDES, name, said, _FOLLOWED))
            return


def _edge(
    source: int,
    target: "tuple[int, int] | None",
    kind: str,
    name: str,
    said: "tuple[int, int]",
    confidence: float,
) -> Edge:
    return Edge(source, target, kind, name, AST, confidence, *said)
