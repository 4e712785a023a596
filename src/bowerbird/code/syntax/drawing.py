"""Builds an outline: first the definitions, then the names used inside each."""

from bisect import bisect_right

from bowerbird.code.syntax.chains import chain, type_chain
from bowerbird.code.syntax.grammar import query
from bowerbird.core.outline import MODULE, Binding, Definition, Import, Outline, Use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tree_sitter import Node

    from bowerbird.code.syntax.grammar import Parsed

# Maximum entries of one file: a generated one of ten thousand functions has as many calls.
_MOST = 50_000
# Maximum open matches of one pattern; only hostile texts need more.
_MOST_OPEN = 10_000
# Deeper nodes of a tree are ignored: fifty thousand nested brackets take a minute.
_DEEPEST = 300


class Drawing:
    """Collects the definitions and names of one tree. Lines are counted from 1, columns from 0."""

    def __init__(self, parsed: "Parsed", module: str = "") -> None:
        self.outline = Outline(parsed.grammar.language, module)
        self._parsed = parsed
        self.text = parsed.text
        self._starts: list[int] = []
        self._ends: list[int] = []

    def matches(self, patterns: str) -> "Iterator[tuple[int, dict[str, Node]]]":
        """For each match, the index of the pattern and the first node of each capture."""
        from tree_sitter import QueryCursor  # start-up: only needed to read code

        grammar = self._parsed.grammar
        compiled = query(grammar.wheel, grammar.function, patterns)
        cursor = QueryCursor(compiled, match_limit=_MOST_OPEN)
        cursor.set_max_start_depth(_DEEPEST)
        for pattern, captures in cursor.matches(self._parsed.root):
            yield pattern, {name: nodes[0] for name, nodes in captures.items()}

    def define(self, found: "list[tuple[str, str, Node, Node, int, str]]") -> None:
        """Records definitions: kind, name, node, the name's node, first line, traits.

        A definition inside another one's node is its child.
        """
        found.sort(key=lambda one: (one[2].start_byte, -one[2].end_byte))
        open_: list[tuple[int, int]] = []
        definitions = self.outline.definitions
        for kind, name, node, named, first, traits in found[:_MOST]:
            start, end = node.start_byte, node.end_byte
            while open_ and open_[-1][0] <= start:
                open_.pop()
            parent = open_[-1][1] if open_ else MODULE
            inside = definitions[parent].kind if parent != MODULE else ""
            if kind == "constant" and inside in {"function", "method"}:
                continue
            of_class = kind == "function" and inside == "class"
            self._starts.append(start)
            self._ends.append(end)
            index = len(definitions)
            last = node.end_point[0] + (node.end_point[1] > 0)
            line = named.start_point[0] + 1
            shown_kind = "method" if of_class else kind
            definitions.append(
                Definition(shown_kind, name, parent, first, max(last, line), line, traits)
            )
            if kind != "constant":
                open_.append((end, index))

    def scope(self, node: "Node", *, outside: bool = False) -> int:
        """The innermost function or class around a node; with `outside`, not the node itself."""
        start = node.start_byte
        index = bisect_right(self._starts, start) - 1
        definitions = self.outline.definitions
        # The definitions are sorted by start: the one that contains a position is the last that begins
        # before it, or one of its parents.
        while index != MODULE and (
            self._ends[index] <= start
            or definitions[index].kind == "constant"
            or (outside and self._starts[index] == start)
        ):
            index = definitions[index].parent
        return index

    def modules(self, scope: int) -> int:
        """How many modules of the file enclose a scope."""
        definitions, found = self.outline.definitions, 0
        while scope != MODULE:
            found += definitions[scope].kind == "module"
            scope = definitions[scope].parent
        return found

    def holder(self, scope: int) -> int:
        """The class whose members a scope can access through its own object; MODULE if none."""
        definitions = self.outline.definitions
        while scope != MODULE and definitions[scope].kind != "class":
            scope = definitions[scope].parent
        return scope

    def use(self, node: "Node", kind: str, at: "Node | None" = None) -> None:
        """Records the use of an expression's chain."""
        found = chain(node, self.text)
        if found and len(self.outline.uses) < _MOST:
            row, column = _end_name(at or node)
            self.outline.uses.append(Use(self.scope(node), found, kind, row + 1, column))

    def use_chain(self, found: str, kind: str, node: "Node", scope: int) -> None:
        """Records the use of a chain."""
        if found and len(self.outline.uses) < _MOST:
            row, column = _end_name(node)
            self.outline.uses.append(Use(scope, found, kind, row + 1, column))

    def bind(self, owner: int, name: str, value: "Node", scope: int) -> None:
        """Records the assignment of a value to a name."""
        found = chain(value, self.text)
        if found:
            self._bind(owner, name, found, scope, "value")

    def bind_chain(self, owner: int, name: str, found: str, scope: int) -> None:
        """Records the assignment of a chain to a name."""
        if found:
            self._bind(owner, name, found, scope, "value")

    def bind_type(self, owner: int, name: str, written: str, scope: int) -> None:
        """Records the type of a name."""
        found = type_chain(written)
        if found:
            self._bind(owner, name, found, scope, "type")

    def _bind(self, owner: int, name: str, found: str, scope: int, how: str) -> None:
        if (found != name or owner != scope) and len(self.outline.bindings) < _MOST:
            self.outline.bindings.append(Binding(owner, name, found, scope, how))

    def bring(self, one: Import) -> None:
        """Records an import."""
        if len(self.outline.imports) < _MOST:
            self.outline.imports.append(one)

    def done(self, builtins: "Collection[str]" = ()) -> Outline:
        """The outline, without references to names that nothing in the file defines.

        A plain reference is kept if the file defines or imports its name; a member of the own object if
        the file defines that name or has a class whose base may define it.
        """
        outline = self.outline
        own = {one.name for one in outline.definitions}
        known = {one.local for one in outline.imports} | own
        inherits = any(one.kind == "inherits" for one in outline.uses)
        kept = []
        for one in outline.uses:
            first, _, rest = one.chain.partition(".")
            first = _first(first)
            member = first in _OBJECT and rest and (inherits or _first(rest) in own)
            if (one.kind == "references" and first not in known and not member) or (
                first in builtins and first not in known and first == one.chain
            ):
                continue
            kept.append(one)
        outline.uses = kept
        outline.bindings = [
            one
            for one in outline.bindings
            if _first(one.chain) not in builtins or _first(one.chain) in known
        ]
        return outline


# Names by which the methods of a class refer to their object, in all languages.
_OBJECT = frozenset(("self", "cls", "this"))


def _first(found: str) -> str:
    """The first name of a chain."""
    return found.partition(".")[0].partition("(")[0].partition("[")[0]


def _end_name(node: "Node") -> tuple[int, int]:
    """Where the last name of an expression begins: for a call of ``a.b`` that is b."""
    for field in ("attribute", "property", "field", "name"):
        named = node.child_by_field_name(field)
        if named is not None:
            return named.start_point
    return node.start_point
